"""How fast words, chunks and trees behind our own words are, beside what else finds Japanese words.

    python benchmarks/words.py [--sentences N]

One row a way, over the sentences of kwdlc:dev (repeated to N) and of conll2000:train: sentences in a second of one core
(CPU time, the best of three turns). Each way returns strings: a list of words, or MeCab's lines. Ways whose package or
dictionary is not installed are left out: `pip install mecab-python3 fugashi unidic-lite nagisa budoux`, and Debian's
mecab-jumandic-utf8.
"""

import argparse
import itertools
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from kakari.corpora import read
from kakari.output.words import to_mecab
from kakari.parsers.english.chunks.chunker import Chunker
from kakari.parsers.japanese.parser import JapaneseParser
from kakari.parsers.japanese.tagging.model import pretrained_words
from kakari.parsers.sequences.reading import read_labelled

JUMANDIC = Path("/var/lib/mecab/dic/juman-utf8")
Way = tuple[str, Callable[[], object]]


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


def main() -> None:
    """Print the table."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--sentences", type=int, default=3000)
    count = arguments.parse_args().sentences
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
