"""`kakari parse`: text in, structure out."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from enum import Enum
from functools import cache, partial
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from kakari.console import stdout_is_terminal, with_progress
from kakari.corpora.errors import CorpusError

if TYPE_CHECKING:
    from kakari.corpora.japanese import JapaneseSentence
    from kakari.japanese_output import KnpToCabocha
    from kakari.parsers.english import EnglishParser
    from kakari.parsers.japanese import JapaneseParser

JAPANESE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uff66-\uff9f]")
FILE_NAME = re.compile(r"\S+\.(txt|gz)")  # hardly a text: a file's name, misspelt
CHUNK_CHARACTERS = 20_000
PORTION_LINES = 15_000
Chunk = TypeVar("Chunk")


class Output(str, Enum):
    """What is written."""

    tree = "tree"
    cabocha = "cabocha"
    knp = "knp"
    conllu = "conllu"
    ptb = "ptb"
    conll = "conll"
    json = "json"
    svg = "svg"
    html = "html"


class Language(str, Enum):
    """What can be parsed."""

    ja = "ja"
    en = "en"


class Input(str, Enum):
    """What is read."""

    text = "text"
    knp = "knp"
    cabocha = "cabocha"


def parse_cli(
    texts: Annotated[
        list[str] | None,
        typer.Argument(metavar="TEXT|FILE", help="Texts, or files that hold them; none or - reads a pipe."),
    ] = None,
    output: Annotated[Output, typer.Option("--format", "-f", help="What to write.")] = Output.tree,
    language: Annotated[
        Language | None,
        typer.Option("--language", "-l", help="The language. [default: by the script]", show_default=False),
    ] = None,
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
    folder: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="DIR", help="Write a file for each FILE there; those that are there are kept."
        ),
    ] = None,
    scheduler: Annotated[
        str | None, typer.Option(metavar="tcp://HOST:PORT", help="With -o: a Dask cluster that parses the files.")
    ] = None,
) -> None:
    """Find bunsetsu and dependencies in Japanese text; trees, predicates and their arguments in English text.

    Examples: kakari parse "太郎は花子が読んでいる本を次郎に渡した。", kakari parse -f ptb "Who wrote Hamlet?"
    """
    request = Request(output, language, source, one_sentence_per_line, model, kinds, beam, stdout_is_terminal())
    if folder is not None:
        from kakari.commands.parse_files import parse_files

        parse_files(texts or [], folder, request, jobs=jobs, scheduler=scheduler)
        return
    if scheduler is not None:
        raise typer.BadParameter("a cluster parses files into a folder: -o DIR", param_hint="--scheduler")
    for argument in texts or ["-"]:
        pieces: Iterable[str] = parsed(argument, request, jobs)
        if not stdout_is_terminal():  # there, the results themselves show how far it is
            pieces = with_progress(pieces, f"Parsing {argument[:40]}")
        for piece in pieces:
            sys.stdout.write(piece)


@dataclass(frozen=True)
class Request:
    """What is to be done with each text or file."""

    output: Output
    language: Language | None
    source: Input | None
    one_sentence: bool
    model: str | None
    kinds: bool
    beam: int
    colours: bool


def parsed(argument: str, request: Request, jobs: int = 1) -> Iterator[str]:
    """Yield what is written of a text or file, piece by piece."""
    kind = request.source or input_kind(argument)
    if kind is Input.text:
        wanted = request.language or implied_language(request.output, request.model)
        chunks, spoken = _with_language(text_chunks(argument, request.one_sentence), wanted)
        if spoken is Language.en:
            yield from _parsed_english(chunks, request, jobs)
            return
    if request.output in (Output.ptb, Output.conll):
        raise typer.BadParameter(f"{request.output.value} is for English", param_hint="--format")
    # KNP's words are JUMAN's, which the model of Sudachi's words would misread.
    chosen = request.model or ("ja-juman" if kind is Input.knp else "ja")
    settings = Settings(
        request.output.value, chosen, request.kinds, request.beam, request.one_sentence, request.colours
    )
    if kind is Input.text:
        yield from _ordered(partial(parse_chunk, settings=settings), chunks, jobs)
    else:
        work = write_knp if kind is Input.knp else write_cabocha
        yield from _ordered(partial(work, settings=settings), file_portions(argument), jobs)


def implied_language(output: Output, model: str | None) -> Language | None:
    """Tell the language by a model or a format that is for one language only."""
    if model is not None:
        from kakari.models.files import read_model

        if model in ("en", "ja", "ja-juman"):
            return Language(model[:2])
        return Language.en if read_model(model)[1]["task"] == "en-constituency" else Language.ja
    if output in (Output.ptb, Output.conll):
        return Language.en
    return None if output in (Output.tree, Output.json) else Language.ja


def _with_language(chunks: Iterator[list[str]], language: Language | None) -> tuple[Iterator[list[str]], Language]:
    """Tell the language of texts by the first ones, if it was not said."""
    first = list(islice(chunks, 1))
    if language is None:
        japanese = any(JAPANESE.search(text) for chunk in first for text in chunk)
        language = Language.ja if japanese or not any("".join(chunk).strip() for chunk in first) else Language.en
    return chain(first, chunks), language


def _parsed_english(chunks: Iterable[list[str]], request: Request, jobs: int) -> Iterator[str]:
    from kakari.english_output import FORMATS

    if request.output.value not in FORMATS:
        raise typer.BadParameter(f"English is written as {', '.join(FORMATS)}", param_hint="--format")
    work = partial(
        parse_english_chunk,
        output=request.output.value,
        model=request.model or "en",
        one_sentence=request.one_sentence,
    )
    yield from _ordered(work, chunks, jobs)


@cache
def english_parser_of(model: str) -> EnglishParser:
    """Load a parser once a process."""
    from kakari.parsers.english import EnglishParser

    return EnglishParser.pretrained() if model == "en" else EnglishParser.load(model)


def parse_english_chunk(texts: list[str], *, output: str, model: str, one_sentence: bool) -> str:
    """Parse some English texts and write them out."""
    from kakari.english_output import write_texts
    from kakari.parsers.argument_model import pretrained_arguments

    parser, arguments = english_parser_of(model), None if output == "ptb" else pretrained_arguments()
    return write_texts(parser, texts, output, arguments=arguments, one_sentence=one_sentence)


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


class Portion:
    """Numbered lines of an analysed file, whole sentences, and the error that the file's reading ended with."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.lines: list[tuple[int, str]] = []
        self.error: CorpusError | None = None

    def __iter__(self) -> Iterator[tuple[int, str]]:
        yield from self.lines
        if self.error is not None:
            raise self.error


def file_portions(argument: str) -> Iterator[Portion]:
    """Yield the lines of a file whose sentences end with EOS in handy portions.

    A file that cannot be read to its end has its error in the last portion: what is wrong before that is told first.
    """
    from kakari.corpora.textfiles import numbered_lines, source_name

    portion = Portion(source_name(argument))
    try:
        for numbered in numbered_lines(argument):
            portion.lines.append(numbered)
            if len(portion.lines) >= PORTION_LINES and numbered[1] == "EOS":
                yield portion
                portion = Portion(portion.name)
    except CorpusError as error:
        portion.error = error
    if portion.lines or portion.error is not None:
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
    if not exists and FILE_NAME.fullmatch(argument):
        raise CorpusError(argument, None, "there is no such file")
    return exists


def _ordered(work: Callable[[Chunk], str], chunks: Iterable[Chunk], jobs: int) -> Iterator[str]:
    if jobs == 1:
        yield from map(work, chunks)
        return
    with ProcessPoolExecutor(jobs) as pool:
        waiting = iter(chunks)
        # A few chunks ahead of the output, so that a huge file is never in memory at once.
        running = [pool.submit(work, chunk) for chunk in islice(waiting, 4 * jobs)]
        while running:
            yield running.pop(0).result()
            running.extend(pool.submit(work, chunk) for chunk in islice(waiting, 1))


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


def write_knp(portion: Portion, settings: Settings) -> str:
    """Parse the morphemes of KNP text and write them out."""
    if settings.output == "cabocha":
        return knp_writer_of(*settings.key()).write(portion.name, portion)
    from kakari.corpora.knp import knp_sentences

    return _write_records(knp_sentences(portion.name, portion, strict=False), settings)


def write_cabocha(portion: Portion, settings: Settings) -> str:
    """Parse the morphemes of CaboCha's lattices and write them out."""
    from kakari.corpora.cabocha import cabocha_sentences

    return _write_records(cabocha_sentences(portion.name, portion, strict=False), settings)


@cache
def knp_writer_of(model: str, kinds: bool, beam: int) -> KnpToCabocha:
    """Make a writer once a process; it remembers words."""
    from kakari.japanese_output import KnpToCabocha

    return KnpToCabocha(parser_of(model, kinds, beam))


def _write_records(records: Iterable[JapaneseSentence], settings: Settings) -> str:
    from kakari.japanese_output import write_sentences

    return write_sentences(parser_of(*settings.key()), list(records), settings.output, colours=settings.colours)
