"""Tree kernels by their definitions. A tree is a tuple (label, child, child, …); a leaf is (label,)."""

from collections import Counter
from itertools import combinations, product


def nodes(tree):
    return [tree, *(node for child in tree[1:] for node in nodes(child))]


def production(node):
    return (node[0], *(child[0] for child in node[1:]))


def subset_fragments(node):
    """All fragments rooted in an inner node, with the number of nodes that they expand."""
    choices = [[((child[0],), 0), *(subset_fragments(child) if len(child) > 1 else [])] for child in node[1:]]
    for chosen in product(*choices):
        yield (node[0], *(part for part, _ in chosen)), 1 + sum(size for _, size in chosen)


def inner_size(tree):
    return sum(len(node) > 1 for node in nodes(tree))


def fragments(kind, tree):
    """Count all fragments, each with the number of nodes that it expands (a lone word counts as one)."""
    inner = [node for node in nodes(tree) if len(node) > 1]
    if kind == "st":
        return Counter((node, inner_size(node)) for node in inner)
    found = Counter(fragment for node in inner for fragment in subset_fragments(node))
    if kind == "sst-bow":
        found.update((("a leaf", node[0]), 1) for node in nodes(tree) if len(node) == 1)
    return found


def by_fragments(kind, a, b, decay):
    theirs = fragments(kind, b)
    return sum(n * theirs[part] * decay ** part[1] for part, n in fragments(kind, a).items())


def partial_delta(a, b, decay, mu, longest):
    """Δ of the partial tree kernel, over all pairs of equally long child subsequences."""
    if a[0] != b[0]:
        return 0.0
    total = decay**2
    for length in range(1, min(len(a), len(b), longest + 1)):
        for ours in combinations(range(1, len(a)), length):
            for theirs in combinations(range(1, len(b)), length):
                gaps = ours[-1] - ours[0] + theirs[-1] - theirs[0] - 2 * (length - 1)
                value = decay**gaps
                for i, j in zip(ours, theirs, strict=True):
                    value *= partial_delta(a[i], b[j], decay, mu, longest)
                total += value
    return mu * total


def kernel(kind, a, b, decay=0.4, mu=0.4, longest=10**6):
    if kind == "ptk":
        return sum(partial_delta(x, y, decay, mu, longest) for x in nodes(a) for y in nodes(b))
    return by_fragments(kind, a, b, decay)


def normalized(kind, a, b, **options):
    norms = kernel(kind, a, a, **options) * kernel(kind, b, b, **options)
    return kernel(kind, a, b, **options) / (norms or 1.0) ** 0.5
