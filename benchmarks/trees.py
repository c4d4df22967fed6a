"""Tree kernels side by side: a plain C++ pairwise loop, our pairs, our blocks, the forest DAG; reading, learning.

One core, CPU seconds, best of a few turns taken in alternation, so that what else runs on the machine hits
all alike. Questions: `qc-trees`, rows drawn from the training set against all of it. SRL: `srl-svmlighttk`,
4,000 trees against each other or the other 1,000. Sums of all kernel values must agree, and so must the optima of
the six one-vs-rest machines.

    python benchmarks/trees.py                    all rows (the yardstick trains for some minutes, once)
    python benchmarks/trees.py --skip-training    without the six machines and the million candidates
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from kakari import corpora
from kakari.kernels.trees.dag import ForestDag
from kakari.kernels.trees.tree_kernel import TreeKernel
from kakari.models.machines.online import OnlineClassifier
from kakari.models.machines.svm import KernelSVC
from kakari.models.treebank import Treebank

SOURCE = Path(__file__).with_name("tree_yardstick.cpp")


class Yardstick:
    """The C++ program, compiled on demand."""

    def __init__(self, folder):
        self.folder, self.program = folder, folder / "tree_yardstick"
        compiler = os.environ.get("CXX") or shutil.which("g++") or shutil.which("clang++")
        subprocess.run([compiler, "-O3", "-std=c++17", str(SOURCE), "-o", str(self.program)], check=True)

    def measure(self, kind, rows, columns):
        """Return CPU seconds a pair, and the sum of all kernel values."""
        for name, trees in (("rows", rows), ("columns", columns)):
            (self.folder / name).write_text("".join(f"{tree}\n" for tree in trees), encoding="utf-8")
        command = [
            str(self.program),
            kind,
            "0.4",
            "0.4",
            str(self.folder / "rows"),
            str(self.folder / "columns"),
        ]
        seconds, pairs, total = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
        return float(seconds) / int(pairs), float(total)

    def train(self, trees, signs, tolerance):
        """Return CPU seconds, dual objective and support vectors of one machine (C = 1, 40 megabytes of cache)."""
        (self.folder / "trees").write_text("".join(f"{tree}\n" for tree in trees), encoding="utf-8")
        (self.folder / "signs").write_text("".join(f"{sign}\n" for sign in signs), encoding="utf-8")
        command = [str(self.program), "train", "0.4", "1", str(tolerance), "40"]
        command += [str(self.folder / "signs"), str(self.folder / "trees")]
        printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
        return float(printed[0]), float(printed[1]), int(printed[4])


def cpu_seconds(work):
    """Return the CPU seconds that a call takes, and its result."""
    start = time.process_time()
    result = work()
    return time.process_time() - start, result


def measure_kernels(yardstick, trees, row_numbers, turns):
    """Return the best seconds a pair of the yardstick, our pairs and our blocks, for both kernels."""
    forest = Treebank().read(trees)
    best = {}
    for kind in ("stk", "ptk"):
        kernel = TreeKernel(kind, normalize=False)
        few = row_numbers[:60]
        some, many = forest.take(few), forest.take(row_numbers)
        for _ in range(turns):
            seconds, expected = yardstick.measure(kind, [trees[i] for i in few], trees)
            keep_best(best, (kind, "yardstick"), seconds)
            seconds, gram = cpu_seconds(lambda k=kernel, s=some: k.gram(s, forest, method="pairs"))
            keep_best(best, (kind, "pairs"), seconds / gram.size)
            assert abs(gram.sum() / expected - 1) < 1e-9, (kind, gram.sum(), expected)
            seconds, gram = cpu_seconds(lambda k=kernel, m=many: k.gram(m, forest))
            keep_best(best, (kind, "block"), seconds / gram.size)
    return best


def measure_dag(kernel, trees, queries, turns):
    """Return the best seconds of f(x) by pairs, by blocks, and by the DAG, and the DAG's size."""
    weights = np.random.default_rng(1).standard_normal(len(trees))
    best = {}
    dag = ForestDag(kernel)
    best["build"], _ = cpu_seconds(lambda: dag.add(trees, weights))
    some = queries[:60]
    for _ in range(turns):
        seconds, gram = cpu_seconds(lambda s=some: kernel.gram(s, trees, method="pairs"))
        keep_best(best, "pairs", seconds / len(some))
        seconds, values = cpu_seconds(lambda: dag.evaluate(queries))
        keep_best(best, "dag", seconds / len(queries))
        np.testing.assert_allclose(values[:60], gram @ weights, rtol=1e-9, atol=1e-9)
        seconds, _ = cpu_seconds(lambda: kernel.gram(queries, trees))
        keep_best(best, "block", seconds / len(queries))
    return best, len(dag)


def measure_parsing(trees, turns):
    """Return the megabytes of brackets that become a forest in a second."""
    text = trees * max(1, 4_000_000 // sum(map(len, trees)))
    best = {}
    for _ in range(turns):
        seconds, _ = cpu_seconds(lambda: Treebank().read(text))
        keep_best(best, "parse", seconds)
    return sum(len(tree.encode()) for tree in text) / 1e6 / best["parse"]


def measure_learning(trees, turns):
    """Return the seconds an example of one pass of the averaged perceptron over SRL candidates."""
    examples = list(corpora.read("srl-svmlighttk"))
    labels = np.array([example.label for example in examples])
    forest, best = Treebank().read(trees), {}
    for _ in range(turns):
        learner = OnlineClassifier(TreeKernel("stk"), "averaged")
        seconds, _ = cpu_seconds(lambda m=learner: m.fit(forest, labels))
        keep_best(best, "learn", seconds / labels.size)
    return best["learn"]


def measure_training(yardstick, turns):
    """Return CPU seconds of six one-vs-rest machines, the largest difference of optima, and of 500 predictions."""
    questions = list(corpora.read("qc-trees:train"))
    names = np.array([question.coarse for question in questions])
    trees = question_trees()
    forest, best = Treebank().read(trees), {}
    for _ in range(turns):
        svc = KernelSVC(TreeKernel("stk"), C=1.0)
        seconds, _ = cpu_seconds(lambda m=svc: m.fit(forest, names))
        keep_best(best, "ours", seconds)
        seconds, _ = cpu_seconds(lambda m=svc: m.predict(forest[:500]))
        keep_best(best, "predict", seconds)
    plain = [yardstick.train(trees, np.where(names == name, 1, -1), 1e-3) for name in svc.classes_]
    best["yardstick"] = sum(seconds for seconds, _, _ in plain)
    optima = np.array([objective for _, objective, _ in plain])
    best["gap"] = float(np.abs(svc.objectives_ / optima - 1).max())
    best["support"] = int(np.count_nonzero(svc.dual_coef_))
    assert best["gap"] < 1e-3, best
    return best


def add_training_rows(table, best):
    """Write what was measured of the six machines."""
    plain, ours = best["yardstick"], best["ours"]
    table.add_row("six question machines (C = 1), yardstick", f"{plain:.1f} s", "1.0", "")
    what = f"six question machines, ours (objectives within {best['gap']:.0e})"
    table.add_row(what, f"{ours:.2f} s", f"{plain / ours:.0f}", "≥ 10")
    what = f"classifying 500 questions, {best['support']:,} support vectors"
    table.add_row(what, f"{best['predict'] * 1e3:.0f} ms", "", "")


def add_million_row(table):
    """Learn from a million candidates in a process of its own, so that its memory is its own."""
    command = [sys.executable, str(Path(__file__).with_name("srl_candidates.py"))]
    printed = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    found = json.loads(printed)
    what = f"averaged perceptron, {found['examples']:,} SRL candidates, reading included"
    rate = f"{found['cpu_seconds']:.0f} s, {found['peak_gigabytes']:.2f} GB"
    table.add_row(what, rate, "", "< 1,200 s, < 4 GB")


def keep_best(best, name, seconds):
    """Keep the shorter time."""
    best[name] = min(seconds, best.get(name, seconds))


def question_trees():
    """Return the trees of the training questions, as brackets."""
    return [corpora.format_brackets(question.tree) for question in corpora.read("qc-trees:train")]


def srl_trees():
    """Return the argument trees, as brackets."""
    return [example.trees[0] for example in corpora.read("srl-svmlighttk")]


def add_rows(table, title, best):
    """Write what was measured of both kernels."""
    for kind, bar in (("stk", 4), ("ptk", 3)):
        plain = best[kind, "yardstick"]
        table.add_row(f"{title}, {kind.upper()}, yardstick", f"{1e-6 / plain:.2f} M pairs/s", "1.0", "")
        for method, name in (("pairs", "ours, pair by pair"), ("block", "ours, gram block")):
            ratio = plain / best[kind, method]
            wanted = f"≥ {bar}" if method == "block" else ""
            rate = f"{1e-6 / best[kind, method]:.2f} M pairs/s"
            table.add_row(f"{title}, {kind.upper()}, {name}", rate, f"{ratio:.1f}", wanted)


def add_dag_rows(table, title, best, size, bar):
    """Write what was measured of f(x)."""
    table.add_row(f"{title}, f(x) pair by pair", f"{best['pairs'] * 1e6:.0f} µs", "1.0", "")
    table.add_row(
        f"{title}, f(x) by gram block",
        f"{best['block'] * 1e6:.0f} µs",
        f"{best['pairs'] / best['block']:.1f}",
        "",
    )
    what = f"{title}, f(x) by DAG ({size:,} subtrees, built in {best['build'] * 1e3:.0f} ms)"
    table.add_row(what, f"{best['dag'] * 1e6:.1f} µs", f"{best['pairs'] / best['dag']:.1f}", f"≥ {bar}")


def main():
    """Measure, and print one table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--skip-training", action="store_true")
    options = parser.parse_args()
    turns = options.turns
    questions, srl = question_trees(), srl_trees()
    order = np.random.default_rng(0)
    rows = order.permutation(len(questions))[:1000]
    table = Table("what", "speed, one core", "ratio", "bar")
    with tempfile.TemporaryDirectory() as folder:
        yardstick = Yardstick(Path(folder))
        add_rows(table, "questions", measure_kernels(yardstick, questions, rows, turns))
        add_rows(table, "SRL", measure_kernels(yardstick, srl[:4000], order.permutation(4000), turns))
        training = None if options.skip_training else measure_training(yardstick, turns)
    kernel = TreeKernel("stk", normalize=False)
    forest = Treebank().read(questions)
    best, size = measure_dag(kernel, forest, forest.take(rows), turns)
    add_dag_rows(table, f"STK, {len(forest):,} questions", best, size, 5)
    forest = Treebank().read(srl)
    best, size = measure_dag(kernel, forest[:4000], forest.take(4000 + order.permutation(1000)), turns)
    add_dag_rows(table, "STK, 4,000 SRL trees", best, size, 40)
    table.add_row("reading brackets into a forest", f"{measure_parsing(questions, turns):.1f} MB/s", "", "≥ 20 MB/s")
    learning = measure_learning(srl, turns)
    table.add_row("averaged perceptron on the SRL trees", f"{learning * 1e6:.1f} µs/tree", "", "≤ 1200 µs/tree")
    if training is not None:
        add_training_rows(table, training)
        add_million_row(table)
    Console(width=120).print(table)


if __name__ == "__main__":
    main()
