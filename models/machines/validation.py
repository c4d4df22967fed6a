"""Checks before learning: vectors are checked by scikit-learn's functions, trees by kakari's own.

Trees are not arrays, so scikit-learn's checks of shapes, dtypes and numbers of columns do not apply to them; labels
are checked for both.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.exceptions import NotFittedError
from sklearn.utils import assert_all_finite, column_or_1d
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import validate_data

from kakari.kernels.trees.given_kernel import PRECOMPUTED, as_kernel
from kakari.models.machines.examples import count


class NotLearntError(NotFittedError):  # type: ignore[misc]
    """A classifier was used before it was fitted; a `ValueError`, and scikit-learn's `NotFittedError`.

    Examples
    --------
    >>> issubclass(NotLearntError, ValueError)
    True
    """


def checked_for_learning(estimator: Any, X: Any, *, reset: bool = True, finite: bool = True) -> Any:
    """Return checked examples: vectors as sparse rows or arrays of finite numbers, kernel values as arrays.

    `finite` says whether kernel values are checked: who copies all of them can look at them then.
    """
    takes = as_kernel(estimator.kernel).takes
    if takes == "kernel values":
        return validate_data(estimator, X, dtype=np.float64, reset=reset, ensure_all_finite=finite)
    if takes != "vectors":
        return X
    return validate_data(estimator, X, accept_sparse="csr", dtype=np.float64, reset=reset)


def kernel_tags(tags: Any, kernel: Any) -> Any:
    """Set scikit-learn's tags for examples of a kernel: sparse rows, or rows and columns of kernel values."""
    tags.input_tags.sparse = True
    tags.input_tags.pairwise = isinstance(kernel, str) and kernel == PRECOMPUTED
    return tags


def checked_labels(y: ArrayLike, data: Any) -> NDArray[Any]:
    """Return labels of classes, one for each example.

    Examples
    --------
    >>> checked_labels(["a", "b"], np.zeros((2, 1))).tolist()
    ['a', 'b']
    """
    if y is None:
        raise ValueError("this classifier requires y to be passed, but the target y is None")
    names: NDArray[Any] = column_or_1d(y, warn=True)
    if names.shape != (count(data),):
        raise ValueError(f"{count(data)} examples, but labels of the shape {names.shape}")
    if names.dtype.kind in "fc":  # names and whole numbers are classes, however many there are
        assert_all_finite(names, input_name="y")
        check_classification_targets(names)
    return names
