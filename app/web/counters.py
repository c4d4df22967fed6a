"""Counts of requests that all workers of a server share: a small file each, read by whoever is asked for them."""

from __future__ import annotations

import mmap
import os
import struct
import tempfile
import time
from pathlib import Path

NAMES = ("requests", "refused", "failed", "texts", "sentences", "characters", "seconds", "corrections")
# A request's seconds are counted in the first of these that is not smaller.
BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, float("inf"))
SIZE = 8 * (len(NAMES) + len(BOUNDS))


class Counters:
    """The counts of this process, in a file of a folder that it shares with others.

    Examples
    --------
    >>> counters = Counters(tempfile.mkdtemp())
    >>> counters.add("requests", 2)
    >>> counters.total()["requests"]
    2.0
    """

    def __init__(self, folder: str | None) -> None:
        self.folder = Path(folder or tempfile.mkdtemp(prefix="kakari-counters-"))
        self.started = time.time()
        path = self.folder / f"{os.getpid()}-{id(self)}.counts"
        path.write_bytes(bytes(SIZE))
        with path.open("r+b") as file:
            self._map = mmap.mmap(file.fileno(), SIZE)

    def add(self, name: str, value: float = 1) -> None:
        """Count."""
        self._add(NAMES.index(name), value)

    def took(self, seconds: float) -> None:
        """Count the time of a request."""
        self.add("seconds", seconds)
        self._add(len(NAMES) + next(place for place, bound in enumerate(BOUNDS) if seconds <= bound), 1)

    def _add(self, place: int, value: float) -> None:
        (before,) = struct.unpack_from("<d", self._map, 8 * place)
        struct.pack_into("<d", self._map, 8 * place, before + value)

    def _sums(self) -> list[float]:
        sums = [0.0] * (len(NAMES) + len(BOUNDS))
        for path in sorted(self.folder.glob("*.counts")):
            data = path.read_bytes()
            if len(data) == SIZE:
                sums = [a + b for a, b in zip(sums, struct.unpack(f"<{len(sums)}d", data), strict=True)]
        return sums

    def total(self) -> dict[str, float]:
        """Return the counts of all processes."""
        return dict(zip(NAMES, self._sums(), strict=False))

    def text(self) -> str:
        """Return the counts in the format of Prometheus."""
        sums = self._sums()
        lines = []
        for name, value in zip(NAMES, sums, strict=False):
            if name != "seconds":
                lines += [f"# TYPE kakari_{name}_total counter", f"kakari_{name}_total {value:g}"]
        lines.append("# TYPE kakari_request_seconds histogram")
        below = 0.0
        for bound, count in zip(BOUNDS, sums[len(NAMES) :], strict=True):
            below += count
            shown = "+Inf" if bound == float("inf") else f"{bound:g}"
            lines.append(f'kakari_request_seconds_bucket{{le="{shown}"}} {below:g}')
        lines.append(f"kakari_request_seconds_sum {sums[NAMES.index('seconds')]:.6f}")
        lines.append(f"kakari_request_seconds_count {below:g}")
        if (memory := memory_bytes()) is not None:
            lines += ["# TYPE kakari_memory_bytes gauge", f'kakari_memory_bytes{{pid="{os.getpid()}"}} {memory}']
        lines += ["# TYPE kakari_up_seconds gauge", f"kakari_up_seconds {time.time() - self.started:.1f}"]
        return "\n".join(lines) + "\n"


def memory_bytes() -> int | None:
    """Return the memory that this process has now, where the system tells it."""
    try:
        return int(Path("/proc/self/statm").read_text("ascii").split()[1]) * mmap.PAGESIZE
    except OSError:
        return None
