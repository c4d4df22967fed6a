"""Drawing of a constituency tree in plain text: a word a line, with its constituents to the left."""

from __future__ import annotations

from kakari.parsers.english.words.flat_trees import FlatTree


def draw_tree(tree: FlatTree) -> list[str]:
    r"""Draw a tree, a line for each word.

    Examples
    --------
    >>> nodes = (("S", 0, 3), ("NP", 0, 1), ("VP", 1, 2))
    >>> print("\n".join(draw_tree(FlatTree(("Dogs", "bark", "."), ("NNS", "VBP", "."), nodes))))
    S┬NP─NNS Dogs
     ├VP─VBP bark
     └. .
    """
    blocks = [
        [f"{tag} {''.join(c if c.isprintable() else ' ' for c in word)}"]
        for word, tag in zip(tree.words, tree.tags, strict=True)
    ]
    # From the inside out; a block is kept at its first word, the blocks inside it become None.
    standing: list[list[str] | None] = list(blocks)
    ends = list(range(1, len(blocks) + 1))
    for label, begin, end in reversed(tree.nodes):
        parts: list[list[str]] = []
        place = begin
        while place < end:
            parts.append(standing[place] or [])
            standing[place] = None
            place = ends[place]
        standing[begin] = _under(label, parts)
        ends[begin] = end
    return [line for block in standing if block is not None for line in block]


def _under(label: str, parts: list[list[str]]) -> list[str]:
    room = " " * len(label)
    if len(parts) == 1:
        first, *rest = parts[0]
        return [f"{label}─{first}", *(f"{room} {line}" for line in rest)]
    lines: list[str] = []
    for number, part in enumerate(parts):
        last = number == len(parts) - 1
        start = f"{label}┬" if number == 0 else f"{room}{'└' if last else '├'}"
        lines.append(start + part[0])
        lines.extend(f"{room}{' ' if last else '│'}{line}" for line in part[1:])
    return lines
