"""How fast Japanese is parsed, from prepared morphemes and from raw text, beside GiNZA where it is installed.

    python benchmarks/japanese.py [--sentences N]

One row a way, over the sentences of kwdlc:dev (repeated to N): sentences in a second of one core (CPU time) and the
ratio to spaCy's own Japanese tokenizer alone, which every spaCy pipeline pays for. GiNZA: `pip install ginza ja-ginza`.
"""

import argparse
import importlib.util
import itertools
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import kakari
from kakari.corpora import format_knp, read
from kakari.japanese_output import write_sentences, write_texts
from kakari.parsers.japanese import JapaneseParser, pretrained_model

warnings.filterwarnings("ignore", category=DeprecationWarning)


def rate(work: Callable[[], object], sentences: int, turns: int = 3) -> float:
    """Give sentences a CPU second, the best of some turns."""
    best = float("inf")
    for _ in range(turns):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return sentences / best


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--sentences", type=int, default=3000)
    wanted = arguments.parse_args().sentences
    records = [record for record in read("kwdlc:dev") if not record.is_parenthesis]
    records = list(itertools.islice(itertools.cycle(records), wanted))
    texts = [record.text for record in records]
    parser, gold = JapaneseParser.pretrained(), JapaneseParser(pretrained_model("ja-juman"))
    morphemes = parser.sudachi.morphemes(texts, parser.model.lexicon)
    nlp = kakari.load("ja")

    def decode() -> None:
        parser.model.parse(morphemes, parser.model.segment(morphemes))

    ways = {
        "spaCy's ja tokenizer alone": lambda: [nlp.make_doc(text) for text in texts],
        "decoder on prepared morphemes": decode,
        "raw text to structure": lambda: list(parser.pipe(texts, one_sentence=True)),
        "raw text to CaboCha": lambda: write_texts(parser, texts, "cabocha", one_sentence=True),
        "KNP morphemes to CaboCha": lambda: write_sentences(gold, records, "cabocha"),
        "nlp.pipe of kakari.load('ja')": lambda: list(nlp.pipe(texts, batch_size=256)),
    }
    if importlib.util.find_spec("ja_ginza"):
        import spacy

        ginza = spacy.load("ja_ginza")
        ways["GiNZA, nlp.pipe (200 sentences)"] = lambda: list(ginza.pipe(texts[:200]))
    print(f"{'way':36} {'sentences/s':>12} {'x tokenizer':>12}", flush=True)
    base = None
    for name, work in ways.items():
        measured = rate(work, 200 if name.startswith("GiNZA") else len(texts))
        base = base or measured
        print(f"{name:36} {measured:12,.0f} {measured / base:12.2f}", flush=True)
    if not importlib.util.find_spec("ja_ginza"):
        print("GiNZA is not installed")
    cold_start(records)


def cold_start(records: list[object]) -> None:
    """Measure the command line from nothing, with one sentence and with a KNP file."""
    command = str(Path(sys.executable).with_name("kakari"))
    start = time.perf_counter()
    subprocess.run([command, "parse", "太郎は京都大学に行った。"], stdout=subprocess.DEVNULL, check=True)
    print(f"cold start of kakari parse: {time.perf_counter() - start:.2f} s of wall time")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "x.knp")
        path.write_text("".join(map(format_knp, records)), encoding="utf-8")
        start = time.perf_counter()
        options = ["--model", "ja-juman", "-f", "cabocha"]
        subprocess.run([command, "parse", str(path), *options], stdout=subprocess.DEVNULL, check=True)
        seconds = time.perf_counter() - start
    print(f"kakari parse -f cabocha of {len(records):,} KNP sentences: {seconds:.2f} s of wall time, start included")


if __name__ == "__main__":
    main()
