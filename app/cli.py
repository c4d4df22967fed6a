"""The command line's frame: `kakari COMMAND …`, exit codes and how errors are told.

Results go to stdout, everything else to stderr. Exit codes: 0 done, 1 bad data, 2 wrong usage. A command is a
file in `commands/` that offers a typer app; it is mounted here and may raise `ValueError` subclasses with a
text for the user.
"""

from __future__ import annotations

import os
import select
import sys
from typing import Annotated

import typer

from kakari import __version__
from kakari.commands import (
    ask,
    classifying,
    convert,
    corpora,
    evaluate,
    explain,
    kernel,
    models,
    parse,
    reproduce,
    reproduce_online,
    train,
    train_english,
    train_japanese,
    train_kernels,
)
from kakari.console import note, tell_error

app = typer.Typer(
    name="kakari",
    help="Find the structure of raw text with kernel machines that run at the speed of linear models.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.command("parse")(parse.parse_cli)
app.command("ask")(ask.ask_cli)
train.app.command("ja-bunsetsu")(train_japanese.command(parser=False))
train.app.command("ja-dependency")(train_japanese.command(parser=True))
train.app.command("questions")(train_kernels.questions_cli)
train.app.command("trees")(train_kernels.trees_cli)
train.app.command("en-tagger")(train_english.tagger_cli)
train.app.command("en-constituency")(train_english.constituency_cli)
app.add_typer(train.app, name="train")
app.command("predict")(classifying.predict_cli)
app.command("evaluate")(evaluate.evaluate_cli)
app.command("explain")(explain.explain_cli)
app.command("freeze")(classifying.freeze_cli)
app.command("models")(models.models_cli)
app.command("convert")(convert.convert_cli)
app.command("kernel")(kernel.kernel_cli)
app.add_typer(corpora.app, name="corpora")
reproduce.app.command("synthetic")(reproduce_online.synthetic_cli)
reproduce.app.command("adult")(reproduce_online.adult_cli)
reproduce.app.command("questions")(reproduce_online.questions_cli)
app.add_typer(reproduce.app, name="reproduce")


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"kakari {__version__}")
        raise typer.Exit


@app.callback()
def frame(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Find the structure of raw text with kernel machines that run at the speed of linear models."""


def _reader_is_gone() -> bool:
    poll = select.poll()
    poll.register(sys.stdout.fileno(), 0)
    return any(event & select.POLLERR for _, event in poll.poll(0))


def main() -> None:
    """Run the command line; the entry point of the `kakari` command."""
    try:
        app()
    except SystemExit as stop:
        if stop.code == 1 and _reader_is_gone():
            # Whoever read our output has seen enough: no error, and nothing to flush into the void.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(0)
        raise
    except ValueError as error:
        if not type(error).__module__.startswith("kakari."):
            raise
        tell_error(str(error))
        sys.exit(1)
    except KeyboardInterrupt:
        note("interrupted")
        sys.exit(130)
