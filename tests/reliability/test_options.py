"""Options in any combination, with values of any kind: exit codes 0, 1 and 2, never a traceback.

Commands and options are those that the command line has, so that new ones are tried too. KAKARI_FUZZ_EXAMPLES sets
how many command lines are tried (`make fuzz` for a long run).
"""

import warnings

import pytest
import typer
from budgets import FUZZ_EXAMPLES
from command_line import run_here
from hypothesis import given, settings
from hypothesis import strategies as st

from kakari.frame.app import make_app
from kakari.parsers.limits import TextWarning

pytestmark = pytest.mark.thorough

# A scheduler is waited for ten seconds, a paper's experiment runs for hours, and no test uses the network.
LEFT_OUT = {"--scheduler", "reproduce", "fetch"}
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
SHORT = ["--help", "--", "-"]


def commands_with_options():
    """Return each command, as the words that name it, with its options."""
    found = {}
    waiting = [((), typer.main.get_command(make_app()))]
    while waiting:
        words, command = waiting.pop()
        below = getattr(command, "commands", {})
        waiting += [((*words, name), one) for name, one in below.items() if name not in LEFT_OUT]
        if not words:
            continue
        names = [name for option in command.params for name in (*option.opts, *option.secondary_opts)]
        found[words] = sorted({name for name in names if name.startswith("-")} - LEFT_OUT)
    return dict(sorted(found.items()))


OPTIONS = commands_with_options()


@st.composite
def lines(draw):
    """Draw a command with some of its options, other words and a pipe."""
    words = draw(st.sampled_from(list(OPTIONS)))
    known = st.sampled_from([*OPTIONS[words], *SHORT])
    rest = draw(st.lists(known | st.sampled_from(VALUES), max_size=6))
    pipe = draw(st.sampled_from(["", "太郎は行った。\n", "Who?\n", "+1 1:1\n-1 2:1\n", "* -1D\nEOS\n", "\x00\n"]))
    return words, rest, pipe


@pytest.fixture(scope="module", autouse=True)
def elsewhere(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("options"))
        yield


@settings(max_examples=FUZZ_EXAMPLES)
@given(lines())
def test_any_command_line(line):
    words, arguments, stdin = line
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TextWarning)
        found = run_here(*words, *arguments, stdin=stdin)
    assert found.returncode in (0, 1, 2)
    assert "Traceback" not in found.stderr
