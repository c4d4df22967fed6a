"""Text that was made to be expensive, beside ordinary text of the same length: CPU time and memory of every path.

    python benchmarks/adversarial.py [--characters 1000000] [--languages ja en] [--only PATTERN …]

Each pattern goes once through the path of `kakari parse` (`text`) and through `kakari.load` (`spaCy`) of its language,
in a process of its own whose model was loaded and used before the clock starts. A row holds the time as a multiple of
that of ordinary text of as many characters through the same path, and the largest memory of the process (the models are
in it). The last line says whether all of them keep to 3 times and 1 GB.
"""

from __future__ import annotations

import argparse
import random
import resource
import subprocess
import sys
import time

MOST_TIMES, MOST_MEGABYTES = 3.0, 1000
LANGUAGES = ("ja", "en")
PATHS = ("text", "spaCy")
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
    "random characters": (None, None),
}


def pattern(name: str, language: str, characters: int) -> str:
    """Return a text of so many characters."""
    if name == "ordinary":
        return ordinary(language, characters)
    unit = UNITS[name][LANGUAGES.index(language)]
    if unit is None:
        draw = random.Random(0)
        codes = (draw.choice((draw.randrange(1, 0xD800), draw.randrange(0xE000, 0x1F000))) for _ in range(characters))
        return "".join(map(chr, codes))
    return (unit * (characters // len(unit) + 1))[:characters]


def ordinary(language: str, characters: int) -> str:
    """Return sentences of the samples, in a new order each time that they are used up."""
    from kakari.corpora import read

    if language == "ja":
        sentences = [sentence.text for sentence in read("sample-ja")]
    else:
        from kakari.parsers.english.words.detokenising import detokenised
        from kakari.parsers.english.words.flat_trees import flattened

        sentences = [detokenised(flattened(sentence.tree))[0] + " " for sentence in read("sample-en")]
    draw, made, size = random.Random(0), [], 0
    while size < characters:
        draw.shuffle(sentences)
        made += sentences
        size += sum(map(len, sentences))
    return "".join(made)[:characters]


def measure(name: str, language: str, path: str, characters: int) -> None:
    """Print the CPU seconds and the megabytes of one pattern; runs in a process of its own."""
    text, small = pattern(name, language, characters), ordinary(language, 2_000)
    if path == "spaCy":
        import kakari

        nlp = kakari.load(language)
        work = lambda given: list(nlp.pipe([given]))  # noqa: E731
    elif language == "ja":
        from kakari.output.japanese import write_texts
        from kakari.parsers.japanese.parser import JapaneseParser

        japanese = JapaneseParser.pretrained()
        work = lambda given: write_texts(japanese, [given], "cabocha")  # noqa: E731
    else:
        from kakari.output.english import write_texts as write_english
        from kakari.parsers.arguments.model import pretrained_arguments
        from kakari.parsers.english.parser import EnglishParser

        english, arguments = EnglishParser.pretrained(), pretrained_arguments()
        work = lambda given: write_english(english, [given], "json", arguments=arguments)  # noqa: E731
    work(small)
    before = time.process_time()
    work(text)
    seconds = time.process_time() - before
    print(seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


def measured(name: str, language: str, path: str, characters: int) -> tuple[float, float]:
    """Run `measure` in another process."""
    command = [sys.executable, __file__, "--measure", name, language, path, "--characters", str(characters)]
    seconds, megabytes = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    return float(seconds), float(megabytes)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--characters", type=int, default=1_000_000)
    parser.add_argument("--only", nargs="*", default=list(UNITS))
    parser.add_argument("--languages", nargs="+", default=list(LANGUAGES))
    parser.add_argument("--measure", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure:
        measure(*options.measure, options.characters)
        return
    print(f"{'pattern':32}{'language':>9}{'path':>7}{'times':>8}{'MB':>7}")
    worst_times = worst_megabytes = 0.0
    for language in options.languages:
        for path in PATHS:
            usual, megabytes = measured("ordinary", language, path, options.characters)
            print(f"{f'ordinary: {usual:.1f} s':32}{language:>9}{path:>7}{1:8.2f}{megabytes:7.0f}", flush=True)
            for name in options.only:
                seconds, megabytes = measured(name, language, path, options.characters)
                worst_times, worst_megabytes = max(worst_times, seconds / usual), max(worst_megabytes, megabytes)
                print(f"{name:32}{language:>9}{path:>7}{seconds / usual:8.2f}{megabytes:7.0f}", flush=True)
    kept = worst_times <= MOST_TIMES and worst_megabytes <= MOST_MEGABYTES
    print(f"at most {worst_times:.2f} times and {worst_megabytes:.0f} MB: {'kept' if kept else 'NOT KEPT'}")


if __name__ == "__main__":
    main()
