"""Template kernels by their definition."""

import numpy as np
from hypothesis import strategies as st

from kakari.kernels.templates import CandidateLists, Parts, TemplateKernel


def kernel_value(kernel, tables, one, other):
    """Multiply over the slots the number of equal properties: (kind, slots) against (kind, slots, tables)."""
    (kind, slots), (other_kind, other_slots, other_tables) = one, other
    product = int(kind == other_kind)
    for (table, degree, optional), row, other_row in zip(kernel.kinds[kind], slots, other_slots, strict=False):
        if kind == other_kind:
            pairs = zip(tables[table][row], other_tables[table][other_row], strict=True)
            product *= (optional + sum(a == b and a >= 0 for a, b in pairs)) ** degree
    return product


def sum_of(kernel, support, tables, part):
    """Sum the coefficients of support parts times kernel values: the support is (amount, (kind, slots, tables))."""
    return sum(amount * kernel_value(kernel, tables, part, other) for amount, other in support)


@st.composite
def kernels(draw):
    """Draw a kernel over one or two tables."""
    widths = draw(st.lists(st.integers(1, 4), min_size=1, max_size=2))
    slot = st.tuples(st.integers(0, len(widths) - 1), st.integers(1, 2), st.booleans())
    kinds = draw(st.lists(st.lists(slot, min_size=1, max_size=4), min_size=1, max_size=2))
    return TemplateKernel(widths, kinds)


@st.composite
def parts_of(draw, kernel, most=8):
    """Draw parts: the object, and what it was made of."""
    tables = [
        draw(st.lists(st.lists(st.integers(-1, 3), min_size=width, max_size=width), min_size=1, max_size=4))
        for width in kernel.widths
    ]
    longest = max(len(kind) for kind in kernel.kinds)
    found = []
    for _ in range(draw(st.integers(0, most))):
        kind = draw(st.integers(0, len(kernel.kinds) - 1))
        slots = [draw(st.integers(0, len(tables[table]) - 1)) for table, _, _ in kernel.kinds[kind]]
        found.append((kind, slots + [0] * (longest - len(slots))))
    made = Parts(kernel, tables, [kind for kind, _ in found], [slots for _, slots in found])
    return made, tables, found


@st.composite
def candidate_lists(draw):
    """Draw a few lists of candidates over drawn parts."""
    kernel = draw(kernels())
    parts, tables, found = draw(parts_of(kernel, most=16))
    cuts = sorted(draw(st.lists(st.integers(0, len(found)), min_size=1, max_size=3)))
    part_starts = [0, *cuts, len(found)]
    columns = {name: [] for name in ("occurrences", "features", "values", "losses", "wanted")}
    candidate_starts, occurrence_starts, feature_starts = [0], [0], [0]
    for begin, end in zip(part_starts[:-1], part_starts[1:], strict=True):
        count = draw(st.integers(1, 4))
        wanted = draw(st.integers(0, count - 1))
        columns["wanted"].append(wanted)
        for j in range(count):
            own = draw(st.sets(st.integers(0, end - begin - 1), max_size=4)) if end > begin else set()
            columns["occurrences"] += sorted(own)
            occurrence_starts.append(len(columns["occurrences"]))
            features = draw(st.dictionaries(st.integers(0, 3), st.integers(-3, 3), max_size=3))
            columns["features"] += sorted(features)
            columns["values"] += [features[feature] for feature in sorted(features)]
            feature_starts.append(len(columns["features"]))
            columns["losses"].append(0 if j == wanted else draw(st.integers(1, 4)))
        candidate_starts.append(len(columns["losses"]))
    starts = {
        "part_starts": part_starts,
        "candidate_starts": candidate_starts,
        "occurrence_starts": occurrence_starts,
        "feature_starts": feature_starts,
    }
    return CandidateLists(parts, **starts, **columns), kernel, tables, found


def reranked(lists, kernel, tables, found, order, C, *, start, cost_augmented):
    """Algorithm 1 as it is printed, with coefficients of candidates: the support is every (amount, part) so far."""
    columns = {name: array.tolist() for name, array in lists.columns.items()}
    size = lists.features
    weights, moments = [start.get(i, 0) for i in range(size)], [0] * size
    support = []

    def parts(candidate, first):
        begin, end = columns["occurrence_starts"][candidate : candidate + 2]
        return [first + k for k in columns["occurrences"][begin:end]]

    def features(candidate):
        begin, end = columns["feature_starts"][candidate : candidate + 2]
        return dict(zip(columns["features"][begin:end], columns["values"][begin:end], strict=True))

    def kernel_of(one, other):
        return kernel_value(kernel, tables, found[one], (*found[other], tables))

    for time, number in enumerate(order, 1):
        first, part = columns["candidate_starts"][number], columns["part_starts"][number]
        candidates = range(first, columns["candidate_starts"][number + 1])
        scores = [
            sum(weights[f] * v for f, v in features(j).items())
            + sum(amount * kernel_of(p, q) for p in parts(j, part) for amount, q, _ in support)
            for j in candidates
        ]
        costs = [columns["losses"][j] * 2**32 for j in candidates]
        reached = [score + cost_augmented * cost for score, cost in zip(scores, costs, strict=True)]
        best, wanted = int(np.argmax(reached)), columns["wanted"][number]
        lead = scores[best] - scores[wanted] + costs[best]
        if best == wanted or lead <= 0:
            continue
        signs = [(1, p) for p in parts(first + wanted, part)] + [(-1, p) for p in parts(first + best, part)]
        change = {
            f: features(first + wanted).get(f, 0) - features(first + best).get(f, 0)
            for f in {**features(first + wanted), **features(first + best)}
        }
        norm = sum(s * t * kernel_of(p, q) for s, p in signs for t, q in signs) + sum(v * v for v in change.values())
        if norm == 0:
            continue
        step = min(lead / norm, C * 2**32)
        step = int(np.floor(step + 0.5))
        support += [(sign * step, p, time) for sign, p in signs]
        for feature, value in change.items():
            weights[feature] += step * value
            moments[feature] += step * value * time
    return support, weights, moments
