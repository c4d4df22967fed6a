"""Online learning for structural kernels (McKenna, 2011): one pass of each learner, beside a batch SVM.

Tables 5.1 (synthetic data), 5.2 (Adult, with its curves), 6.1 and 6.2 (question classification). Every learner sees
the same orders; what is reported is the mean over them, and the deviation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kakari.experiments.problems import cpu_seconds
from kakari.models.machines.examples import take

Labels = NDArray[Any]
Measure = tuple[float, float]  # mean and deviation
Watch = Callable[[Iterable[Any], str], Iterable[Any]]


@dataclass(frozen=True)
class Entry:
    """A row of a table: a learner with its options, and what the thesis has for it, by column."""

    name: str
    algorithm: str
    options: dict[str, Any] = field(default_factory=dict)
    published: dict[str, str] = field(default_factory=dict)

    def train(self, kernel: Any, examples: Any, labels: Labels, *, record: bool = False) -> Trained:
        """Train on examples in their order."""
        learner: Any
        if self.algorithm == "svm":
            from kakari.models.machines.svm import KernelSVC

            learner = KernelSVC(kernel, **self.options)
        else:
            from kakari.models.machines.online import OnlineClassifier

            learner = OnlineClassifier(kernel, self.algorithm, record=record, **self.options)
        _, seconds = cpu_seconds(lambda: learner.fit(examples, labels))
        support = learner.support_.size if self.algorithm == "svm" else int(learner.support_sizes_.sum())
        return Trained(learner, int(support), seconds)


@dataclass(frozen=True)
class Trained:
    """A trained learner, its support vectors and its CPU seconds."""

    learner: Any
    support: int
    seconds: float


@dataclass(frozen=True)
class Row:
    """Figures of a learner, each as mean and deviation, beside the published ones."""

    name: str
    measures: dict[str, Measure]
    published: dict[str, str]


@dataclass(frozen=True)
class Task:
    """Training sets (or orders of one: `reordered`), a test set, and a kernel."""

    name: str
    kernel: Any
    training: Sequence[tuple[Any, Labels]]
    test: tuple[Any, Labels]
    reordered: bool = True


def measure_learners(
    task: Task,
    entries: Sequence[Entry],
    scores: Callable[[Any, Any, Labels], dict[str, float]],
    *,
    watch: Watch = lambda items, _: items,
) -> list[Row]:
    """Train every entry on every training set and score it on the test set.

    A batch SVM does not depend on the order, so that of several orders of the same examples it sees the first.
    """
    plans = [
        (entry, examples, labels)
        for entry in entries
        for examples, labels in task.training[: 1 if entry.algorithm == "svm" and task.reordered else None]
    ]
    found: dict[str, list[dict[str, float]]] = {}
    for entry, examples, labels in watch(plans, task.name):
        trained = entry.train(task.kernel, examples, labels)
        figures = scores(trained.learner, *task.test)
        figures |= {"support vectors": float(trained.support), "seconds": trained.seconds}
        found.setdefault(entry.name, []).append(figures)
    return [Row(entry.name, _summary(found[entry.name]), entry.published) for entry in entries]


def _summary(runs: Sequence[dict[str, float]]) -> dict[str, Measure]:
    return {
        name: (float(np.mean([run[name] for run in runs])), float(np.std([run[name] for run in runs])))
        for name in runs[0]
    }


def binary_scores(learner: Any, examples: Any, labels: Labels) -> dict[str, float]:
    """Return F1 of the positive class and accuracy, in percent."""
    guess = learner.predict(examples)
    return {"F1": 100 * f1(guess == 1, labels == 1), "accuracy": 100 * float(np.mean(guess == labels))}


def class_scores(learner: Any, examples: Any, labels: Labels) -> dict[str, float]:
    """Return the accuracy of the largest margin, and F1 of each class's machine alone, in percent."""
    values = learner.decision_function(examples)
    each = {str(name): 100 * f1(values[:, number] > 0, labels == name) for number, name in enumerate(learner.classes_)}
    return {"accuracy": 100 * float(np.mean(learner.classes_[values.argmax(axis=1)] == labels)), **each}


def f1(guess: NDArray[np.bool_], truth: NDArray[np.bool_]) -> float:
    """Return F1 of a guess.

    Examples
    --------
    >>> f1(np.array([True, True, False]), np.array([True, False, False]))
    0.6666666666666666
    """
    found = int(guess.sum() + truth.sum())
    return 2 * int((guess & truth).sum()) / found if found else 0.0


def synthetic_set(size: int, seed: int) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Draw the thesis's two Gaussians: means (1, 1) and (-1, -1), variances 0.2 and 2, one label in ten flipped.

    Examples
    --------
    >>> points, labels = synthetic_set(1000, seed=0)
    >>> points.shape, bool(((points[:, 0] > 0) == (labels > 0)).mean() > 0.85)
    ((1000, 2), True)
    """
    random = np.random.default_rng(seed)
    signs = np.where(random.random(size) < 0.5, 1, -1)
    points = signs[:, None] + random.normal(size=(size, 2)) * np.sqrt([0.2, 2.0])
    return points, np.where(random.random(size) < 0.1, -signs, signs)


def orders_of(examples: Any, labels: Labels, runs: int, seed: int = 0) -> Iterator[tuple[Any, Labels]]:
    """Return the same examples in so many random orders."""
    for run in range(runs):
        order = np.random.default_rng((seed, run)).permutation(labels.size)
        yield take(examples, order), labels[order]


@dataclass(frozen=True)
class Curve:
    """A learner's way through a stream of two classes: mistakes and support so far, CPU seconds after every run.

    `positive` says which examples are of the positive class.

    Examples
    --------
    >>> curve = Curve("PA", np.array([1, 1, 1, 2]), np.array([1, 1, 1, 2]), np.array([0.5]), np.array([1, 1, 0, 0]) > 0)
    >>> curve.f1().round(1).tolist()
    [0.0, 66.7, 66.7, 50.0]
    """

    name: str
    mistakes: NDArray[np.int64]
    support: NDArray[np.int64]
    seconds: NDArray[np.float64]
    positive: NDArray[np.bool_]

    def f1(self) -> NDArray[np.float64]:
        """Return F1 of the decisions so far, in percent: a mistake is a positive one missed or another one taken."""
        wrong = np.diff(self.mistakes, prepend=0) > 0
        right = np.cumsum(self.positive & ~wrong)
        counted: NDArray[np.float64] = 200 * right / np.maximum(1, 2 * right + self.mistakes)
        return counted


def record_curves(task: Task, entries: Sequence[Entry], *, watch: Watch = lambda items, _: items) -> list[Curve]:
    """Train every online entry on the first training set, and keep what happened on the way."""
    curves = []
    online = [entry for entry in entries if entry.algorithm != "svm"]
    for entry in watch(online, f"{task.name}: curves"):
        curve = entry.train(task.kernel, *task.training[0], record=True).learner.curve_
        mistakes, support = (np.concatenate(curve[name]).sum(axis=1) for name in ("mistakes", "support"))
        positive = np.asarray(task.training[0][1]) == 1
        curves.append(Curve(entry.name, mistakes, support, np.cumsum(curve["seconds"]), positive))
    return curves


def _published(text: str, columns: str) -> dict[str, dict[str, str]]:
    names = [name.strip() for name in columns.split("|")]
    rows = (line.split("|") for line in text.strip().splitlines())
    return {name.strip(): dict(zip(names, (cell.strip() for cell in cells), strict=True)) for name, *cells in rows}


def _entries(published: dict[str, dict[str, str]], options: dict[str, tuple[str, dict[str, Any]]]) -> list[Entry]:
    return [Entry(name, algorithm, own, published[name]) for name, (algorithm, own) in options.items()]


TABLE_5_1 = _entries(
    _published(
        """
        SVM | 89.21 ± 0.25 | 89.19 ± 0.27 | 3,055 | 33.89
        Perceptron | 73.45 ± 13.42 | 68.81 ± 14.53 | 2,950 | 1.86
        Averaged | 88.99 ± 0.31 | 88.98 ± 0.32 | 1,961 | 1.28
        PA-I | 76.00 ± 9.85 | 76.04 ± 8.41 | 3,617 | 2.24
        Projectron++ | 81.58 ± 13.36 | 81.11 ± 14.82 | 10 | 0.03
        Forgetron(1000) | 65.90 ± 20.99 | 64.63 ± 12.14 | 1,000 | 1.20
        Forgetron(500) | 53.26 ± 28.37 | 57.20 ± 9.37 | 500 | 0.69
        """,
        "F1 | accuracy | support vectors | seconds",
    ),
    {
        "SVM": ("svm", {"C": 0.01}),
        "Perceptron": ("perceptron", {}),
        "Averaged": ("averaged", {}),
        "PA-I": ("pa-1", {}),
        "Projectron++": ("projectron++", {"eta": 0.1}),
        "Forgetron(1000)": ("self-tuned-forgetron", {"budget": 1000}),
        "Forgetron(500)": ("self-tuned-forgetron", {"budget": 500}),
    },
)
TABLE_5_2 = _entries(
    _published(
        """
        SVM | 67.64 ± 0.02 | 83.36 ± 0.01 | 13,057 | 330.98
        Perceptron | 51.24 ± 28.65 | 80.46 ± 3.22 | 6,819 | 73.56
        Averaged | 42.87 ± 12.76 | 82.11 ± 1.84 | 6,757 | 76.30
        PA-I | 51.50 ± 16.24 | 80.53 ± 3.31 | 12,985 | 134.87
        Projectron++ | 53.52 ± 13.45 | 79.60 ± 4.10 | 2,010 | 204.08
        Forgetron(3000) | 47.77 ± 17.66 | 74.07 ± 7.79 | 3,000 | 41.12
        Forgetron(1500) | 34.38 ± 31.34 | 76.20 ± 4.12 | 1,500 | 17.78
        """,
        "F1 | accuracy | support vectors | seconds",
    ),
    {
        "SVM": ("svm", {"C": 1.0, "cost_factor": 2.5}),
        "Perceptron": ("perceptron", {}),
        "Averaged": ("averaged", {}),
        "PA-I": ("pa-1", {}),
        "Projectron++": ("projectron++", {"eta": 0.1}),
        "Forgetron(3000)": ("self-tuned-forgetron", {"budget": 3000}),
        "Forgetron(1500)": ("self-tuned-forgetron", {"budget": 1500}),
    },
)
TABLE_6 = _entries(
    _published(
        """
        SVM, tuned | 89.00 ± 0.01 | 84.21 | 94.78 | 80.43 | 87.50 | 82.58 | 89.86
        SVM | 86.23 ± 0.08 | 80.00 | 96.00 | 63.89 | 88.14 | 77.61 | 80.42
        Perceptron | 73.47 ± 4.19 | 72.13 | 85.00 | 54.46 | 79.06 | 67.50 | 69.58
        Averaged | 82.76 ± 0.95 | 79.79 | 93.31 | 61.95 | 87.08 | 79.33 | 79.84
        PA-I | 83.43 ± 2.76 | 79.79 | 91.38 | 67.04 | 86.98 | 76.57 | 81.60
        Projectron++ | 81.75 ± 2.15 | 76.92 | 87.73 | 63.31 | 80.88 | 80.39 | 79.71
        Forgetron(1000) | 72.83 ± 3.80 | 72.13 | 85.00 | 44.96 | 79.06 | 67.50 | 69.58
        Forgetron(750) | 65.75 ± 6.94 | 72.13 | 73.71 | 36.66 | 66.44 | 62.38 | 69.58
        Forgetron(500) | 48.58 ± 10.26 | 72.13 | 47.91 | 31.02 | 61.20 | 60.61 | 59.49
        """,
        "accuracy | ABBR | DESC | ENTY | HUM | LOC | NUM",
    ),
    {
        "SVM, tuned": ("svm", {"C": 3.0, "cost_factor": 3.0}),
        "SVM": ("svm", {"C": 1.0}),
        "Perceptron": ("perceptron", {}),
        "Averaged": ("averaged", {}),
        "PA-I": ("pa-1", {}),
        "Projectron++": ("projectron++", {"eta": 0.1}),
        "Forgetron(1000)": ("self-tuned-forgetron", {"budget": 1000}),
        "Forgetron(750)": ("self-tuned-forgetron", {"budget": 750}),
        "Forgetron(500)": ("self-tuned-forgetron", {"budget": 500}),
    },
)
