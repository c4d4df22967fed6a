"""Tree kernels side by side: a plain C++ pairwise loop, our pairs, our blocks, the forest DAG; and reading.

One core, CPU seconds, best of a few turns taken in alternation, so that what else runs on the machine hits
all alike. Questions: `qc-trees`, rows drawn from the training set against all of it. SRL: `srl-svmlighttk`,
4,000 trees against each other or the other 1,000. Sums of all kernel values must agree.
"""

import argparse
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from kakari import corpora
from kakari.kernels.dag import ForestDag
from kakari.kernels.treekernels import TreeKernel
from kakari.models.online import OnlineClassifier
from kakari.models.treebank import Treebank

SOURCE = Path(__file__).with_name("tree_yardstick.cpp")


class Yardstick:
    """The C++ program, compiled on demand."""

    def __init__(self, folder):
        self.folder, self.program = folder, folder / "tree_yardstick"
        compiler = os.environ.get("CXX") or shutil.which("g++") or shutil.which("clang++")
        subprocess.run([compiler, "-O3", "-std=c++17", str(SOURCE), "-o", str(self.program)], check=True)

    def measure(self, kind, rows, columns):
        """Give CPU seconds a pair, and the sum of all kernel values."""
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


def cpu_seconds(work):
    """Give the CPU seconds that a call takes, and its result."""
    start = time.process_time()
    result = work()
    return time.process_time() - start, result


def measure_kernels(yardstick, trees, row_numbers, turns):
    """Give the best seconds a pair of the yardstick, our pairs and our blocks, for both kernels."""
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
    """Give the best seconds of f(x) by pairs, by blocks, and by the DAG, and the DAG's size."""
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
    """Give the megabytes of brackets that become a forest in a second."""
    text = trees * max(1, 4_000_000 // sum(map(len, trees)))
    best = {}
    for _ in range(turns):
        seconds, _ = cpu_seconds(lambda: Treebank().read(text))
        keep_best(best, "parse", seconds)
    return sum(len(tree.encode()) for tree in text) / 1e6 / best["parse"]


def measure_learning(trees, turns):
    """Give the seconds an example of one pass of the averaged perceptron over SRL candidates."""
    examples = list(corpora.read("srl-svmlighttk"))
    labels = np.array([example.label for example in examples])
    forest, best = Treebank().read(trees), {}
    for _ in range(turns):
        learner = OnlineClassifier(TreeKernel("stk"), "averaged")
        seconds, _ = cpu_seconds(lambda m=learner: m.fit(forest, labels))
        keep_best(best, "learn", seconds / labels.size)
    return best["learn"]


def keep_best(best, name, seconds):
    """Keep the shorter time."""
    best[name] = min(seconds, best.get(name, seconds))


def question_trees():
    """Give the trees of the training questions, as brackets."""
    return [corpora.format_brackets(question.tree) for question in corpora.read("qc-trees:train")]


def srl_trees():
    """Give the argument trees, as brackets."""
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
    turns = parser.parse_args().turns
    questions, srl = question_trees(), srl_trees()
    order = np.random.default_rng(0)
    rows = order.permutation(len(questions))[:1000]
    table = Table("what", "speed, one core", "ratio", "bar")
    with tempfile.TemporaryDirectory() as folder:
        yardstick = Yardstick(Path(folder))
        add_rows(table, "questions", measure_kernels(yardstick, questions, rows, turns))
        add_rows(table, "SRL", measure_kernels(yardstick, srl[:4000], order.permutation(4000), turns))
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
    Console(width=120).print(table)


if __name__ == "__main__":
    main()
