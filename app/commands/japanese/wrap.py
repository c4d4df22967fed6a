"""`kakari wrap`: line breaks between bunsetsu, in plain text and in HTML."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Annotated

import typer

from kakari.parsers.pictures.marks import cells
from kakari.reading.portions import Reading, TextChunk, text_chunks, whole_text

if TYPE_CHECKING:
    from kakari.parsers.japanese.parser import JapaneseParser

BREAK = "<wbr>"
STYLE = "word-break: keep-all; overflow-wrap: anywhere;"
HEAD_END = re.compile(r"</head\s*>|<body[^>]*>", re.IGNORECASE)


def wrap_cli(
    texts: Annotated[
        list[str] | None,
        typer.Argument(metavar="TEXT|FILE", help="Texts, or files that hold them; - or nothing reads a pipe."),
    ] = None,
    width: Annotated[int, typer.Option("--width", "-w", min=2, help="The longest line, in half-width cells.")] = 40,
    separator: Annotated[
        str | None,
        typer.Option(help="Put this between bunsetsu instead of breaking lines.", show_default=False),
    ] = None,
    html: Annotated[
        bool, typer.Option("--html", help="Read HTML and write it with <wbr> (or the separator) between bunsetsu.")
    ] = False,
) -> None:
    """Break Japanese lines between bunsetsu, where a line is easy to read.

    Examples: kakari wrap -w 20 text.txt, kakari wrap --html page.html, kakari wrap --separator / "今日は天気です。"
    """
    for argument in texts or ["-"]:
        if html:
            sys.stdout.write(wrapped_page(whole_text(argument), BREAK if separator is None else separator))
            continue
        for chunk in text_chunks(argument, Reading()):
            for line, pieces in zip(chunk, bunsetsu_of(chunk), strict=True):
                shown = separator.join(pieces) if separator is not None else "\n".join(folded(pieces, width))
                sys.stdout.write((shown if line.strip() else line) + "\n")


@cache
def _parser() -> JapaneseParser:
    from kakari.parsers.japanese.parser import JapaneseParser

    return JapaneseParser.pretrained()


def bunsetsu_of(texts: list[str]) -> Iterator[list[str]]:
    """Yield the bunsetsu of texts, white space included."""
    for text, sentences in zip(texts, _parser().pipe(texts), strict=True):
        yield [text[bunsetsu.begin : bunsetsu.end] for sentence in sentences for bunsetsu in sentence.bunsetsu]


def folded(pieces: list[str], width: int) -> Iterator[str]:
    """Yield lines of whole pieces that are not wider than `width`; a piece that is wider itself is cut.

    Examples
    --------
    >>> list(folded(["太郎は", "本を", "読む。"], 10)), list(folded(["あいうえお"], 4))
    (['太郎は本を', '読む。'], ['あい', 'うえ', 'お'])
    """
    line = ""
    for piece in pieces:
        if line and cells(line + piece.rstrip()) > width:
            yield line.rstrip()
            line = ""
        for character in piece:
            if line and cells(line + character) > width and not character.isspace():
                yield line.rstrip()
                line = ""
            line += character
    if line.strip():
        yield line.rstrip()


def wrapped_page(page: str, separator: str = BREAK) -> str:
    """Return HTML with marks at the places where lines may break; tags are unchanged.

    Examples
    --------
    >>> wrapped_page("<p>太郎は<b>本</b>を読む。</p>").removeprefix(f'<span style="{STYLE}">')
    '<p>太郎は<b><wbr>本</b>を<wbr>読む。</p></span>'
    """
    from kakari.reading.markup import html_texts

    located = list(html_texts(page))
    chunk = TextChunk([text for text, _ in located], [origin for _, origin in located])
    places: list[int] = []
    for text, origin, sentences in zip(chunk, chunk.origins, _parser().pipe(chunk), strict=True):
        begins = [bunsetsu.begin for sentence in sentences for bunsetsu in sentence.bunsetsu]
        places += [origin.source(begin) for begin in begins[1:] if not text[begin - 1].isspace()]
    parts, last = [], 0
    for place in places:
        parts.append(page[last:place])
        last = place
    marked = separator.join([*parts, page[last:]])
    if separator != BREAK:
        return marked
    found = HEAD_END.search(marked)
    if found is None:
        return f'<span style="{STYLE}">{marked}</span>'
    rule = f"<style>body {{ {STYLE} }}</style>"
    at = found.start() if found[0].startswith("</") else found.end()
    return marked[:at] + rule + marked[at:]
