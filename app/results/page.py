r"""docs/results.md, made of the prose in docs/results/*.md and the stored results beside it.

A section may ask for tables, figures and single values, which are put in from the books:

    {table slicing-dependency: table 2}
    {table questions: table 6.2 | accuracy | seconds}       some of its columns
    {figure slicing-dependency: figure 1}                   an SVG file beside the books
    {value slicing-dependency: table 2 | PA-I, d = 1 | accuracy, %}

`python -m kakari.results.page docs` (`make results`) writes the page; a test compares.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from pathlib import Path

from kakari.corpora.records.textfiles import write_text
from kakari.results.charts import line_chart
from kakari.results.showing import Shown, cell_text, shown
from kakari.results.stored import Book, ResultsError, read_books

ASKED = re.compile(r"\{(table|figure|value) ([\w+-]+): ([^{}]+)\}")
HEAD = """<!-- This page is generated: `make results` makes it from docs/results/*.md (prose, in the order of names) and
     docs/results/*.json (stored results). Do not edit it: edit those. On a merge conflict here take either side and run
     `make results`. CONTRIBUTING.md, "Results", says how to add a stored result or a section. -->
"""


def markdown(table: Shown) -> str:
    """Write a table with its notes and commands."""
    rows = [table.headings, ["---"] * len(table.headings), *table.rows]
    lines = ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows]
    notes = [f"Not measured: {'; '.join(table.notes)}."] if table.notes else []
    title = [f"**{table.title}**", ""] if table.title else []
    under = ["", *notes, *(f"- {line}" for line in table.sources)] if notes or table.sources else []
    return "\n".join([*title, *lines, *under])


def filled(section: str, books: Mapping[str, Book]) -> str:
    """Put tables, figures and values into a section."""

    def put(match: re.Match[str]) -> str:
        kind, experiment, rest = match.groups()
        if experiment not in books:
            raise ResultsError(f"there are no stored results of {experiment!r}")
        book, (name, *more) = books[experiment], [part.strip() for part in rest.split(" | ")]
        if kind == "table":
            return markdown(shown(book, name, columns=more))
        if kind == "figure":
            if name not in book.figures:
                raise ResultsError(f"{experiment} has no figure {name!r}")
            return f"![{book.figures[name].title}](results/{figure_file(experiment, name)})"
        row, column = more
        return cell_text(book.value(name, row, column), book.tables[name].columns[column])

    return ASKED.sub(put, section)


def figure_file(experiment: str, figure: str) -> str:
    """Name the file of a figure.

    Examples
    --------
    >>> figure_file("adult", "figure 5.1a")
    'adult-figure-5.1a.svg'
    """
    return f"{experiment}-{figure.replace(' ', '-')}.svg"


def page_files(docs: Path) -> dict[Path, str]:
    """Return what the page and its figures should hold, by file."""
    folder = docs / "results"
    books = read_books(folder)
    sections = [path.read_text(encoding="utf-8").strip() for path in sorted(folder.glob("*.md"))]
    files = {docs / "results.md": HEAD + "\n" + "\n\n".join(filled(section, books) for section in sections) + "\n"}
    for section in sections:
        for kind, experiment, name in ASKED.findall(section):
            if kind == "figure":
                book = books[experiment]
                drawn = line_chart(book.figures[name.strip()], book.points(name.strip()))
                files[folder / figure_file(experiment, name.strip())] = drawn
    return files


def main(docs: str) -> None:
    """Write the page and its figures."""
    for path, text in page_files(Path(docs)).items():
        write_text([text], path)


if __name__ == "__main__":
    main(*sys.argv[1:])
