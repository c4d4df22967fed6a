"""Help texts in panels: options and commands under headings, in plain text.

typer draws panels only with rich, whose markup would drop "[default: by the script]". Here the same declarations
(`rich_help_panel=…`) become sections of the ordinary help.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

LONGEST_SUMMARY = 200  # characters of a command's line; the formatter wraps them


class PanelCommand(TyperCommand):
    """A command whose options stand under headings."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the arguments, the options without a panel, then the panels in the order of their first option."""
        write_parameters(self.get_params(ctx), ctx, formatter)


class PanelGroup(TyperGroup):
    """A group whose commands stand under headings."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the commands first, then the options."""
        self.format_commands(ctx, formatter)
        write_parameters(self.get_params(ctx), ctx, formatter)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write each command with a line of its help."""
        sections: dict[str, list[tuple[str, str]]] = {}
        for name in self.list_commands(ctx):
            command = self.get_command(ctx, name)
            if command is not None and not command.hidden:
                heading = getattr(command, "rich_help_panel", None)
                row = (name, command.get_short_help_str(LONGEST_SUMMARY))
                sections.setdefault(heading if isinstance(heading, str) else "Commands", []).append(row)
        write_sections(sections, formatter)


class PanelApp(typer.Typer):
    """A typer app whose help is written in panels.

    Examples
    --------
    >>> app = PanelApp()
    >>> @app.command("greet", rich_help_panel="Manners")
    ... def greet(loud: bool = typer.Option(False, rich_help_panel="Voice", help="Shout.")) -> None: ...
    >>> app.registered_commands[0].cls.__name__
    'PanelCommand'
    """

    def __init__(self, **settings: Any) -> None:
        # With markup, "[default: by the script]" would be a tag and not be shown.
        super().__init__(**{"cls": PanelGroup, "rich_markup_mode": None, "no_args_is_help": True} | settings)

    def command(self, name: str | None = None, **settings: Any) -> Callable[[Any], Any]:
        """Register a command."""
        return super().command(name, **{"cls": PanelCommand} | settings)


def write_parameters(parameters: Iterable[Any], ctx: Any, formatter: Any) -> None:
    """Write arguments and options, each under its heading."""
    sections: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": []}
    for parameter in parameters:
        row = parameter.get_help_record(ctx)
        if row is not None:
            usual = "Arguments" if parameter.param_type_name == "argument" else "Options"
            sections.setdefault(getattr(parameter, "rich_help_panel", None) or usual, []).append(row)
    write_sections(sections, formatter)


def write_sections(sections: dict[str, list[tuple[str, str]]], formatter: Any) -> None:
    """Write the sections that have rows."""
    for heading, rows in sections.items():
        if rows:
            with formatter.section(heading):
                formatter.write_dl(rows)
