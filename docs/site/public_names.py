"""The directive `public-names`: every name of `kakari.__all__` with its docstring, by the folder it comes from."""

from __future__ import annotations

import importlib
import inspect

from docutils import nodes
from docutils.parsers.rst import Directive
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.util.typing import ExtensionMetadata

import kakari

HEADINGS = {
    "": "Pipelines",
    "parsers": "Parsers",
    "models": "Estimators and models",
    "kernels": "The engine",
    "corpora": "Corpora",
}


def folder(name: str) -> str:
    """Return the folder of the repository that a public name comes from."""
    module = importlib.import_module(getattr(kakari, name).__module__).__name__
    part = module.removeprefix("kakari.").partition(".")[0]
    return part if part in HEADINGS else ""


def directive_for(name: str) -> list[str]:
    """Return the lines that document one public name."""
    value = getattr(kakari, name)
    if not isinstance(value, type):
        return [f".. autofunction:: kakari.{name}", ""]
    if issubclass(value, Exception):
        return [f".. autoexception:: kakari.{name}", ""]
    members = ", ".join(own_members(value))
    return [f".. autoclass:: kakari.{name}", f"   :members: {members}", ""]


def own_members(owner: type) -> list[str]:
    """Return the documented public members that are written in kakari, not in scikit-learn."""
    ours = [base for base in owner.__mro__ if base.__module__.partition(".")[0] == "kakari"]
    written = dict.fromkeys(name for base in ours for name in vars(base) if not name.startswith("_"))
    return [name for name in written if inspect.getdoc(getattr(owner, name)) and not name.endswith("_request")]


class PublicNames(Directive):
    """Write a section for each folder, with what it offers."""

    def run(self) -> list[nodes.Node]:
        """Return the sections."""
        sections: list[nodes.Node] = []
        for part, heading in HEADINGS.items():
            names = [name for name in kakari.__all__ if folder(name) == part]
            if not names:
                continue
            section = nodes.section(ids=[nodes.make_id(heading)])
            section += nodes.title(text=heading)
            lines = [line for name in names for line in directive_for(name)]
            self.state.nested_parse(StringList(lines, source="kakari.__all__"), 0, section)
            sections.append(section)
        return sections


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register the directive."""
    app.add_directive("public-names", PublicNames)
    return {"parallel_read_safe": True}
