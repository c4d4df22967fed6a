"""How fast English is tagged and parsed, and whether the time is linear in the length.

    python benchmarks/english.py [--plot FILE.png] [--questions] [--processes TEXTS] [--memory]

Sentences of ewt:dev a second of one core (CPU time), from prepared words, from raw text and through spaCy, each
component by itself; then the time of sentences of 10 to 500 tokens, made of sentences of ewt:dev one behind the other;
questions of qc:test after parsing; memory; cold starts. With `--questions`, only the questions and their cold start;
with `--processes`, only `nlp.pipe(n_process=2)` beside one process; with `--memory`, only the memory.
"""

import argparse
import itertools
import json
import os
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
# In a process of its own, so that neither the corpus nor other measurements count.
MEMORY = """
import json, sys, spacy
texts = json.load(sys.stdin)
def peak():  # getrusage would tell the parent's, if that was larger
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM:")) / 1024
blank = spacy.blank("en")
for text in texts:
    blank(text)
base = peak()
import kakari
nlp = kakari.load("en")
nlp("Who wrote the letter that Mary sent?")
loaded = peak()
for doc in nlp.pipe(texts, batch_size=256):
    pass
streamed = peak()
kept = list(nlp.pipe(texts, batch_size=256))
print(json.dumps([base, loaded - base, streamed - base, peak() - base]))
"""


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
    arguments.add_argument("--processes", type=int, metavar="TEXTS", help="measure only two processes, with so many")
    arguments.add_argument("--memory", action="store_true", help="measure only memory")
    chosen = arguments.parse_args()
    if chosen.questions:
        by_question(EnglishParser.pretrained())
        cold_start("ask")
        return
    trees = list(read_trees("ewt:dev"))
    words = [tree.words for tree in trees]
    texts = [detokenised(tree)[0] for tree in trees]
    if chosen.processes:
        in_processes(list(itertools.islice(itertools.cycle(texts), chosen.processes)))
        return
    if chosen.memory:
        memory(texts)
        return
    plot = chosen.plot
    blank = spacy.blank("en")
    blank("Warm up the tokenizer.")
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
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
    by_component(nlp, texts)
    memory(texts)
    by_length(parser, words, plot)
    by_question(parser)
    cold_start("parse", "-l", "en")
    cold_start("ask")


def by_component(nlp: spacy.language.Language, texts: list[str]) -> None:
    """Measure the parts of the pipeline one behind the other."""
    documents = [nlp.make_doc(text) for text in texts]
    for name, component in nlp.pipeline:
        start = time.process_time()
        list(component.pipe(documents, batch_size=256))
        took = time.process_time() - start
        print(f"  {name:34} {len(texts) / took:12,.0f} {1000 * took / len(texts):8.3f} ms a sentence", flush=True)


def memory(texts: list[str]) -> None:
    """Measure the peak of a process that annotates texts, above one that cuts them into tokens."""
    done = subprocess.run(
        [sys.executable, "-c", MEMORY], input=json.dumps(texts), capture_output=True, text=True, check=True
    )
    base, loaded, streamed, kept = json.loads(done.stdout)
    print(f"\nmemory above spaCy's blank pipeline ({base:.0f} MB): {loaded:.0f} MB with all models loaded,")
    print(f"{streamed:.0f} MB after a stream of {len(texts):,} texts, {kept:.0f} MB with all their documents kept")


def in_processes(texts: list[str]) -> None:
    """Measure two processes beside one, by the clock and by the CPU time of the parent and of the workers."""
    nlp = kakari.load("en")
    list(nlp.pipe(texts[:500], batch_size=256))
    print(f"{len(texts):,} texts, load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    clocks = {}
    needed = {}
    for count in (1, 2):
        before = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        start = time.perf_counter()
        for _ in nlp.pipe(texts, batch_size=256, n_process=count):
            pass
        clocks[count] = time.perf_counter() - start
        after = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        own, workers = (a.ru_utime + a.ru_stime - b.ru_utime - b.ru_stime for a, b in zip(after, before, strict=True))
        needed[count] = own + workers
        told = f"CPU {own:.2f} s here, {workers:.2f} s in workers"
        print(f"n_process={count}: {clocks[count]:.2f} s by the clock; {told}", flush=True)
    print(f"ratio by the clock {clocks[1] / clocks[2]:.2f}; on two free cores, by the CPU time of all processes,")
    print(f"at most {2 * needed[1] / needed[2]:.2f}")


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
