"""Long work in turns, between which Ctrl-C is heard."""

from __future__ import annotations

import time
from collections.abc import Iterator

FIRST = 8  # items of the first turn, a thread
LONGEST = 0.1  # seconds: turns grow while they take less


def turns(items: int, threads: int = 1) -> Iterator[tuple[int, int]]:
    """Yield stretches of the items, each twice as long as the one before as long as a turn is short.

    Examples
    --------
    >>> list(turns(30))
    [(0, 8), (8, 24), (24, 30)]
    """
    begin, step = 0, FIRST * max(1, threads)
    while begin < items:
        end = min(items, begin + step)
        start = time.monotonic()
        yield begin, end
        if time.monotonic() - start < LONGEST:
            step *= 2
        begin = end
