"""`kakari parse`: text in, structure out."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from enum import Enum
from functools import cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kakari.console import stdout_is_terminal, with_progress
from kakari.corpora.errors import CorpusError

if TYPE_CHECKING:
    from kakari.parsers.japanese import JapaneseParser

CHUNK_CHARACTERS = 20_000


class Output(str, Enum):
    """What is written."""

    tree = "tree"
    cabocha = "cabocha"
    knp = "knp"
    conllu = "conllu"
    json = "json"
    svg = "svg"
    html = "html"


class Input(str, Enum):
    """What is read."""

    text = "text"
    knp = "knp"
    cabocha = "cabocha"


def parse_cli(
    texts: Annotated[
        list[str] | None,
        typer.Argument(metavar="[TEXT|FILE]...", help="Texts, or files that hold them; none or - reads a pipe."),
    ] = None,
    output: Annotated[Output, typer.Option("--format", "-f", help="What to write.")] = Output.tree,
    language: Annotated[str, typer.Option("--language", "-l", help="The language; only ja so far.")] = "ja",
    source: Annotated[
        Input | None, typer.Option("--input", help="What is read. [default: by the files' names]", show_default=False)
    ] = None,
    one_sentence_per_line: Annotated[bool, typer.Option(help="A line is a sentence; do not split.")] = False,
    model: Annotated[
        str | None,
        typer.Option(metavar="MODEL", help="A model file. [default: embedded, by the input]", show_default=False),
    ] = None,
    kinds: Annotated[bool, typer.Option(help="Tell arc types (D, P, I, A), if the model can.")] = False,
    beam: Annotated[int, typer.Option(min=0, help="Keep so many analyses with scores (json).")] = 0,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=1, help="Processes; the order stays.")] = 1,
) -> None:
    """Find bunsetsu and dependencies in Japanese text.

    Example: kakari parse "太郎は花子が読んでいる本を次郎に渡した。"
    """
    if language != "ja":
        raise typer.BadParameter(f"'{language}' cannot be parsed; ja can", param_hint="--language")
    for argument in texts or ["-"]:
        kind = source or input_kind(argument)
        # KNP's words are JUMAN's, which the model of Sudachi's words would misread.
        chosen = model or ("ja-juman" if kind is Input.knp else "ja")
        settings = Settings(output.value, chosen, kinds, beam, one_sentence_per_line, stdout_is_terminal())
        if kind is Input.text:
            chunks: Iterable[list[str]] = text_chunks(argument, one_sentence_per_line)
            results = _ordered(chunks, settings, jobs)
        else:
            results = (write_records(chunk, settings) for chunk in record_chunks(argument, kind))
        for piece in with_progress(results, f"Parsing {argument[:40]}"):
            sys.stdout.write(piece)


class Settings:
    """What a worker needs to know."""

    def __init__(self, output: str, model: str, kinds: bool, beam: int, one_sentence: bool, colours: bool) -> None:
        self.output = output
        self.model = model
        self.kinds = kinds
        self.beam = beam
        self.one_sentence = one_sentence
        self.colours = colours

    def key(self) -> tuple[str, bool, int]:
        """Give what a parser is made of."""
        return self.model, self.kinds, self.beam


def input_kind(argument: str) -> Input:
    """Tell what a file holds from its name; everything else is text."""
    name = argument.removesuffix(".gz")
    for kind in (Input.knp, Input.cabocha):
        if name.endswith(f".{kind.value}"):
            return kind
    return Input.text


def text_chunks(argument: str, lines_are_sentences: bool) -> Iterator[list[str]]:
    """Yield texts in handy portions: an argument is one text, a file's paragraphs (lines) one each."""
    texts: Iterable[str]
    if argument != "-" and not _is_file(argument):
        texts = argument.splitlines() if lines_are_sentences else [argument]
    else:
        from kakari.corpora.textfiles import numbered_lines

        texts = (line for _, line in numbered_lines(argument))
    portion: list[str] = []
    size = 0
    for text in texts:
        portion.append(text)
        size += len(text)
        if size >= CHUNK_CHARACTERS:
            yield portion
            portion, size = [], 0
    if portion:
        yield portion


def record_chunks(argument: str, kind: Input) -> Iterator[list[Any]]:
    """Yield sentences whose morphemes are to be parsed anew, in handy portions."""
    from kakari.corpora.formats import FORMATS

    sentences = FORMATS[kind.value].read(argument, strict=False)
    while portion := list(islice(sentences, 500)):
        yield portion


def _is_file(argument: str) -> bool:
    if not argument:  # as a path, this would be the current folder
        return False
    try:
        folder, exists = Path(argument).is_dir(), Path(argument).exists()
    except (OSError, ValueError):  # a long text is no path
        return False
    if folder:
        raise CorpusError(argument, None, "this is a folder, not a file or text")
    return exists


def _ordered(chunks: Iterable[list[str]], settings: Settings, jobs: int) -> Iterator[str]:
    if jobs == 1:
        yield from (parse_chunk(chunk, settings) for chunk in chunks)
        return
    with ProcessPoolExecutor(jobs) as pool:
        waiting = iter(chunks)
        # A few chunks ahead of the output, so that a huge file is never in memory at once.
        running = [pool.submit(parse_chunk, chunk, settings) for chunk in islice(waiting, 4 * jobs)]
        while running:
            yield running.pop(0).result()
            running.extend(pool.submit(parse_chunk, chunk, settings) for chunk in islice(waiting, 1))


@cache
def parser_of(model: str, kinds: bool, beam: int) -> JapaneseParser:
    """Load a parser once a process."""
    from kakari.parsers.japanese import JapaneseParser, pretrained_model

    if model in ("ja", "ja-juman"):
        return JapaneseParser(pretrained_model(model), kinds=kinds, beam=beam)
    return JapaneseParser.load(model, kinds=kinds, beam=beam)


def parse_chunk(texts: list[str], settings: Settings) -> str:
    """Parse some texts and write them out."""
    from kakari.japanese_output import write_texts

    parser = parser_of(*settings.key())
    return write_texts(parser, texts, settings.output, one_sentence=settings.one_sentence, colours=settings.colours)


def write_records(records: list[Any], settings: Settings) -> str:
    """Parse the morphemes of some records and write them out."""
    from kakari.japanese_output import write_sentences

    return write_sentences(parser_of(*settings.key()), records, settings.output, colours=settings.colours)
