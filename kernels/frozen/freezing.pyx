"""From a support set to the flat arrays of a frozen model.

Features are renumbered by how many support vectors hold them. The `common` most frequent ones form the head,
whose conjunctions all have a place in simplex arrays: {c > b > a} stands at C(c, 3) + C(b, 2) + a. The other
features form the tail: posting lists of support vectors ("inverted", "splitting"), or a trie of mined
conjunctions written from the rarest feature on ("expansion"). Filling the head costs one addition for each
conjunction of each support vector; everything else is sorting and counting.
"""
from libc.stdint cimport int32_t, int64_t

from kakari.kernels.sets.featuresets cimport FeatureSets

from math import comb

import numpy as np

from kakari.kernels.frozen.checks import KINDS, LONGEST_ROW, ModelError
from kakari.kernels.frozen.model import FrozenModel
from kakari.kernels.frozen.conjunction_mining import checked_coefficients, mine, subset_weights
from kakari.kernels.quantising import as_integers, unit_of
from kakari.kernels.stored import Contents

cdef extern from "kernels/frozen/freezing.hpp" namespace "kakari" nogil:
    void add_rows_to_simplex(const int64_t *, const int32_t *, const double *, int64_t, int64_t, int,
                             double **) except +

WEIGHTS = {"float64": np.float64, "float32": np.float32, "int16": np.int16, "int8": np.int8}
LARGEST_SIMPLEX = 3_000_000     # entries that "auto" allows
CACHED_ENTRIES = 1_000_000      # a gather takes twice as long for every so many entries more
GATHER_NS, POSTING_NS = 0.5, 8.0    # measured, for choosing the size of the head


def freeze(FeatureSets sets not None, coefficients, degree, *, bias=0.0, kind="splitting", common="auto",
           weights="float32", sigma=0.0, minimum_support=1, keep=None, refit=None):
    """Make a classifier of `m(x) = bias + sum_i alpha_i (1 + |s_i & x|)**degree`.

    Parameters
    ----------
    kind : "inverted", "splitting" or "expansion"
        How the tail is computed. The first two are exact; "inverted" has no head. The third holds the
        conjunctions that `mine` finds with `sigma`, `minimum_support` and `keep`, and is exact without them.
    common : int or "auto"
        The size of the head.
    weights : "float64", "float32", "int16" or "int8"
        How weights of two or more features are stored, the integers with one scale for each size. Single
        features are float32 at least, coefficients float64.
    refit : callable, optional
        Takes the mined conjunctions and returns them with new weights (see `kakari.kernels.frozen.refitting`).

    Examples
    --------
    >>> from kakari.kernels.sets.featuresets import FeatureSets
    >>> sets = FeatureSets.from_lists([[1, 2, 3], [2, 9]])
    >>> model = freeze(sets, [0.5, -1.0], 2, bias=0.25)
    >>> model.margins(FeatureSets.from_lists([[1, 2], [9], []])).tolist()
    [0.75, -3.25, -0.25]
    """
    alphas = checked_coefficients(sets, coefficients)
    subset_weights(degree)
    if kind not in KINDS:
        raise ModelError(f"a frozen model is one of {', '.join(KINDS)}, not {kind!r}")
    if weights not in WEIGHTS:
        raise ModelError(f"weights are stored as one of {', '.join(WEIGHTS)}, not {weights!r}")
    if not np.isfinite(bias):
        raise ModelError("the bias is not a finite number")
    if kind != "expansion" and (sigma != 0 or minimum_support != 1 or keep is not None or refit is not None):
        raise ModelError(f"only an expansion can be pruned or refitted, and this is {kind!r}")
    settings = {"kind": kind, "degree": int(degree), "weights": weights,
                "constant": float(bias) + float(alphas.sum())}
    if kind == "expansion":
        mined = mine(sets, alphas, degree, sigma=sigma, minimum_support=minimum_support, keep=keep)
        if refit is not None:
            mined = refit(mined)
            settings["constant"] = float(bias) + mined.constant
        settings["thresholds"] = [mined.threshold_negative, mined.threshold_positive]
        arrays, levels = expansion_arrays(mined, common)
    else:
        held = np.flatnonzero(alphas)
        wanted = 0 if kind == "inverted" else common
        arrays, levels = kernel_arrays(sets.take(held), alphas[held], degree, wanted)
    settings["common"] = int(arrays.pop("common"))
    settings["scales"] = store_weights(arrays, levels, weights)
    return FrozenModel(Contents(arrays, settings))


def single_dtype(weights):
    """Return the type of single features' weights."""
    return np.float64 if weights == "float64" else np.float32


cdef store_weights(dict arrays, dict levels, weights):
    """Store each level's weights (name -> float64 array) as the chosen type; return the levels' scales."""
    scales = []
    for size, named in sorted(levels.items()):
        dtype = np.dtype(single_dtype(weights) if size == 0 else WEIGHTS[weights])
        scale = 1.0
        if dtype.kind == "i":
            scale = unit_of(np.array([np.abs(values).max(initial=0.0) for values in named.values()]), dtype=dtype)
        for name, values in named.items():
            arrays[name] = as_integers(values, scale, dtype) if dtype.kind == "i" else values.astype(dtype)
        scales.append(scale)
    return scales


def index_dtype(largest):
    """Return uint16 if it can hold the largest index, else a 32-bit type."""
    return np.uint16 if largest < 2 ** 16 else np.uint32


# ---- head ----

cdef checked_common(common, features):
    if isinstance(common, bool) or not isinstance(common, (int, np.integer)) or common < 0:
        raise ModelError(f"common must be a number of features or 'auto', not {common!r}")
    return min(int(common), features)


cdef refuse_huge_simplex(common, degree):
    if max(comb(common, size) for size in range(1, degree + 1)) >= 2 ** 31:
        raise ModelError(f"{common} common features have too many conjunctions of degree {degree}")


cdef simplex_of_rows(FeatureSets sets, const double[::1] alphas, int64_t common, int degree):
    cdef double *pointers[4]
    cdef double[::1] view
    cdef int64_t rows = len(sets)
    cdef int size
    levels = [np.zeros(comb(common, size + 1) + 1, dtype=np.float64) for size in range(degree)]
    for size in range(degree):
        view = levels[size]
        pointers[size] = &view[0]
    if common and rows and sets.id_view.shape[0]:
        with nogil:
            add_rows_to_simplex(
                &sets.offset_view[0], &sets.id_view[0], &alphas[0], rows, common, degree, pointers)
    return [level[:level.size - 1] * weight for level, weight in zip(levels, subset_weights(degree)[1:])]


# ---- tail by kernel ----

cdef kernel_arrays(FeatureSets sets, alphas, degree, common):
    """Return the arrays of a model that keeps its support vectors, and the head's levels of weights."""
    if len(sets) and sets.row_lengths().max() > LONGEST_ROW:
        raise ModelError(f"a support vector has more than {LONGEST_ROW} features")
    ranking = sets.ranking()
    ranked = sets.ranked(ranking)
    if common == "auto":
        common = cheapest_head(ranked, ranking.counts, degree)
    common = checked_common(common, len(ranking))
    refuse_huge_simplex(common, degree)
    owners = np.repeat(np.arange(len(sets)), ranked.row_lengths())
    rare = ranked.ids >= common
    order = np.lexsort((owners[rare], ranked.ids[rare]))
    starts = np.zeros(len(ranking) - common + 1, dtype=np.int64)
    np.cumsum(ranking.counts[common:], out=starts[1:])
    arrays = {
        "common": common,
        "ids": ranking.ids,
        "posting_starts": starts,
        "postings": owners[rare][order].astype(index_dtype(len(sets))),
        "rows": row_table(alphas, owners[~rare], ranked.ids[~rare], common),
    }
    levels = simplex_of_rows(ranked, alphas, common, degree)
    return arrays, {size: {f"head_{size + 1}": level} for size, level in enumerate(levels)}


cdef row_table(alphas, owners, ranks, common):
    """Return each row's common features as bits of 64-bit words, the bits of its coefficient behind them."""
    words = (common + 63) // 64
    table = np.zeros((alphas.size, words + 1), dtype=np.uint64)
    np.bitwise_or.at(table, (owners, ranks >> 6), np.uint64(1) << (ranks & 63).astype(np.uint64))
    table[:, words] = alphas.view(np.uint64)
    return table


cdef cheapest_head(sets, counts, degree):
    """Return the size of the head with the least estimated time, with the support vectors as examples."""
    if degree == 1:
        return counts.size
    owners = np.repeat(np.arange(len(sets)), sets.row_lengths())
    best, best_time = 0, np.inf
    for common in sorted({0, *(int(8 * 1.15 ** step) for step in range(80)), counts.size}):
        if common > counts.size or comb(common, degree) > LARGEST_SIMPLEX:
            continue
        inside = np.bincount(owners[sets.ids < common], minlength=len(sets)).astype(np.float64)
        gathers = inside + inside * (inside - 1) / 2
        if degree > 2:
            gathers += inside * (inside - 1) * (inside - 2) / 6
        if degree > 3:
            gathers += inside * (inside - 1) * (inside - 2) * (inside - 3) / 24
        postings = counts[sets.ids[sets.ids >= common]].sum() * (1 + common / 512)
        slower = 1 + comb(common, degree) / CACHED_ENTRIES
        time = GATHER_NS * slower * gathers.sum() + POSTING_NS * postings
        if time < best_time:
            best, best_time = common, time
    return best


# ---- tail by trie ----

cdef expansion_arrays(mined, common):
    """Return the arrays of a model that keeps mined conjunctions, and its levels of weights."""
    degree = len(mined.levels)
    used = np.unique(np.concatenate([features for features, _, _ in mined.levels]))
    labels = [np.searchsorted(used, features).astype(np.int64) for features, _, _ in mined.levels]
    if common == "auto":
        common = densest_head(mined, labels[0])
    common = checked_common(common, used.size)
    refuse_huge_simplex(common, degree)
    dtype = index_dtype(used.size)
    arrays = {"common": common, "ids": mined.ids[used], "index": np.empty(0, dtype=dtype)}
    levels = {0: {}}
    paths = [labels[0]]                                        # features above the current level's nodes
    roots = np.searchsorted(labels[0], common)                 # nodes below these belong to the head
    rows = labels[0][roots:] - common                          # tail row of each root
    row_count = used.size - common
    for size in range(degree):
        _, weights, ends = mined.levels[size]
        split = int(np.searchsorted(paths[0], common))         # head nodes come first: roots are in order
        levels.setdefault(size, {})[f"head_{size + 1}"] = head_level(paths, weights, common, size, split)
        if size == 0:
            single = np.zeros(row_count)
            single[rows] = weights[split:]
            levels[0]["leaf_weights_1"] = single
            node_rows = rows
        else:
            children = inner_of_level(mined, size)
            keep_inner, keep_leaf = children[split:], ~children[split:]
            tail_labels, tail_weights = labels[size][split:], weights[split:]
            arrays[f"leaf_labels_{size + 1}"] = tail_labels[keep_leaf].astype(dtype)
            levels[size][f"leaf_weights_{size + 1}"] = tail_weights[keep_leaf]
            arrays[f"leaf_starts_{size}"] = starts_of(node_rows[keep_leaf], row_count)
            if size + 1 < degree:
                arrays[f"inner_labels_{size + 1}"] = tail_labels[keep_inner].astype(dtype)
                levels[size][f"inner_weights_{size + 1}"] = tail_weights[keep_inner]
                arrays[f"inner_starts_{size}"] = starts_of(node_rows[keep_inner], row_count)
            row_count = int(keep_inner.sum())
            node_rows = np.cumsum(keep_inner) - 1
        if size + 1 < degree:
            counts = np.diff(ends, prepend=0)
            paths = [np.repeat(path, counts) for path in paths] + [labels[size + 1]]
            node_rows = np.repeat(node_rows, counts[split:])
    return arrays, levels


cdef inner_of_level(mined, size):
    """Return for each node of a level whether it has extensions."""
    features, _, ends = mined.levels[size]
    return np.diff(ends, prepend=0) > 0 if ends.size else np.zeros(features.size, dtype=bool)


cdef starts_of(rows, count):
    starts = np.zeros(count + 1, dtype=np.uint32)
    np.cumsum(np.bincount(rows, minlength=count), out=starts[1:])
    return starts


cdef head_level(paths, weights, common, size, split):
    """Scatter a level's conjunctions of common features into its simplex array."""
    level = np.zeros(comb(common, size + 1))
    places = np.zeros(split, dtype=np.int64)
    for depth, path in enumerate(paths):
        places += binomials(path[:split], size + 1 - depth)
    level[places] = weights[:split]
    return level


cdef binomials(n, k):
    result = np.ones(n.size, dtype=np.int64)
    for i in range(k):
        result = result * (n - i) // (i + 1)
    return result


cdef densest_head(mined, roots):
    """Return the size of the largest head with one place out of six in use: sparser ones are smaller as a trie."""
    degree = len(mined.levels)
    below = np.arange(1, roots.size + 1)            # nodes of the current level under the first roots
    for _, _, ends in mined.levels[:degree - 1]:
        below = np.append(0, ends)[below] if ends.size else below * 0
    best = min(16, roots.size)
    for common in range(16, roots.size + 1, 8):
        if comb(common, degree) > LARGEST_SIMPLEX:
            break
        inside = int(np.searchsorted(roots, common))
        if inside and below[inside - 1] * 6 >= comb(common, degree):
            best = common
    return best if degree > 1 else 0
