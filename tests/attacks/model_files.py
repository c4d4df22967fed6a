"""Hostile model files of every kind: each mutant is loaded and, where it loads, used to predict, in a child process.

    python tests/attacks/model_files.py [--mutants 50000] [--seed 0] [--kinds ja en-boundary] [--record FILE]

The only error that may come out is `ModelFileError`. A child that dies, that takes more than 5 seconds of CPU time or a
minute for a mutant or more memory than 4 times the file and 500 MB is a finding; so is any other exception. Findings
are kept in `--keep`. With `--record`, kinds that stand in this file are not attacked again: an interrupted run goes on.
`make fuzz` runs it against the sanitized build.
"""

from __future__ import annotations

import argparse
import collections
import json
import random
import signal
import subprocess
import sys
import tempfile
import traceback
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
PORTION = 2000  # mutants of one child
SECONDS, PATIENCE = 5, 60  # of CPU time; of the clock, on a busy machine
ROOM = 500 << 20


def seeds(folder: Path, wanted: list[str] | None = None) -> dict[str, int]:
    """Write a file of each kind; return their names with the numbers of their groups."""
    from model_kinds import GROUPS

    found = {}
    for number, group in enumerate(GROUPS):
        for name, (model, use) in group().items():
            if wanted is None or any(name.startswith(one) for one in wanted):
                use(type(model).from_bytes(model.to_bytes()))
                model.save(folder / name)
                found[name] = number
    return found


def peak_memory() -> int:
    """Return the most bytes that this process has held since the last call."""
    status = Path("/proc/self/status").read_text("utf-8")
    Path("/proc/self/clear_refs").write_text("5", "utf-8")
    return int(status.partition("VmHWM:")[2].split()[0]) << 10


def set_clocks(seconds: float, patience: float) -> None:
    """Let a signal end this process after so much CPU time or time; 0 stops the clocks."""
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.setitimer(signal.ITIMER_REAL, patience)


def attack(folder: Path, group: int, name: str, seed: int, first: int, count: int) -> None:
    """Try some mutants of a kind; write a line about each."""
    from model_kinds import GROUPS
    from model_mutants import mutant

    from kakari.models.files import ModelFileError

    warnings.simplefilter("ignore")
    model, use = GROUPS[group]()[name]
    kind, content = type(model), (folder / name).read_bytes()
    use(model)
    peak_memory()
    for number in range(first, first + count):
        data = mutant(content, random.Random(f"{seed} {name} {number}"))
        print(number, end=" ", flush=True)
        before = peak_memory()
        set_clocks(SECONDS, PATIENCE)
        try:
            found = kind.from_bytes(data)
            use(found)
            told = "used"
        except ModelFileError as error:
            told = "refused" if "\n" not in str(error) else "refused in several lines"
        except Exception as error:
            told = f"{type(error).__name__}: {error} @ {traceback.extract_tb(error.__traceback__)[-1][:3]}"
        set_clocks(0, 0)
        taken = peak_memory() - before
        if taken > 4 * len(data) + ROOM:
            told = f"memory: {taken >> 20} MB"
        print(" ".join(told.split())[:400], flush=True)


def run(folder: Path, group: int, name: str, seed: int, count: int, keep: Path | None) -> collections.Counter[str]:
    """Let children try mutants of a kind; return how many were used, refused, or a finding."""
    from model_mutants import mutant

    totals: collections.Counter[str] = collections.Counter()
    done = 0
    while done < count:
        size = min(PORTION, count - done)
        command = [sys.executable, __file__, "--child", name, "--folder", str(folder), "--group", str(group)]
        command += ["--seed", str(seed)]
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


def recorded(file: Path | None, name: str) -> collections.Counter[str] | None:
    """Return what an earlier run found, None if it did not come to this."""
    if file is None or not file.exists():
        return None
    told = dict(map(json.loads, file.read_text("utf-8").splitlines()))
    return collections.Counter(told[name]) if name in told else None


def main() -> None:
    """Run the attack."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mutants", type=int, default=50_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kinds", nargs="*")
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--record", type=Path)
    for hidden in ("--child", "--folder"):
        parser.add_argument(hidden, help=argparse.SUPPRESS)
    for hidden in ("--first", "--group"):
        parser.add_argument(hidden, type=int, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.child is not None:
        attack(Path(asked.folder), asked.group, asked.child, asked.seed, asked.first, asked.mutants)
        return
    with tempfile.TemporaryDirectory() as place:
        names = seeds(Path(place), asked.kinds)
        totals: collections.Counter[str] = collections.Counter()
        for name, group in names.items():
            count = -(-asked.mutants // len(names))
            found = recorded(asked.record, f"{name} {asked.seed} {count}")
            if found is None:
                found = run(Path(place), group, name, asked.seed, count, asked.keep)
                if asked.record is not None:
                    with asked.record.open("a", encoding="utf-8") as file:
                        file.write(json.dumps([f"{name} {asked.seed} {count}", found]) + "\n")
            print(f"{name}: {dict(found)}", flush=True)
            totals += found
        print(f"all kinds: {sum(totals.values())} mutants, {dict(totals)}")
        raise SystemExit(1 if totals["finding"] else 0)


if __name__ == "__main__":
    main()
