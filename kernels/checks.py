"""What the engine's Python faces check before they hand anything to a loop without the GIL."""

import numpy as np

from kakari.kernels.featuresets import FeatureSets


class TrainingError(ValueError):
    """Options or examples that cannot be worked with; the text says what is wrong."""


def checked_integer(name, value, lowest, highest):
    """Give the value as an int, refused unless it is a whole number in the range."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)) \
            or not lowest <= value <= highest:
        raise TrainingError(f"{name} must be a whole number between {lowest} and {highest}, not {value!r}")
    return int(value)


def checked_choice(name, value, choices):
    """Give the value, refused unless it is one of the choices."""
    if not isinstance(value, str) or value not in choices:
        raise TrainingError(f"{name} must be one of {', '.join(choices)}, not {value!r}")
    return value


def checked_positive(name, value):
    """Give the value as a float, refused unless it is positive and finite."""
    if isinstance(value, bool) or not isinstance(value, (int, float, np.integer, np.floating)) \
            or not 0 < value < float("inf"):
        raise TrainingError(f"{name} must be a positive number, not {value!r}")
    return float(value)


def checked_class_weights(class_weights):
    """Give the weights of the labels 1 and -1, in this order."""
    given = dict(class_weights or {})
    pair = float(given.pop(1, 1.0)), float(given.pop(-1, 1.0))
    if given or not all(0 <= weight < float("inf") for weight in pair):
        raise TrainingError(f"class weights are numbers, not negative, for 1 and -1: not {class_weights!r}")
    return pair


def checked_examples(sets, labels, weights, class_weights):
    """Give the sets, int8 labels and float64 weights (None where all are 1) of a run, in one piece each."""
    if not isinstance(sets, FeatureSets):
        raise TrainingError(f"examples must be FeatureSets, not {type(sets).__name__}")
    given = np.asarray(labels)
    if given.shape != (len(sets),):
        raise TrainingError(f"{len(sets)} examples need as many labels, not an array of shape {given.shape}")
    wrong = np.flatnonzero((given != 1) & (given != -1))
    if wrong.size:
        raise TrainingError(f"row {int(wrong[0])}: the label {given[wrong[0]].item()!r} is neither 1 nor -1")
    signs = np.ascontiguousarray(given, dtype=np.int8)
    if weights is None and class_weights == (1.0, 1.0):
        return sets, signs, None
    scale = np.ones(len(sets)) if weights is None else np.array(weights, dtype=np.float64)
    if scale.shape != (len(sets),):
        raise TrainingError(f"{len(sets)} examples need as many weights, not an array of shape {scale.shape}")
    wrong = np.flatnonzero(~((scale >= 0) & np.isfinite(scale)))
    if wrong.size:
        raise TrainingError(f"row {int(wrong[0])}: the weight {scale[wrong[0]].item()!r} is not a number from 0 on")
    return sets, signs, np.ascontiguousarray(scale * np.where(signs > 0, *class_weights))
