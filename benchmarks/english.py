"""How fast English is tagged and parsed, and whether the time is linear in the length.

    python benchmarks/english.py [--plot FILE.png]

Sentences of ewt:dev a second of one core (CPU time), from prepared words, from raw text and through spaCy; then the
time of sentences of 10 to 500 tokens, made of sentences of ewt:dev one behind the other; questions of qc:test
after parsing; memory; cold starts. With `--questions`, only the questions and their cold start.
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
from kakari.corpora import catalogue
from kakari.parsers.english.parser import EnglishParser
from kakari.parsers.english.words.detokenising import detokenised
from kakari.parsers.english.words.treebank_trees import read_trees
from kakari.parsers.questions.compact_model import QuestionReader, pretrained_questions

LENGTHS = (10, 20, 50, 100, 200, 300, 400, 500)


def seconds_of(work: Callable[[], object], turns: int = 3) -> float:
    """Return CPU seconds, the best of some turns."""
    best = float("inf")
    for _ in range(turns):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--plot", help="draw microseconds a sentence against its length")
    arguments.add_argument("--questions", action="store_true", help="measure only what questions need")
    chosen = arguments.parse_args()
    if chosen.questions:
        by_question(EnglishParser.pretrained())
        cold_start("ask")
        return
    plot = chosen.plot
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
    by_question(parser)
    cold_start("parse", "-l", "en")
    cold_start("ask")


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


def by_question(parser: EnglishParser) -> None:
    """Measure questions whose trees are there: classes, and whether they are questions."""
    questions = [question.text for question in catalogue.read("qc:test")]
    trees = [found[0].tree for found in parser.pipe(questions, one_sentence=True)]
    model = pretrained_questions()
    print(f"\n{'questions of qc:test':36} {'questions/s':>12}", flush=True)
    ways: dict[str, Callable[[], object]] = {
        "classes, after parsing": lambda: model.answer(trees),
        "question or not, after parsing": lambda: model.asked(trees),
        "raw text to classes": lambda: list(QuestionReader(parser, model).pipe(questions, one_sentence=True)),
    }
    for name, work in ways.items():
        print(f"{name:36} {len(questions) / seconds_of(work):12,.0f}", flush=True)


def cold_start(*command: str) -> None:
    """Measure the command line from nothing; CPU time is what it would take on an idle machine, or a little more."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    program = str(Path(sys.executable).with_name("kakari"))
    subprocess.run([program, *command, "Who wrote Hamlet?"], stdout=subprocess.DEVNULL, check=True)
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    own = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(f"\ncold start of kakari {' '.join(command)}: {own:.2f} s of CPU time, {wall:.2f} s of wall time")


if __name__ == "__main__":
    main()
