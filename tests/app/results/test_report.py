"""The report: one HTML file with tables, figures and what was skipped."""

from html.parser import HTMLParser

from command_line import run_here

from kakari.results.charts import line_chart
from kakari.results.report import report
from kakari.results.stored import Book, Figure, Outcome, Point, Skipped, Table

EMPTY = {"meta", "circle", "path", "rect", "br"}


class Balance(HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.seen = [], []

    def handle_starttag(self, tag, attrs):
        self.seen.append(tag)
        if tag not in EMPTY:
            self.open.append(tag)
        assert not any(name in ("src", "href") and not value.startswith("#") for name, value in attrs)

    def handle_endtag(self, tag):
        if tag not in EMPTY:
            assert self.open.pop() == tag


def made():
    book = Book(
        "x", "2010", [Table("table 1", "A <title>", "of", {"a": 1})], [Figure("figure 1", "T & t", "x", "y", "xy")]
    )
    points = [Point("figure 1", "s<1>", 10.0**n, 2.0 * n + 1) for n in range(4)]
    book.measure("table 1", "one", lambda: Outcome({"a": 1.0}, points), size="3", published={"a": "2"})

    def slow():
        raise Skipped("stopped after 60 CPU s")

    book.measure("table 1", "slow & late", slow, size="3", published={"a": "4"})
    return book


def test_it_is_one_balanced_file():
    text = report({"x": made()}, "kakari reproduce all -o <DIR>")
    balance = Balance()
    balance.feed(text)
    assert balance.open == [] and {"table", "svg", "details"} <= set(balance.seen)
    assert "1.0 / 2" in text and "– / 4" in text and "slow &amp; late: stopped after 60 CPU s" in text
    assert "1 rows measured" in text and "1 skipped" in text and "s&lt;1&gt;" in text


def test_a_chart_has_every_point_inside():
    drawn = line_chart(Figure("figure 1", "t", "x", "y", "x"), {"a": [(1, 5.0), (100, 7.0)], "b": [(10, 6.0)]})
    assert drawn.count("<circle") == 3 and 'd="M82.15 336.37L435.85 45.63"' in drawn
    assert line_chart(Figure("figure 1", "t", "x", "y"), {}) == ""
    assert "svg" in line_chart(Figure("figure 1", "t", "x", "y", "xy"), {"a": [(3, 3)]})


def test_all_at_a_small_size_is_continued(tmp_path):
    arguments = ("reproduce", "all", "-o", str(tmp_path), "--share", "0.005", "--only", "synthetic")
    assert run_here(*arguments, "--budget", "0s").returncode == 0
    assert "the budget is used up" in (tmp_path / "report.html").read_text("utf-8")
    done = run_here(*arguments)
    assert done.returncode == 0 and "report.html" in done.stderr
    first = (tmp_path / "synthetic.json").read_bytes()
    assert (
        b"skipped" not in first and b'"paper: F1": {"value": "89.21' in first
    )  # a share is another problem: no cell of both
    assert run_here(*arguments).returncode == 0
    assert (tmp_path / "synthetic.json").read_bytes() == first


def test_refusals(tmp_path):
    assert "is none of" in run_here("reproduce", "all", "-o", str(tmp_path), "--only", "other").stderr
    assert "is no time" in run_here("reproduce", "all", "-o", str(tmp_path), "--budget", "soon").stderr
