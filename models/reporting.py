"""Progress reports of long computations: one type for training, experiments and recipes."""

from __future__ import annotations

from typing import Protocol


class Report(Protocol):
    """Hears what is being done and, where it is known, how much of it."""

    def __call__(self, what: str, done: float = 0, total: float | None = None, /) -> object:
        """Take a report: a line, and how much is done out of how much."""


def silent(what: str, done: float = 0, total: float | None = None, /) -> None:
    """Hear nothing."""
