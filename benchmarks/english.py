"""How fast English is tagged and parsed, and whether the time is linear in the length.

    python benchmarks/english.py [--plot FILE.png]

Sentences of ewt:dev a second of one core (CPU time), from prepared words, from raw text and through spaCy; then the
time of sentences of 10 to 500 tokens, made of sentences of ewt:dev one behind the other; memory; a cold start.
"""

import argparse
import itertools
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import spacy

import kakari
from kakari.parsers.english import EnglishParser
from kakari.parsers.english_text import detokenised
from kakari.parsers.english_trees import read_trees

LENGTHS = (10, 20, 50, 100, 200, 300, 400, 500)


def seconds_of(work: Callable[[], object], turns: int = 3) -> float:
    """Give CPU seconds, the best of some turns."""
    best = float("inf")
    for _ in range(turns):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--plot", help="draw microseconds a sentence against its length")
    plot = arguments.parse_args().plot
    blank = spacy.blank("en")
    blank("Warm up the tokenizer.")
    base_memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    trees = list(read_trees("ewt:dev"))
    words = [tree.words for tree in trees]
    texts = [detokenised(tree)[0] for tree in trees]
    parser, nlp = EnglishParser.pretrained(), kakari.load("en")
    model = parser.model
    tags = model.tag(words)
    ways: dict[str, Callable[[], object]] = {
        "spaCy's en tokenizer alone": lambda: [blank.make_doc(text) for text in texts],
        "tags of prepared words": lambda: model.tag(words),
        "trees of tagged words": lambda: model.parse(words, tags),
        "raw text to trees": lambda: list(parser.pipe(texts, one_sentence=True)),
        "nlp.pipe of kakari.load('en')": lambda: list(nlp.pipe(texts, batch_size=256)),
    }
    print(f"{'way':36} {'sentences/s':>12}", flush=True)
    for name, work in ways.items():
        print(f"{name:36} {len(texts) / seconds_of(work):12,.0f}", flush=True)
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - base_memory) / 1024
    print(f"memory above spaCy's blank pipeline, the corpus and all results included: {grown:.0f} MB")
    by_length(parser, words, plot)
    cold_start()


def by_length(parser: EnglishParser, words: list[tuple[str, ...]], plot: str | None) -> None:
    """Measure sentences of growing length."""
    stream = list(itertools.islice(itertools.chain.from_iterable(words), 20_000))
    print(f"\n{'tokens':>8} {'µs a sentence':>14} {'µs a token':>12}", flush=True)
    measured = []
    for length in LENGTHS:
        sentences = [stream[at : at + length] for at in range(0, len(stream) - length, length)]
        took = 1e6 * seconds_of(lambda own=sentences: parser.parse_words(own), 2) / len(sentences)
        measured.append(took)
        print(f"{length:8} {took:14,.0f} {took / length:12.1f}", flush=True)
    if plot:
        from matplotlib import pyplot

        pyplot.plot(LENGTHS, [one / 1000 for one in measured], marker="o")
        pyplot.xlabel("tokens")
        pyplot.ylabel("ms")
        pyplot.savefig(plot)


def cold_start() -> None:
    """Measure the command line from nothing."""
    command = str(Path(sys.executable).with_name("kakari"))
    start = time.perf_counter()
    subprocess.run([command, "parse", "-l", "en", "Who wrote Hamlet?"], stdout=subprocess.DEVNULL, check=True)
    print(f"\ncold start of kakari parse -l en: {time.perf_counter() - start:.2f} s of wall time")


if __name__ == "__main__":
    main()
