"""Explanations of arguments: the features behind "this is an argument" and behind its role, by their templates."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from kakari.corpora.records.errors import CorpusError
from kakari.parsers.arguments.candidates.conjunctions import (
    ConjoinedTable,
    ConjoinedWeights,
    conjoined,
    template_table,
)
from kakari.parsers.arguments.candidates.extraction import TEMPLATES
from kakari.parsers.arguments.candidates.frames import Frame, FramedSentence
from kakari.parsers.arguments.model import ArgumentModel
from kakari.parsers.english.words.flat_trees import FlatTree
from kakari.parsers.pictures.bars import Explanation

Weights = list[tuple[str, float]]


def explain_text(
    model: ArgumentModel, sentences: Sequence[FlatTree], pair: tuple[int, int] | None = None, top: int = 20
) -> list[Explanation]:
    """Explain all arguments of all predicates, nouns and adjectives among them; or those of a pair alone.

    Parameters
    ----------
    pair : (int, int), optional
        A word of the argument and the predicate, words of the text counted from 1.

    Examples
    --------
    >>> from kakari.parsers.arguments.model import pretrained_arguments
    >>> tree = FlatTree(("Dogs", "bark"), ("NNS", "VBP"), (("S", 0, 2), ("NP", 0, 1), ("VP", 1, 2)))
    >>> [one["machine"] for one in explain_text(pretrained_arguments(), [tree], (1, 2))][:1]
    ['Dogs: argument of bark']
    """
    told: list[Explanation] = []
    before = 0
    for found in model.find(sentences, nominal=True):
        for frame in found.frames:
            for number, (begin, end) in enumerate(frame.spans):
                own = range(before + begin + 1, before + end + 1)
                if pair is None or (pair[0] in own and pair[1] == before + frame.token + 1):
                    told += explain_argument(model, found.tree, frame, number, top)
        before += len(found.tree.words)
    if pair is not None and not told:
        words = " ".join(f"{place}:{word}" for place, word in enumerate((w for t in sentences for w in t.words), 1))
        raise CorpusError("--pair", None, f"word {pair[0]} is in no argument of word {pair[1]}: {words}")
    return told


def explain_argument(
    model: ArgumentModel, tree: FlatTree, frame: Frame, number: int, top: int = 20
) -> list[Explanation]:
    """Explain one argument of a predicate: why it is an argument, and why it has its role and not the second-best one.

    Examples
    --------
    >>> from kakari.parsers.arguments.model import pretrained_arguments
    >>> tree = FlatTree(("Dogs", "bark"), ("NNS", "VBP"), (("S", 0, 2), ("NP", 0, 1), ("VP", 1, 2)))
    >>> model = pretrained_arguments()
    >>> first, second = explain_argument(model, tree, model.find([tree])[0].frames[0], 0)
    >>> first["machine"], second["machine"]
    ('Dogs: argument of bark', 'Dogs: ARG0 before ARG1')
    >>> abs(sum(item["weight"] for item in first["items"]) - first["margin"]) < 1e-6
    True
    """
    span, role = frame.spans[number], frame.roles[number]
    bare = FramedSentence(tree, (Frame(frame.token, frame.lemma),))
    candidates = model.boundary.candidates([bare])
    margins = model.boundary.margins(candidates)
    rows = np.flatnonzero((candidates.spans() == np.array(span)).all(axis=1))
    if not len(rows):
        raise CorpusError("argument", None, f"nobody asked about the words {span[0]} to {span[1] - 1}")
    row = int(rows[np.argmax(margins[rows])])
    features = template_table(candidates.arrays)[row : row + 1]
    weights: Weights = [("(bias)", model.boundary.bias)]
    for part in model.boundary.parts:
        if isinstance(part, ConjoinedWeights):
            weights += contributions(part.table, features, np.array([1.0]))
        else:
            weights.append((f"({part.kind})", float(part.margins(candidates)[row])))
    words = " ".join(tree.words[span[0] : span[1]])
    title = f"{words}: argument of {tree.words[frame.token]}"
    told = [Explanation.of(title, float(margins[row]), ranked(weights), top)]
    if model.roles is not None and role in model.roles.table.classes:
        told.append(_role(model.roles, features, role, words, top))
    return told


def _role(table: ConjoinedTable, features: NDArray[np.int32], role: str, words: str, top: int) -> Explanation:
    names = list(table.table.classes)
    scores = table.scores(features)[0]
    own = names.index(role)
    second = max((place for place in range(len(names)) if place != own), key=lambda place: scores[place])
    signs = np.zeros(len(names))
    signs[own], signs[second] = 1.0, -1.0
    margin = float(scores[own] - scores[second])
    weights = contributions(table, features, signs)
    return Explanation.of(f"{words}: {role} before {names[second]}", margin, ranked(weights), top)


def contributions(table: ConjoinedTable, features: NDArray[np.int32], signs: NDArray[np.float64]) -> Weights:
    """Return what each template and conjunction of one row adds to a signed sum of outputs."""
    names = [*TEMPLATES, *(" & ".join(one) for one in table.conjunctions)]
    row = conjoined(features, table.conjunctions)[0]
    present = np.flatnonzero(row >= 0)
    values = table.table.contributions(row[present]) @ signs
    found = [(names[place], float(value)) for place, value in zip(present.tolist(), values, strict=True) if value]
    return [*found, ("(bias)", float(table.table.biases @ signs))]


def ranked(weights: Weights) -> Weights:
    """Return weights with those of one name added up, the greatest first, without zeros.

    Examples
    --------
    >>> ranked([("a", 1.0), ("b", -3.0), ("a", 1.0), ("c", 0.0)])
    [('b', -3.0), ('a', 2.0)]
    """
    sums: dict[str, float] = {}
    for name, weight in weights:
        sums[name] = sums.get(name, 0.0) + weight
    return sorted(((name, weight) for name, weight in sums.items() if weight), key=lambda item: -abs(item[1]))
