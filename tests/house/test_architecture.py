"""docs/architecture.md is up to date: tables of rooms, and the ways of the data."""

import json
import subprocess
import sys

import pytest
from architecture_page import PAGE, import_name, renewed, uses, ways
from source_graph import ROOT

pytestmark = pytest.mark.thorough

WAYS = {way.title: way for way in ways(PAGE.read_text("utf-8"))}
# Runs a command line and tells which modules were loaded, on the last line of stderr.
RUN = """
import json, sys
from kakari.cli import main
try:
    main()
finally:
    sys.stdout.flush()
    print(json.dumps([name for name in sys.modules if name.startswith("kakari.")]), file=sys.stderr)
"""


def test_the_tables_of_rooms_are_up_to_date():
    page = PAGE.read_text("utf-8")
    assert renewed(page) == page, "run `make architecture`"


def test_uses_lines_of_several_lines_are_read():
    assert uses("app.spacy") == sorted(uses("app.spacy"))
    assert len(uses("app.spacy")) > 5
    assert uses("kernels.hardware") == []


def test_there_are_four_ways():
    assert list(WAYS) == [
        f"The way of {what}"
        for what in ("a Japanese sentence", "an English sentence", "a question", "your own training data")
    ]


@pytest.mark.parametrize("title", WAYS)
def test_a_way_goes_through_its_modules(title, tmp_path):
    way = WAYS[title]
    data = tmp_path / "data.svmlight"
    data.write_text("+1 1:1 2:1\n-1 3:1\n" * 5)
    places = {"DATA": str(data), "MODEL": str(tmp_path / "model.safetensors")}
    loaded = set()
    for command in way.commands:
        arguments = [places.get(word, word.replace("_", " ")) for word in command]
        told = subprocess.run([sys.executable, "-c", RUN, *arguments], capture_output=True, text=True)
        assert told.returncode == 0, told.stderr
        loaded |= set(json.loads(told.stderr.splitlines()[-1]))
    assert len(way.modules) > 5
    assert [path for path in way.modules if not (ROOT / path).is_file()] == []
    assert [path for path in way.modules if import_name(path) not in loaded] == []
