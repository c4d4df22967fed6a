"""Hostile bytes for `from_bytes` of every spaCy component: `ModelFileError` or a component that works.

    python tests/attacks/component_bytes.py [--inputs 6000] [--seed 0]

Prints how many were taken and refused; anything else is a finding. `make fuzz` runs it against the sanitized build.
"""

from __future__ import annotations

import argparse
import collections
import random
import sys
import traceback
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from component_mutants import COMPONENTS, components, strange_bytes

from kakari.models.files import ModelFileError


def main() -> None:
    """Attack each component in turn."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--inputs", type=int, default=6_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    outcomes: collections.Counter[str] = collections.Counter()
    for name, component, state in components():
        draw = random.Random(f"{options.seed} {name}")
        for number in range(options.inputs // len(COMPONENTS)):
            content = strange_bytes(state, draw)
            try:
                component.from_bytes(content)
                component.to_bytes()
                outcomes["taken"] += 1
            except ModelFileError as error:
                outcomes["refused" if "\n" not in str(error) else f"{name}: several lines"] += 1
            except Exception:
                outcomes[f"{name} {number}: {traceback.format_exc().splitlines()[-1][:100]}"] += 1
    findings = {name: count for name, count in outcomes.items() if name not in ("taken", "refused")}
    print(f"{sum(outcomes.values())} inputs, {outcomes['taken']} taken, {outcomes['refused']} refused, {findings=}")
    sys.exit(bool(findings))


if __name__ == "__main__":
    main()
