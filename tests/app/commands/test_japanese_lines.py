"""The ten lines about Japanese that version 0.1 had wrong, one test each, by the command line alone."""

import importlib.util
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.thorough

PROGRAM = Path(__file__).parents[2] / "golden" / "japanese_lines.py"


def program():
    """Load the program that also runs against other versions."""
    spec = importlib.util.spec_from_file_location("japanese_lines", PROGRAM)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


LINES = program()


@pytest.mark.parametrize("check", LINES.CHECKS, ids=[check.__name__ for check in LINES.CHECKS])
def test_line(check, tmp_path):
    assert check(LINES.runner(sys.executable, None, tmp_path)), check.__doc__


def test_each_of_the_ten_has_one():
    numbers = {int(check.__doc__.partition(".")[0]) for check in LINES.CHECKS}
    assert numbers == set(range(1, 11))
