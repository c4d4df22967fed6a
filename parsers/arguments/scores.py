"""Scores for predicted arguments: F1 over (predicate, span) pairs, spans in characters.

The predicates' words are given, and with them the text of a sentence, its tokens, its tags or its tree. Gold arguments
count whether they are constituents of the tree or not. The other predictions are scored as well: which words are
predicates (auxiliaries are not), the roles of the right spans, and how many predicates break PropBank's rules by a
core role given twice or an R- or C- role without its partner.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from kakari.parsers.arguments.boundary.scores import f1
from kakari.parsers.arguments.candidates.examples import Candidates
from kakari.parsers.arguments.candidates.frames import Frame, FramedSentence
from kakari.parsers.arguments.joint_roles import has_orphan, repeats_core
from kakari.parsers.arguments.model import ArgumentModel
from kakari.parsers.arguments.predicates import NOMINALS, is_auxiliary
from kakari.parsers.english.model import EnglishModel
from kakari.parsers.english.parser import tokens_of
from kakari.parsers.english.words.detokenising import Span, detokenised
from kakari.parsers.english.words.flat_trees import FlatTree

Given = Literal["text", "tokens", "tags", "trees"]
GIVEN = ("text", "tokens", "tags", "trees")


@dataclass
class Counts:
    """Numbers of right, found and wanted things."""

    right: int = 0
    found: int = 0
    wanted: int = 0

    def add(self, found: set[Any], wanted: set[Any]) -> None:
        """Compare two sets."""
        self.right += len(found & wanted)
        self.found += len(found)
        self.wanted += len(wanted)

    def named(self, name: str) -> dict[str, float]:
        """Return F1, precision and recall."""
        return {f"{name}_{key}": value for key, value in f1(self.right, self.found, self.wanted).items()}


@dataclass
class ArgumentScores:
    """All measures of an evaluation; `as_dict` gives them as plain numbers."""

    sentences: int = 0
    predicates: int = 0
    candidates: int = 0
    seconds: float = 0.0
    spans: Counts = field(default_factory=Counts)
    labelled: Counts = field(default_factory=Counts)
    nodes: Counts = field(default_factory=Counts)
    words: Counts = field(default_factory=Counts)
    verbs: Counts = field(default_factory=Counts)
    repeated: int = 0
    orphaned: int = 0
    senses: list[int] = field(default_factory=lambda: [0, 0])  # right ones, and predicates that have one

    def add_nodes(self, candidates: Candidates, margins: NDArray[np.float64]) -> None:
        """Count nodes: which of the candidates have a margin above 0, and which have an argument's span."""
        found = margins > 0
        self.nodes.right += int((found & candidates.gold).sum())
        self.nodes.found += int(found.sum())
        self.nodes.wanted += int(candidates.gold.sum())
        self.candidates += len(candidates)

    def as_dict(self) -> dict[str, Any]:
        """Return the measures as plain numbers; shares are fractions.

        Examples
        --------
        >>> sorted(ArgumentScores().as_dict())[:4]
        ['candidates', 'labelled_f1', 'labelled_precision', 'labelled_recall']
        """
        return {
            **self.spans.named("span"),
            **self.nodes.named("node"),
            **self.labelled.named("labelled"),
            **self.words.named("predicate"),
            "verb_f1": self.verbs.named("verb")["verb_f1"],
            "repeated_core": self.repeated / max(1, self.predicates),
            "orphaned": self.orphaned / max(1, self.predicates),
            "roleset_accuracy": self.senses[0] / max(1, self.senses[1]),
            "candidates": self.candidates,
            "predicates": self.predicates,
            "sentences": self.sentences,
            "seconds": round(self.seconds, 4),
        }


def evaluate_arguments(
    model: ArgumentModel, parser: EnglishModel | None, sentences: Sequence[FramedSentence], *, given: Given = "text"
) -> ArgumentScores:
    """Score a model; the parser is not needed where trees are given.

    Examples
    --------
    >>> from kakari.parsers.arguments.candidates.frames import read_frames
    >>> from kakari.parsers.arguments.training import train_arguments
    >>> sentences = list(read_frames("sample-en"))
    >>> evaluate_arguments(train_arguments(sentences), None, sentences, given="trees").as_dict()["span_f1"] > 0.98
    True
    """
    if given not in GIVEN:
        raise ValueError(f"given is {', '.join(GIVEN)}, not {given!r}")
    if given != "trees" and parser is None:
        raise ValueError("a parser is needed, since trees are not given")
    scores = ArgumentScores(len(sentences), sum(len(one.frames) for one in sentences))
    texts = [detokenised(one.tree) for one in sentences]
    began = time.process_time()
    trees, places = _met(parser, sentences, texts, given)
    asked = [_asked(model, *both) for both in zip(sentences, trees, texts, places, strict=True)]
    answered = []
    for found, candidates, margins in model.batches(asked):
        answered += found
        scores.add_nodes(candidates, margins)
    scores.seconds = time.process_time() - began
    words = model.predicates.find(trees, nominal=True)
    for gold, (_, own), found_in, at, frames in zip(sentences, texts, answered, places, words, strict=True):
        _add_arguments(scores, gold, own, found_in, at)
        _add_predicates(scores, gold, own, FramedSentence(found_in.tree, frames), at)
    return scores


def _met(
    parser: EnglishModel | None,
    sentences: Sequence[FramedSentence],
    texts: Sequence[tuple[str, list[Span]]],
    given: str,
) -> tuple[list[FlatTree], list[list[Span]]]:
    """Return the trees in which arguments are looked for, and where their words stand in the text."""
    places = [own for _, own in texts]
    if parser is None or given == "trees":
        return [one.tree for one in sentences], places
    if given != "text":
        words = [one.tree.words for one in sentences]
        return parser.parse(words, [one.tree.tags for one in sentences] if given == "tags" else None), places
    cut = [tokens_of(text, one_sentence=True) for text, _ in texts]
    places = [[span for piece in pieces for span in piece] for pieces in cut]
    words = [tuple(text[begin:end] for begin, end in own) for (text, _), own in zip(texts, places, strict=True)]
    return parser.parse(words), places


def _asked(
    model: ArgumentModel, gold: FramedSentence, tree: FlatTree, text: tuple[str, list[Span]], places: list[Span]
) -> FramedSentence:
    """Return a tree with the gold predicates as words of this tree, with those arguments that end where words do."""
    tokens = [_word_at(places, text[1][frame.token]) for frame in gold.frames]
    begins = {begin: number for number, (begin, _) in enumerate(places)}
    ends = {end: number + 1 for number, (_, end) in enumerate(places)}
    frames = []
    for wanted, frame in zip(gold.frames, model.predicates.frames(tree, tokens), strict=True):
        spans = [_characters(span, text[1]) for span, _ in _gold_spans(wanted)]
        known = [(begins[begin], ends[end]) for begin, end in spans if begin in begins and end in ends]
        frames.append(replace(frame, spans=tuple(known)))
    return FramedSentence(tree, tuple(frames))


def _word_at(places: Sequence[Span], wanted: Span) -> int:
    """Return the word that has most of its characters in a span."""
    shared = [min(end, wanted[1]) - max(begin, wanted[0]) for begin, end in places]
    return max(range(len(places)), key=lambda place: (shared[place], -place))


def _characters(span: Span, places: Sequence[Span]) -> Span:
    return places[span[0]][0], places[span[1] - 1][1]


def _gold_spans(frame: Frame) -> list[tuple[Span, str]]:
    pairs = zip(frame.spans, frame.roles, strict=True)
    return [(span, role) for span, role in pairs if not span[0] <= frame.token < span[1]]


def _add_arguments(
    scores: ArgumentScores, gold: FramedSentence, gold_places: list[Span], found: FramedSentence, places: list[Span]
) -> None:
    for wanted, have in zip(gold.frames, found.frames, strict=True):
        right = {(_characters(span, gold_places), role) for span, role in _gold_spans(wanted)}
        own = {(_characters(span, places), role) for span, role in zip(have.spans, have.roles, strict=True)}
        scores.repeated += repeats_core(have.roles)
        scores.orphaned += has_orphan(have.roles)
        scores.labelled.add(own, right)
        scores.senses[0] += bool(wanted.roleset) and wanted.roleset == have.roleset
        scores.senses[1] += bool(wanted.roleset)
        scores.spans.add({span for span, _ in own}, {span for span, _ in right})


def _add_predicates(
    scores: ArgumentScores, gold: FramedSentence, gold_places: list[Span], found: FramedSentence, places: list[Span]
) -> None:
    frames = [frame for frame in gold.frames if not is_auxiliary(frame)]
    wanted = {gold_places[frame.token]: gold.tree.tags[frame.token] not in NOMINALS for frame in frames}
    have = {places[frame.token]: found.tree.tags[frame.token] not in NOMINALS for frame in found.frames}
    scores.words.add(set(have), set(wanted))
    scores.verbs.add({place for place, verb in have.items() if verb}, {place for place, verb in wanted.items() if verb})
