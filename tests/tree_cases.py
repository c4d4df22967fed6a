"""Random trees, and forests made of tuples (label, child, child, …)."""

import numpy as np
from hypothesis import strategies as st

from kakari.kernels.trees.forest import Forest

LEAVES = st.tuples(st.integers(0, 2))
TREES = st.recursive(
    LEAVES,
    lambda below: st.builds(
        lambda label, children: (label, *children), st.integers(0, 2), st.lists(below, min_size=1, max_size=3)
    ),
    max_leaves=7,
)
EXAMPLES = st.lists(st.lists(TREES, max_size=3), max_size=4)
DECAYS = st.sampled_from([0.1, 0.4, 1.0])


def postorder(tree):
    return [*(node for child in tree[1:] for node in postorder(child)), tree]


def forest_of(*examples):
    """Make a forest of examples, each a list of trees."""
    labels, arities, trees, starts = [], [], [0], [0]
    for example in examples:
        for tree in example:
            for node in postorder(tree):
                labels.append(node[0])
                arities.append(len(node) - 1)
            trees.append(len(labels))
        starts.append(len(trees) - 1)
    return Forest.from_arrays(
        np.array(labels, dtype=int), np.array(arities, dtype=int), np.array(trees), np.array(starts)
    )


def random_tree(random, size, labels=3):
    """Make a tree of that many leaves by joining neighbours."""
    parts = [(int(label),) for label in random.integers(0, labels, size)]
    while len(parts) > 1:
        count = min(len(parts), int(random.integers(1, 4)))
        at = int(random.integers(0, len(parts) - count + 1))
        parts[at : at + count] = [(int(random.integers(0, labels)), *parts[at : at + count])]
    return parts[0]
