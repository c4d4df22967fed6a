"""One layout for the results of every experiment: a JSON file, a *book*, which a stopped run continues from.

A book has tables and figures (how they are shown) and rows (what was measured). A row is the unit of work: its cells
with the published values beside them, its points of figures, CPU seconds, the size of the data, the commit and the
command; or why it was skipped. A row is written as soon as it is measured, and never measured again with the same
size and command.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from kakari.corpora.records.textfiles import write_text
from kakari.models.reporting import Report, silent
from kakari.results.provenance import commit_of_this

LAYOUT = 1  # of the files
PAPER = "paper: "  # before the name of a column that has the paper's values alone


class ResultsError(ValueError):
    """Results that cannot be read or shown; the text says which and why."""


class Skipped(Exception):  # noqa: N818 (not an error: a row says so)
    """Raised by the work of a row that is left out; the text says why."""


@dataclass(frozen=True)
class Table:
    """How a table is shown: its title, what its rows are, and the number of decimals of each column."""

    name: str
    title: str
    rows: str
    columns: dict[str, int]


@dataclass(frozen=True)
class Figure:
    """How a figure is shown: title and axes; logarithmic where `log` names them."""

    name: str
    title: str
    across: str
    upwards: str
    log: str = ""


@dataclass(frozen=True)
class Cell:
    """A value, its deviation over several runs, and what the paper has for it."""

    value: float | str | None = None
    deviation: float | None = None
    published: str = ""


class Point(NamedTuple):
    """A point of a curve."""

    figure: str
    series: str
    x: float
    y: float


@dataclass(frozen=True)
class Outcome:
    """What the work of a row gives: values by column (or value and deviation), and points of figures.

    `seconds` are those of the training, where scoring is not to be counted; the whole work's otherwise.
    """

    values: Mapping[str, Any]
    points: list[Point] = field(default_factory=list)
    seconds: float | None = None


@dataclass(frozen=True)
class Row:
    """One row of a table as it was measured, or why it was not.

    `limit` is the time limit under which its work was given up; None if it was measured or never begun.
    """

    table: str
    row: str
    cells: dict[str, Cell]
    seconds: float | None = None
    size: str = ""
    commit: str = ""
    command: str = ""
    skipped: str = ""
    points: list[Point] = field(default_factory=list)
    limit: float | None = None


@dataclass
class Budget:
    """Wall-clock seconds that are left; None for as many as it takes."""

    seconds: float | None = None
    begin: float = field(default_factory=time.monotonic)

    def left(self) -> float:
        """Return the seconds that are left."""
        return float("inf") if self.seconds is None else self.seconds - (time.monotonic() - self.begin)


class Book:
    """The results of one experiment.

    Examples
    --------
    >>> book = Book("sums", "2010", [Table("table 1", "Sums", "of", {"sum": 0})])
    >>> row = book.measure("table 1", "1 and 1", lambda: {"sum": 1 + 1}, size="2 numbers", published={"sum": "2"})
    >>> row.cells["sum"].value, row.cells["sum"].published
    (2, '2')
    >>> book.measure("table 1", "1 and 1", lambda: {"sum": 3}, size="2 numbers") is row  # it is known
    True
    """

    def __init__(
        self,
        experiment: str,
        paper: str,
        tables: Iterable[Table] = (),
        figures: Iterable[Figure] = (),
        *,
        folder: Path | None = None,
        command: str = "",
        budget: Budget | None = None,
        report: Report = silent,
        time_limit: float = float("inf"),
        whole: bool = True,
    ) -> None:
        self.experiment, self.paper, self.command = experiment, paper, command
        self.whole = whole
        self.tables = {table.name: table if whole else _apart(table) for table in tables}
        self.figures = {figure.name: figure for figure in figures}
        self.rows: dict[tuple[str, str], Row] = {}
        self.budget, self.report, self.time_limit = budget or Budget(), report, time_limit
        self.path = None if folder is None else folder / f"{experiment}.json"
        if self.path is not None and self.path.exists():
            self.rows = read_book(self.path).rows

    def measure(
        self,
        table: str,
        row: str,
        work: Callable[[], Mapping[str, Any] | Outcome],
        *,
        size: str,
        published: Mapping[str, str] | None = None,
        seconds: float | None = None,
        command: str = "",
    ) -> Row:
        """Return a row: the known one if its size and command are the same, or else do the work and keep what it gives.

        A row that was given up is tried again with a longer time limit, one that did not fit into the budget always.

        Parameters
        ----------
        published : mapping of str to str, optional
            What the paper has, by column: in the same cells if the data is whole, in columns of its own otherwise.
        seconds : float, optional
            How long the work takes, about. A row that would not end within the budget is skipped, and says so.
        """
        known = self.rows.get((table, row))
        command = command or self.command
        if known is not None and (known.size, known.command) == (size, command) and self._settled(known):
            return known
        theirs = dict(published or {}) if self.whole else {}
        apart = {} if self.whole else {f"{PAPER}{name}": value for name, value in (published or {}).items()}
        made: dict[str, Any] = {
            "table": table,
            "row": row,
            "size": size,
            "commit": commit_of_this(),
            "command": command,
        }
        left = self.budget.left()
        if left <= (seconds or 0):
            reason = "the budget is used up"
            if seconds is not None:
                reason = f"about {seconds:.0f} s more, and {max(left, 0):.0f} s of the budget are left"
            return self._keep(Row(**made, cells=_cells(apart, theirs), skipped=reason))
        self.report(f"{self.experiment}, {table}: {row}")
        begin = time.process_time()
        try:
            found = work()
        except Skipped as skipped:
            limit = None if math.isinf(self.time_limit) else self.time_limit
            return self._keep(Row(**made, cells=_cells(apart, theirs), skipped=str(skipped), limit=limit))
        taken = time.process_time() - begin
        outcome = found if isinstance(found, Outcome) else Outcome(found)
        used = taken if outcome.seconds is None else outcome.seconds
        return self._keep(
            Row(
                **made,
                cells=_cells({**outcome.values, **apart}, theirs),
                seconds=round(used, 4),
                points=list(outcome.points),
            )
        )

    def _settled(self, known: Row) -> bool:
        return not known.skipped or (known.limit is not None and known.limit >= self.time_limit)

    def add(self, row: Row) -> Row:
        """Keep a row that was measured elsewhere."""
        return self._keep(row)

    def _keep(self, row: Row) -> Row:
        unknown = row.cells.keys() - self.tables[row.table].columns.keys()
        if unknown:
            raise ResultsError(f"{self.experiment}: {row.table} has no column {sorted(unknown)[0]!r}")
        if any(point.figure not in self.figures for point in row.points):
            raise ResultsError(f"{self.experiment}: a point of a figure that it does not have")
        self.rows[row.table, row.row] = row
        if self.path is not None:
            self.save(self.path)
        return row

    def of_table(self, name: str) -> list[Row]:
        """Return the rows of a table, in the order in which they were added."""
        return [row for row in self.rows.values() if row.table == name]

    def points(self, figure: str) -> dict[str, list[tuple[float, float]]]:
        """Return the curves of a figure: by series, its points from left to right."""
        curves: dict[str, list[tuple[float, float]]] = {}
        for row in self.rows.values():
            for point in row.points:
                if point.figure == figure:
                    curves.setdefault(point.series, []).append((point.x, point.y))
        return {series: sorted(curve) for series, curve in curves.items()}

    def value(self, table: str, row: str, column: str) -> Cell:
        """Return one cell."""
        try:
            return self.rows[table, row].cells[column]
        except KeyError:
            raise ResultsError(f"{self.experiment} has no cell {table} | {row} | {column}") from None

    def save(self, path: Path) -> None:
        """Write the book, whole or not at all."""
        path.parent.mkdir(parents=True, exist_ok=True)
        head = {"layout": LAYOUT, "experiment": self.experiment, "paper": self.paper}
        head["tables"], head["figures"] = (
            [asdict(one) for one in some] for some in (self.tables.values(), self.figures.values())
        )
        lines = [f"{json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}" for name, value in head.items()]
        rows = ",\n  ".join(json.dumps(_told(row), ensure_ascii=False) for row in self.rows.values())
        write_text(["{\n" + ",\n".join(f" {line}" for line in lines) + f',\n "rows": [\n  {rows}\n ]\n}}\n'], path)


@dataclass
class Shelf:
    """Where the books of a run stand: their folder, the budget, who hears what is done, the share of the data.

    `time_limit` is the CPU seconds after which one slow run of a curve is given up.
    """

    folder: Path | None = None
    share: float = 1.0
    budget: Budget = field(default_factory=Budget)
    report: Report = silent
    time_limit: float = 300.0
    command: str = "kakari reproduce all -o DIR --only {experiment} --share {share}"

    def book(self, experiment: str, paper: str, tables: Iterable[Table], figures: Iterable[Figure] = ()) -> Book:
        """Open the book of an experiment, with what is in it from a run before."""
        command = self.command.replace("{experiment}", experiment).replace("{share}", f"{self.share:g}")
        where: dict[str, Any] = {"folder": self.folder, "command": command}
        where |= {"whole": self.share == 1, "budget": self.budget, "report": self.report, "time_limit": self.time_limit}
        return Book(experiment, paper, tables, figures, **where)

    def some(self, count: int, least: int = 50) -> int:
        """Return the share of a number of examples, but not fewer than `least`.

        Examples
        --------
        >>> Shelf(share=0.1).some(5000), Shelf(share=0.1).some(100), Shelf().some(30)
        (500, 50, 30)
        """
        return min(count, max(least, round(self.share * count)))


def _apart(table: Table) -> Table:
    """Return a table with a column of its own for what the paper has for each column.

    A share of the data is another problem than the paper's: the two numbers do not stand in one cell.
    """
    theirs = {f"{PAPER}{name}": decimals for name, decimals in table.columns.items() if not name.startswith(PAPER)}
    return replace(table, columns={**table.columns, **{k: v for k, v in theirs.items() if k not in table.columns}})


def _cells(values: Mapping[str, Any], published: Mapping[str, str]) -> dict[str, Cell]:
    cells = {}
    for name in [*values, *(name for name in published if name not in values)]:
        value = values.get(name)
        mean, deviation = value if isinstance(value, tuple) else (value, None)
        cells[name] = Cell(mean, deviation, published.get(name, ""))
    return cells


def _told(row: Row) -> dict[str, Any]:
    """Return a row as JSON holds it, without what is empty."""
    told = {name: value for name, value in asdict(row).items() if value not in (None, "", [], {})}
    cells = told.get("cells", {})
    told["cells"] = {
        name: {key: _rounded(own) for key, own in cell.items() if own not in (None, "")} for name, cell in cells.items()
    }
    return told


def _rounded(value: Any) -> Any:
    """Round a number to seven digits: the rest is noise, and makes changes of the files hard to read."""
    return float(f"{value:.7g}") if isinstance(value, float) else value


def read_book(path: Path) -> Book:
    """Read a book; what is not one is refused."""
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
        if told["layout"] != LAYOUT:
            raise ResultsError(f"{path}: layout {told['layout']} is not known")
        book = Book(
            told["experiment"],
            told["paper"],
            [Table(**table) for table in told["tables"]],
            [Figure(**figure) for figure in told["figures"]],
        )
        for own in told["rows"]:
            cells = {name: Cell(**cell) for name, cell in own.pop("cells").items()}
            points = [Point(*point) for point in own.pop("points", [])]
            book.add(Row(**own, cells=cells, points=points))
    except (KeyError, TypeError, AttributeError, json.JSONDecodeError, UnicodeDecodeError) as error:
        raise ResultsError(f"{path}: these are no stored results ({error})") from None
    return book


def read_books(folder: Path) -> dict[str, Book]:
    """Read all books of a folder, by the names of their experiments."""
    books = [read_book(path) for path in sorted(folder.glob("*.json"))]
    return {book.experiment: book for book in books}
