"""How good and how fast words, chunks and trees behind our own words are, beside what else finds Japanese words.

    python benchmarks/words.py [--sentences N] [--part accuracy|speed] [--model FILE …]

Accuracy: our words and those of Debian's `mecab` with jumandic, both in JUMAN's units, from the text of kwdlc:dev and
wac:dev by the same scoring code; words models of your own (`--model`) have a row each.

Speed: one row a way, over the sentences of kwdlc:dev (repeated to N) and of conll2000:train: sentences in a second of
one core (CPU time, the best of three turns). Each way returns strings: a list of words, or MeCab's lines. Ways whose
package or dictionary is not installed are left out: `pip install mecab-python3 fugashi unidic-lite nagisa budoux`, and
Debian's mecab-jumandic-utf8.
"""

import argparse
import itertools
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from kakari.corpora import read
from kakari.output.words import to_mecab
from kakari.parsers.english.chunks.chunker import Chunker
from kakari.parsers.japanese.parser import JapaneseParser
from kakari.parsers.japanese.tagging.entries import sentence_entries
from kakari.parsers.japanese.tagging.model import WordsModel, pretrained_words
from kakari.parsers.japanese.tagging.scores import evaluate, score
from kakari.parsers.sequences.reading import read_labelled

JUMANDIC = Path("/var/lib/mecab/dic/juman-utf8")
CORPORA = ("kwdlc:dev", "wac:dev")
FIGURES = {"words F1": "word_f1", "+ POS": "word_pos_f1", "+ base": "word_base_f1", "boundaries": "boundary_accuracy"}
Way = tuple[str, Callable[[], object]]
Place = tuple[int, int, str, str]


def rate(work: Callable[[], object], sentences: int, turns: int = 3) -> float:
    """Return sentences a CPU second, the best of some turns."""
    best = float("inf")
    for _ in range(turns):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return sentences / best


def ours(texts: list[str]) -> Iterator[Way]:
    """Yield our ways."""
    model = pretrained_words()
    batches = [texts[at : at + 500] for at in range(0, len(texts), 500)]
    yield "kakari: boundaries and tags, arrays", lambda: [model.tag(model.cut(batch)) for batch in batches]
    yield "kakari: words as objects", lambda: list(model.pipe(texts))
    yield "kakari: MeCab's lines", lambda: [to_mecab(words) for words in model.pipe(texts)]
    parser = JapaneseParser.pretrained(words="kakari")
    yield "kakari: text to trees, our words", lambda: list(parser.pipe(texts, one_sentence=True))
    sudachi = JapaneseParser.pretrained()
    yield "kakari: text to trees, Sudachi's words", lambda: list(sudachi.pipe(texts, one_sentence=True))


def others(texts: list[str]) -> Iterator[Way]:
    """Yield the ways of other programs that are here."""
    try:
        import MeCab

        if JUMANDIC.is_dir():
            tagger = MeCab.Tagger(f"-r /dev/null -d {JUMANDIC}")
            yield "MeCab, jumandic", lambda: [tagger.parse(text) for text in texts]
    except ImportError:
        pass
    try:
        import fugashi

        words = fugashi.Tagger()
        yield "fugashi, unidic-lite", lambda: [[word.surface for word in words(text)] for text in texts]
    except (ImportError, RuntimeError):
        pass
    import sudachipy

    dictionary = sudachipy.Dictionary(dict="core")
    make = getattr(dictionary, "tokenizer", None) or dictionary.create  # its name before SudachiPy 0.7
    tokenizer = make(mode=sudachipy.SplitMode.A)
    yield "SudachiPy, core, A", lambda: [[word.surface() for word in tokenizer.tokenize(text)] for text in texts]
    try:
        import nagisa

        few = texts[:200]
        yield f"nagisa (first {len(few)})", lambda: [nagisa.tagging(text).words for text in few]
    except ImportError:
        pass
    try:
        import budoux

        phrases = budoux.load_default_japanese_parser()
        yield "BudouX (phrases)", lambda: [phrases.parse(text) for text in texts]
    except ImportError:
        pass


def mecab_words(texts: list[str]) -> list[list[Place]] | None:
    """Return start, end, part of speech and base form of MeCab's words with jumandic; None without these."""
    command = ["mecab", "-r", "/dev/null", "-d", str(JUMANDIC), "-b", "1000000"]
    try:
        done = subprocess.run(command, input="".join(f"{text}\n" for text in texts), capture_output=True, text=True)
    except FileNotFoundError:
        return None
    if done.returncode or not JUMANDIC.is_dir():
        return None
    return placed_lines(texts, done.stdout)


def placed_lines(texts: list[str], output: str) -> list[list[Place]]:
    """Return the words of MeCab's lines with their places; blanks between words, which it leaves out, are skipped."""
    found: list[list[Place]] = [[]]
    at = 0
    for line in output.split("\n")[:-1]:
        if line == "EOS":
            found.append([])
            at = 0
            continue
        surface, _, features = line.partition("\t")
        pos, *_, base = (features.split(",") + ["*"] * 5)[:5]
        at = texts[len(found) - 1].index(surface, at)
        found[-1].append((at, at + len(surface), pos, surface if base == "*" else base))
        at += len(surface)
    if found.pop() or len(found) != len(texts):
        raise SystemExit("MeCab did not analyse each sentence")
    return found


def print_accuracy(files: list[str]) -> None:
    """Print scores of words from text, one row a corpus and model."""
    print(f"{'words from text':52}" + "".join(f"{name:>12}" for name in FIGURES), flush=True)
    for corpus in CORPORA:
        lines = [sentence_entries(record) for record in read(corpus)]
        models = {"kakari": pretrained_words()} | {file: WordsModel.load(file) for file in files}
        told = {name: evaluate(model, lines) for name, model in models.items()}
        theirs = mecab_words(["".join(entry.surface for entry in line) for line in lines])
        if theirs is not None:
            told["MeCab, jumandic"] = score(lines, theirs)
        for name, scores in told.items():
            figures = scores.as_dict()
            cells = "".join(f"{100 * figures[key]:12.2f}" for key in FIGURES.values())
            print(f"{f'{corpus}: {name}':52}{cells}", flush=True)


def main() -> None:
    """Print the tables."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--sentences", type=int, default=3000)
    arguments.add_argument("--part", choices=("accuracy", "speed"))
    arguments.add_argument("--model", action="append", default=[], metavar="FILE")
    chosen = arguments.parse_args()
    if chosen.part != "speed":
        print_accuracy(chosen.model)
    if chosen.part != "accuracy":
        print_speed(chosen.sentences)


def print_speed(count: int) -> None:
    """Print sentences a second, one row a way."""
    records = [record.text for record in read("kwdlc:dev") if not record.is_parenthesis]
    texts = list(itertools.islice(itertools.cycle(records), count))
    print(f"{'way':44} {'sentences/s':>12}", flush=True)
    for name, work in itertools.chain(ours(texts), others(texts)):
        work()
        done = 200 if name.startswith("nagisa") else len(texts)
        print(f"{name:44} {rate(work, done):12,.0f}", flush=True)
    data = read_labelled("conll2000:train", chunks=True).rows[:count]
    words, tags = ([[row[column] for row in sentence] for sentence in data] for column in (0, 1))
    chunker = Chunker.pretrained()
    chunker.labels(words, tags)
    print(
        f"{'kakari: English chunks, words and tags given':44} {rate(lambda: chunker.labels(words, tags), count):12,.0f}"
    )


if __name__ == "__main__":
    main()
