"""The shortcut past typer: wherever it answers, it answers what typer would."""

import functools

import typer
from budgets import examples
from command_line import run, run_here
from hypothesis import given, settings
from hypothesis import strategies as st

from kakari.commands.ask import ask_cli
from kakari.commands.parse import parse_cli
from kakari.frame.panels import PanelCommand
from kakari.frame.shortcut import plain_call

FUNCTIONS = [parse_cli, ask_cli]
FLAGS = (
    "-f --format -l --language --input --model --kinds --no-kinds --beam -j --jobs -o --all --json --top -h --x".split()
)
VALUES = ["json", "tree", "ja", "en", "knp", "3", "0", "-1", "x", "", "１", "a b", "-", "--", "1e3"]
WORDS = st.lists(
    st.sampled_from([*FLAGS, *VALUES]) | st.builds("{}={}".format, st.sampled_from(FLAGS), st.sampled_from(VALUES)),
    max_size=6,
)


def by_typer(function, words):
    """Return the values that typer would call a function with, or None where it refuses."""
    told = []

    @functools.wraps(function)
    def listen(**values):
        told.append(values)

    app = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False)
    app.command(cls=PanelCommand)(listen)
    try:
        app(list(words), standalone_mode=False)
    except Exception as error:
        assert type(error).__module__.startswith("typer"), error
        return None
    return told[0] if told else None


@settings(max_examples=examples(150))
@given(st.sampled_from(FUNCTIONS), WORDS)
def test_what_it_reads_typer_reads_too(function, words):
    found = plain_call(function, words)
    if found is not None:
        expected = by_typer(function, words)
        assert expected is not None
        assert {name: value or None for name, value in found.items()} == {
            name: value or None for name, value in expected.items()
        }


def test_plain_words_are_read():
    found = plain_call(parse_cli, ["-f", "json", "a", "--language=en", "--no-kinds", "-j", "2", "-"])
    assert found["texts"] == ["a", "-"]
    assert (found["output"].value, found["language"].value, found["jobs"]) == ("json", "en", 2)


def test_the_command_line_is_the_same_both_ways():
    quick, slow = run("parse", "-f", "json", "太郎は行った。"), run("parse", "-fjson", "太郎は行った。")
    assert quick.stdout == slow.stdout != ""


def test_wrong_usage_is_told_by_typer():
    told = run("parse", "--scheduler", "tcp://a:1", "x")
    assert told.returncode == 2
    assert "--scheduler" in told.stderr
    assert "Traceback" not in told.stderr
    assert run_here("parse", "-f", "nothing", "x").returncode == 2
