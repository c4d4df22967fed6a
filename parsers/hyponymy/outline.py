r"""The tree of an article: title, headings, list items, terms and their definitions, tables' captions, headers, cells.

A node is a row of parallel lists: what kind of thing it is, its text (links still marked), its parent. The title is
node 0. Nodes stand in the order of the article, so that a parent always comes before its children.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from kakari.parsers.hyponymy.wikitext import plain_lines

_HEADING = re.compile(r"(={1,6})(.+?)\1[^=]*$")
_SPAN = re.compile(r"(col|row)span\s*=\s*[\"']?\s*(\d{1,3})", re.IGNORECASE)
LIST_KINDS = {"*": "bullet", "#": "number", ";": "term", ":": "definition"}
DEEPEST_LIST = 30
DEEPEST_TABLE = 2  # a node is paired with all that are above it: tables in tables without end would cost their square
WIDEST_SPAN = 100  # a colspan of 10,000 is a mistake or an attack


@dataclass
class Outline:
    """The nodes of an article, and the lines that are in none of them (its prose)."""

    kinds: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    prose: list[str] = field(default_factory=list)

    def add(self, kind: str, text: str, parent: int) -> int:
        """Add a node; return its number."""
        self.kinds.append(kind)
        self.texts.append(text.strip())
        self.parents.append(parent)
        return len(self.kinds) - 1


@dataclass
class _Table:
    """An open table: headers by column, cells that reach down from rows above, where we are."""

    outside: int  # the node under which the table stands
    above: int  # the same, or its caption
    headers: dict[int, int] = field(default_factory=dict)
    reaching: dict[int, int] = field(default_factory=dict)
    column: int = 0
    row: int = 0
    cell: int | None = None


def outline(title: str, text: str) -> Outline:
    r"""Return the tree of an article.

    Examples
    --------
    >>> tree = outline("日本", "序文。\n== 都市 ==\n* [[東京]]\n** 新宿\n* 大阪\n{|\n! 山\n|-\n| 富士山\n|}")
    >>> list(zip(tree.kinds, tree.texts, tree.parents))[1:4]
    [('heading', '都市', 0), ('bullet', '\x02東京\x03', 1), ('bullet', '新宿', 2)]
    >>> list(zip(tree.kinds, tree.texts, tree.parents))[4:], tree.prose
    ([('bullet', '大阪', 1), ('header', '山', 1), ('first-cell', '富士山', 5)], ['序文。'])
    """
    return _Builder(title, text).tree


class _Builder:
    def __init__(self, title: str, text: str) -> None:
        self.tree = Outline()
        self.headings = [(0, self.tree.add("title", title, -1))]
        self.items: list[tuple[str, int]] = []  # the open list items: mark and node
        self.tables: list[_Table] = []
        for line in plain_lines(text):
            self._line(line)

    def _line(self, line: str) -> None:
        first = line[:1]
        if first in ("*", "#", ";", ":"):
            if first == ":" and line.lstrip(": \t").startswith("{|"):
                self._open_table()
            else:
                self._item(line)
            return
        if first == "=":
            match = _HEADING.match(line)
            if match is not None:
                self._heading(len(match[1]), match[2])
                return
        stripped = line.strip()
        if not stripped:
            self.items.clear()
            return
        if stripped.startswith("{|"):
            self._open_table()
        elif self.tables and stripped[0] in "|!":
            self._table_line(stripped)
        else:
            self.items.clear()
            if not self.tables:
                self.tree.prose.append(stripped)
            elif self.tables[-1].cell is not None:
                self._lengthen(self.tables[-1].cell, stripped)

    def _lengthen(self, cell: int, text: str) -> None:
        if len(self.tree.texts[cell]) < 200:
            self.tree.texts[cell] = f"{self.tree.texts[cell]} {text}".strip()

    def _heading(self, level: int, text: str) -> None:
        self.items.clear()
        self.tables.clear()
        while self.headings[-1][0] >= level:
            self.headings.pop()
        self.headings.append((level, self.tree.add("heading", text, self.headings[-1][1])))

    def _above(self) -> int:
        """Return the node under which a list or a table stands: a table's cell (if it says something), a heading."""
        if self.tables:
            table = self.tables[-1]
            if table.cell is not None:
                return table.cell if self.tree.texts[table.cell] else self.tree.parents[table.cell]
            return table.above
        return self.headings[-1][1]

    def _item(self, line: str) -> None:
        text = line.lstrip("*#;:")
        marks = line[: len(line) - len(text)][:DEEPEST_LIST]
        del self.items[len(marks) :]
        while self.items and not _continues(self.items, marks):
            self.items.pop()
        if self.items and len(self.items) == len(marks):  # a sibling of the last item, or a term's definition
            mark, _ = self.items[-1]
            if not (mark == ";" and marks[-1] == ":"):
                self.items.pop()
        parent = self.items[-1][1] if self.items else self._above()
        term, colon, definition = text.partition(":") if marks[-1] == ";" else (text, "", "")
        node = self.tree.add(LIST_KINDS[marks[-1]], term, parent)
        del self.items[len(marks) - 1 :]
        self.items.append((marks[-1], node))
        if colon and definition.strip():
            self.tree.add("definition", definition, node)

    def _open_table(self) -> None:
        outside = self._above() if len(self.tables) < DEEPEST_TABLE else self.tables[-1].outside
        self.tables.append(_Table(outside, outside))
        self.items.clear()

    def _table_line(self, line: str) -> None:
        self.items.clear()
        table = self.tables[-1]
        if line.startswith("|}"):
            self.tables.pop()
        elif line.startswith("|-"):
            table.row += 1
            table.column = 0
            table.cell = None
        elif line.startswith("|+"):
            table.above = self.tree.add("caption", _content(line[2:])[1], table.outside)
        elif line[0] == "!":
            for cell in line[1:].replace("!!", "||").split("||"):
                self._cell(table, cell, header=True)
        else:
            for cell in line[1:].split("||"):
                self._cell(table, cell, header=False)

    def _cell(self, table: _Table, cell: str, *, header: bool) -> None:
        attributes, text = _content(cell)
        spans = {name.lower(): min(int(number), WIDEST_SPAN) for name, number in _SPAN.findall(attributes)}
        while table.reaching.get(table.column, 0) > table.row:
            table.column += 1
        above = table.headers.get(table.column, table.above)
        if header and table.column == 0 and table.row > 0 and table.headers:
            kind = "row-header"
        elif header:
            kind, above = "header", table.above
        else:
            kind = "first-cell" if table.column == 0 else "cell"
        table.cell = self.tree.add(kind, text, above)
        for _ in range(max(1, spans.get("col", 1))):
            if kind == "header":
                table.headers[table.column] = table.cell
            if spans.get("row", 1) > 1:
                table.reaching[table.column] = table.row + spans["row"]
            table.column += 1


def _continues(items: list[tuple[str, int]], marks: str) -> bool:
    """Return whether the open items are of the lists that the marks name."""
    return all(
        item[0] == mark or (item[0] == ";" and mark == ":") or (item[0] == ":" and mark == ";")
        for item, mark in zip(items, marks, strict=False)
    )


def _content(cell: str) -> tuple[str, str]:
    """Split a cell into its attributes and what it shows."""
    attributes, pipe, text = cell.partition("|")
    return (attributes, text) if pipe else ("", cell)
