"""Print a digest of what each part of the engine computes, for `make test-portable` to compare two builds.

The order of floating-point additions is fixed everywhere, so any build gives the same bits: one for x86-64 with wide
registers, and one for every other machine and compiler.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

import kakari
from kakari.kernels.frozen.freezing import freeze
from kakari.kernels.hashed.weights import HashedLearner
from kakari.kernels.learning.binary_learner import KernelLearner
from kakari.kernels.learning.multiclass import MulticlassLearner
from kakari.kernels.sets.featuresets import FeatureSets
from kakari.kernels.solvers.dual import GramCache, solve
from kakari.kernels.trees.dag import ForestDag
from kakari.kernels.trees.tree_kernel import TreeKernel
from kakari.kernels.trees.vector_kernel import VectorKernel

sys.path.insert(0, str(Path(__file__).parents[1]))
from tree_cases import forest_of, random_tree

SAMPLES = Path(kakari.__file__).parent / "corpora" / "samples"
LEARNERS = {
    "perceptron": {"learner": "perceptron"},
    "pa1 by features": {"learner": "pa1", "step": "features", "cost": 1e-3},
    "pa1 by kernel": {"learner": "pa1", "step": "kernel", "cost": 10.0},
}


def noisy_sets(random: np.random.Generator, count: int) -> FeatureSets:
    share = 1 / (1 + np.arange(700))
    return FeatureSets.from_lists(
        [
            random.choice(700, random.integers(0, 60), replace=False, p=share / share.sum()).tolist()
            for _ in range(count)
        ]
    )


def learned_sets() -> Iterator[tuple[str, object]]:
    random = np.random.default_rng(1)
    sets, labels = noisy_sets(random, 1500), random.choice([1, -1], 1500)
    for name, options in LEARNERS.items():
        for degree in (1, 2, 3, 4):
            learner = KernelLearner(degree, **options).fit(sets, labels, passes=2)
            yield f"{name}, degree {degree}", learner.coefficients()
            for kind in ("inverted", "splitting", *["expansion"] * (degree == 2)):
                frozen = freeze(learner.support(), learner.coefficients(), degree, kind=kind)
                yield f"{name}, degree {degree}, {kind}", frozen.margins(sets)
    classes = random.integers(0, 4, 1500)
    yield "four classes", MulticlassLearner(4, 2).fit(sets, classes, passes=2).coefficients()


def hashed_rows() -> Iterator[tuple[str, object]]:
    random, learner = np.random.default_rng(2), HashedLearner()
    keys = random.integers(0, 2**63, 300_000).astype(np.uint64)
    for at in range(3000):
        learner.update(random.choice(keys, 100), int(random.integers(0, 40)), int(random.integers(-2, 3)), at=at + 1)
    learner.examples = 3000
    yield "hashed rows", learner.scores(keys[:200], 40)
    yield "hashed rows, frozen", learner.freeze().scores(keys[:200], 40)


def trees_and_vectors() -> Iterator[tuple[str, object]]:
    random = np.random.default_rng(3)
    forest = forest_of(*([random_tree(random, 12)] for _ in range(60)))
    for kind in ("st", "stk", "sst-bow", "ptk"):
        kernel = TreeKernel(kind)
        yield f"{kind} gram", kernel.gram(forest)
        if kind != "ptk":
            dag = ForestDag(kernel)
            dag.add(forest, random.standard_normal(60))
            yield f"{kind} dag", dag.evaluate(forest)
    gram = VectorKernel("rbf").gram(random.standard_normal((120, 6)))
    labels = np.where(gram[:, 0] > np.median(gram[:, 0]), 1.0, -1.0)
    cache = GramCache(np.diag(gram), lambda rows, first: gram[rows, first:], limit=2**20)
    yield "dual solver", solve(cache, labels, np.ones(120))["coefficients"]


def parses() -> Iterator[tuple[str, object]]:
    texts = {"ja": "太郎は花子が読んでいる本を次郎に渡した。", "en": "The board approved the plan that Mary sent."}
    for language, sample in {"ja": "ja.knp", "en": "en.conll"}.items():
        words = (SAMPLES / sample).read_text("utf-8").replace("\n", " ")
        for doc in kakari.load(language).pipe([texts[language], words[:6000]]):
            found = [doc.to_json(), sorted(map(repr, doc.user_data.items()))]
            yield f"{language}, {len(doc)} tokens", repr(found).encode()


def main() -> None:
    for part in (learned_sets, hashed_rows, trees_and_vectors, parses):
        for name, found in part():
            data = found if isinstance(found, bytes) else np.ascontiguousarray(found).tobytes()
            print(f"{hashlib.sha256(data).hexdigest()[:32]}  {name}")  # noqa: T201


if __name__ == "__main__":
    main()
