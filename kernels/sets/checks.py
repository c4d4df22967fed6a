"""Checks of arguments before they reach a loop without the GIL."""

from collections.abc import Mapping, Sequence
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kakari.kernels.sets.featuresets import FeatureSets


class TrainingError(ValueError):
    """Invalid options or examples; the text says what is wrong."""


def checked_integer(name: str, value: Any, lowest: int, highest: int) -> int:
    """Return the value as an int, refused unless it is a whole number in the range."""
    whole = isinstance(value, (int, np.integer)) and not isinstance(value, (bool, np.bool_))
    if not whole or not lowest <= value <= highest:
        raise TrainingError(f"{name} must be a whole number between {lowest} and {highest}, not {value!r}")
    return int(value)


def checked_choice(name: str, value: Any, choices: Sequence[str]) -> str:
    """Return the value, refused unless it is one of the choices."""
    if not isinstance(value, str) or value not in choices:
        raise TrainingError(f"{name} must be one of {', '.join(choices)}, not {value!r}")
    return value


def checked_positive(name: str, value: Any) -> float:
    """Return the value as a float, refused unless it is positive and finite."""
    number = isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)
    if not number or not 0 < value < float("inf"):
        raise TrainingError(f"{name} must be a positive number, not {value!r}")
    return float(value)


def checked_class_weights(class_weights: Mapping[int, float] | None) -> tuple[float, float]:
    """Return the weights of the labels 1 and -1, in this order."""
    given = dict(class_weights or {})
    pair = float(given.pop(1, 1.0)), float(given.pop(-1, 1.0))
    if given or not all(0 <= weight < float("inf") for weight in pair):
        raise TrainingError(f"class weights are numbers, not negative, for 1 and -1: not {class_weights!r}")
    return pair


def checked_sets(sets: Any) -> FeatureSets:
    """Return the sets, refused unless they are FeatureSets."""
    if not isinstance(sets, FeatureSets):
        raise TrainingError(f"examples must be FeatureSets, not {type(sets).__name__}")
    return sets


def checked_coefficients(coefficients: ArrayLike, count: int) -> NDArray[np.float64]:
    """Return the coefficients of `count` support vectors, refused unless they are finite."""
    values = np.array(coefficients, dtype=np.float64)
    if values.shape != (count,):
        raise TrainingError(f"{count} support vectors need as many coefficients, not shape {values.shape}")
    wrong = np.flatnonzero(~np.isfinite(values))
    if wrong.size:
        raise TrainingError(f"row {int(wrong[0])}: the coefficient {values[wrong[0]].item()!r} is not finite")
    return values


def checked_examples(
    sets: Any, labels: ArrayLike, weights: ArrayLike | None, class_weights: tuple[float, float]
) -> tuple[FeatureSets, NDArray[np.int32], NDArray[np.float64] | None]:
    """Return the sets, labels and weights (None where all are 1) of a binary run, in one piece each."""
    rows = checked_sets(sets)
    given = checked_labels(labels, len(rows))
    wrong = np.flatnonzero((given != 1) & (given != -1))
    if wrong.size:
        raise TrainingError(f"row {int(wrong[0])}: the label {given[wrong[0]].item()!r} is neither 1 nor -1")
    signs = np.ascontiguousarray(given, dtype=np.int32)
    if class_weights == (1.0, 1.0):
        return rows, signs, checked_weights(weights, len(rows))
    scale = checked_weights(np.ones(len(rows)) if weights is None else weights, len(rows))
    return rows, signs, np.ascontiguousarray(scale * np.where(signs > 0, *class_weights))


def checked_classes(
    sets: Any, labels: ArrayLike, weights: ArrayLike | None, classes: int
) -> tuple[FeatureSets, NDArray[np.int32], NDArray[np.float64] | None]:
    """Return the sets, class numbers and weights (None where all are 1) of a multi-class run, in one piece each."""
    rows = checked_sets(sets)
    given = checked_labels(labels, len(rows))
    if given.size and given.dtype.kind not in "iu":
        raise TrainingError(f"labels must be class numbers, not {given.dtype}")
    wrong = np.flatnonzero((given < 0) | (given >= classes))
    if wrong.size:
        raise TrainingError(f"row {int(wrong[0])}: the label {given[wrong[0]].item()!r} is not a class below {classes}")
    return rows, np.ascontiguousarray(given, dtype=np.int32), checked_weights(weights, len(rows))


def checked_labels(labels: ArrayLike, count: int) -> NDArray[Any]:
    """Return the labels of `count` examples as an array."""
    given = np.asarray(labels)
    if given.shape != (count,):
        raise TrainingError(f"{count} examples need as many labels, not an array of shape {given.shape}")
    return given


@overload
def checked_weights(weights: None, count: int) -> None: ...
@overload
def checked_weights(weights: ArrayLike, count: int) -> NDArray[np.float64]: ...
def checked_weights(weights: ArrayLike | None, count: int) -> NDArray[np.float64] | None:
    """Return the weights of `count` examples, refused unless they are finite and not negative."""
    if weights is None:
        return None
    scale = np.array(weights, dtype=np.float64, order="C")
    if scale.shape != (count,):
        raise TrainingError(f"{count} examples need as many weights, not an array of shape {scale.shape}")
    wrong = np.flatnonzero(~((scale >= 0) & np.isfinite(scale)))
    if wrong.size:
        raise TrainingError(f"row {int(wrong[0])}: the weight {scale[wrong[0]].item()!r} is not 0 or more")
    return scale


def checked_vectors(vectors: Any, count: int) -> Any:
    """Return the vectors of `count` examples as compressed rows of finite numbers, or None."""
    if vectors is None:
        return None
    from scipy import sparse  # slow to import, and few learners have vectors

    rows = sparse.csr_array(vectors)
    if rows.shape[0] != count:
        raise TrainingError(f"{count} examples need as many vectors, not {rows.shape[0]}")
    if not np.isfinite(rows.data).all():
        raise TrainingError("vectors must be made of finite numbers")
    return rows
