"""Further learning from annotated sentences: what `update` of the spaCy components does for arguments and questions.

It is the mechanism of corrections: where the model is wrong, examples with coefficients stand beside the frozen weights
(`kakari.models.correcting`). They are numbered from `UPDATES` on by a hash of the sentence, apart from the sentences
that a user corrected, so that one that is learned again replaces itself. They are no part of the history: `undo`
begins with the original model, and forgets them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from zlib import crc32

from kakari.models.correcting.class_layer import ClassLayer
from kakari.models.correcting.kernel_layer import KernelLayer
from kakari.models.correcting.stored import Corrections
from kakari.parsers.arguments.candidates.conjunctions import template_table
from kakari.parsers.arguments.candidates.frames import Frame, FramedSentence
from kakari.parsers.arguments.model import ArgumentModel
from kakari.parsers.correcting.records import CorrectionError
from kakari.parsers.english.words.flat_trees import FlatTree
from kakari.parsers.questions.compact_model import LinearQuestions, answered, hashed_sets, tagged
from kakari.parsers.questions.features import detection_features, question_features

DEGREE = 3
UPDATES = 1 << 20


def updated_arguments(model: ArgumentModel, sentences: Sequence[FramedSentence]) -> tuple[ArgumentModel, int]:
    """Return the model after a step of learning, and how many predicates had other arguments or roles before.

    A role that the model does not have is not learned, but that its span is an argument is.

    Examples
    --------
    >>> from kakari.parsers.arguments.model import pretrained_arguments
    >>> tree = FlatTree(("Dogs", "bark"), ("NNS", "VBP"), (("S", 0, 2), ("NP", 0, 1), ("VP", 1, 2)))
    >>> wanted = [FramedSentence(tree, (Frame(1, "bark", ((0, 1),), ("ARG1",)),))]
    >>> updated, wrong = updated_arguments(pretrained_arguments(), wanted)
    >>> wrong, updated_arguments(updated, wanted)[1], updated.find([tree])[0].frames[0].roles
    (1, 0, ('ARG1',))
    """
    roles = () if model.roles is None else model.roles.table.classes
    had: Any = model.corrections
    if had is None:
        layers: dict[str, Any] = {"boundary": KernelLayer.empty(DEGREE)}
        had = Corrections((), layers | ({"roles": ClassLayer.empty(DEGREE, len(roles))} if roles else {}))
    layers = dict(had.layers)
    wrong = 0
    for gold, found in zip(sentences, model.fill(sentences), strict=True):
        for wanted, have in zip(gold.frames, found.frames, strict=True):
            named = gold_roles(wanted, roles)
            if named != dict(zip(have.spans, have.roles, strict=True)):
                wrong += _teach_predicate(model, FramedSentence(gold.tree, (wanted,)), have, named, layers)
    if not wrong:
        return model, 0
    learned = {name: layer.learned() for name, layer in layers.items()}
    return replace(model, corrections=replace(had, layers=learned)), wrong


def gold_roles(frame: Frame, roles: Sequence[str]) -> dict[tuple[int, int], str | None]:
    """Return the roles of an annotated predicate's arguments by their spans, None for one that the model does not have.

    Examples
    --------
    >>> gold_roles(Frame(1, "bark", ((0, 1), (1, 2), (2, 3)), ("ARG0", "ARG1", "ARGX")), ["ARG0", "ARG1"])
    {(0, 1): 'ARG0', (2, 3): None}
    """
    pairs = zip(frame.spans, frame.roles or ("",) * len(frame.spans), strict=True)
    own = {span: role for span, role in pairs if not span[0] <= frame.token < span[1]}
    return {span: role if role in roles else None for span, role in own.items()}


def _teach_predicate(
    model: ArgumentModel,
    sentence: FramedSentence,
    have: Frame,
    named: dict[tuple[int, int], str | None],
    layers: dict[str, Any],
) -> bool:
    """Put the candidates of a predicate that are arguments, or were taken for some, into the layers.

    Returns whether the answer differs in what can be learned: in candidates, and roles that the model has.
    """
    candidates = model.boundary.candidates([sentence])
    spans = [tuple(span) for span in candidates.spans().tolist()]
    known = {span: role for span, role in named.items() if span in spans}
    found = dict(zip(have.spans, have.roles, strict=True))
    if found.keys() == known.keys() and all(role in (None, found[span]) for span, role in known.items()):
        return False
    now = model.margins(candidates)
    rows = [row for row, span in enumerate(spans) if span in named or now[row] > 0]
    owner = _owner(sentence.tree, sentence.frames[0].token)
    layers.update({name: layer.without_owner(owner) for name, layer in layers.items()})
    signs = [1 if spans[row] in named else -1 for row in rows]
    base = model.boundary.margins(candidates)[rows]
    layers["boundary"] = layers["boundary"].with_examples(candidates.features.take(rows), signs, base, owner=owner)
    told = [row for row in rows if named.get(spans[row])]
    if model.roles is not None and told:
        classes = model.roles.table.classes
        numbers = [classes.index(str(named[spans[row]])) for row in told]
        scores = model.roles.scores(template_table(candidates.arrays)[told])
        layers["roles"] = layers["roles"].with_examples(candidates.features.take(told), numbers, scores, owner=owner)
    return True


def updated_questions(model: LinearQuestions, wanted: Sequence[tuple[FlatTree, str]]) -> tuple[LinearQuestions, int]:
    """Return the model after a step of learning, and how many sentences had other answers before.

    Parameters
    ----------
    wanted : sequence of (FlatTree, str)
        Sentences with their fine classes; an empty one is that of a sentence that asks for nothing.

    Examples
    --------
    >>> from kakari.parsers.english.model import pretrained_model
    >>> from kakari.parsers.questions.compact_model import pretrained_questions
    >>> (tree,) = pretrained_model().parse([["Who", "wrote", "Hamlet", "?"]])
    >>> updated, wrong = updated_questions(pretrained_questions(), [(tree, "HUM:gr")])
    >>> wrong, updated_questions(updated, [(tree, "HUM:gr")])[1]
    (1, 0)
    """
    unknown = next((name for _, name in wanted if name and name not in model.classes), None)
    if unknown is not None:
        raise CorrectionError(f"there is no class {unknown!r}; there are {', '.join(model.classes)}")
    had: Any = model.corrections or Corrections(
        (), {"classes": ClassLayer.empty(DEGREE, len(model.classes)), "questions": KernelLayer.empty(DEGREE)}
    )
    classes, questions = had.layers["classes"], had.layers["questions"]
    frozen = replace(model, corrections=None)
    wrong = 0
    for (tree, name), answer in zip(wanted, answered(model, [tree for tree, _ in wanted]), strict=True):
        if (name or None) == (None if answer is None else answer.fine):
            continue
        wrong += 1
        owner = _owner(tree)
        classes, questions = classes.without_owner(owner), questions.without_owner(owner)
        if model.detector is not None:
            sets = hashed_sets([detection_features(tree)])
            questions = questions.with_examples(sets, [1 if name else -1], frozen.asked([tree]), owner=owner)
        if name:
            sets = hashed_sets([question_features(tagged(tree))])
            gold = [model.classes.index(name)]
            classes = classes.with_examples(sets, gold, frozen.scores([tree]), owner=owner)
    if not wrong:
        return model, 0
    layers = {"classes": classes.learned(), "questions": questions.learned(target=0.1)}
    return replace(model, corrections=replace(had, layers=layers)), wrong


def _owner(tree: FlatTree, token: int = 0) -> int:
    name = f"{token} {' '.join(tree.words)}".encode("utf-8", "surrogatepass")
    return UPDATES + (crc32(name) >> 2)  # below 2^31
