"""Model files of LIBSVM: settings one a line, `SV`, then one support vector a line with a coefficient for each class.

With k classes a support vector has k - 1 coefficients: that of class i in the machine against class j stands in column
j - 1 if j > i, and in column j otherwise. `kakari.reading.svm_models` turns it into a classifier.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from kakari.corpora.records.errors import CorpusError
from kakari.corpora.records.textfiles import Source, numbered_lines, source_name

FIRST_WORD = "svm_type"
MOST_CLASSES = 1000
SETTINGS = frozenset(
    "svm_type kernel_type degree gamma coef0 nr_class total_sv rho label probA probB prob_density_marks nr_sv".split()
)


@dataclass(frozen=True, slots=True)
class LibsvmModel:
    """A model: settings as written, the support vectors of one class after another.

    Attributes
    ----------
    labels : tuple of int
    sizes : tuple of int
        How many support vectors each class has.
    rho : tuple of float
        The threshold of each pair of classes.
    coefficients : tuple of tuples of float
    vectors : tuple of tuples of (int, float)
        Number and value of each feature.
    """

    kernel: str
    degree: int
    gamma: float
    coef0: float
    labels: tuple[int, ...]
    sizes: tuple[int, ...]
    rho: tuple[float, ...]
    coefficients: tuple[tuple[float, ...], ...]
    vectors: tuple[tuple[tuple[int, float], ...], ...]


def read_libsvm_model(source: Source) -> LibsvmModel:
    r"""Read a model file of a classifier.

    Examples
    --------
    >>> import io
    >>> head = "svm_type c_svc\nkernel_type polynomial\ndegree 2\ngamma 1\ncoef0 1\nnr_class 2\ntotal_sv 2\nrho 0.5\n"
    >>> model = read_libsvm_model(io.StringIO(head + "label 1 -1\nnr_sv 1 1\nSV\n1 1:1 3:1\n-1 2:1\n"))
    >>> model.degree, model.labels, model.coefficients, model.vectors[1]
    (2, (1, -1), ((1.0,), (-1.0,)), ((2, 1.0),))
    """
    name = source_name(source)
    lines = numbered_lines(source)
    head, number = _head(name, lines)

    def refuse(reason: str) -> CorpusError:
        return CorpusError(name, number, reason)

    if head.get(FIRST_WORD) not in (["c_svc"], ["nu_svc"]):
        raise refuse("only classifiers (c_svc, nu_svc) can be read")
    labels = tuple(int(value) for value in _numbers(name, number, head, "label"))
    sizes = tuple(int(value) for value in _numbers(name, number, head, "nr_sv"))
    rho = tuple(_numbers(name, number, head, "rho"))
    if not 2 <= len(labels) <= MOST_CLASSES or len(set(labels)) != len(labels) or len(sizes) != len(labels):
        raise refuse("label and nr_sv do not name two or more classes")
    if len(rho) != len(labels) * (len(labels) - 1) // 2 or min(sizes) < 0:
        raise refuse("rho and nr_sv do not fit the classes")
    coefficients, vectors = [], []
    for number, line in lines:
        if line.strip():
            own, vector = _support_vector(name, number, line, len(labels) - 1)
            coefficients.append(own)
            vectors.append(vector)
    if len(vectors) != sum(sizes):
        raise refuse(f"the model has {len(vectors)} support vectors, but its head says {sum(sizes)}")

    def one(key: str, default: float) -> float:
        found = _numbers(name, number, head, key) if key in head else [default]
        if len(found) != 1:
            raise refuse(f"{key} has {len(found)} values")
        return found[0]

    return LibsvmModel(
        " ".join(head.get("kernel_type", [])),
        int(one("degree", 3)),
        one("gamma", 1.0),
        one("coef0", 0.0),
        labels,
        sizes,
        rho,
        tuple(coefficients),
        tuple(vectors),
    )


def _head(name: str, lines: Iterator[tuple[int, str]]) -> tuple[dict[str, list[str]], int]:
    head: dict[str, list[str]] = {}
    number = 1
    for number, line in lines:
        words = line.split()
        if words == ["SV"]:
            return head, number
        if not words or words[0] not in SETTINGS or words[0] in head:
            raise CorpusError(name, number, f"this is no line of a LIBSVM model's head: '{line.strip()[:40]}'")
        head[words[0]] = words[1:]
    raise CorpusError(name, number, "this is no LIBSVM model: there is no line 'SV'")


def _numbers(name: str, number: int, head: dict[str, list[str]], key: str) -> list[float]:
    if key not in head:
        raise CorpusError(name, number, f"the head has no {key}")
    return [_number(name, number, text) for text in head[key]]


def _number(name: str, number: int, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value) or abs(value) > 1e300:
        raise CorpusError(name, number, f"'{text[:40]}' is not a number that a model can have")
    return value


def _support_vector(
    name: str, number: int, line: str, width: int
) -> tuple[tuple[float, ...], tuple[tuple[int, float], ...]]:
    words = line.split()
    if len(words) < width or any(":" in word for word in words[:width]):
        raise CorpusError(name, number, f"a support vector has {width} coefficients")
    features = []
    for word in words[width:]:
        index, mark, value = word.partition(":")
        if not mark or not index.isascii() or not index.isdigit() or int(index) >= 2**31:
            raise CorpusError(name, number, f"'{word[:40]}' is not a feature's number and value")
        features.append((int(index), _number(name, number, value)))
    if [index for index, _ in features] != sorted({index for index, _ in features}):
        raise CorpusError(name, number, "the numbers of features do not ascend")
    return tuple(_number(name, number, word) for word in words[:width]), tuple(features)
