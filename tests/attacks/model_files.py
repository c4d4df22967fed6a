"""Hostile model files of every kind: each mutant is loaded and, where it loads, used to predict, in a child process.

    python tests/attacks/model_files.py [--mutants 50000] [--seed 0] [--kinds ja en-boundary]

The only error that may come out is `ModelFileError`. A child that dies, that takes more than 5 seconds for a mutant or
more memory than 4 times the file and 500 MB is a finding; so is any other exception. Findings are kept in `--keep`.
Set PYTHONPATH and LD_PRELOAD as in the Makefile to run it against the sanitized build.
"""

from __future__ import annotations

import argparse
import collections
import random
import resource
import signal
import subprocess
import sys
import tempfile
import traceback
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
PORTION = 500  # mutants of one child
SECONDS = 5
ROOM = 500 << 20


def seeds(folder: Path, wanted: list[str] | None = None) -> list[str]:
    """Write a file of each kind; return their names."""
    from model_kinds import all_kinds

    found = []
    for name, (model, use) in all_kinds().items():
        if wanted is None or any(name.startswith(one) for one in wanted):
            use(type(model).from_bytes(model.to_bytes()))
            model.save(folder / name)
            found.append(name)
    return found


def used_memory() -> int:
    """Return the most bytes that this process has held so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10


def attack(folder: Path, name: str, seed: int, first: int, count: int) -> None:
    """Try some mutants of a kind; write a line about each."""
    from model_kinds import all_kinds
    from model_mutants import mutant

    from kakari.models.files import ModelFileError

    warnings.simplefilter("ignore")
    model, use = all_kinds()[name]
    kind, content = type(model), (folder / name).read_bytes()
    use(model)
    for number in range(first, first + count):
        data = mutant(content, random.Random(f"{seed} {name} {number}"))
        print(number, end=" ", flush=True)
        before = used_memory()
        signal.alarm(SECONDS)
        try:
            found = kind.from_bytes(data)
            use(found)
            told = "used"
        except ModelFileError as error:
            told = "refused" if "\n" not in str(error) else "refused in several lines"
        except Exception as error:
            told = f"{type(error).__name__}: {error} @ {traceback.extract_tb(error.__traceback__)[-1][:3]}"
        signal.alarm(0)
        if used_memory() - before > 4 * len(data) + ROOM:
            told = f"memory: {(used_memory() - before) >> 20} MB"
        print(" ".join(told.split())[:400], flush=True)


def run(folder: Path, name: str, seed: int, count: int, keep: Path | None) -> collections.Counter[str]:
    """Let children try mutants of a kind; return how many were used, refused, or a finding."""
    from model_mutants import mutant

    totals: collections.Counter[str] = collections.Counter()
    done = 0
    while done < count:
        size = min(PORTION, count - done)
        command = [sys.executable, __file__, "--child", name, "--folder", str(folder), "--seed", str(seed)]
        child = subprocess.run(
            [*command, "--first", str(done), "--mutants", str(size)], capture_output=True, text=True, check=False
        )
        lines = child.stdout.splitlines()
        for line in lines:
            number, _, told = line.partition(" ")
            if not told:  # the child died here
                told = f"died: {signal.Signals(-child.returncode).name if child.returncode < 0 else child.returncode}"
                told += " " + " ".join(child.stderr.split())[-300:]
            if told not in ("used", "refused"):
                print(f"{name} {number}: {told}", flush=True)
                if keep is not None:
                    keep.mkdir(parents=True, exist_ok=True)
                    content = mutant((folder / name).read_bytes(), random.Random(f"{seed} {name} {number}"))
                    (keep / f"{name} {number}.safetensors").write_bytes(content)
                told = "finding"
            totals[told] += 1
        if not lines:
            raise SystemExit(f"the child did not start: {child.stderr[-2000:]}")
        done += len(lines)
    return totals


def main() -> None:
    """Run the attack."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mutants", type=int, default=50_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kinds", nargs="*")
    parser.add_argument("--keep", type=Path)
    for hidden in ("--child", "--folder"):
        parser.add_argument(hidden, help=argparse.SUPPRESS)
    parser.add_argument("--first", type=int, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.child is not None:
        attack(Path(asked.folder), asked.child, asked.seed, asked.first, asked.mutants)
        return
    with tempfile.TemporaryDirectory() as place:
        names = seeds(Path(place), asked.kinds)
        totals: collections.Counter[str] = collections.Counter()
        for name in names:
            found = run(Path(place), name, asked.seed, -(-asked.mutants // len(names)), asked.keep)
            print(f"{name}: {dict(found)}", flush=True)
            totals += found
        print(f"all kinds: {sum(totals.values())} mutants, {dict(totals)}")
        raise SystemExit(1 if totals["finding"] else 0)


if __name__ == "__main__":
    main()
