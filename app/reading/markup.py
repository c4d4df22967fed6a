"""Texts from wrapped lines, ruby and HTML, with the places of their characters in the input.

Ruby is the reading of a word, printed above it: 《…》 after a word (in Aozora Bunko, where ｜ marks the beginning of
the word), or `<rt>` and `<rp>` in HTML. It is not part of the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from html import unescape
from html.parser import HTMLParser

from kakari.corpora.records.origins import Origin

Located = tuple[str, Origin]
RUBY = re.compile(r"《[^《》\n]*》|｜")
INLINE = frozenset(
    "a abbr acronym b bdi bdo big cite code data del dfn em font i img input ins kbd label mark q rb ruby s samp small"
    " span strike strong sub sup time tt u var wbr".split()
)
UNREAD = frozenset("script style template rt rp rtc noscript".split())


class TextBuilder:
    """A text that grows run by run."""

    def __init__(self) -> None:
        self.text = ""
        self.runs: list[tuple[int, int, int]] = []

    def add(self, piece: str, source: int, line: int) -> None:
        """Add a piece of the input that begins at `source`; line breaks in it count as lines of the input."""
        for part in piece.splitlines(keepends=True):
            self.runs.append((len(self.text), source, line))
            self.text += part
            source += len(part)
            line += part.endswith("\n")

    def finish(self) -> Located:
        """Return the text, and begin again."""
        places, sources, lines = zip(*self.runs, strict=True) if self.runs else ((0,), (0,), (1,))
        found = self.text, Origin(places, sources, lines)
        self.text, self.runs = "", []
        return found


def joined_lines(lines: Iterable[Located]) -> Iterator[Located]:
    """Join wrapped lines up to an empty one; a blank stands between two Latin words, nothing between others.

    Examples
    --------
    >>> lines = [("京都", Origin((0,), (0,), (1,))), ("大学", Origin((0,), (3,), (2,))), ("", Origin((0,), (6,), (3,)))]
    >>> [text for text, _ in joined_lines(lines)]
    ['京都大学']
    """
    waiting = TextBuilder()
    for text, origin in lines:
        stripped = text.strip()
        if not stripped:
            if waiting.text:
                yield waiting.finish()
            continue
        begin = len(text) - len(text.lstrip())
        if waiting.text and waiting.text[-1].isascii() and waiting.text[-1].isalnum() and stripped[0].isascii():
            waiting.add(" ", origin.source(0) - 1, origin.line(0) - 1)
        waiting.add(stripped, origin.source(begin), origin.line(begin))
    if waiting.text:
        yield waiting.finish()


def without_ruby(located: Located) -> Located:
    """Leave out ruby.

    Examples
    --------
    >>> without_ruby(("｜吾輩《わがはい》は猫", Origin()))
    ('吾輩は猫', Origin(places=(0, 2), sources=(1, 9), lines=(1, 1)))
    """
    text, origin = located
    if RUBY.search(text) is None:
        return located
    kept, begin = TextBuilder(), 0
    for found in [*RUBY.finditer(text), None]:
        end = len(text) if found is None else found.start()
        if begin < end:
            kept.add(text[begin:end], origin.source(begin), origin.line(begin))
        begin = end if found is None else found.end()
    return kept.finish()


def html_texts(page: str) -> Iterator[Located]:
    """Yield the texts of a page, without tags; a text ends where a block ends.

    Examples
    --------
    >>> page = "<p>太郎は<b>本</b>を<ruby>読<rt>よ</rt></ruby>む。</p><p>終&#x308F;り</p>"
    >>> [(text, origin.source(0)) for text, origin in html_texts(page)]
    [('太郎は本を読む。', 3), ('終わり', 48)]
    """
    reader = _Page(page)
    reader.feed(page)
    reader.close()
    reader.end_text()
    yield from reader.found


class _Page(HTMLParser):
    """Collects the texts of a page."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=False)
        self.line_starts = [0]
        for line in page.split("\n"):
            self.line_starts.append(self.line_starts[-1] + len(line) + 1)
        self.found: list[Located] = []
        self.waiting = TextBuilder()
        self.unread = 0

    def end_text(self) -> None:
        if self.waiting.text.strip():
            self.found.append(self.waiting.finish())
        self.waiting = TextBuilder()

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.unread += tag in UNREAD
        if tag not in INLINE and tag not in UNREAD:
            self.end_text()

    def handle_endtag(self, tag: str) -> None:
        if tag in UNREAD:
            self.unread = max(0, self.unread - 1)
        elif tag not in INLINE:
            self.end_text()

    def handle_startendtag(self, tag: str, attrs: object) -> None:
        if tag not in INLINE:
            self.end_text()

    def handle_data(self, data: str) -> None:
        line, column = self.getpos()
        if not self.unread:
            self.waiting.add(data, self.line_starts[line - 1] + column, line)

    def handle_entityref(self, name: str) -> None:
        self.handle_data(unescape(f"&{name};"))

    def handle_charref(self, name: str) -> None:
        self.handle_data(unescape(f"&#{name};"))
