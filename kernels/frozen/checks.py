"""What the settings and arrays of a frozen model must look like.

The classifier follows indices without looking, so everything that comes from outside is checked here once:
types, lengths, that offsets rise and that labels are in range. One pass over each array, no copy of any.
"""

from collections.abc import Mapping
from math import comb, isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Settings = dict[str, Any]
Arrays = dict[str, Array]

FORMAT = 1
LARGEST_DIRECT = 1 << 20  # ids up to this are looked up without hashing: 4 MB
INTEGER_WEIGHTS = {"int16": np.int16, "int8": np.int8}


class ModelError(ValueError):
    """A support set, option or stored model that makes no classifier; the text says what is wrong."""


def checked(settings: Mapping[str, Any], arrays: Mapping[str, Array]) -> tuple[Settings, Arrays]:
    """Return copies of the dictionaries, the arrays read-only; refuse what the classifier could not read."""
    known = checked_settings(settings)
    views: Arrays = {}
    for name, array in arrays.items():
        given = np.asarray(array)
        if not given.flags.c_contiguous or not given.flags.aligned or not given.dtype.isnative:
            raise ModelError(f"the array {name!r} is not laid out for this machine")
        views[name] = given.view()
        views[name].flags.writeable = False
    check_features(known, views)
    for size in range(1, known["degree"] + 1):
        expect(views, f"head_{size}", weight_dtype(known, size), comb(known["common"], size))
    check_kernel_tail(known, views) if "postings" in views else check_trie_tail(known, views)
    return known, views


def checked_settings(settings: Mapping[str, Any]) -> Settings:
    """Return the settings with today's format number."""
    try:
        known: Settings = {
            "format": int(settings.get("format", FORMAT)),
            "kind": str(settings["kind"]),
            "degree": int(settings["degree"]),
            "weights": str(settings["weights"]),
            "constant": float(settings["constant"]),
            "common": int(settings["common"]),
            "scales": [float(scale) for scale in settings["scales"]],
        }
    except KeyError as missing:
        raise ModelError(f"the model's settings lack {missing}") from None
    if known["format"] != FORMAT:
        raise ModelError(f"a frozen model of format {known['format']}, but this version reads {FORMAT}")
    if not 1 <= known["degree"] <= 4 or len(known["scales"]) != known["degree"] or known["common"] < 0:
        raise ModelError("the model's degree, scales or number of common features make no sense")
    if known["weights"] not in ("float64", "float32", *INTEGER_WEIGHTS):
        raise ModelError(f"unknown storage of weights: {known['weights']!r}")
    if not all(isfinite(number) for number in (known["constant"], *known["scales"])):
        raise ModelError("the model's constant or scales are not finite")
    if "thresholds" in settings:
        known["thresholds"] = [float(threshold) for threshold in settings["thresholds"]]
    return known


def weight_dtype(settings: Settings, size: int) -> Any:
    """Return the type of the weights of conjunctions of a size; single features are never quantised."""
    if settings["weights"] == "float64":
        return np.float64
    return np.float32 if size == 1 else INTEGER_WEIGHTS.get(settings["weights"], np.float32)


def index_bytes(arrays: Arrays) -> int:
    """Return the width of row numbers or labels: two bytes or four."""
    return int(arrays["postings" if "postings" in arrays else "index"].dtype.itemsize)


def expect(arrays: Arrays, name: str, dtype: Any, length: int | None = None) -> Array:
    """Return an array, after checking its type and length."""
    if name not in arrays:
        raise ModelError(f"the model lacks the array {name!r}")
    array = arrays[name]
    if array.ndim != 1 or array.dtype != np.dtype(dtype) or length not in (None, array.size):
        wanted = "" if length is None else f" of {length}"
        raise ModelError(f"the array {name!r} is {array.dtype} {array.shape}, not {np.dtype(dtype)}{wanted}")
    return array


def expect_starts(arrays: Arrays, name: str, dtype: Any, rows: int, end: int) -> None:
    """Check offsets: one more than rows, rising from 0 to the end."""
    starts = expect(arrays, name, dtype, rows + 1)
    if starts[0] != 0 or starts[-1] != end or (starts[1:] < starts[:-1]).any():
        raise ModelError(f"the offsets {name!r} do not rise from 0 to {end}")


def check_features(settings: Settings, arrays: Arrays) -> None:
    """Check the table from feature ids to ranks."""
    ids = expect(arrays, "ids", np.int32)
    slots = expect(arrays, "slots", np.int32)
    ranks = slots[slots >= 0]
    if slots.size & (slots.size - 1) or slots.size <= ids.size:
        raise ModelError("the size of the feature table is not a larger power of two")
    if ranks.size != ids.size or (np.bincount(ranks, minlength=ids.size) != 1).any():
        raise ModelError("the feature table does not hold each rank once")
    if settings["common"] > ids.size:
        raise ModelError("more features are common than there are")


def direct_ranks(ids: Array) -> Array:
    """Return the rank of each id, -1 where there is none; nothing at all where ids are too far apart for that.

    Examples
    --------
    >>> direct_ranks(np.array([3, 1], dtype=np.int32)).tolist()
    [-1, 1, -1, 0]
    """
    size = int(ids.max(initial=-1)) + 1
    if size > max(LARGEST_DIRECT, 8 * ids.size) or ids.min(initial=0) < 0:
        return np.empty(0, dtype=np.int32)
    ranks = np.full(size, -1, dtype=np.int32)
    ranks[ids] = np.arange(ids.size, dtype=np.int32)
    return ranks


def check_kernel_tail(settings: Settings, arrays: Arrays) -> None:
    """Check posting lists and the table of masks and coefficients."""
    table = arrays.get("rows")
    words = (settings["common"] + 63) // 64
    if table is None or table.ndim != 2 or table.dtype != np.uint64 or table.shape[1] != words + 1:
        raise ModelError(f"the array 'rows' is not a table of {words + 1} 64-bit words a row")
    rows = table.shape[0]
    postings = arrays["postings"]
    if postings.dtype not in (np.uint16, np.uint32) or (postings.size and postings.max() >= rows):
        raise ModelError("the array 'postings' does not number support vectors")
    rare = arrays["ids"].size - settings["common"]
    expect_starts(arrays, "posting_starts", np.int64, rare, postings.size)


def check_trie_tail(settings: Settings, arrays: Arrays) -> None:
    """Check labels, weights and offsets of each level of the trie."""
    index = arrays.get("index")
    if index is None or index.size or index.dtype not in (np.uint16, np.uint32):
        raise ModelError("the model has neither support vectors nor a trie")
    degree, features = settings["degree"], arrays["ids"].size
    rows = features - settings["common"]
    expect(arrays, "leaf_weights_1", weight_dtype(settings, 1), rows)
    for size in range(2, degree + 1):
        kinds = ("leaf", "inner") if size < degree else ("leaf",)
        for kind in kinds:
            labels = expect(arrays, f"{kind}_labels_{size}", index.dtype)
            expect(arrays, f"{kind}_weights_{size}", weight_dtype(settings, size), labels.size)
            expect_starts(arrays, f"{kind}_starts_{size - 1}", np.uint32, rows, labels.size)
            if labels.size and labels.max() >= features:
                raise ModelError(f"the array '{kind}_labels_{size}' names unknown features")
        rows = arrays[f"inner_labels_{size}"].size if size < degree else 0


def coefficients(arrays: Arrays) -> Array:
    """Return the coefficients of the support vectors, from the last column of their table."""
    table = arrays["rows"]
    return np.ascontiguousarray(table[:, table.shape[1] - 1]).view(np.float64)


def tail_bounds(settings: Settings, arrays: Arrays) -> tuple[Array, Array]:
    """Return what each rare feature can bring to either side, both as positive numbers.

    By kernel these are the sums of its rows' coefficients, to be multiplied by the kernel's growth.
    """
    rows = arrays["ids"].size - settings["common"]
    positive, negative = np.zeros(rows + 1), np.zeros(rows + 1)  # never empty, so that they have an address

    def add(owners: Array, values: Array) -> None:
        if values.size:
            positive[:rows] += np.bincount(owners, np.maximum(values, 0), rows)
            negative[:rows] += np.bincount(owners, np.maximum(-values, 0), rows)

    if "postings" in arrays:
        owners = np.repeat(np.arange(rows), np.diff(arrays["posting_starts"]).astype(np.int64))
        add(owners, coefficients(arrays)[arrays["postings"]])
        return positive, negative
    owners = np.arange(rows)
    add(owners, arrays["leaf_weights_1"].astype(np.float64))
    for size in range(2, settings["degree"] + 1):
        inner = owners
        for kind in ("inner", "leaf"):
            if f"{kind}_labels_{size}" in arrays:
                below = np.repeat(owners, np.diff(arrays[f"{kind}_starts_{size - 1}"]).astype(np.int64))
                weights = arrays[f"{kind}_weights_{size}"].astype(np.float64)
                add(below, weights * settings["scales"][size - 1])
                inner = below if kind == "inner" else inner
        owners = inner
    return positive, negative
