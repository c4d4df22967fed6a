"""Imports, cimports and includes go the way that each room's `__init__` says, and never in a circle."""

import ast
import importlib
import re
from collections import defaultdict

import pytest
from source_graph import FOLDERS, MODULES, ROOT, cycles, edges, room_of, sources

ROOMS = sorted(
    ".".join(path.parent.parts)
    for path in sources()
    if path.name == "__init__.py" and path.parts[-2] not in ("samples", "pretrained")
)
# A folder that a room of the first may use; within a folder, only the rooms' own words count.
LAYERS = {
    "app": {"app", "parsers", "models", "kernels", "corpora"},
    "parsers": {"parsers", "models", "kernels", "corpora"},
    "models": {"models", "kernels"},
    "kernels": {"kernels"},
    "corpora": {"corpora"},
}
LARGEST_ROOM = 16


def allowed(room: str) -> set[str]:
    """Read the `Uses:` line of a room's docstring."""
    text = ast.get_docstring(ast.parse((ROOT / room.replace(".", "/") / "__init__.py").read_text("utf-8"))) or ""
    (uses,) = re.findall(r"^Uses: (.*(?:\n {4}.*)*)", text, re.MULTILINE)
    return set() if uses == "nothing" else set(re.split(r",\s+", uses))


def used_rooms() -> dict[str, dict[str, list[str]]]:
    """Map each room to the rooms that its files use, with those files."""
    found: dict[str, dict[str, list[str]]] = {room: {} for room in ROOMS}
    for edge in edges():
        room, used = room_of(edge.module), room_of(edge.used)
        if used != room and used != "app":  # `kakari` itself offers `lazy_names` to every room
            found[room].setdefault(used, []).append(str(edge.file))
    return found


USED = used_rooms()


def test_every_import_names_a_module():
    assert {edge.used for edge in edges()} <= MODULES


@pytest.mark.parametrize("room", [room for room in ROOMS if room != "app"])
def test_a_room_uses_what_it_says(room):
    assert {used: USED[room][used] for used in USED[room].keys() - allowed(room)} == {}, "not in its Uses: line"
    assert allowed(room) - USED[room].keys() == set(), "in its Uses: line, but not used"


@pytest.mark.parametrize("room", ROOMS)
def test_folders_have_one_direction(room):
    assert {used.split(".")[0] for used in USED[room]} <= LAYERS[room.split(".")[0]]


def test_nothing_but_the_doorway_of_the_package_is_used_from_below():
    back = [edge for edge in edges() if room_of(edge.used) == "app" and room_of(edge.module) != "app"]
    assert {edge.used for edge in back} == {"app"}
    assert {edge.file.name for edge in back if edge.file.parts[0] != "app"} == {"__init__.py"}


def test_rooms_have_no_cycle():
    assert cycles({room: set(used) for room, used in USED.items()}) == []


def test_modules_have_no_cycle():
    graph = defaultdict(set)
    for edge in edges():
        if edge.used != "app":
            graph[edge.module].add(edge.used)
    assert cycles(graph) == []


def test_cycles_are_found():
    assert cycles({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}}) == [["a", "b", "c"]]


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_is_not_a_warehouse(room):
    modules = {module for module in MODULES if module != room and room_of(module) == room}
    assert len(modules) <= LARGEST_ROOM


@pytest.mark.parametrize("room", ROOMS)
def test_lazy_names_are_those_of_the_type_checker(room):
    name = "kakari" if room == "app" else f"kakari.{room.removeprefix('app.')}"
    package = importlib.import_module(name)
    tree = ast.parse((ROOT / room.replace(".", "/") / "__init__.py").read_text("utf-8"))
    typed = {
        alias.asname: node.module
        for block in tree.body
        if isinstance(block, ast.If)
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert sorted(typed) == sorted(getattr(package, "__all__", []))
    for public, module in typed.items():
        assert getattr(package, public) is getattr(importlib.import_module(module), public)


def test_every_folder_is_covered():
    assert {room.split(".")[0] for room in ROOMS} == set(FOLDERS)
