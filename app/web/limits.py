"""Refusals with a status of HTTP, deadlines, and warnings about texts."""

from __future__ import annotations

import threading
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from kakari.parsers.limits import TextWarning

_TOLD = threading.local()
_PYTHONS_OWN: Any = warnings.showwarning


class RefusedError(ValueError):
    """A request that is not answered; `status` is HTTP's."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status


class Deadline:
    """A limit on the time of an answer.

    Examples
    --------
    >>> Deadline(10).check()
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.end = time.monotonic() + seconds

    def check(self) -> None:
        """Refuse to go on if the time is over."""
        if time.monotonic() > self.end:
            raise RefusedError(503, f"this takes longer than {self.seconds:g} seconds: send less text at a time")


def collect_warnings() -> None:
    """Let warnings about texts go to whoever asked, from now on; others are printed as before."""
    warnings.filterwarnings("always", category=TextWarning)
    warnings.showwarning = _show


def _show(message: Warning | str, category: type[Warning], *place: Any, **more: Any) -> None:
    told = getattr(_TOLD, "messages", None)
    if told is None or not issubclass(category, TextWarning):
        _PYTHONS_OWN(message, category, *place, **more)
    elif str(message) not in told:
        told.append(str(message))


@contextmanager
def told_warnings() -> Iterator[list[str]]:
    """Collect what this thread is warned of."""
    messages: list[str] = []
    _TOLD.messages = messages
    try:
        yield messages
    finally:
        _TOLD.messages = None
