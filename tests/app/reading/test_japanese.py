"""What training and evaluation read of a file is what `kakari corpora show` accepts: one reader, one verdict."""

import pytest
from budgets import FUZZ_EXAMPLES
from command_line import run_here
from hypothesis import given, settings
from hypothesis import strategies as st

from kakari.corpora import CorpusError, format_knp, read
from kakari.reading.japanese import read_japanese

SAMPLE = "".join(map(format_knp, list(read("sample-ja"))[:3])).splitlines()
WORD = "はい はい はい 感動詞 12 * 0 * 0 * 0 NIL"
HEADS = ["* 5D", "* 0D", "* -1D", "* -2D", "* 99P", "+ 7D", "+ -3D", "+ 0D", "EOS", WORD, ""]
"""Lines that replace one of the sample: heads out of range, to the left, to themselves, and other breaks."""


def verdict(reading, path):
    try:
        return list(reading(path))
    except CorpusError as error:
        return str(error)


@given(st.integers(0, len(SAMPLE) - 1), st.sampled_from(["drop", "double", *HEADS]))
@settings(max_examples=FUZZ_EXAMPLES, deadline=None)
def test_a_changed_file_is_read_or_refused_alike(tmp_path_factory, place, change):
    new = {"drop": [], "double": 2 * [SAMPLE[place]]}.get(change, [change])
    path = tmp_path_factory.getbasetemp() / "changed.knp"
    path.write_text("\n".join([*SAMPLE[:place], *new, *SAMPLE[place + 1 :]]) + "\n", encoding="utf-8")
    assert verdict(read_japanese, str(path)) == verdict(read, str(path))


@pytest.mark.parametrize("head", ["* 5D", "* 0D", "* -2D"])
@pytest.mark.parametrize("command", ["evaluate ja {}", "evaluate ja-juman {}", "train ja-bunsetsu {} -o {}.model"])
def test_a_head_that_is_none_is_refused(tmp_path, head, command):
    path = tmp_path / "bad.knp"
    path.write_text(f"{head}\n{WORD}\nEOS\n", encoding="utf-8")
    shown, told = run_here("corpora", "show", str(path)), run_here(*command.format(path, path).split())
    assert (told.returncode, told.stderr) == (1, shown.stderr)
    assert told.stderr.startswith(f"{path}:1: bunsetsu 0 depends on ")
