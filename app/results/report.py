"""One HTML file with all results of a folder: tables beside the published numbers, figures, commands, what was skipped.

The file needs nothing else: figures are SVG inside it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path

from kakari.corpora.records.textfiles import write_text
from kakari.results.charts import line_chart
from kakari.results.papers import PAPERS
from kakari.results.provenance import commit_of_this, this_machine
from kakari.results.showing import Shown, shown
from kakari.results.stored import Book, read_books

STYLE = """
body { font-family: sans-serif; max-width: 88rem; margin: 2rem auto; padding: 0 1rem; color: #222; line-height: 1.4; }
table { border-collapse: collapse; margin: .5rem 0; font-size: .85rem; }
th, td { border: 1px solid #ccc; padding: .2rem .5rem; text-align: right; white-space: nowrap; }
th:first-child, td:first-child { text-align: left; }
th { background: #f0f0f0; white-space: normal; }
caption { text-align: left; font-weight: bold; padding: .4rem 0; white-space: nowrap; }
.wide { overflow-x: auto; }
.source, .skipped { font-size: .8rem; color: #555; margin: .2rem 0; }
.skipped { color: #a03000; }
details > summary { cursor: pointer; font-size: .9rem; color: #555; }
.figures { display: flex; flex-wrap: wrap; gap: .5rem 1rem; }
svg { max-width: 100%; height: auto; }
"""
LONG = 24  # rows; a longer table is folded up


def write_report(folder: Path, path: Path, command: str, missing: Sequence[str] = ()) -> None:
    """Write the report of the books in a folder; `missing` says what could not be begun."""
    write_text([report(read_books(folder), command, missing)], path)


def report(books: Mapping[str, Book], command: str, missing: Sequence[str] = ()) -> str:
    """Return the report as HTML."""
    parts = [_summary(list(books.values()), command)]
    parts += [f"<p class='skipped'>Left out: {escape(line)}, which is not on this machine.</p>" for line in missing]
    for key, title, remark in PAPERS:
        own = [book for book in books.values() if book.paper == key]
        parts.append(f"<h2 id='{key}'>{escape(title)}</h2>\n<p>{escape(remark)}</p>")
        parts += [_of_book(book) for book in own]
        if not own:
            parts.append("<p class='skipped'>There are no results of it in this folder.</p>")
    head = f"<meta charset='utf-8'><title>kakari: the papers again</title><style>{STYLE}</style>"
    return f"<!doctype html>\n<html lang='en'><head>{head}</head><body>\n" + "\n".join(parts) + "\n</body></html>\n"


def _summary(books: Sequence[Book], command: str) -> str:
    rows = [row for book in books for row in book.rows.values()]
    skipped = [(book, row) for book in books for row in book.rows.values() if row.skipped]
    seconds = sum(row.seconds or 0.0 for row in rows)
    lines = [
        "<h1>The papers again</h1>",
        f"<p>Made by <code>{escape(command)}</code>, commit {escape(commit_of_this())}, on {escape(this_machine())}. "
        f"{len(rows) - len(skipped):,} rows measured in {seconds:,.0f} CPU seconds, {len(skipped):,} skipped. Where a "
        "cell has two numbers, the second is the paper's.</p>",
        "<ul>" + "".join(f"<li><a href='#{paper.key}'>{escape(paper.title)}</a></li>" for paper in PAPERS) + "</ul>",
    ]
    if skipped:
        items = "".join(
            f"<li>{escape(book.experiment)}, {escape(row.table)}, {escape(row.row)}: {escape(row.skipped)}</li>"
            for book, row in skipped
        )
        lines.append(f"<details><summary>What was skipped, and why</summary><ul class='skipped'>{items}</ul></details>")
    return "\n".join(lines)


def _of_book(book: Book) -> str:
    parts = [f"<h3>{escape(book.experiment)}</h3>"]
    parts += [_table(shown(book, name)) for name in book.tables if book.of_table(name)]
    drawn = [line_chart(figure, book.points(name)) for name, figure in book.figures.items()]
    figures = "\n".join(filter(None, drawn))
    return "\n".join([*parts, *([f"<div class='figures'>{figures}</div>"] if figures else [])])


def _table(table: Shown) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in table.headings)
    body = "\n".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in table.rows)
    whole = f"<div class='wide'><table><caption>{escape(table.title)}</caption><tr>{head}</tr>\n{body}</table></div>"
    if len(table.rows) > LONG:
        whole = f"<details><summary>{escape(table.title)}: {len(table.rows)} rows</summary>{whole}</details>"
    notes = "".join(f"<p class='skipped'>Not measured: {escape(note)}</p>" for note in table.notes)
    sources = "".join(f"<p class='source'>{_with_code(line)}</p>" for line in table.sources)
    return whole + notes + sources


def _with_code(line: str) -> str:
    """Write what stands between backticks as code.

    Examples
    --------
    >>> _with_code("`a < b`: 3")
    '<code>a &lt; b</code>: 3'
    """
    return re.sub("`([^`]*)`", r"<code>\1</code>", escape(line))
