"""`kakari parse` for each text or file, in this process or in several."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from functools import partial
from itertools import chain, islice
from typing import TYPE_CHECKING, TypeVar

import typer

from kakari.commands.japanese.parsing import (
    SENTENCE_ENDS,
    Analyser,
    Settings,
    drawn_or_numbered,
    parse_chunk,
    parse_portion,
)
from kakari.commands.options import Words
from kakari.models.files import loaded_once
from kakari.reading.portions import Reading, TextChunk, document_name, file_portions, text_chunks
from kakari.reading.scripts import JAPANESE, is_japanese

if TYPE_CHECKING:
    from kakari.parsers.dependency.parser import DependencyParser

ENGLISH_TASKS = ("en-constituency", "en-arguments", "en-boundary")
UNIVERSAL = "en-ud"  # the embedded English model of Universal Dependencies
Chunk = TypeVar("Chunk")


class Output(str, Enum):
    """Output formats."""

    tree = "tree"
    cabocha = "cabocha"
    knp = "knp"
    conllu = "conllu"
    ptb = "ptb"
    conll = "conll"
    chunks = "chunks"
    json = "json"
    svg = "svg"
    html = "html"


class Language(str, Enum):
    """Languages that can be parsed."""

    ja = "ja"
    en = "en"


class Standard(str, Enum):
    """Standards of bunsetsu boundaries."""

    kwdlc = "kwdlc"
    gsd = "gsd"


class Input(str, Enum):
    """Input formats."""

    text = "text"
    knp = "knp"
    cabocha = "cabocha"
    mecab = "mecab"
    juman = "juman"
    sudachi = "sudachi"
    unidic = "unidic"
    conllu = "conllu"
    json = "json"


class Split(str, Enum):
    """Sudachi's split modes."""

    A = "A"
    B = "B"
    C = "C"


@dataclass(frozen=True)
class Request:
    """Options of a request, for each text or file."""

    output: Output
    language: Language | None
    source: Input | None
    one_sentence: bool
    model: str | None
    kinds: bool
    beam: int
    colours: bool
    keep_bunsetsu: bool = False
    reading: Reading = field(default_factory=Reading)
    analyser: Analyser = field(default_factory=Analyser)
    words: Words | None = None
    standard: Standard | None = None
    nominal: bool = False


def parsed(argument: str, request: Request, jobs: int = 1) -> Iterator[str]:
    """Yield the output for a text or file, piece by piece."""
    kind = request.source or input_kind(argument)
    if request.words is not None and kind is not Input.text:
        raise typer.BadParameter(f"the words of {kind.value} are in the file", param_hint="--words")
    if request.model is not None and finds_dependencies(request.model):
        yield from _parsed_dependencies(argument, kind, request, jobs)
        return
    refuse_idle_options(kind, request)
    if kind is Input.text:
        wanted = request.language or implied_language(request.output, request.model)
        chunks, spoken = _with_language(text_chunks(argument, request.reading), wanted)
        if spoken is Language.en and request.language is None and request.model is None:
            chunks = _refusing_japanese(chunks, request.output)
        if spoken is Language.en:
            if request.words is not None:
                raise typer.BadParameter("this is for Japanese", param_hint="--words")
            if request.analyser != Analyser() or request.reading.ruby or request.standard is not None:
                raise typer.BadParameter(
                    "dictionaries, split modes, bunsetsu and ruby are for Japanese", param_hint="--language"
                )
            yield from _parsed_english(argument, chunks, request, jobs)
            return
    if request.nominal:
        raise typer.BadParameter("this is for English predicates", param_hint="--nominal")
    if request.output in (Output.ptb, Output.conll, Output.chunks):
        raise typer.BadParameter(f"{request.output.value} is for English", param_hint="--format")
    settings = Settings(
        request.output.value,
        request.model or text_model(kind, request.words),
        request.kinds,
        request.beam,
        request.one_sentence,
        request.colours,
        request.keep_bunsetsu,
        request.analyser,
        None if request.words is None else request.words.value,
        "kwdlc" if request.standard is None else request.standard.value,
    )
    if kind is Input.text:
        found = _ordered(partial(parse_chunk, settings=settings), chunks, jobs)
    else:
        portions = file_portions(argument, SENTENCE_ENDS.get(kind.value, "EOS"))
        found = _ordered(partial(parse_portion, settings=settings, kind=kind.value), portions, jobs)
    yield from drawn_or_numbered(found, request.output.value)


def text_model(kind: Input, words: Words | None) -> str:
    """Return the embedded model for a text; empty for given words, whose tags decide later."""
    if kind is not Input.text:
        return ""
    return "ja-juman" if words is Words.kakari else "ja"


def refuse_idle_options(kind: Input, request: Request) -> None:
    """Refuse options that have no effect on this kind of input."""
    reading = request.reading
    if kind is Input.text:
        if request.keep_bunsetsu:
            raise typer.BadParameter("a text has no bunsetsu that could be kept", param_hint="--keep-bunsetsu")
        if request.words is Words.kakari and request.analyser != Analyser():
            raise typer.BadParameter("dictionaries and split modes are Sudachi's", param_hint="--words")
    elif reading.html or reading.ruby or reading.join_lines or request.one_sentence:
        raise typer.BadParameter(
            "lines, ruby and tags are those of texts, and this is an analysed file", param_hint="--input"
        )


@loaded_once
def finds_dependencies(model: str) -> bool:
    """Return whether a model is one of `kakari train dependency`, or the embedded one."""
    from kakari.models.files import model_task

    return model == UNIVERSAL or (model not in ("en", "ja", "ja-juman") and model_task(model) == "dependency")


def _parsed_dependencies(argument: str, kind: Input, request: Request, jobs: int) -> Iterator[str]:
    """Parse text with a dependency model."""
    if kind is not Input.text:
        raise typer.BadParameter("a dependency model reads text", param_hint="--input")
    if request.language is not None or request.words is not None:
        raise typer.BadParameter("a dependency model has its own language and words", param_hint="--model")
    yield from _written_dependencies(text_chunks(argument, request.one_sentence), request, jobs)


def _written_dependencies(chunks: Iterable[list[str]], request: Request, jobs: int) -> Iterator[str]:
    """Parse texts into dependency trees; sentences of CoNLL-U are numbered in sequence."""
    from kakari.output.dependency import FORMATS

    if request.output.value not in FORMATS:
        raise typer.BadParameter(f"a dependency model writes {', '.join(FORMATS)}", param_hint="--format")
    if request.kinds or (request.beam and request.output is Output.tree):
        raise typer.BadParameter("dependency trees have no kinds; --beam is for conllu and json", param_hint="--model")
    work = partial(
        parse_dependency_chunk,
        output=request.output.value,
        model=request.model or UNIVERSAL,
        one_sentence=request.one_sentence,
        beam=request.beam,
    )
    from kakari.output.conllu_numbers import numbered

    pieces = _ordered(work, chunks, jobs)
    yield from numbered(pieces) if request.output is Output.conllu else pieces


def parse_dependency_chunk(texts: list[str], *, output: str, model: str, one_sentence: bool, beam: int) -> str:
    """Parse some texts and write them, CoNLL-U without the numbers of sentences."""
    from kakari.output.dependency import write_texts

    return write_texts(dependency_parser_of(model), texts, output, one_sentence=one_sentence, beam=beam)


@loaded_once
def dependency_parser_of(model: str) -> DependencyParser:
    """Load a parser once a process."""
    from kakari.parsers.dependency.parser import DependencyParser

    return DependencyParser.pretrained() if model == UNIVERSAL else DependencyParser.load(model)


def implied_language(output: Output, model: str | None) -> Language | None:
    """Return the language of a model or format that is for one language only."""
    if model is not None:
        from kakari.models.files import model_task

        if model in ("en", "ja", "ja-juman"):
            return Language(model[:2])
        return Language.en if model_task(model) in ENGLISH_TASKS else Language.ja
    if output in (Output.ptb, Output.conll, Output.chunks):
        return Language.en
    return None if output in (Output.tree, Output.json, Output.conllu, Output.svg, Output.html) else Language.ja


def _with_language(chunks: Iterator[TextChunk], language: Language | None) -> tuple[Iterator[TextChunk], Language]:
    """Return the texts and their language, which the first texts decide if it was not given."""
    first = list(islice(chunks, 1))
    if language is None:
        text = "\n".join(one for chunk in first for one in chunk)
        language = Language.ja if not text.strip() or is_japanese(text) else Language.en
    return chain(first, chunks), language


def _refusing_japanese(chunks: Iterable[TextChunk], output: Output) -> Iterator[TextChunk]:
    """Refuse texts that are mostly Japanese if English was only assumed."""
    for chunk in chunks:
        text = "".join(chunk)
        if 2 * len(JAPANESE.findall(text)) > sum(map(str.isalpha, text)):
            raise typer.BadParameter(
                f"{output.value} is for English, and this text is Japanese (-l en parses it all the same)",
                param_hint="--format",
            )
        yield chunk


def _parsed_english(argument: str, chunks: Iterator[TextChunk], request: Request, jobs: int) -> Iterator[str]:
    if request.output is Output.conllu and request.model is None:
        yield from _written_dependencies(chunks, request, jobs)
        return
    from kakari.commands.english.parsing import EnglishRequest, parsed_english

    english = EnglishRequest(
        request.output.value,
        request.model,
        request.one_sentence,
        request.nominal,
        request.kinds,
        request.beam,
        document_name(argument),
    )
    yield from parsed_english(chunks, english, partial(_ordered, jobs=jobs))


def input_kind(argument: str) -> Input:
    """Return the input format by a file's name; everything else is text."""
    from kakari.reading.tagged_names import kind_of

    return Input(kind_of(argument) or "text")


def _ordered(work: Callable[[Chunk], str], chunks: Iterable[Chunk], jobs: int) -> Iterator[str]:
    if jobs == 1:
        yield from map(work, chunks)
        return
    from kakari.parsers.pools import worker_pool

    with worker_pool(jobs) as pool:
        waiting = iter(chunks)
        # A few chunks ahead of the output, so that a huge file is never in memory at once.
        running = [pool.submit(work, chunk) for chunk in islice(waiting, 4 * jobs)]
        while running:
            yield running.pop(0).result()
            running.extend(pool.submit(work, chunk) for chunk in islice(waiting, 1))
