"""What it costs to leave non-commercial and research-only data out of the English model.

    python benchmarks/terms.py [--quick] [--only all treebank …]

Trains tagger and parser on all corpora of the embedded model, then without each of those whose terms restrict what
users may do, and prints bracket F1 on the development data, given tokens. `--quick` takes one learner, fewer passes and
no trees without words: differences between the rows say what counts, not the rows themselves.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterable

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


def without(*names: str) -> Callable[[], Iterable[FlatTree]]:
    """Return what reads the corpora of the embedded model but for some; "genres" are the non-commercial ones of GUM."""

    def read() -> Iterable[FlatTree]:
        for reference in CORPORA:
            name = reference.partition(":")[0]
            if name == "gum" and "genres" in names:
                yield from read_free_trees("train")
            elif name not in names:
                yield from read_trees(reference)

    return read


VARIANTS = {
    "all": without(),
    "treebank": without("treebank"),
    "genres": without("genres"),
    "treebank and genres": without("treebank", "genres"),
    "questionbank": without("questionbank"),
    "all three": without("treebank", "genres", "questionbank"),
}


def main() -> None:
    """Print a row for each choice of corpora."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", nargs="+", default=list(VARIANTS), choices=list(VARIANTS))
    options = parser.parse_args()
    skeletons: list[FlatTree] = []
    if not options.quick:
        forms = forms_of("ewt:train")
        skeletons = [tree for reference in SKELETONS for tree in read_skeletons(reference, forms)]
    tests = {reference: list(read_trees(reference)) for reference in DEVELOPMENT}
    print(f"{'without':22}{'sentences':>10}" + "".join(f"{name:>18}" for name in tests) + f"{'CPU s':>8}")
    for name in options.only:
        began = time.process_time()
        trees = list(VARIANTS[name]())
        model = train(trees, QUICK if options.quick else None, skeletons=skeletons)
        scores = [evaluate(model, known, given="tokens").as_dict()["bracket_f1"] for known in tests.values()]
        told = "-" if name == "all" else name
        seconds = time.process_time() - began
        print(
            f"{told:22}{len(trees):10}" + "".join(f"{100 * f1:18.2f}" for f1 in scores) + f"{seconds:8.0f}", flush=True
        )


if __name__ == "__main__":
    main()
