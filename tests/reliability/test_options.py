"""Options in any combination, with values of any kind: exit codes 0, 1 and 2, never a traceback.

KAKARI_FUZZ_EXAMPLES sets how many command lines are tried (`make fuzz` for a long run).
"""

import warnings

import pytest
from budgets import FUZZ_EXAMPLES
from command_line import run_here
from hypothesis import given, settings
from hypothesis import strategies as st

from kakari.parsers.limits import TextWarning

pytestmark = pytest.mark.thorough

COMMANDS = [
    "parse",
    "ask",
    "predict",
    "evaluate",
    "explain",
    "kernel",
    "models",
    "freeze",
    "convert",
    "corpora",
    "train",
]
OPTIONS = [
    "--format",
    "-f",
    "--language",
    "-l",
    "--input",
    "--one-sentence-per-line",
    "--model",
    "--kinds",
    "--beam",
    "--json",
    "--given",
    "--task",
    "--labels",
    "--threads",
    "--top",
    "--explain",
    "--all",
    "--degree",
    "--kind",
    "--help",
    "--",
    "-",
    "show",
    "count",
    "classify",
    "trees",
]
VALUES = [
    "",
    " ",
    "0",
    "-1",
    "1",
    "999999999999999999999",
    "1e999",
    "nan",
    "ja",
    "en",
    "ja-juman",
    "text",
    "knp",
    "json",
    "tree",
    "cabocha",
    "conllu",
    "ptb",
    "svg",
    "sample-ja",
    "sample-en",
    "sample-questions",
    "sample-ja:train",
    "kwdlc:nothing",
    "太郎は行った。",
    "Who wrote it?",
    "(S (NP a) (VP b))",
    "(S (NP a)",
    "\x00",
    "\ud800",
    "no/such/file.knp",
    "/",
    "a" * 300,
]
LINES = st.tuples(
    st.sampled_from(COMMANDS),
    st.lists(st.sampled_from(OPTIONS) | st.sampled_from(VALUES), max_size=6),
    st.sampled_from(["", "太郎は行った。\n", "Who?\n", "+1 1:1\n-1 2:1\n", "* -1D\nEOS\n", "\x00\n"]),
)


@pytest.fixture(scope="module", autouse=True)
def elsewhere(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("options"))
        yield


@settings(max_examples=FUZZ_EXAMPLES)
@given(LINES)
def test_any_command_line(line):
    command, arguments, stdin = line
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TextWarning)
        found = run_here(command, *arguments, stdin=stdin)
    assert found.returncode in (0, 1, 2)
    assert "Traceback" not in found.stderr
