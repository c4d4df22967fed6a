"""The commands as one typer app, which holds only the requested commands."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Annotated, Any

import typer

from kakari.frame.panels import PanelApp
from kakari.frame.table import COMMANDS, GROUPS, Command


@cache
def make_app(asked: str | None = None, second: str | None = None) -> typer.Typer:
    """Make the command line with one command, or with all of them if the name is unknown or missing.

    Examples
    --------
    >>> [command.name for command in make_app("parse").registered_commands]
    ['parse']
    >>> train = make_app("train", "classify").registered_groups[0].typer_instance
    >>> [command.name for command in train.registered_commands]
    ['classify']
    """
    app = PanelApp(
        name="kakari",
        help="Find the structure of raw text with kernel machines that run at the speed of linear models.",
        context_settings={"max_content_width": 110, "help_option_names": ["--help", "-h"]},
        pretty_exceptions_enable=False,
    )
    app.callback()(frame)
    for name in [asked] if asked in COMMANDS else COMMANDS:
        command = COMMANDS[name]
        if name in GROUPS:
            group = make_group(name, second)
            app.add_typer(group, name=name, short_help=command.summary, rich_help_panel=command.heading)
        else:
            add_command(app, name, command)
    return app


def make_group(name: str, asked: str | None) -> PanelApp:
    """Make a group of commands with one of them, or with all."""
    if name == "corpora":  # without a command it lists them
        group = PanelApp(no_args_is_help=False, invoke_without_command=True)
        group.callback()(function_at("corpora:corpora_cli"))
    else:
        group = PanelApp(help=COMMANDS[name].summary)
    commands = GROUPS[name]
    for one in [asked] if asked in commands else commands:
        add_command(group, one, commands[one])
    return group


def add_command(app: PanelApp, name: str, command: Command) -> None:
    """Import a command's function and register it."""
    app.command(name, short_help=command.summary, rich_help_panel=command.heading)(function_at(command.place))


def function_at(place: str) -> Any:
    """Import a function by its name "module:function" below `commands/`."""
    module, function = place.split(":")
    return getattr(import_module(f"kakari.commands.{module}"), function)


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
