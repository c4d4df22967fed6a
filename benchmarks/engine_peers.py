"""The engine beside what else one would take: scikit-learn's SVC (LIBSVM), LinearSVC over expansions, vowpal wabbit.

CPU seconds and ratios of one run; what tunes anything is folds of the training data.

    python benchmarks/engine_peers.py              all parts whose data is here
    python benchmarks/engine_peers.py --part adult   adult, rbf, budgets, questions, commands or memory
"""

import argparse
import atexit
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import warnings
from functools import cache, partial
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import StratifiedKFold
from sklearn.multiclass import OneVsRestClassifier
from sklearn.preprocessing import PolynomialFeatures
from sklearn.svm import SVC, LinearSVC

from kakari import SDAG, KernelSVC, PolynomialClassifier, Treebank, TreeKernel, VectorKernel, read
from kakari.models.streaming.blocks import train_in_blocks
from kakari.models.streaming.budgeted import train_under_budget
from kakari.reading.examples import load_examples

FOLDS = 3
ROWS_OF_RBF = 8000  # of Adult: SVC takes minutes for all of it


def cpu_seconds(work):
    """Return what `work` returns, and its CPU time."""
    start = time.process_time()
    found = work()
    return found, time.process_time() - start


class VowpalWabbit:
    """Logistic regression over features and their pairs, by vowpal wabbit."""

    def __init__(self, passes=10, rate=0.5):
        self.passes, self.rate = passes, rate

    def fit(self, X, y):
        """Train in the order of a seed."""
        from vowpalwabbit import pyvw

        self.model = pyvw.Workspace(f"--quiet --interactions aa -b 24 --loss_function logistic -l {self.rate}")
        lines = [f"{1 if label > 0 else -1} |a {text}" for label, text in zip(y, texts(X), strict=True)]
        random = np.random.default_rng(0)
        for _ in range(self.passes):
            for place in random.permutation(len(lines)):
                self.model.learn(lines[place])
        return self

    def predict(self, X):
        """Return 1 and -1."""
        return np.array([1 if self.model.predict(f"|a {text}") > 0 else -1 for text in texts(X)])


def texts(X):
    """Return rows as names of features."""
    rows = sparse.csr_array(X)
    return [
        " ".join(map(str, rows.indices[start:end])) for start, end in zip(rows.indptr, rows.indptr[1:], strict=False)
    ]


class Expanded:
    """LinearSVC over all pairs of features."""

    def __init__(self, C):
        self.C = C

    def fit(self, X, y):
        """Expand and train."""
        self.pairs = PolynomialFeatures(2, interaction_only=True, include_bias=False)
        self.model = LinearSVC(C=self.C).fit(self.pairs.fit_transform(X), y)
        return self

    def predict(self, X):
        """Return the classes."""
        return self.model.predict(self.pairs.transform(X))


def best_by_folds(candidates, X, y):
    """Return the candidate with the best accuracy on folds of the training data."""
    scores = {}
    for name, made in candidates.items():
        folds = StratifiedKFold(FOLDS, shuffle=True, random_state=0).split(X, y)
        scores[name] = np.mean([(made().fit(X[a], y[a]).predict(X[b]) == y[b]).mean() for a, b in folds])
    return max(scores, key=scores.get)


def adult_rows():
    """Return the training part of Adult (a9a), its labels, and an order of which the last quarter is held out."""
    loaded = load_examples("adult:train")
    sets, y = loaded.sets, np.array([int(float(label)) for label in loaded.labels])
    X = sparse.csr_matrix((np.ones(sets.ids.size), sets.ids.astype(np.int32), sets.offsets.astype(np.int32)))
    order = np.random.default_rng(0).permutation(y.size)
    cut = 3 * y.size // 4
    return X, y, order[:cut], order[cut:]


def adult(console):
    """Train on three quarters of the training part of Adult (a9a); a quarter that nothing was tuned on is held out."""
    X, y, train, test = adult_rows()
    small = train[:ROWS_OF_RBF]
    learners = {
        "kakari, d=2": {
            f"C={C:g}": lambda C=C: PolynomialClassifier(2, cost=C, passes=10) for C in (2e-4, 5e-4, 1e-3, 2e-3)
        },
        "SVC, d=2": {
            f"C={C:g}": lambda C=C: SVC(kernel="poly", degree=2, gamma=1, coef0=1, C=C, cache_size=1000)
            for C in (3e-4, 1e-3, 3e-3)
        },
        "LinearSVC on pairs": {f"C={C:g}": lambda C=C: Expanded(C) for C in (0.0003, 0.001, 0.003, 0.01)},
    }
    try:
        import vowpalwabbit  # noqa: F401

        learners["vowpal wabbit, pairs"] = {
            f"-l {rate:g}": lambda rate=rate: VowpalWabbit(5, rate) for rate in (0.02, 0.05, 0.1, 0.5)
        }
    except ImportError:
        console.print("vowpalwabbit is not installed")
    table = Table("Adult", "tuned", "accuracy", "standard error", "CPU s", "ratio")
    first = None
    for name, candidates in learners.items():
        chosen = best_by_folds(candidates, X[small], y[small])
        model, seconds = cpu_seconds(lambda made=candidates[chosen]: made().fit(X[train], y[train]))
        right = (model.predict(X[test]) == y[test]).mean()
        first = first or seconds
        error = np.sqrt(right * (1 - right) / test.size)
        table.add_row(name, chosen, f"{right:.4f}", f"{error:.4f}", f"{seconds:.2f}", f"{seconds / first:.1f}")
    console.print(table)


def radial(console):
    """Train on 8,000 rows of Adult with an RBF kernel: KernelSVC beside SVC."""
    X, y, train, test = adult_rows()
    small = train[:ROWS_OF_RBF]
    rows = X[small]
    table = Table(f"Adult, RBF, {small.size} rows", "CPU s", "ratio", "support", "agree on the held-out quarter")
    svc, theirs = least(lambda: SVC(kernel="rbf", gamma=0.05, cache_size=1000).fit(rows, y[small]))
    ours, seconds = least(lambda: KernelSVC(VectorKernel("rbf", gamma=0.05)).fit(rows, y[small]))
    agree = (svc.predict(X[test]) == ours.predict(X[test])).mean()
    table.add_row("SVC", f"{theirs:.2f}", "1.0", str(svc.support_.size), "")
    table.add_row("KernelSVC", f"{seconds:.2f}", f"{theirs / seconds:.2f}", str(ours.support_.size), f"{agree:.4f}")
    console.print(table)


def budgets(console):
    """Train on 8,000 rows of Adult in blocks under a budget of support vectors; 6,000 others are asked."""
    loaded = load_examples("adult:train")
    y = (np.array([int(float(label)) for label in loaded.labels]) > 0).astype(np.int64)
    order = np.random.default_rng(0).permutation(y.size)
    train, test = order[:8000], order[8000:14000]
    rows, asked = loaded.sets.take(train), loaded.sets.take(test)

    def blocks():
        return [(rows[first : first + 1000], y[train[first : first + 1000]], None) for first in range(0, 8000, 1000)]

    table = Table("Adult, d=2, 8,000 rows in blocks of 1,000, two passes", "support vectors", "accuracy", "CPU s")
    options = {"degree": 2, "cost": 5e-4, "step": "features", "method": "slicing", "seed": 0}
    for budget in (100, 300, 1000, None):
        if budget is None:
            made = partial(train_in_blocks, blocks, [0, 1], options, passes=2)
        else:
            made = partial(train_under_budget, blocks, [0, 1], degree=2, budget=budget, passes=2)
        (model, figures), seconds = cpu_seconds(made)
        right = (np.array(model.predict(asked)) == y[test]).mean()
        name = "no budget" if budget is None else f"budget {budget:,}"
        table.add_row(name, f"{figures['support_vectors']:,}", f"{right:.4f}", f"{seconds:.2f}")
    console.print(table)


def least(work, runs=3):
    """Return what `work` returns, and the least CPU time of some runs: the first one pays for new memory."""
    found = [cpu_seconds(work) for _ in range(runs)]
    return found[-1][0], min(seconds for _, seconds in found)


def questions(console):
    """5,419 question trees: KernelSVC and SDAG beside SVC, each with the values of our tree kernel."""
    asked = list(read("qc-trees:train"))
    forest, y = Treebank().read([one.tree for one in asked]), np.array([one.coarse for one in asked])
    kernel = TreeKernel("stk")
    values, of_values = least(lambda: kernel.gram(forest))
    given = partial(KernelSVC, "precomputed", C=1.0)
    from_trees = partial(KernelSVC, kernel, C=1.0)
    svc, theirs = least(lambda: SVC(kernel="precomputed", C=1.0, cache_size=1000).fit(values, y))
    pairs, of_pairs = least(lambda: given(multiclass="ovo").fit(values, y))
    ones = OneVsRestClassifier(SVC(kernel="precomputed", C=1.0, cache_size=1000))
    rest, of_rest = least(lambda: ones.fit(values, y))
    ours, of_ours = least(lambda: given(multiclass="ovr").fit(values, y))
    trees, of_trees = least(lambda: from_trees(multiclass="ovo").fit(forest, y))
    exact, of_exact = least(lambda: from_trees(multiclass="ovr").fit(forest, y))
    sdag, of_sdag = least(lambda: SDAG(kernel, C=1.0).fit(forest, y))
    table = Table("5,419 question trees, six classes, least of three", "SVC, CPU s", "kakari, CPU s", "ratio")
    for name, peer, own in (
        ("15 pairs of classes, kernel values given", theirs, of_pairs),
        ("6 classes against the rest, kernel values given", of_rest, of_ours),
        ("15 pairs, from trees (SVC: with our kernel values)", of_values + theirs, of_trees),
        ("6 against the rest, from trees (the same)", of_values + of_rest, of_exact),
    ):
        table.add_row(name, f"{peer:.2f}", f"{own:.3f}", f"{peer / own:.1f}")
    table.add_row(
        "SDAG, 6 against the rest, from trees; ratio: exact / it", "", f"{of_sdag:.2f}", f"{of_exact / of_sdag:.2f}"
    )
    console.print(table)
    part = values[:500]
    assert (pairs.predict(part) == trees.predict(forest[:500])).all()
    pairs_agree = (svc.predict(part) == pairs.predict(part)).mean()
    agree = (rest.predict(part) == ours.predict(part)).mean()
    told = (exact.predict(forest[:500]) == sdag.predict(forest[:500])).mean()
    console.print(
        f"same answers to 500 questions: pairs {pairs_agree:.3f}, against the rest {agree:.3f}, SDAG {told:.3f}"
    )


@cache
def keeping_bytecode():
    """Return an environment in which Python keeps compiled modules, in a folder of this process."""
    folder = tempfile.mkdtemp(prefix="bytecode")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPYCACHEPREFIX": folder}


def measured(command):
    """Run a command; return what it printed, the most memory it held (MB) and its CPU seconds.

    Modules are compiled once and kept, as those of an installed package are: a first run warms up.
    """
    program = "import resource, subprocess, sys; done = subprocess.run(sys.argv[1:], check=True, capture_output=True);"
    program += "r = resource.getrusage(resource.RUSAGE_CHILDREN); print(r.ru_maxrss, r.ru_utime + r.ru_stime);"
    program += "sys.stdout.write(done.stdout.decode())"
    whole = [sys.executable, "-c", program, *command]
    done = subprocess.run(whole, check=True, capture_output=True, text=True, env=keeping_bytecode())
    first, _, printed = done.stdout.partition("\n")
    kilobytes, seconds = map(float, first.split())
    return printed, kilobytes / 1000, seconds


def commands(console):
    """Train on dep_examples by whole commands: what is the engine's, and what is spent outside of it."""
    table = Table("train classify dep-examples:train", "whole, CPU s", "training alone", "outside", "MB")
    kakari = str(Path(sys.executable).with_name("kakari"))
    for degree, cost in ((3, "1e-4"), (2, "5e-4")):
        with tempfile.TemporaryDirectory() as folder:
            options = ["--degree", str(degree), "--cost", cost, "--passes", "20", "--json"]
            command = [kakari, "train", "classify", "dep-examples:train", "-o", f"{folder}/model", *options]
            runs = [measured(command) for _ in range(3)]
        printed, megabytes, seconds = min(runs, key=lambda run: run[2])
        inside = json.loads(printed)["seconds"]
        row = [f"{seconds:.2f}", f"{inside:.2f}", f"{seconds - inside:.2f}", f"{megabytes:.0f}"]
        table.add_row(f"d={degree}, the least of three", *row)
    console.print(table)


def memory(console):
    """Largest memory of whole commands."""
    table = Table("memory of the whole command", "MB", "CPU s")
    kakari = str(Path(sys.executable).with_name("kakari"))
    for task, corpus, options in (
        ("questions", "qc-trees:train", ["--labels", "coarse", "--features", "none", "--cost", "1"]),
        ("trees", "srl-svmlighttk:all", []),
    ):
        with tempfile.TemporaryDirectory() as folder:
            command = [kakari, "train", task, corpus, "-o", f"{folder}/model", *options]
            measured(command)  # compiles the modules
            _, megabytes, seconds = measured(command)
        table.add_row(corpus, f"{megabytes:.0f}", f"{seconds:.2f}")
    console.print(table)


PARTS = {
    "adult": adult,
    "rbf": radial,
    "budgets": budgets,
    "questions": questions,
    "commands": commands,
    "memory": memory,
}


def main():
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", choices=PARTS, action="append")
    asked = parser.parse_args()
    console = Console(width=120)
    warnings.simplefilter("ignore", ConvergenceWarning)
    for part in asked.part or PARTS:
        PARTS[part](console)
    console.print(f"memory of this process: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000:.0f} MB")


if __name__ == "__main__":
    main()
