"""docs/architecture.md: its tables of rooms are made from the rooms' own docstrings, its ways of the data are read.

`make architecture` writes the tables anew; tests/house/test_architecture.py tells when that is due.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import NamedTuple

from source_graph import FOLDERS, ROOT, sources

PAGE = ROOT / "docs" / "architecture.md"
BEGIN, END = "<!-- rooms of {}: written by `make architecture` -->", "<!-- end of rooms -->"


class Way(NamedTuple):
    """One way of the data: its title, the commands that take it, and the modules that it names in its list."""

    title: str
    commands: list[list[str]]
    modules: list[str]


def docstring(room: str) -> str:
    """Read a room's docstring: what it is for, what comes in and goes out, which rooms it uses."""
    return ast.get_docstring(ast.parse((ROOT / room.replace(".", "/") / "__init__.py").read_text("utf-8"))) or ""


def uses(room: str) -> list[str]:
    """Read the `Uses:` line of a room's docstring."""
    (found,) = re.findall(r"^Uses: (.*(?:\n {4}.*)*)", docstring(room), re.MULTILINE)
    return [] if found == "nothing" else re.split(r",\s+", found)


def rooms(folder: str) -> list[str]:
    """List the rooms of a folder that say which rooms they use, the folder itself first."""
    places = (".".join(path.parent.parts) for path in sources() if path.name == "__init__.py")
    return sorted(place for place in places if place.split(".")[0] == folder and "\nUses: " in docstring(place))


def table(folder: str) -> str:
    """Write the table of a folder's rooms."""

    def shown(room: str) -> str:
        purpose = docstring(room).partition("\n")[0]
        used = ", ".join(f"`{name.replace('.', '/')}`" for name in uses(room)) or "nothing"
        return f"| `{room.replace('.', '/')}` | {purpose} | {used} |"

    return "\n".join(["| room | what it is for | uses |", "|---|---|---|", *map(shown, rooms(folder))])


def renewed(page: str) -> str:
    """Return the page with the tables as they should be today."""
    for folder in FOLDERS:
        begin = BEGIN.format(folder)
        before, _, rest = page.partition(begin)
        _, end, after = rest.partition(END)
        if not end:
            raise ValueError(f"{PAGE}: there is no place for the rooms of {folder}")
        page = f"{before}{begin}\n{table(folder)}\n{end}{after}"
    return page


def ways(page: str) -> list[Way]:
    """Read the ways of the data: a section each, with its commands and a list of modules by their files."""
    found = []
    for section in re.split(r"^## ", page, flags=re.MULTILINE)[1:]:
        title, _, text = section.partition("\n")
        if title.startswith("The way of "):
            commands = [command.split() for command in re.findall(r"^\$ kakari (.*)$", text, re.MULTILINE)]
            modules = re.findall(r"^\d+\. `([\w/.]+)`", text, re.MULTILINE)
            found.append(Way(title, commands, modules))
    return found


def import_name(path: str) -> str:
    """Turn a file's path into the name it is imported by."""
    parts = Path(path).with_suffix("").parts
    return ".".join(["kakari", *(parts[1:] if parts[0] == "app" else parts)])


if __name__ == "__main__":
    PAGE.write_text(renewed(PAGE.read_text("utf-8")), "utf-8")
