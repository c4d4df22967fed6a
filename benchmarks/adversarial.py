"""Text that was made to be expensive, beside ordinary text of the same length: CPU time and memory of every path.

    python benchmarks/adversarial.py [--characters 1000000] [--languages ja en wiki] [--paths text …] [--only PATTERN …]

Each pattern goes once through each path of its language: `kakari parse` (`text`; `juman` with `--words kakari`; `beam`
with `--beam 5`), `kakari.load` (`spaCy`), `kakari words`, Universal Dependencies (`universal`; `dependency` with the
embedded English model; `danish` with one trained on the sample, for text of any language), chunks, `kakari ask`
(`questions`), and `kakari hyponyms` for wikitext. It does so in a process of its own whose model was loaded and used
before the clock starts (with `--together`, in that of all patterns of a path). A row holds the time as a multiple of
that of ordinary text of as many characters through the same path, and the largest memory of the process (the models
are in it). The last line says whether all of them keep to 3 times and 1 GB.
"""

from __future__ import annotations

import argparse
import random
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import chain

MOST_TIMES, MOST_MEGABYTES = 3.0, 1000
PATHS = {
    "ja": ("text", "juman", "spaCy", "words", "universal"),
    "en": ("text", "beam", "spaCy", "chunks", "dependency", "danish", "questions"),
    "wiki": ("hyponyms",),
}
LANGUAGES = tuple(PATHS)
UNITS = {
    "opening brackets": ("（", "("),
    "closing brackets": ("」", ")"),
    "pairs of brackets": ("「」", "()"),
    "brackets of two kinds, crossed": ("（「）」", "([)]"),
    "deep brackets around words": ("「彼が", "(he said "),
    "one word": ("食べる", "give "),
    "one word and a comma": ("行く、", "give, "),
    "clauses in clauses": ("と彼が言うと", "he said that "),
    "nouns without end": ("東京都", "dog "),
    "particles": ("のはがを", "of to in "),
    "one letter": ("あ", "a"),
    "one letter and a blank": ("あ ", "a "),
    "full stops": ("。", "."),
    "question and exclamation marks": ("？！", "?!"),
    "sentences of one word": ("行く。", "Go. "),
    "quotation marks": ("“”", "\"'"),
    "emoji": ("👨‍👩‍👧", "👨‍👩‍👧"),
    "combining characters": ("か\u3099", "e\u0301"),
    "combining characters alone": ("\u3099", "\u0301"),
    "lone surrogates": ("あ\ud800", "a \ud800 "),
    "digits": ("1234567890", "1234567890"),
    "numerals": ("三億二千", "one hundred and "),
    "numbers and points": ("1.", "1.2,"),
    "addresses": ("https://例え.jp/？", "http://a.b/c?d=e&"),
    "addresses of mail": ("a@b.jp、", "a@b.c "),
    "zeros": ("\x00", "\x00"),
    "right to left": ("שלום\u202e", "\u202eשלום "),
    "line breaks": ("\n", "\n"),
    "blanks": ("　", " "),
    "hyphens": ("ー", "-"),
    "contractions": ("じゃん", "n't'll"),
    "random brackets": ("「」『』（）", "()[]{}\"'"),
    "random marks": ("、。・！？「」（）", "()[]{}\"'.,;:!?-_/*&%$#@+=<>|~`^"),
    "random characters": (None, None),
}
DRAWN = ("random brackets", "random marks")  # of these characters, in any order: no two runs are the same
WIKITEXT = {
    "open templates": "{{",
    "open links": "[[",
    "closed links": "]]",
    "links in templates": "{{a|[[b",
    "templates of one letter": "{{a}}",
    "links of one letter": "[[a]]",
    "deep templates": "{{" * 100 + "a" + "}}" * 100,
    "references": "<ref>",
    "closed references": "<ref>a</ref>",
    "comments": "<!--",
    "headings": "=",
    "headings of one letter": "==あ==\n",
    "list marks": "*",
    "deep list": "*#:;" * 8 + "あ\n",
    "one long list": "* あ\n",
    "quotation marks": "''",
    "tables": "{|\n|-\n| あ\n",
    "tables in tables": "{|\n|+ あ\n! い\n|-\n|\n",
    "captions": "|+ あ\n",
    "glosses": "(あ: ",
    "table rows": "|-\n| あ || い\n",
    "bars": "|",
    "nowiki": "<nowiki>",
    "tags": "<br>",
    "addresses": "[http://a ",
    "entities": "&amp;",
    "line breaks": "\n",
    "one letter": "あ",
    "definitions": "あは、いである。",
}


def pattern(name: str, language: str, characters: int) -> str:
    """Return a text of so many characters."""
    if name == "ordinary":
        return ordinary(language, characters)
    unit = WIKITEXT[name] if language == "wiki" else UNITS[name][LANGUAGES.index(language)]
    if unit is None:
        draw = random.Random(0)
        codes = (draw.choice((draw.randrange(1, 0xD800), draw.randrange(0xE000, 0x1F000))) for _ in range(characters))
        return "".join(map(chr, codes))
    if name in DRAWN:
        return "".join(random.Random(0).choices(unit, k=characters))
    return (unit * (characters // len(unit) + 1))[:characters]


def ordinary(language: str, characters: int) -> str:
    """Return sentences of the samples, in a new order each time that they are used up."""
    from kakari.corpora import read

    if language == "ja":
        sentences = [sentence.text for sentence in read("sample-ja")]
    elif language == "wiki":
        lines = [sentence.text for sentence in read("sample-ja")]
        sentences = [f"== {line[:4]} ==\n{line}\n* [[{line[:3]}]]、{line[3:9]}\n* {line[:5]}\n" for line in lines]
    else:
        from kakari.parsers.english.words.detokenising import detokenised
        from kakari.parsers.english.words.treebank_trees import flattened

        sentences = [detokenised(flattened(sentence.tree))[0] + " " for sentence in read("sample-en")]
    draw, made, size = random.Random(0), [], 0
    while size < characters:
        draw.shuffle(sentences)
        made += sentences
        size += sum(map(len, sentences))
    return "".join(made)[:characters]


def work_of(language: str, path: str) -> Callable[[str], object]:
    """Load what a path needs; return what it does with a text."""
    if path == "spaCy":
        import kakari

        nlp = kakari.load(language)
        return lambda given: list(nlp.pipe([given]))
    if path == "words":
        from kakari.commands.sequences.words import words_model, write_words

        words = words_model(None)
        return lambda given: write_words(words, [given], "juman", one_sentence=False)
    if path == "hyponyms":
        from kakari.corpora.formats.wikipedia import Article
        from kakari.parsers.hyponymy.extraction import judged_pairs
        from kakari.parsers.hyponymy.model import pretrained_hyponymy

        judge = pretrained_hyponymy()
        return lambda given: list(judged_pairs([Article("題", given)], judge))
    return japanese_work(path) if language == "ja" else english_work(path)


def japanese_work(path: str) -> Callable[[str], object]:
    """Return how Japanese text is parsed, with Universal Dependencies or without."""
    from kakari.output.japanese import write_texts
    from kakari.parsers.japanese.parser import JapaneseParser

    if path == "juman":
        own_words = JapaneseParser.pretrained(words="kakari")
        return lambda given: write_texts(own_words, [given], "cabocha")
    parser = JapaneseParser.pretrained(universal=path == "universal")
    if path == "universal":
        return lambda given: parser.parse(given)
    return lambda given: write_texts(parser, [given], "cabocha")


def english_work(path: str) -> Callable[[str], object]:
    """Return how English text is parsed: trees with arguments, several trees, chunks, questions or dependencies."""
    if path == "chunks":
        from kakari.parsers.english.chunks.chunker import Chunker

        chunker = Chunker.pretrained()
        return lambda given: chunker.chunk(given)
    if path == "questions":
        from kakari.parsers.questions.compact_model import QuestionReader

        reader = QuestionReader.pretrained()
        return lambda given: list(reader.pipe([given]))
    if path in ("dependency", "danish"):
        from kakari.parsers.dependency.parser import DependencyParser
        from kakari.parsers.dependency.training import train
        from kakari.parsers.dependency.treebank import read_treebank

        if path == "dependency":
            dependencies = DependencyParser.pretrained()
        else:
            dependencies = DependencyParser(train(list(read_treebank("sample-ud")), language="da"))
        return lambda given: dependencies.parse(given)
    from kakari.output.english import write_texts
    from kakari.parsers.arguments.model import pretrained_arguments
    from kakari.parsers.english.parser import EnglishParser

    parser, arguments = EnglishParser.pretrained(), pretrained_arguments()
    if path == "beam":
        return lambda given: write_texts(parser, [given], "json", beam=5)
    return lambda given: write_texts(parser, [given], "json", arguments=arguments)


def measure(names: Sequence[str], language: str, path: str, characters: int) -> None:
    """Print the CPU seconds of each pattern, and the largest memory until then."""
    work = work_of(language, path)
    work(ordinary(language, 2_000))
    for name in names:
        text = pattern(name, language, characters)
        before = time.process_time()
        work(text)
        print(time.process_time() - before, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, flush=True)


def measured(names: Sequence[str], language: str, path: str, characters: int) -> Iterator[tuple[float, float]]:
    """Run `measure` in another process."""
    command = [
        sys.executable,
        "-W",
        "ignore",
        __file__,
        "--measure",
        language,
        path,
        *names,
        "--characters",
        str(characters),
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        for _, line in zip(names, child.stdout or (), strict=True):
            seconds, megabytes = map(float, line.split())
            yield seconds, megabytes


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--characters", type=int, default=1_000_000)
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--paths", nargs="+")
    parser.add_argument("--languages", nargs="+", default=list(LANGUAGES))
    parser.add_argument("--together", action="store_true", help="all patterns of a path in one process: faster")
    parser.add_argument("--measure", nargs="+", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure:
        language, path, *names = options.measure
        measure(names, language, path, options.characters)
        return
    print(f"{'pattern':32}{'language':>9}{'path':>11}{'times':>8}{'MB':>7}")
    worst_times = worst_megabytes = 0.0
    for language in options.languages:
        for path in PATHS[language]:
            if options.paths is not None and path not in options.paths:
                continue
            names = ["ordinary", *(options.only or (WIKITEXT if language == "wiki" else UNITS))]
            parts = [names] if options.together else [[name] for name in names]
            found = chain.from_iterable(measured(part, language, path, options.characters) for part in parts)
            usual = 0.0
            for name, (seconds, megabytes) in zip(names, found, strict=True):
                usual = usual or seconds
                told = name if name != "ordinary" else f"ordinary: {usual:.1f} s"
                worst_times, worst_megabytes = max(worst_times, seconds / usual), max(worst_megabytes, megabytes)
                print(f"{told:32}{language:>9}{path:>11}{seconds / usual:8.2f}{megabytes:7.0f}", flush=True)
    kept = worst_times <= MOST_TIMES and worst_megabytes <= MOST_MEGABYTES
    print(f"at most {worst_times:.2f} times and {worst_megabytes:.0f} MB: {'kept' if kept else 'NOT KEPT'}")


if __name__ == "__main__":
    main()
