"""Progress reports of long computations: one type for training, experiments and recipes."""

from __future__ import annotations

from typing import Protocol


class Report(Protocol):
    """Callable that receives progress: what is being done and, if known, how much of it."""

    def __call__(self, what: str, done: float = 0, total: float | None = None, /) -> object:
        """Receive a report: a line of text, the work done and the total."""


def silent(what: str, done: float = 0, total: float | None = None, /) -> None:
    """Ignore all reports."""
