"""Checks of the settings and arrays of a frozen model.

The classifier follows indices without looking, so everything is read through the checks of `Contents` once: types,
lengths, that offsets rise, that labels are in range and that no list names a row twice. One pass over each array.
"""

from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kakari.kernels.stored import Contents, StoredError

Array = NDArray[Any]
Settings = dict[str, Any]
Arrays = dict[str, Array]

LARGEST_DIRECT = 1 << 20  # ids up to this are looked up in an array of 4 MB, without hashing
KINDS = ("inverted", "splitting", "expansion")
LONGEST_ROW = 65_000  # matches are counted in 16 bits
ROUNDING = 1e-9  # an upper bound on the rounding error of running totals
INTEGER_WEIGHTS = {"int16": np.int16, "int8": np.int8}


class ModelError(ValueError):
    """An invalid support set, option or stored model; the text says what is wrong."""


def checked(contents: Contents) -> tuple[Settings, Arrays]:
    """Return settings and arrays, the latter read-only; refuse what the classifier could not read."""
    try:
        settings = checked_settings(contents)
        arrays = checked_features(settings, contents)
        for size in range(1, settings["degree"] + 1):
            name = f"head_{size}"
            arrays[name] = contents.array(name, weight_dtype(settings, size), shape=(comb(settings["common"], size),))
        tail = checked_kernel_tail if contents.has_array("postings") else checked_trie_tail
        arrays |= tail(settings, arrays["ids"].size, contents)
    except StoredError as error:
        raise ModelError(str(error)) from None
    return settings, arrays


def checked_settings(contents: Contents) -> Settings:
    """Return the settings."""
    degree = contents.integer("degree", 1, 4)
    known: Settings = {
        "kind": contents.choice("kind", KINDS),
        "degree": degree,
        "weights": contents.choice("weights", ("float64", "float32", *INTEGER_WEIGHTS)),
        "constant": contents.number("constant"),
        "common": contents.integer("common", 0),
        "scales": contents.numbers("scales", degree),
    }
    if "thresholds" in contents.settings:
        known["thresholds"] = contents.numbers("thresholds")
    return known


def weight_dtype(settings: Settings, size: int) -> Any:
    """Return the type of the weights of conjunctions of a size; single features are never quantised."""
    if settings["weights"] == "float64":
        return np.float64
    return np.float32 if size == 1 else INTEGER_WEIGHTS.get(settings["weights"], np.float32)


def index_bytes(arrays: Arrays) -> int:
    """Return the width of row numbers or labels: two bytes or four."""
    return int(arrays["postings" if "postings" in arrays else "index"].dtype.itemsize)


def checked_features(settings: Settings, contents: Contents) -> Arrays:
    """Return the ids of the features in the order of their ranks."""
    ids = contents.array("ids", np.int32, minimum=0)
    if contents.has_array("slots"):  # files of version 0.1 have a hash table, which is not trusted but built again
        contents.array("slots", np.int32)
    if settings["common"] > ids.size:
        raise contents.refuse("more features are common than there are")
    return {"ids": ids}


def direct_ranks(ids: Array) -> Array:
    """Return the rank of each id, -1 for unknown ids; an empty array if the ids are too sparse for a direct table.

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


def checked_kernel_tail(settings: Settings, features: int, contents: Contents) -> Arrays:
    """Return posting lists and the table of masks and coefficients."""
    words = (settings["common"] + 63) // 64
    table = contents.array("rows", np.uint64, shape=(None, words + 1))
    arrays = {"rows": table}
    if not np.isfinite(coefficients(arrays)).all():
        raise contents.refuse("a coefficient is not finite")
    postings = contents.array("postings", [np.uint16, np.uint32], below=table.shape[0])
    starts = contents.offsets("posting_starts", postings.size, rows=features - settings["common"])
    rising = np.ones(postings.size + 1, dtype=np.bool_)
    rising[1:-1] = postings[1:] > postings[:-1]
    rising[starts] = True  # where another list begins
    if not rising.all():
        raise contents.refuse("a list of 'postings' does not rise: a support vector stands in it twice")
    if postings.size > LONGEST_ROW and np.bincount(postings).max() > LONGEST_ROW:
        raise contents.refuse(f"a support vector has more than {LONGEST_ROW} features")
    return {**arrays, "postings": postings, "posting_starts": starts}


def checked_trie_tail(settings: Settings, features: int, contents: Contents) -> Arrays:
    """Return labels, weights and offsets of each level of the trie."""
    index = contents.array("index", [np.uint16, np.uint32], shape=(0,))
    degree = settings["degree"]
    rows = features - settings["common"]
    arrays = {
        "index": index,
        "leaf_weights_1": contents.array("leaf_weights_1", weight_dtype(settings, 1), shape=(rows,)),
    }
    for size in range(2, degree + 1):
        for kind in ("leaf", "inner") if size < degree else ("leaf",):
            labels = contents.array(f"{kind}_labels_{size}", index.dtype, below=features)
            weights = contents.array(f"{kind}_weights_{size}", weight_dtype(settings, size), shape=labels.shape)
            starts = contents.offsets(f"{kind}_starts_{size - 1}", labels.size, rows=rows, dtype=np.uint32)
            arrays |= {
                f"{kind}_labels_{size}": labels,
                f"{kind}_weights_{size}": weights,
                f"{kind}_starts_{size - 1}": starts,
            }
        rows = arrays[f"inner_labels_{size}"].size if size < degree else 0
    return arrays


def coefficients(arrays: Arrays) -> Array:
    """Return the coefficients of the support vectors, from the last column of their table."""
    table = arrays["rows"]
    return np.ascontiguousarray(table[:, table.shape[1] - 1]).view(np.float64)


def tail_bounds(settings: Settings, arrays: Arrays) -> tuple[Array, Array]:
    """Return bounds on what each rare feature adds to either side, both as positive numbers.

    By kernel these are the sums of its rows' coefficients, to be multiplied by the kernel's growth. Sums are
    differences of running totals, with more than their rounding added: a larger bound costs time, never a decision.
    """
    rows = arrays["ids"].size - settings["common"]
    positive, negative = np.zeros(rows + 1), np.zeros(rows + 1)  # never empty: an empty array has no address

    def add(values: Array, edges: Array, scale: float = 1.0) -> None:
        exact = np.int64 if values.dtype.kind == "i" else np.float64
        for bounds, side in ((positive, np.maximum(values, 0)), (negative, np.maximum(-values.astype(exact), 0))):
            totals = np.zeros(side.size + 1, dtype=exact)
            np.cumsum(side, dtype=exact, out=totals[1:])
            bounds[:rows] += scale * (np.diff(totals[edges]) + ROUNDING * float(totals[-1]))

    if "postings" in arrays:
        add(coefficients(arrays)[arrays["postings"]], arrays["posting_starts"])
        return positive, negative
    edges = np.arange(rows + 1)  # the first node of each feature on a level
    add(arrays["leaf_weights_1"], edges)
    for size in range(2, settings["degree"] + 1):
        below = {
            kind: arrays[f"{kind}_starts_{size - 1}"][edges]
            for kind in ("inner", "leaf")
            if f"{kind}_labels_{size}" in arrays
        }
        for kind, own in below.items():
            add(arrays[f"{kind}_weights_{size}"], own, settings["scales"][size - 1])
        edges = below.get("inner", edges)
    return positive, negative
