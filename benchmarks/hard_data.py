"""Data on which almost every example becomes a support vector: how training grows with it.

    python benchmarks/hard_data.py                              62,500 to 1,000,000 examples at d=3, and d=2
    python benchmarks/hard_data.py --sizes 15625 62500 --check  smaller, and compare the models with the inverted index

An example has 15 features of 2,000, drawn by Zipf's law without repetition; its label is the sign of a weak linear
signal under noise, so that about 95 % of the examples become support vectors. Five passes, C = 1e-4, step
"features". The same seed gives the same data on every machine. Times are CPU seconds of training alone; memory is the
most that the process held, data included.
"""

import argparse
import math
import resource
import subprocess
import sys
import time

import numpy as np

from kakari.kernels.learning.binary_learner import KernelLearner
from kakari.kernels.sets.featuresets import FeatureSets

SIZES = (62_500, 250_000, 1_000_000)
FEATURES, LENGTH, SIGNAL, PASSES = 2_000, 15, 0.35, 5
MUST_SECONDS, AIM_SECONDS, MUST_GB, MUST_EXPONENT = 400, 150, 6, 1.2


def hard_data(examples, seed=19):
    """Return sets of Zipf's features, and labels that they hardly tell."""
    random = np.random.default_rng(seed)
    shares = np.cumsum(1 / (1.0 + np.arange(FEATURES)))
    shares /= shares[-1]
    ids = np.searchsorted(shares, random.random((examples, LENGTH))).astype(np.int32)
    while True:
        ids.sort(axis=1)
        repeated = np.zeros(ids.shape, dtype=bool)
        repeated[:, 1:] = ids[:, 1:] == ids[:, :-1]
        if not repeated.any():
            break
        ids[repeated] = np.searchsorted(shares, random.random(int(repeated.sum())))
    weights = random.standard_normal(FEATURES)
    scores = SIGNAL * weights[ids].sum(axis=1) / math.sqrt(LENGTH)
    labels = np.where(scores + random.standard_normal(examples) > 0, 1, -1)
    return FeatureSets.from_arrays(np.arange(examples + 1) * LENGTH, ids.ravel()), labels


def trained(examples, degree, method="slicing"):
    sets, labels = hard_data(examples)
    learner = KernelLearner(degree, cost=1e-4, step="features", method=method)
    start = time.process_time()
    learner.fit(sets, labels, passes=PASSES)
    return learner, time.process_time() - start


def measure(examples, degree):
    """Print one row: run in a process of its own, so that memory is that of this size."""
    learner, seconds = trained(examples, degree)
    gigabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    share = len(learner.support_rows) / examples
    print(f"{examples} {degree} {seconds:.2f} {gigabytes:.2f} {share:.3f} {learner.common}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--degrees", type=int, nargs="+", default=(3, 2))
    parser.add_argument("--check", action="store_true", help="compare each model with that of the inverted index")
    parser.add_argument("--one", type=int, nargs=2, metavar=("EXAMPLES", "DEGREE"), help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.one:
        return measure(*chosen.one)
    print(f"{'examples':>10}{'d':>3}{'seconds':>10}{'GB':>7}{'support':>9}{'explicit features':>19}{'growth':>8}")
    for degree in chosen.degrees:
        before = None
        for examples in chosen.sizes:
            told = subprocess.run(
                [sys.executable, __file__, "--one", str(examples), str(degree)],
                check=True,
                capture_output=True,
                text=True,
            ).stdout.split()
            seconds = float(told[2])
            growth = "" if before is None else f"n^{math.log(seconds / before[1]) / math.log(examples / before[0]):.2f}"
            before = before or (examples, seconds)
            row = f"{examples:>10,}{degree:>3}{seconds:>10.2f}{float(told[3]):>7.2f}{float(told[4]):>9.3f}{told[5]:>19}"
            print(row + f"{growth:>8}", flush=True)
            if chosen.check:
                fast, _ = trained(examples, degree)
                slow, _ = trained(examples, degree, "inverted")
                same = fast.coefficients().tobytes() == slow.coefficients().tobytes()
                print("           the same model as the inverted index, bit for bit" if same else "           DIFFERS")
    print(
        f"Bars at d=3, 1,000,000 examples: {MUST_SECONDS} s (aim {AIM_SECONDS}), {MUST_GB} GB, n^{MUST_EXPONENT} from "
        "the first size on. Growth is from the first size to this one."
    )
    return None


if __name__ == "__main__":
    main()
