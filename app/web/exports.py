"""Texts in the formats of `kakari parse`, with the models of the server."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from kakari.web.limits import RefusedError

if TYPE_CHECKING:
    from kakari.web.store import Store

TYPES = {
    "json": "application/x-ndjson",
    "svg": "image/svg+xml",
    "html": "text/html",
}
JAPANESE = ("json", "conllu", "cabocha", "knp", "tree", "svg", "html")
ENGLISH = ("json", "conllu", "ptb", "conll", "chunks", "tree", "svg", "html")


def media_type(output: str) -> str:
    """Return the type of a format."""
    return TYPES.get(output, "text/plain") + "; charset=utf-8"


def exported(store: Store, text: str, language: str, output: str) -> str:
    """Write a text as `kakari parse -f` does."""
    names = JAPANESE if language == "ja" else ENGLISH
    if output not in names:
        spoken = "Japanese" if language == "ja" else "English"
        raise RefusedError(422, f"{spoken} is written as {', '.join(names)}, not as {output}")
    write: Callable[[Store, str, str], str] = _japanese if language == "ja" else _english
    return write(store, text, output)


def _japanese(store: Store, text: str, output: str) -> str:
    from kakari.output.conllu_numbers import numbered
    from kakari.output.japanese import drawn, write_texts
    from kakari.web.japanese import parser_of

    written = write_texts(parser_of(store, universal=output == "conllu", boundaries=output == "json"), [text], output)
    if output in ("svg", "html"):
        return drawn([written], output)
    return "".join(numbered([written])) if output == "conllu" else written


def _english(store: Store, text: str, output: str) -> str:
    from kakari.output.conllu_numbers import numbered
    from kakari.parsers.english.parser import EnglishParser
    from kakari.web.english import ARGUMENTS, CHUNKS, DEPENDENCIES, TREES

    parser = EnglishParser(store.model(TREES))
    if output == "conllu":
        from kakari.output.dependency import write_texts as write_dependencies
        from kakari.parsers.dependency.parser import DependencyParser

        dependencies = DependencyParser(store.model(DEPENDENCIES), store.model(TREES))
        return "".join(numbered([write_dependencies(dependencies, [text], output)]))
    if output == "chunks":
        from kakari.parsers.english.chunks.chunker import Chunker

        found = Chunker(store.model(CHUNKS), store.model(TREES)).chunk(text)
        return "".join(sentence.brackets + "\n" for sentence in found)
    from kakari.output.english import write_texts

    written = write_texts(parser, [text], output, arguments=None if output == "ptb" else store.model(ARGUMENTS))
    if output == "html":
        from kakari.parsers.pictures.brackets import html_page

        return html_page(written.splitlines())
    return written
