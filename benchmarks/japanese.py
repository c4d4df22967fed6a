"""How fast Japanese is parsed, from prepared morphemes and from raw text, beside GiNZA where it is installed.

    python benchmarks/japanese.py [--sentences N] [--ginza PYTHON] [--training] [--model FILE]

One row a way, over the sentences of kwdlc:dev (repeated to N): sentences in a second of one core (CPU time) and the
ratio to spaCy's own Japanese tokenizer alone, which every spaCy pipeline pays for; then what is measured by the clock:
two processes, a cold start, its memory. GiNZA wants an environment of its own: `pip install ginza ja-ginza` there, and
its interpreter as `--ginza`. `--training` also trains on kwdlc:train. `--model` adds rows of another model of Sudachi's
words: `kakari train ja-dependency kwdlc:train -o FILE` makes the slow default one in half a minute.
"""

import argparse
import itertools
import os
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from unittest.mock import patch

import spacy
from spacy.language import Language

import kakari
from kakari.corpora import format_knp, read
from kakari.corpora.formats.knp import read_knp
from kakari.corpora.records.textfiles import numbered_lines
from kakari.output.japanese import KnpToCabocha, write_sentences, write_texts
from kakari.parsers.japanese.parser import JapaneseParser, pretrained_model
from kakari.spacy import processes as sending

warnings.filterwarnings("ignore", category=DeprecationWarning)
COMMAND = str(Path(sys.executable).with_name("kakari"))
GINZA_SENTENCES = 200
GINZA = """
import sys, time, warnings
warnings.filterwarnings("ignore")
import spacy
texts = sys.stdin.read().split("\\n")
nlp = spacy.load("ja_ginza")
list(nlp.pipe(texts[:20]))
start = time.process_time()
list(nlp.pipe(texts))
print(len(texts) / (time.process_time() - start))
"""


LAUNCHER = """
import os, resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)
"""


def rate(work: Callable[[], object], sentences: int, turns: int = 3) -> float:
    """Return sentences a CPU second, the best of some turns."""
    best = float("inf")
    for _ in range(turns):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return sentences / best


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--sentences", type=int, default=3000)
    arguments.add_argument("--ginza", metavar="PYTHON", help="an interpreter that has ginza and ja-ginza")
    arguments.add_argument("--training", action="store_true")
    arguments.add_argument("--model", metavar="FILE", help="a trained model, measured too")
    options = arguments.parse_args()
    records = [record for record in read("kwdlc:dev") if not record.is_parenthesis]
    records = list(itertools.islice(itertools.cycle(records), options.sentences))
    texts = [record.text for record in records]
    print(f"{'way':44} {'sentences/s':>12} {'x tokenizer':>12}", flush=True)
    base = None
    with tempfile.TemporaryDirectory() as folder:
        knp = Path(folder, "x.knp")
        knp.write_text("".join(map(format_knp, records)), encoding="utf-8")
        chosen = ways(texts, knp) | (ways_of_model(options.model, texts) if options.model else {})
        for name, work in chosen.items():
            measured = rate(work, len(texts))
            base = base or measured
            print(f"{name:44} {measured:12,.0f} {measured / base:12.2f}", flush=True)
        if options.ginza:
            measured = ginza(options.ginza, texts[:GINZA_SENTENCES])
            print(f"{'GiNZA, nlp.pipe':44} {measured:12,.0f} {measured / base:12.2f}", flush=True)
        command_line(knp, len(records))
        processes(texts)
        if options.training:
            training(folder)


def ways(texts: list[str], knp: Path) -> dict[str, Callable[[], object]]:
    """Return what is measured by CPU time."""
    parser, gold = JapaneseParser.pretrained(), JapaneseParser(pretrained_model("ja-juman"))
    morphemes = parser.source.morphemes(texts, parser.model.lexicon)
    opens = parser.model.segment(morphemes)
    blank, nlp = spacy.blank("ja"), kakari.load("ja")
    return {
        "spaCy's ja tokenizer alone": lambda: [blank.make_doc(text) for text in texts],
        "kakari's tokenizer alone": lambda: [nlp.make_doc(text) for text in texts],
        "segmenter on prepared morphemes": lambda: parser.model.segment(morphemes),
        "decoder on prepared morphemes": lambda: parser.model.parse(morphemes, parser.model.segment(morphemes)),
        "decoder on prepared bunsetsu": lambda: parser.model.parse(morphemes, opens),
        "raw text to structure": lambda: list(parser.pipe(texts, one_sentence=True)),
        "raw text to CaboCha": lambda: write_texts(parser, texts, "cabocha", one_sentence=True),
        "KNP text to CaboCha": lambda: KnpToCabocha(gold).write("x", numbered_lines(knp)),
        "KNP text to CaboCha through records": lambda: write_sentences(gold, list(read_knp(knp)), "cabocha"),
        "nlp.pipe of kakari.load('ja')": lambda: list(nlp.pipe(texts, batch_size=256)),
    }


def ways_of_model(path: str, texts: list[str]) -> dict[str, Callable[[], object]]:
    """Return what is measured of a trained model."""
    parser = JapaneseParser.load(path)
    morphemes = parser.source.morphemes(texts, parser.model.lexicon)
    opens = parser.model.segment(morphemes)
    return {
        "decoder of --model": lambda: parser.model.parse(morphemes, opens),
        "raw text to CaboCha with --model": lambda: write_texts(parser, texts, "cabocha", one_sentence=True),
    }


def ginza(python: str, texts: list[str]) -> float:
    """Return GiNZA's sentences a CPU second, measured in its own environment."""
    done = subprocess.run(
        [python, "-I", "-c", GINZA], input="\n".join(texts), capture_output=True, text=True, check=True
    )
    return float(done.stdout)


def processes(texts: list[str]) -> None:
    """Compare one process with two, of ours and of spaCy's own Japanese, over enough text to hide their start.

    Ours is measured again without each of the forms in which batches travel: that is what these buy.

    By the clock, the best of some turns each; and by what two free cores would take: half of all CPU time, or as long
    as the busiest process. What a pipeline remembers of words is there before.
    """
    many = texts * 4
    ours, documents = "nlp.pipe of kakari.load('ja')", patch.object(sending, "text_annotator", lambda *_: None)
    own_way = patch.object(sending.PackedProcesses, "_multiprocessing_pipe", Language._multiprocessing_pipe)
    kinds: list[tuple[str, Language, list[Any]]] = [
        (ours, kakari.load("ja"), []),
        (f"{ours}, whole documents sent", kakari.load("ja"), [documents]),
        (f"{ours}, sent as spaCy does", kakari.load("ja"), [documents, own_way]),
        ("spacy.blank('ja')", spacy.blank("ja"), []),
    ]
    for name, nlp, patches in kinds:
        with ExitStack() as stack:
            for one in patches:
                stack.enter_context(one)
            for _ in nlp.pipe(texts):
                pass
            turns = [[one_turn(nlp, many, number) for number in (1, 2)] for _ in range(3)]
        (seconds, busy), (two_seconds, two_busy) = (
            map(min, zip(*own, strict=True)) for own in zip(*turns, strict=True)
        )
        print(
            f"{name} by the clock: {len(many) / seconds:,.0f} sentences/s, with n_process=2"
            f" {seconds / two_seconds:.2f} x ({busy / two_busy:.2f} x by CPU time)"
        )


def one_turn(nlp: Language, texts: list[str], processes: int) -> tuple[float, float]:
    """Return the seconds that texts take with so many processes, and those that so many free cores would be busy."""
    start, before = time.perf_counter(), os.times()
    for _ in nlp.pipe(texts, n_process=processes, batch_size=512):
        pass
    after = os.times()
    own = after.user + after.system - before.user - before.system
    children = sum(after[2:4]) - sum(before[2:4])
    return time.perf_counter() - start, max(own, (own + children) / processes)


def command_line(knp: Path, sentences: int) -> None:
    """Measure the command line from nothing, with one sentence and with a KNP file."""
    for _ in range(2):  # the first one may have to read the dictionary from the disk
        start = time.perf_counter()
        subprocess.run([COMMAND, "parse", "太郎は京都大学に行った。"], stdout=subprocess.DEVNULL, check=True)
        seconds = time.perf_counter() - start
    busy, _ = used_by([COMMAND, "parse", "太郎は京都大学に行った。"])
    print(f"cold start of kakari parse: {seconds:.2f} s of wall time, {busy:.2f} s of CPU")
    start = time.perf_counter()
    subprocess.run([COMMAND, "parse", str(knp), "-f", "cabocha"], stdout=subprocess.DEVNULL, check=True)
    seconds = time.perf_counter() - start
    print(f"kakari parse -f cabocha of {sentences:,} KNP sentences: {seconds:.2f} s of wall time, start included")
    text = knp.with_suffix(".txt")
    text.write_text("\n".join(record.text for record in read_knp(knp)), encoding="utf-8")
    seconds, megabytes = used_by([COMMAND, "parse", str(text), "-f", "cabocha"])
    print(f"memory of kakari parse: {megabytes:.0f} MB at most; {seconds:.2f} s of CPU for {sentences:,} lines of text")


def used_by(command: list[str]) -> tuple[float, float]:
    """Return a command's CPU seconds and largest memory; a small process starts it, since that one's memory counts."""
    done = subprocess.run([sys.executable, "-S", "-c", LAUNCHER, *command], capture_output=True, text=True, check=True)
    seconds, megabytes = map(float, done.stdout.split())
    return seconds, megabytes


def training(folder: str) -> None:
    """Train on gold morphemes from the command line."""
    model = str(Path(folder, "model"))
    done = subprocess.run(
        [COMMAND, "train", "ja-dependency", "kwdlc:train", "-o", model, "--morphology", "gold", "--json"],
        capture_output=True,
        text=True,
        check=True,
    )
    print(f"training on kwdlc:train: {done.stdout.strip()}")


if __name__ == "__main__":
    main()
