"""Damaged files of every format for the readers, which may refuse them with a `CorpusError` and nothing else.

    python tests/attacks/readers.py [--inputs 1000000] [--seed 0]

Inputs are seeds of each format with cuts, doublings, insertions and changed bytes, and random bytes; `make fuzz` draws
others by hypothesis and makes them small. Prints how many were tried, read and refused; anything else is a finding.
"""

from __future__ import annotations

import argparse
import collections
import gzip
import io
import random
import sys
import time
import traceback
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "corpora" / "formats"))
sys.path.insert(0, str(Path(__file__).parents[1]))
from test_fuzz import SEEDS, SPICE

from kakari.corpora import CorpusError
from kakari.corpora.formats.registry import FORMATS


def short(text: str, draw: random.Random) -> str:
    """Return some lines of a seed, so that an input takes little time."""
    lines = text.splitlines(keepends=True)
    begin = draw.randrange(len(lines))
    return "".join(lines[begin : begin + draw.randint(1, 25)])


def damaged(text: str, draw: random.Random) -> str:
    """Return a text with some damages."""
    for _ in range(draw.randint(1, 5)):
        start = draw.randint(0, len(text))
        end = min(len(text), start + draw.choice((0, 1, 3, 30)))
        middle = draw.choice(("", text[start:end] * 2, draw.choice(SPICE), chr(draw.randrange(1, 0xD7FF))))
        text = text[:start] + middle + text[end:]
    return text


def made(name: str, draw: random.Random) -> io.StringIO | io.BytesIO:
    """Return an input."""
    kind = draw.random()
    if kind < 0.8:
        return io.StringIO(damaged(short(SEEDS[name], draw), draw))
    raw = bytearray(short(SEEDS[name], draw).encode())
    if kind < 0.9:
        raw = bytearray(gzip.compress(bytes(raw), mtime=0))
    for _ in range(draw.randint(1, 4)):
        raw[draw.randrange(len(raw))] = draw.randrange(256)
    return io.BytesIO(bytes(raw))


def main() -> None:
    """Attack every reader in turn."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--inputs", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    draw, outcomes = random.Random(options.seed), collections.Counter()
    names, began = list(FORMATS), time.process_time()
    for number in range(options.inputs):
        name = names[number % len(names)]
        source = made(name, draw)
        try:
            for record in FORMATS[name].read(source):
                FORMATS[name].format(record)
            outcomes["read"] += 1
        except CorpusError:
            outcomes["refused"] += 1
        except Exception:
            outcomes[f"{name}: {traceback.format_exc().splitlines()[-1][:80]}"] += 1
        if (number + 1) % 50_000 == 0:
            print(f"  {number + 1:,} inputs: {dict(outcomes)}", file=sys.stderr, flush=True)
    findings = {name: count for name, count in outcomes.items() if name not in ("read", "refused")}
    print(
        f"{options.inputs:,} inputs, {outcomes['read']:,} read, {outcomes['refused']:,} refused, findings: {findings}"
    )
    print(f"{time.process_time() - began:.0f} s of CPU time")
    sys.exit(bool(findings))


if __name__ == "__main__":
    main()
