"""Trees that are annotated in part: a constituent `?` stands for whatever is right there.

    (TOP (S (NP (NNP Mary)) (? (VBD saw) (DT the) (NN man) (IN with) (NNS binoculars)) (. .)))

says that Mary is a noun phrase of its own, and nothing of the words between her and the full stop. For training, such
a tree is filled with what a model finds: of its best trees, the first one that has every labelled constituent of
the partial one and, outside of the `?`, no others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from kakari.parsers.english.model import EnglishModel, pretrained_model
from kakari.parsers.english.words.flat_trees import FlatTree

OPEN = "?"
TREES = 64  # that are tried


class PartialTreeError(ValueError):
    """No tree that a model finds fits a partial one."""


def is_partial(tree: FlatTree) -> bool:
    """Return whether something in a tree is left open.

    Examples
    --------
    >>> is_partial(FlatTree(("Go", "on"), ("VB", "RP"), (("S", 0, 2), ("?", 0, 2))))
    True
    """
    return any(label == OPEN for label, _, _ in tree.nodes)


def fits(tree: FlatTree, partial: FlatTree) -> bool:
    """Return whether a tree has what a partial one says, and outside of what is open nothing else.

    Examples
    --------
    >>> partial = FlatTree(("Go", "on"), ("VB", "RP"), (("S", 0, 2), ("?", 1, 2)))
    >>> whole = FlatTree(("Go", "on"), ("VB", "RP"), (("S", 0, 2), ("PRT", 1, 2)))
    >>> fits(whole, partial), fits(FlatTree(whole.words, whole.tags, (("S", 0, 2), ("VP", 0, 2))), partial)
    (True, False)
    """
    wanted = Counter(node for node in partial.nodes if node[0] != OPEN)
    spans = [(begin, end) for label, begin, end in partial.nodes if label == OPEN]
    have = Counter(tree.nodes)
    others = have - wanted
    return not wanted - have and all(any(b <= begin and end <= e for b, e in spans) for _, begin, end in others)


def filled(trees: Sequence[FlatTree], model: EnglishModel | None = None) -> list[FlatTree]:
    """Return trees of which nothing is left open: partial ones become what a model, by default `en`, finds.

    Examples
    --------
    >>> (tree,) = filled([FlatTree(("Dogs", "bark", "."), ("NNS", "VBP", "."), (("S", 0, 3), ("?", 0, 2)))])
    >>> tree.nodes
    (('S', 0, 3), ('NP', 0, 1), ('VP', 1, 2))
    """
    places = [place for place, tree in enumerate(trees) if is_partial(tree)]
    made = list(trees)
    if not places:
        return made
    parser = model if model is not None and model.parser is not None else pretrained_model()
    asked = [trees[place] for place in places]
    best = parser.best([tree.words for tree in asked], TREES, [tree.tags for tree in asked])
    for place, partial, found in zip(places, asked, best, strict=True):
        whole = next((tree for _, tree in found if fits(tree, partial)), None)
        if whole is None:
            text = " ".join(partial.words)[:60]
            raise PartialTreeError(f"none of the {len(found)} best trees of '{text}' fits what is annotated")
        made[place] = whole
    return made
