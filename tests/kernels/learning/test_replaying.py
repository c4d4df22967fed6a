"""Long histories of updates, summed block by block in whole numbers, against the definition."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from kakari.kernels.learning.binary_learner import KernelLearner
from kakari.kernels.sets.featuresets import FeatureSets

pytestmark = pytest.mark.thorough

# What steps look like: all of one size, nearly all, of two sizes, of any size.
KINDS = {
    "one": {"learner": "perceptron"},
    "nearly": {"learner": "pa1", "step": "features", "cost": 1e-3},
    "two": {"learner": "pa1", "step": "features", "cost": 1e-3, "class_weights": {1: 1.0, -1: 0.37}},
    "any": {"learner": "pa1", "step": "kernel", "cost": 10.0},
}


def noisy_problem(longest):
    """Return sets of frequent and rare features with labels that nothing can learn, so that updates are many."""
    random = np.random.default_rng(longest)
    share = 1 / (1 + np.arange(900))
    rows = [
        random.choice(900, random.integers(0, longest), replace=False, p=share / share.sum()).tolist()
        for _ in range(1200)
    ]
    return rows, random.choice([1, -1], len(rows))


def defined_coefficients(rows, labels, degree, passes, *, learner, step="features", cost=1.0, class_weights=None):
    """Train by the definition: the whole kernel matrix, one margin after another, steps in multiples of 2^-42."""
    held = np.zeros((len(rows), 900))
    for i, row in enumerate(rows):
        held[i, row] = 1
    kernel = (1 + held @ held.T) ** degree
    sums = np.zeros(len(rows))
    made = 0
    first = {}
    owner = [first.setdefault(frozenset(row), i) for i, row in enumerate(rows)]
    for _ in range(passes):
        for i, row in enumerate(rows):
            margin = labels[i] * float(kernel[i] @ sums)
            weight = (class_weights or {}).get(int(labels[i]), 1.0)
            if learner == "perceptron":
                amount = weight if margin <= 0 else 0
            else:
                norm = kernel[i, i] if step == "kernel" else max(len(row), 1)
                amount = min(max(1 - margin, 0) / norm, cost * weight)
            sums[owner[i]] += labels[i] * np.round(amount * 2.0**42) / 2.0**42
            made += amount > 0
    return sums, made


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("degree, longest", [(1, 30), (2, 56), (3, 30), (3, 80), (4, 30)])
def test_long_histories_follow_the_definition(kind, degree, longest):
    rows, labels = noisy_problem(longest)
    expected, made = defined_coefficients(rows, labels, degree, 3, **KINDS[kind])
    learner = KernelLearner(degree, **{"step": "features", **KINDS[kind]})
    learner.fit(FeatureSets.from_lists(rows), labels, passes=3)
    found = np.zeros(len(rows))
    found[learner.support_rows] = learner.coefficients()
    assert made > 512  # more than a block
    assert learner.updates == made
    assert found.tobytes() == (expected + 0.0).tobytes()


def digest():
    rows, labels = noisy_problem(56)
    learner = KernelLearner(3, **KINDS["nearly"]).fit(FeatureSets.from_lists(rows), labels, passes=3)
    return hashlib.sha256(learner.coefficients().tobytes()).hexdigest()


@pytest.mark.parametrize("bits", ["128", "256"])
def test_narrow_registers_give_the_same_model(bits):
    code = "import test_replaying; print(test_replaying.digest())"
    environment = {**os.environ, "KAKARI_REGISTERS": bits}
    told = subprocess.run(
        [sys.executable, "-c", code],
        env=environment,
        cwd=Path(__file__).parent,
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout.strip() == digest()
