"""Training of sequence labellers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kakari.kernels.frozen.freezing import freeze
from kakari.kernels.frozen.model import FrozenModel
from kakari.kernels.hashed.weights import HashedLearner
from kakari.kernels.learning.binary_learner import KernelLearner
from kakari.kernels.learning.multiclass import MulticlassLearner
from kakari.models.polynomial.multiclass import expansions
from kakari.models.reporting import Report, silent
from kakari.models.voting import binary_problems
from kakari.parsers.sequences.labelling import MOST_LABELS, feature_sets, learn_batch
from kakari.parsers.sequences.model import SCHEMES, Sentences, SequenceModel, token_table
from kakari.parsers.sequences.templates import TemplateSet
from kakari.parsers.sequences.tokens import TokenTable


class SequenceTrainingError(ValueError):
    """Data or settings with which no labeller can be trained."""


@dataclass(frozen=True)
class SequenceSettings:
    """All hyper-parameters of a labeller.

    Attributes
    ----------
    fields : tuple of str
        Names of a token's columns.
    templates : tuple of str
        Feature templates; if empty, `default_templates` of the fields and the scheme.
    scheme : str
        "linear", "direct" or "pairs", see `SequenceModel`.
    backwards : bool
        Read sentences from right to left.
    passes, beam, seed : int
    learners : int
        linear: number of learners, each with its own order of sentences; their weights are added up.
    decoding_beam : int, optional
        linear: the beam of the finished model, if it is not that of the training.
    most : int, optional
        linear: number of weights to keep, the largest ones.
    degree : int
        direct, pairs: degree of the polynomial kernel.
    cost : float
        direct, pairs: the aggressiveness C of the learner.
    sigma : float
        direct, pairs: leave out conjunctions with smaller weights (PKE).
    """

    fields: tuple[str, ...]
    templates: tuple[str, ...] = ()
    scheme: str = "linear"
    backwards: bool = False
    passes: int = 10
    beam: int = 4
    learners: int = 1
    decoding_beam: int | None = None
    most: int | None = None
    degree: int = 2
    cost: float = 1.0
    sigma: float = 0.0
    seed: int = 1


def default_templates(fields: Sequence[str], scheme: str, *, backwards: bool = False) -> tuple[str, ...]:
    """Return default templates for columns with these names; the first column holds words.

    A kernel makes conjunctions by itself; for linear weights they are declared.

    Examples
    --------
    >>> default_templates(["word"], "pairs")[:6]
    ('word[-2]', 'word[-1]', 'word[0]', 'word[1]', 'word[2]', 'suffix2(word)[0]')
    """
    word = fields[0]
    windows = [f"{name}[{at}]" for name in fields for at in range(-2, 3)]
    parts = [f"suffix2({word})[0]", f"suffix3({word})[0]", f"prefix3({word})[0]", f"shape({word})[0]"]
    near, far = ("label[1]", "label[2]") if backwards else ("label[-1]", "label[-2]")
    if scheme != "linear":
        return (*windows, *parts, near, far)
    pairs = [f"{name}[{at}]/{name}[{at + 1}]" for name in fields for at in range(-2, 2)]
    triples = [f"{name}[{at}]/{name}[{at + 1}]/{name}[{at + 2}]" for name in fields for at in range(-2, 1)]
    crossed = [
        f"{one}[{i}]/{other}[{j}]"
        for place, one in enumerate(fields)
        for other in fields[place + 1 :]
        for i, j in ((0, 0), (-1, 0), (0, -1), (0, 1), (1, 0))
    ]
    inner = [f"{part}/{name}[0]" for part in parts[1:2] for name in fields[1:]]
    inner += [f"shape({word})[-1]/shape({word})[0]", f"shape({word})[0]/shape({word})[1]"]
    decided = [near, f"{far}/{near}"]
    for name in fields:
        decided += [f"{near}/{name}[0]", f"{near}/{name}[-1]", f"{far}/{near}/{name}[0]"]
        decided += [f"{near}/{name}[-1]/{name}[0]", f"{near}/{name}[0]/{name}[1]"]
    decided.append(f"{near}/shape({word})[0]")
    return (*windows, *parts, *pairs, *triples, *crossed, *inner, *decided)


def train(
    sentences: Sentences,
    labels: Sequence[Sequence[str]],
    settings: SequenceSettings,
    *,
    report: Report = silent,
) -> SequenceModel:
    """Train a labeller.

    Parameters
    ----------
    sentences : sequence of sequences of tokens, which are rows of strings
    labels : sequence of sequences of str
        A label for each token.

    Examples
    --------
    >>> settings = SequenceSettings(fields=("word",), scheme="pairs", passes=3)
    >>> model = train([[("a",), ("dog",)], [("a",), ("cat",)]], [["B", "I"], ["B", "I"]], settings)
    >>> model.predict([[("a",), ("cow",)]])
    [['B', 'I']]
    """
    names, gold = numbered(labels)
    if [len(one) for one in sentences] != [len(one) for one in labels]:
        raise SequenceTrainingError("each token needs one label")
    if settings.scheme not in SCHEMES:
        raise SequenceTrainingError(f"a labeller is one of {', '.join(SCHEMES)}, not {settings.scheme!r}")
    texts = settings.templates or default_templates(settings.fields, settings.scheme, backwards=settings.backwards)
    templates = TemplateSet(texts, backwards=settings.backwards)
    table = token_table(sentences, settings.fields, templates)
    details: dict[str, Any] = {"sentences": len(sentences), "tokens": int(gold.size), "settings": asdict(settings)}
    if settings.scheme == "linear":
        learner = learned(table, templates, gold, len(names), settings, report)
        weights = learner.freeze(most=settings.most)
        beam = settings.decoding_beam or settings.beam
        return SequenceModel(settings.fields, names, templates, "linear", weights, beam, details)
    machines = kernel_machines(table, templates, gold, len(names), settings, report)
    return SequenceModel(settings.fields, names, templates, settings.scheme, machines, 1, details)


def numbered(labels: Sequence[Sequence[str]]) -> tuple[tuple[str, ...], NDArray[np.uint8]]:
    """Return the sorted names of labels, and the number of each token's label.

    Examples
    --------
    >>> numbered([["O", "B"], ["O"]])
    (('B', 'O'), array([1, 0, 1], dtype=uint8))
    """
    names = tuple(sorted({label for sentence in labels for label in sentence}))
    if len(names) < 2:
        found = f"all have '{names[0]}'" if names else "there are no tokens"
        raise SequenceTrainingError(f"a labeller needs at least two different labels; {found}")
    if len(names) > MOST_LABELS:
        raise SequenceTrainingError(f"there are {len(names)} labels; a labeller can have {MOST_LABELS}")
    places = {name: place for place, name in enumerate(names)}
    return names, np.array([places[label] for sentence in labels for label in sentence], dtype=np.uint8)


def learned(
    table: TokenTable,
    templates: TemplateSet,
    gold: NDArray[np.uint8],
    labels: int,
    settings: SequenceSettings,
    report: Report,
) -> HashedLearner:
    """Train structured perceptrons and add up their weights."""
    total: HashedLearner | None = None
    for seed in range(settings.seed, settings.seed + settings.learners):
        learner = HashedLearner()
        for number in range(settings.passes):
            order = np.random.default_rng([seed, number]).permutation(len(table))
            changed = learn_batch(table, templates, gold, learner, labels, order, beam=settings.beam)
            report(f"pass {number + 1} of {settings.passes} done, {changed} sentences changed the weights")
        if total is None:
            total = learner
        else:
            total.absorb(learner)
    if total is None:
        raise SequenceTrainingError("at least one learner is needed")
    return total


def kernel_machines(
    table: TokenTable,
    templates: TemplateSet,
    gold: NDArray[np.uint8],
    labels: int,
    settings: SequenceSettings,
    report: Report,
) -> list[FrozenModel]:
    """Train kernel machines on tokens with their gold history, and freeze them."""
    sets = feature_sets(table, templates, gold)
    options: dict[str, Any] = {"cost": settings.cost, "seed": settings.seed}
    if settings.scheme == "direct" and labels > 2:
        learner = MulticlassLearner(labels, settings.degree, **options)
        learner.fit(sets, gold.astype(np.int64), passes=settings.passes)
        report(f"one learner of {labels} labels has {len(learner.support())} support vectors")
        expanded = expansions(learner, averaged=True)
    else:
        expanded = []
        for number, (rows, signs) in enumerate(binary_problems(gold, labels, "ovo")):
            machine = KernelLearner(settings.degree, **options)
            machine.fit(sets if rows is None else sets.take(rows), signs, passes=settings.passes)
            expanded += expansions(machine, averaged=True)
            report(f"machine {number + 1} has {len(expanded[-1][0])} support vectors")
    return [
        freeze(support, coefficients, settings.degree, kind="expansion", sigma=settings.sigma)
        for support, coefficients in expanded
    ]
