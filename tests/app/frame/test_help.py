"""Help texts: every command has one, in panels; presets; options that would do nothing are refused."""

import pytest
from command_line import run_here

from kakari.commands.train.boundary import IN_FRAGMENTS, PRESETS, USED_BY, boundary_options
from kakari.frame.table import COMMANDS, GROUPS
from kakari.parsers.arguments.boundary.training import MODELS, BoundaryOptions

LEAVES = [(name,) for name in COMMANDS if name not in GROUPS] + [
    (group, name) for group, commands in GROUPS.items() for name in commands
]


@pytest.mark.parametrize("words", LEAVES, ids=" ".join)
def test_every_command_has_a_help_text(words):
    told = run_here(*words, "-h")
    assert told.returncode == 0
    assert f"kakari {' '.join(words)}" in told.stdout
    assert "-h, --help" in told.stdout


def test_commands_stand_under_headings():
    text = run_here("-h").stdout
    for heading in {command.heading for command in COMMANDS.values()}:
        assert f"\n{heading}:\n" in text
    assert all(f"\n  {name} " in text for name in COMMANDS)


def test_options_stand_under_headings():
    text = run_here("train", "en-boundary", "-h").stdout
    assert text.index("--preset") < text.index("\nManual features:\n") < text.index("\nSDAG (")
    assert text.index("\nSDAG (") < text.index("--sample-size")


@pytest.mark.parametrize(("model", "option"), [("mf", "--depth=2"), ("rke+mf", "--bits=18"), ("stk-svm", "--cuts=5")])
def test_an_option_that_would_do_nothing_is_refused(model, option, tmp_path):
    told = run_here("train", "en-boundary", "sample-en", "-o", str(tmp_path / "m"), "--model", model, option)
    assert told.returncode == 2
    assert f"{model} does not use it" in told.stderr


def test_a_preset_and_a_model_are_one_too_many(tmp_path):
    both = ["--preset", "fast", "--model", "mf"]
    told = run_here("train", "en-boundary", "sample-en", "-o", str(tmp_path / "m"), *both)
    assert told.returncode == 2
    assert "give one of the two" in told.stderr


def test_a_preset_is_the_model_it_names(tmp_path):
    files = [tmp_path / "preset", tmp_path / "model"]
    for file, option in zip(files, (["--preset", "fast"], ["--model", "mf"])):
        assert run_here("train", "en-boundary", "sample-en", "-o", str(file), *option).returncode == 0
    assert files[0].read_bytes() == files[1].read_bytes()


def test_every_option_is_used_by_some_model_and_reaches_it():
    assert set(PRESETS.values()) <= set(MODELS)
    for name, models in USED_BY.items():
        assert set(models) <= set(MODELS)
        told = boundary_options(models[0], {name: 7}, seed=0, limit=None)
        inside = told.fragments if name in {*IN_FRAGMENTS, "tree_cost"} else told
        assert getattr(inside, "cost" if name == "tree_cost" else name) == 7
    assert boundary_options("mf", {}, seed=0, limit=None) == BoundaryOptions(model="mf")


def test_a_compact_question_model_takes_no_option_of_the_others(tmp_path):
    told = run_here("train", "questions", "sample-qc", "-o", str(tmp_path / "m"), "--compact", "--decay", "0.3")
    assert told.returncode == 2
    assert "--decay" in told.stderr
