"""The imports, cimports and includes of every source file, read from the files themselves, compiled ones too.

A *room* is a package: `kernels.sets`, or `app` and `corpora` for the modules that stand in a folder itself.
"""

from __future__ import annotations

import ast
import functools
import re
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = ("app", "corpora", "kernels", "models", "parsers")
SUFFIXES = (".py", ".pyx", ".pxd", ".pyi", ".hpp")
INCLUDE = re.compile(r'^\s*(?:#include|cdef extern from) "([\w/]+)\.hpp"', re.MULTILINE)
CYTHON_IMPORT = re.compile(
    r"^\s*(?:from\s+(kakari[\w.]*)\s+c?import\s+(\([^)]*\)|[^#\n]*)|c?import\s+(kakari[\w.]*))", re.MULTILINE
)


class Edge(NamedTuple):
    """One file's use of a module; both are named by their place below the root, as in `kernels.sets.featuresets`."""

    file: Path
    module: str
    used: str


def sources() -> list[Path]:
    """List every source file of the package, by its path from the root."""
    return [
        path.relative_to(ROOT)
        for folder in FOLDERS
        for path in sorted((ROOT / folder).rglob("*"))
        if path.suffix in SUFFIXES
    ]


def module_of(path: Path) -> str:
    """Name a file's module; a package is named by its folder."""
    parts = path.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_of(path) for path in sources()}


def room_of(module: str) -> str:
    """Name the room that a module stands in; a package's `__init__` stands in its own room."""
    return module if (ROOT / Path(*module.split(".")) / "__init__.py").exists() else module.rpartition(".")[0]


def _placed(dotted: str) -> str:
    """Turn an import name into a place: `kakari.kernels.sets` is `kernels.sets`, `kakari.cli` is `app.cli`."""
    parts = dotted.split(".")[1:]
    return ".".join(parts if parts and parts[0] in FOLDERS[1:] else ["app", *parts])


def _resolved(package: str, name: str) -> str:
    """Find what `from package import name` uses: the module of that name if there is one, or else the package."""
    inside = _placed(f"{package}.{name}")
    return inside if inside in MODULES else _placed(package)


def _python_uses(text: str) -> set[str]:
    uses = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "kakari":
            uses |= {_resolved(str(node.module), alias.name) for alias in node.names}
        elif isinstance(node, ast.Import):
            uses |= {_placed(alias.name) for alias in node.names if alias.name.split(".")[0] == "kakari"}
    return uses


def _cython_uses(text: str) -> set[str]:
    uses = {name.replace("/", ".") for name in INCLUDE.findall(text)}
    for package, names, alone in CYTHON_IMPORT.findall(re.sub(r'"""(?:[^"\\]|\\.|"(?!""))*"""', '""', text)):
        if alone:
            uses.add(_placed(alone))
        uses |= {
            _resolved(package, name.split(" as ")[0].strip()) for name in names.strip("()").split(",") if name.strip()
        }
    return uses


@functools.cache
def edges() -> list[Edge]:
    """List what each file uses of the package, its own module left out."""
    found = []
    for path in sources():
        text = (ROOT / path).read_text("utf-8")
        uses = _python_uses(text) if path.suffix in (".py", ".pyi") else _cython_uses(text)
        found += [Edge(path, module_of(path), used) for used in sorted(uses - {module_of(path)})]
    return found


def cycles(graph: dict[str, set[str]]) -> list[list[str]]:
    """Find the groups of nodes that reach each other (Tarjan's algorithm)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []

    def visit(node: str) -> None:
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in sorted(graph.get(node, ())):
            if other not in index:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], index[other])
        if low[node] == index[node]:
            group = stack[stack.index(node) :]
            del stack[stack.index(node) :]
            if len(group) > 1:
                found.append(sorted(group))

    for node in sorted(graph):
        if node not in index:
            visit(node)
    return found
