r"""Wikipedia articles as wikitext: MediaWiki's XML dumps, or a JSON object a line with `title` and `text`.

Dumps are read as a stream, page by page, plain or compressed (gzip, bz2), so that their size does not matter. Of a page
with several revisions the last one counts. A dump that is cut short yields the pages before that point, then an error.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from xml.etree.ElementTree import Element, ParseError, XMLPullParser

from kakari.corpora.records.errors import CorpusError
from kakari.corpora.records.textfiles import Source, numbered_lines, source_name

# Names of the name spaces other than that of articles, where a file does not list them.
SPACES = {
    "talk": 1,
    "ノート": 1,
    "user": 2,
    "利用者": 2,
    "wikipedia": 4,
    "project": 4,
    "file": 6,
    "image": 6,
    "ファイル": 6,
    "画像": 6,
    "mediawiki": 8,
    "template": 10,
    "help": 12,
    "ヘルプ": 12,
    "category": 14,
    "カテゴリ": 14,
    "portal": 100,
    "プロジェクト": 102,
    "module": 828,
    "モジュール": 828,
}


@dataclass(frozen=True, slots=True)
class Article:
    """A page: its title, its wikitext, the number of its name space (0 for articles), whether it is a redirect."""

    title: str
    text: str
    space: int = 0
    redirect: bool = False


def read_articles(source: Source) -> Iterator[Article]:
    r"""Yield the pages of an XML dump or of a file of JSON lines.

    Examples
    --------
    >>> import io
    >>> next(read_articles(io.StringIO('{"title": "日本", "text": "== 都市 =="}')))
    Article(title='日本', text='== 都市 ==', space=0, redirect=False)
    >>> page = "<page><title>Talk:A</title><ns>1</ns><revision><text>x</text></revision></page>"
    >>> next(read_articles(io.StringIO(f"<mediawiki>\n{page}\n</mediawiki>"))).space
    1
    """
    name = source_name(source)
    lines = numbered_lines(source)
    for number, line in lines:
        start = line.lstrip()
        if start.startswith("<"):
            yield from _from_xml(name, number, line, lines)
            return
        if start:
            yield _from_json(name, number, line)


def _from_json(name: str, number: int, line: str) -> Article:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise CorpusError(name, number, f"the line is no JSON: {error}") from None
    if not isinstance(found, dict):
        raise CorpusError(name, number, "the line is no JSON object with title and text")
    for key in ("title", "text"):
        if not isinstance(found.get(key), str):
            raise CorpusError(name, number, f"the article has no {key}")
    return Article(found["title"], found["text"], space_of(found["title"], SPACES))


def space_of(title: str, spaces: dict[str, int]) -> int:
    """Return the number of the name space that a title begins with; what is no known name is an article's title.

    Examples
    --------
    >>> space_of("Category:国", SPACES), space_of("スター・ウォーズ:新たなる希望", SPACES)
    (14, 0)
    """
    prefix, colon, _ = title.partition(":")
    return spaces.get(prefix.strip().lower(), 0) if colon else 0


def _from_xml(name: str, number: int, line: str, lines: Iterator[tuple[int, str]]) -> Iterator[Article]:
    parser: Any = XMLPullParser(("start", "end"))
    spaces = dict(SPACES)
    stack: list[Element] = []
    try:
        parser.feed(f"{line}\n")
        yield from _pages(parser, stack, spaces)
        for place, line in lines:
            number = place
            parser.feed(f"{line}\n")
            yield from _pages(parser, stack, spaces)
        parser.close()
    except ParseError as error:
        raise CorpusError(name, number, f"the XML dump is cut short or damaged: {error}") from None


def _pages(parser: Any, stack: list[Element], spaces: dict[str, int]) -> Iterator[Article]:
    for event, element in parser.read_events():
        if event == "start":
            stack.append(element)
            continue
        stack.pop()
        tag = _tag(element)
        if tag == "namespace" and element.text:
            key = element.get("key", "")
            if key.removeprefix("-").isascii() and key.removeprefix("-").isdigit():
                spaces[element.text.strip().lower()] = int(key)
        elif tag == "page":
            yield _page(element, spaces)
            if stack:
                stack[-1].remove(element)  # or a dump of gigabytes would grow in memory


def _page(page: Element, spaces: dict[str, int]) -> Article:
    title = text = ""
    space: int | None = None
    redirect = False
    for child in page.iter():
        tag = _tag(child)
        if tag == "title":
            title = child.text or ""
        elif tag == "text":
            text = child.text or ""
        elif tag == "redirect":
            redirect = True
        elif tag == "ns" and child.text and child.text.strip().removeprefix("-").isdecimal():
            space = int(child.text)
    return Article(title, text, space_of(title, spaces) if space is None else space, redirect)


def _tag(element: Element) -> str:
    return element.tag.rpartition("}")[2]


def format_article(article: Article) -> str:
    """Write a page as a line of JSON."""
    return json.dumps({"title": article.title, "text": article.text}, ensure_ascii=False) + "\n"
