"""docs/results.md is what the stored results say."""

import json
from pathlib import Path

import pytest

from kakari.results.page import filled, page_files
from kakari.results.stored import Book, Figure, Outcome, Point, ResultsError, Table

DOCS = Path(__file__).resolve().parents[3] / "docs"


def test_the_page_is_up_to_date():
    files = page_files(DOCS)
    assert {path: path.read_text("utf-8") for path in files} == files, "run `make results`"


def test_figures_that_nobody_asks_for_are_not_kept():
    assert set((DOCS / "results").glob("*.svg")) == {path for path in page_files(DOCS) if path.suffix == ".svg"}


@pytest.fixture
def books():
    book = Book(
        "sums",
        "2010",
        [Table("table 1", "Sums", "of", {"sum": 1, "time": 2})],
        [Figure("figure 1", "Sums", "x", "y", "x")],
    )
    made = Outcome({"sum": (3.0, 0.5), "time": 1.25}, [Point("figure 1", "a", 1, 2)], 7.0)
    book.measure("table 1", "one", lambda: made, size="2", published={"sum": "4"}, command="kakari x")
    return {"sums": book}


def test_tables_values_and_figures_are_put_in(books):
    assert filled("{table sums: table 1 | sum}", books).splitlines() == [
        "**Sums**",
        "",
        "| of | sum / paper |",
        "| --- | --- |",
        "| one | 3.0 ± 0.5 / 4 |",
        "",
        f"- `kakari x`: 2, 7.0 CPU s, commit {books['sums'].rows['table 1', 'one'].commit}",
    ]
    assert filled("it is {value sums: table 1 | one | time}.", books) == "it is 1.25."
    assert filled("{figure sums: figure 1}", books) == "![Sums](results/sums-figure-1.svg)"


@pytest.mark.parametrize(
    "asked",
    ["{table none: table 1}", "{table sums: table 9}", "{value sums: table 1 | two | sum}", "{figure sums: figure 2}"],
)
def test_what_is_not_there_is_refused(books, asked):
    with pytest.raises(ResultsError, match="no"):
        filled(asked, books)


def test_every_stored_result_has_its_provenance():
    for path in sorted((DOCS / "results").glob("*.json")):
        for row in json.loads(path.read_text("utf-8"))["rows"]:
            assert row.get("commit"), (path, row)
