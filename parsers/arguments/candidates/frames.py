"""Sentences whose predicates have arguments: a tree in our notation, and the spans of each predicate."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from kakari.parsers.english.words.flat_trees import FlatTree


class ArgumentError(ValueError):
    """Trees and predicates that do not fit each other, or arguments that cannot be learnt; the text says why."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A predicate and the spans of its arguments (none where they are to be found), with their roles beside them.

    `roleset` is PropBank's name of its sense (`see.01`), empty where nobody has told it. `margins` are those of the
    arguments that a model found, and by how much their roles lead; they take no part in comparisons.
    """

    token: int
    lemma: str
    spans: tuple[tuple[int, int], ...] = ()
    roles: tuple[str, ...] = ()
    roleset: str = ""
    margins: tuple[tuple[float, float], ...] = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class FramedSentence:
    """A tree and the predicates in it.

    Examples
    --------
    >>> tree = FlatTree(("Dogs", "bark"), ("NNS", "VBP"), (("S", 0, 2), ("NP", 0, 1), ("VP", 1, 2)))
    >>> FramedSentence(tree, (Frame(1, "bark", ((0, 1),), ("ARG0",)),)).frames[0].spans
    ((0, 1),)
    """

    tree: FlatTree
    frames: tuple[Frame, ...]

    def _repr_svg_(self) -> str:
        """Draw the tree with its predicates and arguments, for notebooks."""
        from kakari.parsers.pictures.brackets import draw_svg

        return draw_svg(self.tree, self.frames)


def read_frames(reference: str) -> Iterator[FramedSentence]:
    """Yield the sentences of a PropBank corpus or file, with and without predicates.

    Examples
    --------
    >>> sentence = next(read_frames("sample-en"))
    >>> [(frame.lemma, frame.spans) for frame in sentence.frames]
    [('write', ((0, 1), (2, 7))), ('send', ((2, 4), (4, 5), (5, 6)))]
    """
    from kakari.corpora import catalogue
    from kakari.corpora.records.errors import CorpusError
    from kakari.parsers.english.words.treebank_trees import flattened

    for record in catalogue.read(reference):
        if not hasattr(record, "predicates"):
            raise CorpusError(reference, None, "there are no predicates with arguments in it")
        tree = flattened(record.tree)
        if len(tree.words) != len(record.words):
            raise CorpusError(reference, None, f"sentence {record.number} of {record.document} has traces in its tree")
        frames = tuple(
            Frame(
                predicate.token,
                predicate.lemma,
                tuple((span.start, span.end) for span in predicate.arguments),
                tuple(span.label for span in predicate.arguments),
                predicate.roleset,
            )
            for predicate in record.predicates
        )
        yield FramedSentence(tree, frames)
