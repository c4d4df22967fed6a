"""Another checkout's benchmarks beside this one's, in one run.

    python benchmarks/against.py /work/old japanese --sentences 1500
    python benchmarks/against.py /work/old polynomial --skip-inverted --skip-choice

Both checkouts run their own copy of the benchmark with their own `.venv`, in turns, so that what else the machine does
hits both alike. A row is known by its words. Of the first number of each row (`--number 2`: of the second, where the
first counts records) the best of all turns is compared: the largest if the table's head or the row counts something a
second, otherwise the smallest. The ratio says how many times as good this checkout is: 1.00 is as good, less is worse.
Rows that only one checkout has are listed at the end.
"""

import argparse
import re
import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parents[1]
NUMBER = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?(?:e-?\d+)?(?![\w])")
RATE = re.compile(r"/s\b|a second|per second")


def rows(output: str, number: int) -> dict[str, tuple[float, bool]]:
    """Read one number of each row that has so many, and whether more of it is better."""
    found = {}
    head_is_rate = False
    for line in output.splitlines():
        words, *values = NUMBER.split(line)[0], *NUMBER.findall(line)
        if not values:
            head_is_rate = bool(RATE.search(line))
        elif words.strip() and len(values) >= number:
            # A row with a colon is a sentence of its own, below no head.
            more_is_better = bool(RATE.search(line)) or (head_is_rate and ":" not in words)
            found[" ".join(words.split())] = (float(values[number - 1].replace(",", "")), more_is_better)
    return found


def measured(checkout: Path, name: str, options: list[str], number: int) -> dict[str, tuple[float, bool]]:
    command = [checkout / ".venv/bin/python", f"benchmarks/{name}.py", *options]
    return rows(subprocess.run(command, cwd=checkout, check=True, capture_output=True, text=True).stdout, number)


def best(turns: list[dict[str, tuple[float, bool]]]) -> dict[str, tuple[float, bool]]:
    """Keep the best value of each row over all turns."""
    return {
        key: ((max if rate else min)(turn[key][0] for turn in turns if key in turn), rate)
        for turn in turns
        for key, (_, rate) in turn.items()
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("other", type=Path, help="a checkout with its own .venv")
    parser.add_argument("name", help="a benchmark, by its file's name")
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--number", type=int, default=1, help="which number of a row is compared [1]")
    chosen, options = parser.parse_known_args()
    turns: tuple[list[dict[str, tuple[float, bool]]], ...] = ([], [])
    for _ in range(chosen.turns):
        for checkout, own in zip((chosen.other, HERE), turns, strict=True):
            own.append(measured(checkout, chosen.name, options, chosen.number))
    there, here = map(best, turns)
    print(f"{chosen.name + ' ' + ' '.join(options):60} {'other':>12} {'here':>12} {'ratio':>7}")
    for key in [key for key in there if key in here]:
        (old, rate), (new, _) = there[key], here[key]
        ratio = (new / old if rate else old / new) if old and new else float("nan")
        print(f"{key[:60]:60} {old:12,.2f} {new:12,.2f} {ratio:7.2f}")
    for name, only in (("other", there.keys() - here.keys()), ("here", here.keys() - there.keys())):
        for key in sorted(only):
            print(f"only {name}: {key}")


if __name__ == "__main__":
    main()
