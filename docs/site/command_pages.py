"""The directive `commands`: every command of `kakari` with its arguments and options, as `--help` has them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import typer
from docutils import nodes
from docutils.parsers.rst import Directive
from sphinx.application import Sphinx
from sphinx.util.typing import ExtensionMetadata

from kakari.frame.app import make_app


def all_commands() -> Iterator[tuple[str, Any]]:
    """Yield the full name and the command, groups before what is in them."""
    group = typer.main.get_command(make_app())
    context = group.make_context("kakari", [], resilient_parsing=True)
    yield from commands_of("kakari", group, context)


def commands_of(prefix: str, group: Any, context: Any) -> Iterator[tuple[str, Any]]:
    """Yield the commands of a group."""
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        yield f"{prefix} {name}", command
        if hasattr(command, "list_commands"):
            yield from commands_of(f"{prefix} {name}", command, context)


def rows_by_panel(command: Any, context: Any) -> dict[str, list[tuple[str, str]]]:
    """Return the arguments and options under their headings."""
    panels: dict[str, list[tuple[str, str]]] = {}
    for parameter in command.get_params(context):
        row = parameter.get_help_record(context)
        if row is not None:
            usual = "Arguments" if parameter.param_type_name == "argument" else "Options"
            panels.setdefault(getattr(parameter, "rich_help_panel", None) or usual, []).append(row)
    return panels


def described(rows: list[tuple[str, str]]) -> nodes.definition_list:
    """Return options and what they do as a list of definitions."""
    entries = nodes.definition_list()
    for option, text in rows:
        term = nodes.term("", "", nodes.literal(text=option))
        entries += nodes.definition_list_item("", term, nodes.definition("", nodes.paragraph(text=text)))
    return entries


class Commands(Directive):
    """Write a section for each command."""

    def run(self) -> list[nodes.Node]:
        """Return the sections."""
        sections: list[nodes.Node] = []
        for name, command in all_commands():
            context = command.make_context(name, [], resilient_parsing=True)
            section = nodes.section(ids=[nodes.make_id(name)])
            section += nodes.title(text=name)
            for paragraph in (command.help or command.short_help or "").split("\n\n"):
                section += nodes.paragraph(text=paragraph)
            usage = " ".join([name, *command.collect_usage_pieces(context)])
            section += nodes.literal_block(usage, usage, language="text")
            for panel, rows in rows_by_panel(command, context).items():
                section += nodes.rubric(text=panel)
                section += described(rows)
            sections.append(section)
        return sections


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register the directive."""
    app.add_directive("commands", Commands)
    return {"parallel_read_safe": True}
