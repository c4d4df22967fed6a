"""The shortcut past typer: wherever it answers, it answers what typer would."""

import functools

import typer
from budgets import examples
from command_line import run, run_here
from hypothesis import given, settings
from hypothesis import strategies as st

from kakari.commands.ask import ask_cli
from kakari.commands.classifying import predict_cli
from kakari.commands.parse import parse_cli
from kakari.commands.train.classify import classify_cli
from kakari.commands.train.kernels import questions_cli, trees_cli
from kakari.frame.panels import PanelCommand
from kakari.frame.shortcut import plain_call

FUNCTIONS = [parse_cli, ask_cli, predict_cli]
TRAINERS = [classify_cli, trees_cli, questions_cli]
FLAGS = (
    "-f --format -l --language --input --model --kinds --no-kinds --beam -j --jobs -o --all --json --top -h --x".split()
)
TRAINING = (
    "-o --output --degree --cost --passes --step --no-shuffle --averaged --eta --kind --vector --learner --compact"
    " --json --svm-light --budget --positive-weight"
).split()
VALUES = [
    "json",
    "tree",
    "ja",
    "en",
    "knp",
    "3",
    "0",
    "-1",
    "x",
    "",
    "１",
    "a b",
    "-",
    "--",
    "1e3",
    "1e-4",
    "ptk",
    "m.gz",
]
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


def given_words(words, context):
    """Return the names of options that were given, by typer's context or ours."""
    return {
        one.name
        for one in context.command.params
        if (source := context.get_parameter_source(one.name)) is not None and source.name == "COMMANDLINE"
    } & {word.lstrip("-").partition("=")[0].replace("-", "_") for word in words}


def same_by_typer(function, words):
    found = plain_call(function, words)
    if found is None:
        return False
    expected = by_typer(function, words)
    assert expected is not None
    if "context" in found:
        assert given_words(words, found.pop("context")) == given_words(words, expected.pop("context"))
    assert {name: value or None for name, value in found.items()} == {
        name: value or None for name, value in expected.items()
    }
    return True


@settings(max_examples=examples(150))
@given(st.sampled_from(FUNCTIONS), WORDS)
def test_what_it_reads_typer_reads_too(function, words):
    same_by_typer(function, words)


TRAINING_WORDS = st.lists(
    st.sampled_from(["-o m", *TRAINING])
    | st.builds("{} {}".format, st.sampled_from(TRAINING), st.sampled_from(VALUES))
    | st.builds("{}={}".format, st.sampled_from(TRAINING), st.sampled_from(VALUES)),
    max_size=4,
)


@settings(max_examples=examples(150))
@given(st.sampled_from(TRAINERS), TRAINING_WORDS, st.sampled_from(["", "x", "x y"]))
def test_what_it_reads_of_training_typer_reads_too(function, words, files):
    same_by_typer(function, f"-o m {' '.join(words)} {files}".split())


def test_training_is_read_with_what_was_given():
    words = "train.svm -o m --cost 1e-4 --positive-weight 2 --no-shuffle --json".split()
    assert same_by_typer(classify_cli, words)
    found = plain_call(classify_cli, words)
    assert {one.name for one in found["context"].params} == {"output", "cost", "positive_weight", "shuffle", "as_json"}
    assert same_by_typer(trees_cli, "x.klp -o m --learner pa-1 --kind ptk --decay 0.5".split())
    assert plain_call(classify_cli, ["train.svm"]) is None  # -o is missing
    assert plain_call(classify_cli, ["train.svm", "-o", "m.gz"]) is None  # typer tells what is wrong
    assert plain_call(classify_cli, ["a", "b", "-o", "m"]) is None
    assert plain_call(classify_cli, ["a", "-o", "m", "--positive-weight", "-1"]) is None


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
