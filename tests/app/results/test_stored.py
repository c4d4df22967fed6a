"""Books of results: kept row by row, continued, limited by a budget, refused if they are something else."""

import pytest

from kakari.results.stored import Book, Budget, Figure, Outcome, Point, ResultsError, Shelf, Skipped, Table, read_book

TABLES = [Table("table 1", "Title", "method", {"a": 1, "b": 2})]
FIGURES = [Figure("figure 1", "Title", "x", "y")]


def test_a_book_is_continued(tmp_path):
    done = []

    def work(name, value):
        def count():
            done.append(name)
            return Outcome({"a": value}, [Point("figure 1", name, 1.0, value)])

        return count

    first = Shelf(tmp_path).book("x", "2010", TABLES, FIGURES)
    first.measure("table 1", "one", work("one", 1.5), size="3", published={"a": "2", "b": "7"})
    again = Shelf(tmp_path).book("x", "2010", TABLES, FIGURES)
    again.measure("table 1", "one", work("one", 9.0), size="3")
    again.measure("table 1", "two", work("two", 2.5), size="3")
    assert done == ["one", "two"]
    assert again.value("table 1", "one", "a").value == 1.5
    assert again.value("table 1", "one", "b").value is None
    assert read_book(tmp_path / "x.json").points("figure 1") == {"one": [(1.0, 1.5)], "two": [(1.0, 2.5)]}
    again.measure("table 1", "one", work("one", 9.0), size="4")  # of another size: measured again
    assert done == ["one", "two", "one"]


def test_what_does_not_fit_is_skipped_and_done_later(tmp_path):
    short = Shelf(tmp_path, budget=Budget(10.0)).book("x", "2010", TABLES)
    row = short.measure("table 1", "long", lambda: {"a": 1.0}, size="3", seconds=60, published={"a": "5"})
    assert "about 60 s" in row.skipped and row.cells["a"].published == "5"
    none = Shelf(tmp_path, budget=Budget(0.0)).book("x", "2010", TABLES)
    assert none.measure("table 1", "other", lambda: {"a": 1.0}, size="3").skipped == "the budget is used up"
    enough = Shelf(tmp_path).book("x", "2010", TABLES)
    assert not enough.measure("table 1", "long", lambda: {"a": 1.0}, size="3", seconds=60).skipped


def test_work_may_say_why_it_is_left_out():
    def work():
        raise Skipped("too slow")

    assert Book("x", "2010", TABLES).measure("table 1", "one", work, size="3").skipped == "too slow"


def test_what_was_given_up_is_tried_again_with_a_longer_limit_only(tmp_path):
    tried = []

    def work():
        tried.append(1)
        raise Skipped("stopped after 20 CPU s")

    for limit in (20.0, 20.0, 10.0, 30.0):
        row = Shelf(tmp_path, time_limit=limit).book("x", "2010", TABLES).measure("table 1", "one", work, size="3")
        assert row.skipped == "stopped after 20 CPU s"
    assert len(tried) == 2 and read_book(tmp_path / "x.json").rows["table 1", "one"].limit == 30
    Shelf(tmp_path, budget=Budget(0.0)).book("x", "2010", TABLES).measure("table 1", "two", work, size="3")
    done = Shelf(tmp_path).book("x", "2010", TABLES).measure("table 1", "two", lambda: {"a": 1.0}, size="3")
    assert not done.skipped  # what did not fit into the budget is always tried again


def test_a_failure_keeps_what_was_measured(tmp_path):
    book = Shelf(tmp_path).book("x", "2010", TABLES)
    book.measure("table 1", "one", lambda: {"a": 1.0}, size="3")
    with pytest.raises(ZeroDivisionError):
        book.measure("table 1", "two", lambda: {"a": 1 / 0}, size="3")
    assert [row.row for row in read_book(tmp_path / "x.json").of_table("table 1")] == ["one"]


def test_unknown_columns_and_figures_are_refused():
    book = Book("x", "2010", TABLES)
    with pytest.raises(ResultsError, match="no column 'c'"):
        book.measure("table 1", "one", lambda: {"c": 1.0}, size="3")
    with pytest.raises(ResultsError, match="figure"):
        book.measure("table 1", "one", lambda: Outcome({"a": 1}, [Point("figure 9", "s", 1, 1)]), size="3")


@pytest.mark.parametrize("text", ["", "[]", '{"layout": 1}', '{"layout": 9}', '{"layout": 1, "experiment": "x"}'])
def test_other_files_are_refused(tmp_path, text):
    (tmp_path / "x.json").write_text(text)
    with pytest.raises(ResultsError, match=r"x\.json"):
        read_book(tmp_path / "x.json")
