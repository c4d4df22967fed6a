"""Plain definitions of what the English tagger and parser compute."""

from collections import Counter


def row_scores(updates, hashes, classes):
    """Sum the updates (hash, class, amount, example) of conjunctions."""
    return [sum(amount for key, place, amount, _ in updates if key in hashes and place == k) for k in range(classes)]


def averaged_rows(updates, examples):
    """Average the weights over the states before each of the examples and after the last one."""
    weights = Counter()
    for key, place, amount, at in updates:
        weights[key, place] += amount * (1 - at / (examples + 1))
    return weights


def tree_of(words, tags, nodes):
    """Return a tree as nested tuples."""
    place = 0
    nodes = list(nodes)

    def build(label, begin, end):
        nonlocal place
        parts = []
        while begin < end:
            if place < len(nodes) and nodes[place][1] == begin and nodes[place][2] <= end:
                inner = nodes[place]
                place += 1
                parts.append(build(*inner))
                begin = inner[2]
            else:
                parts.append((tags[begin], words[begin]))
                begin += 1
        return (label, *parts)

    return build("TOP", 0, len(words))


def rebuilt(actions, words, tags):
    """Carry out actions; give the tree as nested tuples, starred nodes opened."""
    stack = []
    queue = list(zip(tags, words))
    for action in actions:
        kind, *labels = action.split()
        if kind == "shift":
            stack.append(queue.pop(0))
        elif kind == "U":
            for label in reversed(labels):
                stack[-1] = (label, stack[-1])
        elif kind in ("L", "R"):
            right, left = stack.pop(), stack.pop()
            stack.append((labels[0], left, right))
    assert not queue and len(stack) == 1
    return opened(stack[0])


def opened(node):
    label, *parts = node
    if isinstance(parts[0], str):
        return node
    flat = []
    for part in map(opened, parts):
        flat.extend(part[1:] if part[0].endswith("*") else [part])
    return (label, *flat)


def evalb(gold, found):
    """Count matched, found and gold brackets of (words, tags, nodes) over the same words, as EVALB does."""
    _, tags, _ = gold
    kept = [tag not in (",", ":", "``", "''", ".") for tag in tags]

    def brackets(nodes):
        return Counter(
            ("ADVP" if label == "PRT" else label, sum(kept[:begin]), sum(kept[:end]))
            for label, begin, end in nodes
            if label != "TOP" and any(kept[begin:end])
        )

    wanted, have = brackets(gold[2]), brackets(found)
    return (wanted & have).total(), have.total(), wanted.total()
