"""`kakari parse` for English: models, options, and places in the input."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import typer

from kakari.models.files import loaded_once
from kakari.reading.portions import TextChunk

if TYPE_CHECKING:
    from kakari.parsers.arguments.model import ArgumentModel
    from kakari.parsers.english.parser import EnglishParser

ARGUMENT_TASKS = ("en-arguments", "en-boundary")
NUMBER = re.compile(r"^([^\t\n]*)\t\d+\t", re.MULTILINE)
NO_FRAMES = ("ptb", "chunks")
SEVERAL_TREES = ("ptb", "json")
Work = Callable[[TextChunk], str]


@dataclass(frozen=True)
class EnglishRequest:
    """Options of a request for English text; `kinds` is refused, and `beam` for formats that show one tree."""

    output: str
    model: str | None
    one_sentence: bool
    nominal: bool
    kinds: bool
    beam: int
    document: str


def parsed_english(
    chunks: Iterable[TextChunk],
    request: EnglishRequest,
    ordered: Callable[[Work, Iterable[TextChunk]], Iterator[str]],
) -> Iterator[str]:
    """Parse texts, and write them out piece by piece; `ordered` applies a function to portions of them, in order."""
    from kakari.output.english import FORMATS

    if request.output not in FORMATS:
        raise typer.BadParameter(f"English is written as {', '.join(FORMATS)}", param_hint="--format")
    if request.kinds:
        raise typer.BadParameter("this is for Japanese and dependency trees", param_hint="--kinds")
    if request.beam and request.output not in SEVERAL_TREES:
        raise typer.BadParameter(f"{request.output} shows one tree; ptb and json show more", param_hint="--beam")
    if request.nominal and request.output in NO_FRAMES:
        raise typer.BadParameter(f"{request.output} shows no predicates", param_hint="--nominal")
    if request.model is not None and request.output in NO_FRAMES and finds_arguments(request.model):
        raise typer.BadParameter(f"{request.output} shows no arguments", param_hint="--model")
    work = partial(
        parse_chunk,
        output=request.output,
        model=request.model or "en",
        one_sentence=request.one_sentence,
        nominal=request.nominal,
        document=request.document,
        beam=request.beam,
    )
    found = ordered(work, chunks)
    if request.output == "html":
        from kakari.parsers.pictures.brackets import html_page

        yield html_page(picture for piece in found for picture in piece.splitlines())
        return
    yield from renumbered(found) if request.output == "conll" else found


def renumbered(pieces: Iterable[str]) -> Iterator[str]:
    r"""Renumber the sentences of column output, so that numbers continue from piece to piece.

    Examples
    --------
    >>> list(renumbered(["-\t0\t0\tNo\n\n-\t1\t0\tYes\n\n", "-\t0\t0\tWell\n-\t0\t1\t!\n\n"]))
    ['-\t0\t0\tNo\n\n-\t1\t0\tYes\n\n', '-\t2\t0\tWell\n-\t2\t1\t!\n\n']
    """
    number = 0
    for piece in pieces:
        blocks = [block for block in piece.split("\n\n") if block]
        numbers = range(number, number + len(blocks))
        yield "".join(
            NUMBER.sub(rf"\g<1>\t{own}\t", block) + "\n\n" for own, block in zip(numbers, blocks, strict=True)
        )
        number += len(blocks)


def parse_chunk(
    texts: TextChunk, *, output: str, model: str, one_sentence: bool, nominal: bool, document: str, beam: int = 0
) -> str:
    """Parse some texts and write them out."""
    if output == "chunks":
        from kakari.output.chunks import write_chunks

        return write_chunks(parser_of(model), texts, one_sentence=one_sentence)
    from kakari.output.english import write_texts

    return write_texts(
        parser_of(model),
        texts,
        output,
        arguments=None if output == "ptb" else arguments_of(model),
        one_sentence=one_sentence,
        nominal=nominal,
        origins=texts.origins,
        document=document,
        beam=beam,
    )


@loaded_once
def finds_arguments(model: str) -> bool:
    """Return whether a model is for arguments rather than for trees."""
    from kakari.models.files import model_task

    return model != "en" and model_task(model) in ARGUMENT_TASKS


@loaded_once
def parser_of(model: str) -> EnglishParser:
    """Load a parser once a process; a model of arguments works on the trees of the embedded parser."""
    from kakari.parsers.english.parser import EnglishParser

    return EnglishParser.pretrained() if model == "en" or finds_arguments(model) else EnglishParser.load(model)


@loaded_once
def arguments_of(model: str) -> ArgumentModel:
    """Load a model of arguments: the embedded one, or one of `train en-arguments` or `train en-boundary`."""
    from kakari.parsers.arguments.model import load_arguments

    return load_arguments(model if finds_arguments(model) else "en")
