"""How fast the polynomial learner trains, against scikit-learn's LinearSVC on the raw features.

    python benchmarks/polynomial_training.py             the main table (a minute)
    python benchmarks/polynomial_training.py --growth    time against the number of examples
    python benchmarks/polynomial_training.py --inverted  also the inverted index, 20 passes (many minutes)
    python benchmarks/polynomial_training.py --methods   one pass by each method

Times are CPU seconds of training alone; Y is the yardstick, measured before and after (their mean).
"""

import argparse
import gzip
import os
import time
import warnings
from pathlib import Path

import numpy as np
from scipy.sparse import csr_array

from kakari.kernels.featuresets import FeatureSets
from kakari.kernels.margins import SupportMargins
from kakari.kernels.training import KernelLearner

ROOT = Path(__file__).resolve().parents[2] / "shared" / "corpora"
FOLDER = Path(os.environ.get("KAKARI_CORPORA", ROOT)) / "dep_examples"
SETTINGS = {1: 1e-2, 2: 5e-4, 3: 1e-4, 4: 1e-5}
PASSES = 20


def read(name):
    """Give the feature sets and labels of a split."""
    labels, offsets, ids = [], [0], []
    with gzip.open(FOLDER / f"{name}.svm.gz", "rt") as lines:
        for line in lines:
            label, *features = line.split()
            labels.append(1 if int(label) > 0 else -1)
            ids.extend(int(feature.partition(":")[0]) for feature in features)
            offsets.append(len(ids))
    return FeatureSets.from_arrays(offsets, np.array(ids, dtype=np.int32)), np.array(labels)


def yardstick(sets, labels):
    """Give the CPU seconds of the linear learner that all times are divided by."""
    from sklearn.svm import LinearSVC

    matrix = csr_array((np.ones(sets.ids.size), sets.ids, sets.offsets.astype(np.int32)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        start = time.process_time()
        LinearSVC(loss="hinge", C=0.1, max_iter=1000, random_state=0).fit(matrix, labels)
        return time.process_time() - start


def train(sets, labels, degree, *, passes=PASSES, **options):
    """Give the trained learner and its CPU seconds."""
    learner = KernelLearner(degree, cost=SETTINGS[degree], step="features", **options)
    start = time.process_time()
    learner.fit(sets, labels, passes=passes)
    return learner, time.process_time() - start


def accuracy(learner, sets, labels):
    """Give the accuracy of the averaged model."""
    function = SupportMargins(
        learner.support(), learner.coefficients(averaged=True), learner.options["degree"], method="splitting"
    )
    return np.mean(np.where(function.margins(sets) > 0, 1, -1) == labels)


def main_table(inverted):
    """Print time, memory and accuracy of each degree."""
    sets, labels = read("train")
    dev = read("dev")
    plans = [(f"d={degree}", degree, {}) for degree in (3, 2, 1, 4)]
    if inverted:
        plans.append(("d=3 inverted", 3, {"method": "inverted"}))
    titles = f"{'s':>9}{'Y':>7}{'s/Y':>8}{'MB':>7}{'common':>8}{'updates':>9}{'vectors':>9}{'dev':>8}"
    print(f"{'learner':<14}{titles}")
    before = yardstick(sets, labels)
    for name, degree, options in plans:
        learner, seconds = train(sets, labels, degree, **options)
        after = yardstick(sets, labels)
        unit = (before + after) / 2
        before = after
        print(
            f"{name:<14}{seconds:9.2f}{unit:7.2f}{seconds / unit:8.2f}{learner.peak_bytes / 1e6:7.0f}"
            f"{learner.common:8d}{learner.updates:9d}{learner.support_rows.size:9d}"
            f"{accuracy(learner, *dev):8.4f}",
            flush=True,
        )


def methods_table():
    """Print the time of each way to compute margins, on few examples."""
    sets, labels = read("train")
    sets, labels = sets[:20000], labels[:20000]
    plans = [
        ("slicing", True),
        ("slicing", False),
        ("splitting", True),
        ("expansion", True),
        ("inverted", True),
        ("naive", True),
    ]
    print("20,000 examples, 2 passes, d=3")
    for method, reuse in plans:
        learner, seconds = train(sets, labels, 3, passes=2, method=method, reuse=reuse)
        name = method + ("" if reuse else "*")
        print(f"{name:<12}{seconds:9.2f} s {learner.peak_bytes / 1e6:7.0f} MB {learner.updates:7d}", flush=True)


def noisy_copies(sets, labels, copies, share=0.05, seed=0):
    """Give copies of the examples in which a share of the features is drawn anew from all of them."""
    random = np.random.default_rng(seed)
    ids = np.tile(sets.ids, copies)
    drawn = random.random(ids.size) < share
    drawn[: sets.ids.size] = False
    ids[drawn] = random.choice(sets.ids, drawn.sum())
    lengths = np.tile(sets.row_lengths(), copies)
    return FeatureSets.from_arrays(np.concatenate([[0], np.cumsum(lengths)]), ids), np.tile(labels, copies)


def exponent(fewer, more):
    """Give b where time grows as n**b from one (examples, seconds) to the other."""
    return np.log(more[1] / fewer[1]) / np.log(more[0] / fewer[0])


def growth_table():
    """Print how time grows with the number of examples."""
    sets, labels = read("train")
    order = np.random.default_rng(0).permutation(len(sets))
    sizes = []
    for parts in (8, 4, 2, 1):
        rows = np.sort(order[: len(sets) // parts])
        sizes.append((f"1/{parts}" if parts > 1 else "all", sets.take(rows), labels[rows]))
    for copies in (2, 4):
        sizes.append((f"{copies} copies", *noisy_copies(sets, labels, copies)))
    print(f"{'d=3':<10}{'examples':>9}{'s':>8}{'growth':>8}   (exponent from the row before)")
    measured = []
    for name, rows, signs in sizes:
        seconds = min(train(rows, signs, 3)[1] for _ in range(2))
        measured.append((len(rows), seconds))
        growth = exponent(*measured[-2:]) if len(measured) > 1 else np.nan
        print(f"{name:<10}{len(rows):9d}{seconds:8.2f}{growth:8.2f}", flush=True)
    print(f"1/8 to all: n^{exponent(measured[0], measured[3]):.2f}")
    print(f"all to 4 copies: n^{exponent(measured[3], measured[5]):.2f}")


def main():
    """Print the table that was asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--growth", action="store_true")
    parser.add_argument("--methods", action="store_true")
    parser.add_argument("--inverted", action="store_true")
    arguments = parser.parse_args()
    if arguments.growth:
        growth_table()
    elif arguments.methods:
        methods_table()
    else:
        main_table(arguments.inverted)


if __name__ == "__main__":
    main()
