"""How long `kakari parse` takes from the shell, this build beside others.

    python benchmarks/cold_start.py OTHER…

OTHER is the `kakari` of another environment. All take turns, and the CPU time of a whole run is compared: its median,
since a machine that others use is never still. Compare wheels: an editable install has no compiled files
where PYTHONDONTWRITEBYTECODE is set.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import sysconfig
from pathlib import Path

RUNS = 15
CASES = {
    "Japanese": ["parse", "太郎は花子が読んでいる本を次郎に渡した。"],
    "Japanese, -f json": ["parse", "-f", "json", "太郎は花子が読んでいる本を次郎に渡した。"],
    "English": ["parse", "Who wrote the letter that Mary sent?"],
    "English, -f ptb": ["parse", "-f", "ptb", "Who wrote the letter that Mary sent?"],
    "a question": ["ask", "Who wrote the letter that Mary sent?"],
}


def cpu_seconds(command: list[str]) -> float:
    """Run a command and return the CPU time that it took."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"{' '.join(command)} ended with {os.waitstatus_to_exitcode(status)}")
    return usage.ru_utime + usage.ru_stime


def main() -> None:
    """Print a table of CPU times and their ratios."""
    own = Path(sysconfig.get_path("scripts"), "kakari")
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("other", nargs="*", help="the kakari of another environment")
    others = parser.parse_args().other
    print(f"{'':20} {'this, s':>9} " + " ".join(f"{'other, s':>9} {'ratio':>6}" for _ in others))
    for name, arguments in CASES.items():
        times: dict[str, list[float]] = {str(path): [] for path in (own, *others)}
        for _ in range(RUNS):
            for path, taken in times.items():
                taken.append(cpu_seconds([path, *arguments]))
        mine, *theirs = (statistics.median(taken) for taken in times.values())
        print(f"{name:20} {mine:9.3f} " + " ".join(f"{other:9.3f} {mine / other:6.2f}" for other in theirs), flush=True)


if __name__ == "__main__":
    main()
