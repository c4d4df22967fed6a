"""The command line's frame: `kakari COMMAND …`, exit codes and how errors are told.

Results go to stdout, everything else to stderr. Exit codes: 0 done, 1 bad data, 2 wrong usage. A command is a
file in `commands/` that offers a typer app or function; it is named here and may raise `ValueError` subclasses with a
text for the user. Only the command that is asked for is imported, so that none waits for the libraries of the others.
"""

from __future__ import annotations

import errno
import os
import select
import signal
import sys
import warnings
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer

from kakari.ending import ending_soon
from kakari.output.console import note, tell_error

_PYTHONS_OWN: Any = warnings.showwarning
# Each command's module in `commands/`, its function, and a line for the list of commands. Groups of commands have None
# instead of a function, and a function below.
COMMANDS = {
    "parse": ("parse", "parse_cli", "Find the structure of Japanese or English text."),
    "wrap": ("japanese.wrap", "wrap_cli", "Break lines of Japanese between bunsetsu, in text or HTML."),
    "words": ("sequences.words", "words_cli", "Cut Japanese text into words in JUMAN's units."),
    "ask": ("ask", "ask_cli", "Tell what kind of answer a question wants."),
    "hyponyms": ("hyponymy.finding", "hyponyms_cli", "Find hypernyms and hyponyms in Wikipedia articles."),
    "train": ("train", None, "Train a model."),
    "predict": ("classifying", "predict_cli", "Print what a classifier says of each example."),
    "evaluate": ("evaluate", "evaluate_cli", "Measure a model on annotated data."),
    "explain": ("explain", "explain_cli", "Print what made a decision, with weights that add up to it."),
    "freeze": ("classifying", "freeze_cli", "Make a classifier smaller and faster."),
    "models": ("models", "models_cli", "List the embedded models, or describe a model."),
    "convert": (
        "convert",
        "convert_cli",
        "Write analysed Japanese, or models of SVM-Light-TK, in other formats.",
    ),
    "kernel": ("kernel", "kernel_cli", "Print the tree kernel of two trees."),
    "corpora": ("corpora", None, "List corpora; show and count what is in them."),
    "reproduce": ("reproduce", None, "Run the papers' experiments again."),
}


@cache
def _group(name: str) -> typer.Typer:
    """Return a group of commands."""
    from kakari.commands import corpora

    if name == "train":
        return _train()
    return _reproduce() if name == "reproduce" else corpora.app


def _train() -> typer.Typer:
    from kakari.commands import arguments, boundaries
    from kakari.commands.train import classify as train
    from kakari.commands.train import dependency as train_dependency
    from kakari.commands.train import english as train_english
    from kakari.commands.train import hyponymy as train_hyponymy
    from kakari.commands.train import japanese as train_japanese
    from kakari.commands.train import kernels as train_kernels
    from kakari.commands.train import sequence as train_sequence

    train.app.command("ja-bunsetsu")(train_japanese.command(parser=False))
    train.app.command("ja-dependency")(train_japanese.command(parser=True))
    train.app.command("questions")(train_kernels.questions_cli)
    train.app.command("hyponymy")(train_hyponymy.hyponymy_cli)
    train.app.command("trees")(train_kernels.trees_cli)
    train.app.command("en-tagger")(train_english.tagger_cli)
    train.app.command("en-constituency")(train_english.constituency_cli)
    train.app.command("dependency")(train_dependency.dependency_cli)
    train.app.command("en-arguments")(arguments.arguments_cli)
    train.app.command("en-boundary")(boundaries.boundary_cli)
    train.app.command("ja-words")(train_sequence.words_cli)
    train.app.command("en-chunks")(train_sequence.chunks_cli)
    train.app.command("sequence")(train_sequence.sequence_cli)
    return train.app


def _reproduce() -> typer.Typer:
    from kakari.commands.reproduce import linearization as reproduce_linearization
    from kakari.commands.reproduce import online as reproduce_online
    from kakari.commands.reproduce import slicing as reproduce

    reproduce.app.command("synthetic")(reproduce_online.synthetic_cli)
    reproduce.app.command("adult")(reproduce_online.adult_cli)
    reproduce.app.command("questions")(reproduce_online.questions_cli)
    reproduce.app.command("linearization")(reproduce_linearization.linearization_cli)
    return reproduce.app


@cache
def make_app(asked: str | None = None) -> typer.Typer:
    """Make the command line with one command, or with all of them for whoever asks for none that is there.

    Examples
    --------
    >>> [command.name for command in make_app("parse").registered_commands]
    ['parse']
    """
    app = typer.Typer(
        name="kakari",
        help="Find the structure of raw text with kernel machines that run at the speed of linear models.",
        no_args_is_help=True,
        context_settings={"max_content_width": 110, "help_option_names": ["--help", "-h"]},
        rich_markup_mode=None,  # with markup, "[default: by the script]" would be a tag and not be shown
        pretty_exceptions_enable=False,
    )
    app.callback()(frame)
    for name in [asked] if asked in COMMANDS else COMMANDS:
        module, function, summary = COMMANDS[name]
        if function is None:
            app.add_typer(_group(name), name=name, short_help=summary)
        else:
            app.command(name, short_help=summary)(getattr(import_module(f"kakari.commands.{module}"), function))
    return app


def _print_version(wanted: bool) -> None:
    if wanted:
        from kakari import __version__

        typer.echo(f"kakari {__version__}")
        raise typer.Exit


def frame(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Find the structure of raw text with kernel machines that run at the speed of linear models."""


def _reader_is_gone() -> bool:
    if sys.platform == "win32":  # it has no poll; a write to a closed pipe is an ordinary error there
        return False
    poll = select.poll()
    poll.register(sys.stdout.fileno(), 0)
    return any(event & select.POLLERR for _, event in poll.poll(0))


def _ended(number: int, frame: object) -> None:
    sys.exit(128 + number)


def _open_missing_streams() -> None:
    """Open the null device in the place of streams that were closed before we started (`kakari … <&-`)."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115 (open to the end)


def _tell_warning(message: Warning | str, category: type[Warning], *place: Any, **more: Any) -> None:
    """Print a warning of ours as a remark of one line; others as Python does."""
    if category.__module__.startswith("kakari."):
        note(str(message))
    else:
        _PYTHONS_OWN(message, category, *place, **more)


def _write_no_more() -> None:
    """Let what is left of the output go nowhere, so that Python does not try to write it again at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _tell_refusal(error: OSError) -> None:
    """Say in one line what the system refused: a file, or the output itself."""
    if error.filename is not None:
        tell_error(f"{error.filename}: the system refuses this: {error.strerror}")
    elif error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EIO):
        tell_error(f"<stdout>: the results cannot be written: {error.strerror}")
        _write_no_more()
    else:
        raise error


def main() -> None:
    """Run the command line; the entry point of the `kakari` command.

    Being told to end is an exit like any other, so that processes started for the work end as well.
    """
    signal.signal(signal.SIGTERM, _ended)
    warnings.showwarning = _tell_warning
    _open_missing_streams()
    try:
        with ending_soon():
            _run()
    except SystemExit as stop:
        if stop.code == 1 and _reader_is_gone():
            # Whoever read our output has seen enough: no error, and nothing to flush into the void.
            _write_no_more()
            sys.exit(0)
        raise
    except ValueError as error:
        if not type(error).__module__.startswith("kakari."):
            raise
        tell_error(str(error))
        sys.exit(1)
    except OSError as error:
        _tell_refusal(error)
        sys.exit(1)
    except KeyboardInterrupt:
        note("interrupted")
        sys.exit(130)


def _run() -> None:
    """Run the command that was asked for; its last results are written before it counts as done."""
    asked = sys.argv[1] if len(sys.argv) > 1 else None
    arguments = sys.argv[2:]
    try:
        if asked == "parse" and arguments and not any(argument.startswith("-") for argument in arguments):
            from kakari.commands.parse import parse_cli

            parse_cli(arguments)  # without options, typer would take as long as parsing
        else:
            make_app(asked)()
        sys.stdout.flush()
    except SystemExit as stop:
        if not stop.code:
            sys.stdout.flush()
        raise
    except BrokenPipeError:
        sys.exit(1)
