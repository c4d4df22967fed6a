"""Corrections of arguments: whether a span is an argument of a predicate, and its role.

A span must be a constituent of the tree that the parser finds: nothing else is asked about. When it becomes an
argument, those that overlap it are refused. Where PropBank's rules stand against its role because another argument of
the predicate has it, that one is taught its second best.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from kakari.corpora import read
from kakari.models.correcting.class_layer import ClassLayer
from kakari.models.correcting.kernel_layer import KernelLayer
from kakari.models.correcting.stored import Corrections
from kakari.parsers.arguments.candidates.conjunctions import template_table
from kakari.parsers.arguments.candidates.examples import Candidates
from kakari.parsers.arguments.candidates.frames import Frame, FramedSentence
from kakari.parsers.arguments.joint_roles import CORE
from kakari.parsers.arguments.model import ArgumentModel
from kakari.parsers.correcting.records import Correction, CorrectionError
from kakari.parsers.correcting.sentences import Owners, token_span
from kakari.parsers.english.parser import EnglishParser
from kakari.parsers.english.words.flat_trees import FlatTree

DEGREE = 3
ROUNDS = 4


@dataclass(frozen=True)
class _Place:
    """A predicate of a tree and a span of its tokens."""

    tree: FlatTree
    frame: Frame
    span: tuple[int, int]


class ArgumentCorrector:
    """Teaches a model of predicates and arguments what a user corrected.

    Examples
    --------
    >>> from kakari.parsers.arguments.model import pretrained_arguments
    >>> one = Correction("Mary wrote the letter.", "argument", (11, 21), "ARG2", of=(5, 10))
    >>> corrector = ArgumentCorrector(pretrained_arguments())
    >>> corrector.holds(one), ArgumentCorrector(corrector.learned([one])).holds(one)
    (False, True)
    """

    kinds: ClassVar[tuple[str, ...]] = ("argument",)

    def __init__(self, model: ArgumentModel) -> None:
        self.model = model
        self.parser = EnglishParser.pretrained()
        self.roles = () if model.roles is None else model.roles.table.classes

    def learned(self, corrections: Sequence[Correction]) -> ArgumentModel:
        """Return the model after it has learned corrections, one after another, beside those that it had."""
        model = self.model
        if model.corrections is None:
            layers: dict[str, Any] = {"boundary": KernelLayer.empty(DEGREE)}
            if self.roles:
                layers["roles"] = ClassLayer.empty(DEGREE, len(self.roles))
            model = replace(model, corrections=Corrections((), layers))
        owners = Owners(_predicate_name, [Correction.from_line(line) for line in _learned(model).history])
        for one in corrections:
            owner, own = owners.add(one)
            had = _learned(model)
            rest = {name: layer.without_owner(owner) for name, layer in had.layers.items()}
            model = replace(model, corrections=Corrections((*had.history, one.line()), rest))
            places = [(self.place(each), each) for each in own]
            for number in range(ROUNDS):
                if all(_holds(model, place, each) for place, each in places):
                    break
                model = self._taught(model, places, owner, others=number > 0)
        return model

    def holds(self, correction: Correction) -> bool:
        """Return whether the model agrees with a correction."""
        return _holds(self.model, self.place(correction), correction)

    def shown(self, texts: Sequence[str]) -> list[str]:
        """Return the predicates of each text with the words and roles of their arguments.

        Examples
        --------
        >>> from kakari.parsers.arguments.model import pretrained_arguments
        >>> ArgumentCorrector(pretrained_arguments()).shown(["Mary wrote the letter."])
        ['wrote(ARG0 Mary, ARG1 the letter)']
        """
        found = [[one.tree for one in trees] for trees in self.parser.pipe(texts)]
        answers = iter(self.model.find([tree for trees in found for tree in trees]))
        return [" ".join(_written(next(answers)) for _ in trees) for trees in found]

    @staticmethod
    def sample() -> list[tuple[str, str]]:
        """Return the sentences of the embedded sample with their arguments, in the form of `shown`."""
        from kakari.parsers.arguments.candidates.frames import read_frames

        records = zip(read("sample-en"), read_frames("sample-en"), strict=True)
        return [(" ".join(record.words), _written(framed)) for record, framed in records]

    def place(self, one: Correction) -> _Place:
        """Return the predicate and the tokens that a correction is about."""
        if one.kind != "argument" or one.of is None:
            raise CorrectionError(f"a model of arguments learns arguments, not what a {one.kind!r} is")
        if one.value is not None and one.value not in self.roles:
            raise CorrectionError(f"there is no role {one.value!r}; there are {', '.join(self.roles)}")
        for found in self.parser.parse(one.text):
            if not found.begin <= one.of[0] < found.end:
                continue
            span, (token, behind) = token_span(one, one.at, found.spans), token_span(one, one.of, found.spans)
            (framed,) = self.model.find([found.tree], nominal=True)
            frames = [frame for frame in framed.frames if token <= frame.token < behind]
            if not frames:
                raise CorrectionError(f"{one.text[one.of[0] : one.of[1]]!r} is no predicate to this model")
            place = _Place(found.tree, replace(frames[0], spans=(), roles=()), span)
            if not len(_rows(_candidates(self.model, place), span)):
                raise CorrectionError(f"{one.told()}: no constituent of the tree that was found has these words")
            return place
        raise CorrectionError("there is no sentence at this place of the text")

    def _taught(
        self, model: ArgumentModel, places: Sequence[tuple[_Place, Correction]], owner: int, *, others: bool
    ) -> ArgumentModel:
        """Return the model after it has learned what is wanted of one predicate."""
        layers = dict(_learned(model).layers)
        candidates = _candidates(model, places[0][0])
        now = model.margins(candidates)
        begins, ends = candidates.arrays["begins"], candidates.arrays["ends"]
        labels: dict[int, int] = {}
        roles: dict[int, int] = {}
        for place, one in places:
            own = _rows(candidates, place.span)
            labels |= dict.fromkeys(own, -1 if one.value is None else 1)
            if one.value is None:
                continue
            if self.roles:
                roles |= dict.fromkeys(own, self.roles.index(str(one.value)))
            over = (begins < place.span[1]) & (ends > place.span[0]) & (now > 0)
            labels |= {row: -1 for row in np.flatnonzero(over).tolist() if row not in labels}
        scores = None if model.roles is None else model.roles.scores(template_table(candidates.arrays))
        if others and scores is not None:
            roles |= self._second_best(model, places, candidates, scores, roles)
        rows = sorted(labels)
        base = self.model.boundary.margins(candidates)[rows]
        layer = layers["boundary"].without_owner(owner)
        signs = [labels[row] for row in rows]
        layers["boundary"] = layer.with_examples(candidates.features.take(rows), signs, base, owner=owner).learned()
        if roles and scores is not None:
            rows = sorted(roles)
            gold = [roles[row] for row in rows]
            named = layers["roles"].without_owner(owner)
            layers["roles"] = named.with_examples(
                candidates.features.take(rows), gold, scores[rows], owner=owner
            ).learned()
        return replace(model, corrections=replace(_learned(model), layers=layers))

    def _second_best(
        self,
        model: ArgumentModel,
        places: Sequence[tuple[_Place, Correction]],
        candidates: Candidates,
        scores: Any,
        known: dict[int, int],
    ) -> dict[int, int]:
        """Return other roles for arguments that have a core role which a correction gives to another one."""
        taken = {str(one.value) for _, one in places if one.value in CORE}
        frame = _filled(model, places[0][0])
        found = {}
        for span, role in zip(frame.spans, frame.roles, strict=True):
            for row in _rows(candidates, span) if role in taken else []:
                ranked = [int(number) for number in np.argsort(-scores[row], kind="stable")]
                if row not in known:
                    found[row] = next(number for number in ranked if self.roles[number] not in taken)
        return found


def _predicate_name(one: Correction) -> tuple[str, Any]:
    return one.text, one.of


def _learned(model: ArgumentModel) -> Corrections[Any]:
    return Corrections() if model.corrections is None else model.corrections


def _candidates(model: ArgumentModel, place: _Place) -> Candidates:
    return model.boundary.candidates([FramedSentence(place.tree, (place.frame,))])


def _rows(candidates: Candidates, span: tuple[int, int]) -> list[int]:
    """Return the candidates that have a span: several in a chain of single children."""
    found: list[int] = np.flatnonzero((candidates.spans() == np.array(span)).all(axis=1)).tolist()
    return found


def _filled(model: ArgumentModel, place: _Place) -> Frame:
    (found,) = model.fill([FramedSentence(place.tree, (place.frame,))])
    return found.frames[0]


def _holds(model: ArgumentModel, place: _Place, one: Correction) -> bool:
    frame = _filled(model, place)
    roles = dict(zip(frame.spans, frame.roles, strict=True))
    return place.span not in roles if one.value is None else roles.get(place.span) == one.value


def _written(framed: FramedSentence) -> str:
    return " ".join(_frame(framed.tree.words, frame) for frame in framed.frames)


def _frame(words: Sequence[str], frame: Frame) -> str:
    arguments = [
        f"{role} {' '.join(words[begin:end])}" for role, (begin, end) in zip(frame.roles, frame.spans, strict=True)
    ]
    return f"{words[frame.token]}({', '.join(arguments)})"
