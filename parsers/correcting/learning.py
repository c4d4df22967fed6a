"""Corrections are applied to a model of any task, checked and taken back.

A corrected model holds the original one as it was, what the corrections add, and the corrections themselves. What comes
out depends on the original and on the list of corrections alone: more of them are learned on top of those that a model
has; where its history is another one, all are learned again from the original.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from kakari.models.files import ModelFileError, StoredModel, model_task
from kakari.parsers.correcting.records import Correction, CorrectionError

# By task: module and class of the model, module and class of what teaches it.
TASKS = {
    "ja-bunsetsu-dependency": (("japanese.model", "JapaneseModel"), ("correcting.japanese", "JapaneseCorrector")),
    "dependency": (("dependency.model", "DependencyModel"), ("correcting.dependency", "DependencyCorrector")),
    "en-questions": (("questions.compact_model", "LinearQuestions"), ("correcting.questions", "QuestionCorrector")),
    "en-arguments": (("arguments.model", "ArgumentModel"), ("correcting.arguments", "ArgumentCorrector")),
}


class Corrector(Protocol):
    """What teaches a model of one task."""

    kinds: tuple[str, ...]
    model: Any

    def learned(self, corrections: Sequence[Correction]) -> Any:
        """Return the model after it has learned corrections, one after another, beside those that it had."""

    def holds(self, correction: Correction) -> bool:
        """Return whether the model analyses a text as a correction says."""

    def shown(self, texts: Sequence[str]) -> list[str]:
        """Return the analyses of texts in the form of quality tables."""

    def sample(self) -> list[tuple[str, str]]:
        """Return texts that the package brings along with their analyses, in the same form."""


class Outcome(NamedTuple):
    """A correction, and whether the model agrees with it: the original one, and the corrected one."""

    correction: Correction
    before: bool
    now: bool


@dataclass(frozen=True)
class Corrected:
    """A corrected model, and what became of each correction.

    Attributes
    ----------
    model : StoredModel
        Saved with `save`, loaded as any other of its task.
    outcomes : tuple of Outcome
        In the order of the corrections.
    """

    model: Any
    outcomes: tuple[Outcome, ...]

    @property
    def broken(self) -> list[Outcome]:
        """The corrections with which the model does not agree."""
        return [one for one in self.outcomes if not one.now]


def load_correctable(path: str | Path) -> StoredModel:
    """Read a model that can be corrected, of any task.

    Examples
    --------
    >>> from importlib import resources
    >>> file = resources.files("kakari.models") / "pretrained" / "ja.safetensors"
    >>> load_correctable(str(file)).task
    'ja-bunsetsu-dependency'
    """
    task = model_task(path)
    if task not in TASKS:
        raise ModelFileError(str(path), f"a model for '{task}' cannot be corrected; those for {', '.join(TASKS)} can")
    module, name = TASKS[task][0]
    loaded: StoredModel = getattr(import_module(f"kakari.parsers.{module}"), name).load(path)
    return loaded


def corrector_of(model: Any) -> Corrector:
    """Return what teaches a model."""
    task = getattr(model, "task", None)
    if task not in TASKS:
        raise CorrectionError(f"a model for '{task}' cannot be corrected; those for {', '.join(TASKS)} can")
    module, name = TASKS[task][1]
    made: Corrector = getattr(import_module(f"kakari.parsers.{module}"), name)(model)
    return made


def history(model: Any) -> list[Correction]:
    """Return the corrections that a model has learned, in their order."""
    own = getattr(model, "corrections", None)
    return [] if own is None else [Correction.from_line(line) for line in own.history]


def original(model: Any) -> Any:
    """Return the model as it was before it was corrected."""
    return model.with_corrections(None) if hasattr(model, "with_corrections") else replace(model, corrections=None)


def apply_corrections(model: Any, corrections: Sequence[Correction]) -> Corrected:
    """Return the model with corrections learned: these, and no others that it may have had.

    Parameters
    ----------
    model : StoredModel
        A model of one of the tasks above, left as it is; corrected before, or not.
    corrections : sequence of Correction
        All that the new model shall have learned, in their order. None: the original model.

    Raises
    ------
    CorrectionError
        If a correction is none for this model, cannot be (no word begins there) or contradicts another one.

    Examples
    --------
    >>> from kakari.parsers.japanese.parser import pretrained_model
    >>> one = Correction("昨日買った本を読む。", "arc", (0, 2), (7, 10))
    >>> done = apply_corrections(pretrained_model(), [one])
    >>> [(outcome.before, outcome.now) for outcome in done.outcomes]
    [(False, True)]
    >>> apply_corrections(done.model, []).model.to_bytes() == pretrained_model().to_bytes()
    True
    """
    known = history(model)
    wanted = list(corrections)
    base = model if known and wanted[: len(known)] == known else original(model)
    more = wanted[len(known) :] if base is model else wanted
    new = corrector_of(base).learned(more) if more else base
    return Corrected(new, outcomes(original(model), new, wanted))


def outcomes(before: Any, now: Any, corrections: Sequence[Correction]) -> tuple[Outcome, ...]:
    """Return with which corrections two models agree."""
    if not corrections:
        return ()
    first, second = corrector_of(before), corrector_of(now)
    return tuple(Outcome(one, first.holds(one), second.holds(one)) for one in corrections)


def undo(model: Any) -> Corrected:
    """Return the model without the last of its corrections, bit for bit as if it had never had that one.

    Examples
    --------
    >>> from kakari.parsers.japanese.parser import pretrained_model
    >>> one = Correction("昨日買った本を読む。", "arc", (0, 2), (7, 10))
    >>> two = Correction("昨日買った本を読む。", "boundary", 2, True)
    >>> once, twice = (apply_corrections(pretrained_model(), found).model for found in ([one], [one, two]))
    >>> undo(twice).model.to_bytes() == once.to_bytes()
    True
    """
    known = history(model)
    if not known:
        raise CorrectionError("this model has no correction to take back")
    return apply_corrections(original(model), known[:-1])
