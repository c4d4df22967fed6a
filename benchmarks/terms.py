"""What it costs to leave non-commercial and research-only data out of the English model.

    python benchmarks/terms.py [--quick] [--every N] [--only all treebank …] [--store FILE]

Trains tagger and parser on all corpora of the embedded model, then without each of those whose terms restrict what
users may do, and prints bracket F1 on the development data, given tokens. `--quick` takes one learner, fewer passes and
no trees without words, `--every N` each Nth tree of every corpus: differences between the rows say what counts, not the
rows themselves. Rows that are in the file `--store` already are not measured again.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterable
from itertools import islice
from pathlib import Path
from typing import Any

from kakari.parsers.english.passes import StageSettings
from kakari.parsers.english.recipe import CORPORA, DEVELOPMENT, SKELETONS
from kakari.parsers.english.scores import evaluate
from kakari.parsers.english.training import EnglishSettings, train
from kakari.parsers.english.words.flat_trees import FlatTree
from kakari.parsers.english.words.free_genres import read_free_trees
from kakari.parsers.english.words.skeletons import forms_of, read_skeletons
from kakari.parsers.english.words.treebank_trees import read_trees

QUICK = EnglishSettings(
    tagger=StageSettings(3, 2, 1_200_000), parser=StageSettings(2, 4, 2_000_000), folds=1, least=3, skeleton_passes=0
)


def without(*names: str) -> Callable[[int], Iterable[FlatTree]]:
    """Return what reads the corpora of the embedded model but for some; "genres" are the non-commercial ones of GUM."""

    def read(every: int) -> Iterable[FlatTree]:
        for reference in CORPORA:
            name = reference.partition(":")[0]
            if name == "gum" and "genres" in names:
                yield from islice(read_free_trees("train"), 0, None, every)
            elif name not in names:
                yield from islice(read_trees(reference), 0, None, every)

    return read


VARIANTS = {
    "all": without(),
    "treebank": without("treebank"),
    "genres": without("genres"),
    "treebank and genres": without("treebank", "genres"),
    "questionbank": without("questionbank"),
    "all three": without("treebank", "genres", "questionbank"),
}


def measured(name: str, options: argparse.Namespace, tests: dict[str, list[FlatTree]]) -> dict[str, Any]:
    """Train without some corpora; return the number of sentences, bracket F1 on each test, and CPU seconds."""
    began = time.process_time()
    skeletons: list[FlatTree] = []
    if not options.quick:
        forms = forms_of("ewt:train")
        skeletons = [tree for reference in SKELETONS for tree in read_skeletons(reference, forms)]
    trees = list(VARIANTS[name](options.every))
    model = train(trees, QUICK if options.quick else None, skeletons=skeletons)
    scores = {test: evaluate(model, known, given="tokens").as_dict()["bracket_f1"] for test, known in tests.items()}
    return {"sentences": len(trees), "bracket_f1": scores, "seconds": time.process_time() - began}


def main() -> None:
    """Print a row for each choice of corpora."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="take each Nth tree only")
    parser.add_argument("--only", nargs="+", default=list(VARIANTS), choices=list(VARIANTS))
    parser.add_argument("--store", type=Path, help="keep rows in this file, and continue from it")
    options = parser.parse_args()
    stored: dict[str, Any] = {}
    if options.store is not None and options.store.exists():
        stored = json.loads(options.store.read_text("utf-8"))
    tests = {reference: list(read_trees(reference)) for reference in DEVELOPMENT}
    print(f"{'without':22}{'sentences':>10}" + "".join(f"{name:>18}" for name in tests) + f"{'CPU s':>8}")
    for name in options.only:
        key = f"{name}, quick {options.quick}, every {options.every}"
        if key not in stored:
            stored[key] = measured(name, options, tests)
            if options.store is not None:
                options.store.write_text(json.dumps(stored, indent=1), "utf-8")
        row = stored[key]
        told = "-" if name == "all" else name
        scores = "".join(f"{100 * row['bracket_f1'][test]:18.2f}" for test in tests)
        print(f"{told:22}{row['sentences']:10}{scores}{row['seconds']:8.0f}", flush=True)


if __name__ == "__main__":
    main()
