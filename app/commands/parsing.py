"""What `kakari parse` does with each text or file, in this process or in several."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cache, partial
from itertools import chain, islice
from typing import TYPE_CHECKING, TypeVar

import typer

from kakari.reading.portions import PlacedText, Portion, document_name, file_portions, placed_chunks, text_chunks

if TYPE_CHECKING:
    from kakari.corpora.records.japanese import JapaneseSentence
    from kakari.output.japanese import KnpToCabocha
    from kakari.parsers.dependency.parser import DependencyParser
    from kakari.parsers.japanese.parser import JapaneseParser

SENT_ID = re.compile("^# sent_id = ", re.MULTILINE)
JAPANESE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uff66-\uff9f]")
HIRAGANA = re.compile(r"[\u3041-\u3096]")
LATIN = re.compile(r"[A-Za-z\u00c0-\u024f]")
ENGLISH_TASKS = ("en-constituency", "en-arguments", "en-boundary")
UNIVERSAL = "en-ud"  # the embedded English model of Universal Dependencies
Chunk = TypeVar("Chunk")


class Output(str, Enum):
    """What is written."""

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
    """What can be parsed."""

    ja = "ja"
    en = "en"


class Words(str, Enum):
    """What finds the words of Japanese text."""

    kakari = "kakari"
    sudachi = "sudachi"


class Input(str, Enum):
    """What is read."""

    text = "text"
    knp = "knp"
    cabocha = "cabocha"


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
    words: Words | None = None
    nominal: bool = False


def parsed(argument: str, request: Request, jobs: int = 1) -> Iterator[str]:
    """Yield what is written of a text or file, piece by piece."""
    kind = request.source or input_kind(argument)
    if request.words is not None and kind is not Input.text:
        raise typer.BadParameter(f"the words of {kind.value} are in the file", param_hint="--words")
    if request.model is not None and finds_dependencies(request.model):
        yield from _parsed_dependencies(argument, kind, request, jobs)
        return
    if kind is Input.text:
        wanted = request.language or implied_language(request.output, request.model)
        placed, spoken = _with_language(placed_chunks(argument, request.one_sentence), wanted)
        if spoken is Language.en:
            from kakari.commands.english.parsing import EnglishRequest, parsed_english

            if request.words is not None:
                raise typer.BadParameter("this is for Japanese", param_hint="--words")
            english = EnglishRequest(
                request.output.value,
                request.model,
                request.one_sentence,
                request.nominal,
                request.kinds,
                request.beam,
                document_name(argument),
            )
            yield from parsed_english(placed, english, partial(ordered, jobs=jobs))
            return
        chunks = ([one.text for one in chunk] for chunk in placed)
    if request.nominal:
        raise typer.BadParameter("this is for English predicates", param_hint="--nominal")
    if request.output in (Output.ptb, Output.conll, Output.chunks):
        raise typer.BadParameter(f"{request.output.value} is for English", param_hint="--format")
    # KNP's words are JUMAN's, which the model of Sudachi's words would misread.
    ours = kind is Input.knp or request.words is Words.kakari
    settings = Settings(
        request.output.value,
        request.model or ("ja-juman" if ours else "ja"),
        request.kinds,
        request.beam,
        request.one_sentence,
        request.colours,
        None if request.words is None else request.words.value,
    )
    if kind is Input.text:
        found = ordered(partial(parse_chunk, settings=settings), chunks, jobs)
    else:
        work = write_knp if kind is Input.knp else write_cabocha
        found = ordered(partial(work, settings=settings), file_portions(argument), jobs)
    yield from numbered(found) if request.output is Output.conllu else found


@cache
def finds_dependencies(model: str) -> bool:
    """Tell whether a model is one of `kakari train dependency`, or the embedded one."""
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
    """Parse texts into dependency trees; sentences of CoNLL-U are numbered through."""
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
    pieces = ordered(work, chunks, jobs)
    yield from numbered(pieces) if request.output is Output.conllu else pieces


def numbered(pieces: Iterable[str]) -> Iterator[str]:
    """Write the number of each sentence of CoNLL-U text that has none."""
    number = 0
    for piece in pieces:
        blocks = [block for block in piece.split("\n\n") if block]
        yield "".join(
            f"{'' if SENT_ID.search(block) else f'# sent_id = {number + place}' + chr(10)}{block}\n\n"
            for place, block in enumerate(blocks, 1)
        )
        number += len(blocks)


def parse_dependency_chunk(texts: list[str], *, output: str, model: str, one_sentence: bool, beam: int) -> str:
    """Parse some texts and write them, CoNLL-U without the numbers of sentences."""
    from kakari.output.dependency import write_texts

    return write_texts(dependency_parser_of(model), texts, output, one_sentence=one_sentence, beam=beam)


@cache
def dependency_parser_of(model: str) -> DependencyParser:
    """Load a parser once a process."""
    from kakari.parsers.dependency.parser import DependencyParser

    return DependencyParser.pretrained() if model == UNIVERSAL else DependencyParser.load(model)


def implied_language(output: Output, model: str | None) -> Language | None:
    """Tell the language by a model or a format that is for one language only."""
    if model is not None:
        from kakari.models.files import model_task

        if model in ("en", "ja", "ja-juman"):
            return Language(model[:2])
        return Language.en if model_task(model) in ENGLISH_TASKS else Language.ja
    if output in (Output.ptb, Output.conll, Output.chunks):
        return Language.en
    return None if output in (Output.tree, Output.json, Output.svg, Output.html) else Language.ja


def _with_language(
    chunks: Iterator[list[PlacedText]], language: Language | None
) -> tuple[Iterator[list[PlacedText]], Language]:
    """Tell the language of texts by the first ones, if it was not said."""
    first = list(islice(chunks, 1))
    if language is None:
        text = "\n".join(one.text for chunk in first for one in chunk)
        language = Language.ja if not text.strip() or is_japanese(text) else Language.en
    return chain(first, chunks), language


def is_japanese(text: str) -> bool:
    """Tell whether a text is Japanese: its last letter is hiragana, or a third of its letters are Japanese.

    Examples
    --------
    >>> is_japanese("Microsoft Officeを買う。"), is_japanese("東京"), is_japanese("The sign said 東京 in red.")
    (True, True, False)
    """
    japanese, latin = len(JAPANESE.findall(text)), len(LATIN.findall(text))
    last = next((letter for letter in reversed(text) if letter.isalpha()), "")
    return japanese > 0 and (2 * japanese >= latin or HIRAGANA.match(last) is not None)


class Settings:
    """What a worker needs to know."""

    def __init__(
        self,
        output: str,
        model: str,
        kinds: bool,
        beam: int,
        one_sentence: bool,
        colours: bool,
        words: str | None = None,
    ) -> None:
        self.output = output
        self.model = model
        self.kinds = kinds
        self.beam = beam
        self.one_sentence = one_sentence
        self.colours = colours
        self.words = words

    def key(self) -> tuple[str, bool, int, bool, str | None]:
        """Return what a parser is made of."""
        return self.model, self.kinds, self.beam, self.output == "conllu", self.words


def input_kind(argument: str) -> Input:
    """Tell what a file holds from its name; everything else is text."""
    name = argument.removesuffix(".gz")
    for kind in (Input.knp, Input.cabocha):
        if name.endswith(f".{kind.value}"):
            return kind
    return Input.text


def ordered(work: Callable[[Chunk], str], chunks: Iterable[Chunk], jobs: int) -> Iterator[str]:
    """Yield what is written of each portion, in order, by this process or several."""
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


@cache
def parser_of(model: str, kinds: bool, beam: int, universal: bool = False, words: str | None = None) -> JapaneseParser:
    """Load a parser once a process; Universal Dependencies are found where the model's words are Sudachi's."""
    from kakari.parsers.japanese.model import JapaneseModel
    from kakari.parsers.japanese.parser import JapaneseParser, pretrained_model

    loaded = pretrained_model(model) if model in ("ja", "ja-juman") else JapaneseModel.load(model)
    universal = universal and loaded.lexicon.tagset == "sudachi"
    return JapaneseParser(loaded, kinds=kinds, beam=beam, universal=universal, words=words)


def parse_chunk(texts: list[str], settings: Settings) -> str:
    """Parse some texts and write them out."""
    from kakari.output.japanese import write_texts

    parser = parser_of(*settings.key())
    return write_texts(parser, texts, settings.output, one_sentence=settings.one_sentence, colours=settings.colours)


def write_knp(portion: Portion, settings: Settings) -> str:
    """Parse the morphemes of KNP text and write them out."""
    if settings.output == "cabocha":
        return knp_writer_of(*settings.key()).write(portion.name, portion)
    from kakari.corpora.formats.knp import knp_sentences

    return _write_records(knp_sentences(portion.name, portion, strict=False), settings)


def write_cabocha(portion: Portion, settings: Settings) -> str:
    """Parse the morphemes of CaboCha's lattices and write them out."""
    from kakari.corpora.formats.cabocha import cabocha_sentences

    return _write_records(cabocha_sentences(portion.name, portion, strict=False), settings)


@cache
def knp_writer_of(model: str, kinds: bool, beam: int, universal: bool, words: str | None) -> KnpToCabocha:
    """Make a writer once a process; it remembers words."""
    from kakari.output.japanese import KnpToCabocha

    return KnpToCabocha(parser_of(model, kinds, beam, universal, words))


def _write_records(records: Iterable[JapaneseSentence], settings: Settings) -> str:
    from kakari.output.japanese import write_sentences

    return write_sentences(parser_of(*settings.key()), list(records), settings.output, colours=settings.colours)
