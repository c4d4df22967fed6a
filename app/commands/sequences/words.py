"""`kakari words`: Japanese text to words in JUMAN's units; and `evaluate` for a segmenter."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from enum import Enum
from typing import Annotated, Any

import typer

from kakari.corpora.records.errors import CorpusError
from kakari.output.words import FORMATS
from kakari.parsers.japanese.tagging.model import WordsModel, pretrained_words
from kakari.reading.portions import text_chunks


class WordFormat(str, Enum):
    """Output formats of words."""

    table = "table"
    juman = "juman"
    mecab = "mecab"
    json = "json"


def words_cli(
    texts: Annotated[
        list[str] | None,
        typer.Argument(metavar="TEXT|FILE", help="Texts, or files that hold them; - or nothing reads a pipe."),
    ] = None,
    output: Annotated[WordFormat, typer.Option("--format", "-f", help="Output format.")] = WordFormat.table,
    one_sentence_per_line: Annotated[bool, typer.Option(help="Treat each line as one sentence.")] = False,
    model: Annotated[
        str | None, typer.Option(metavar="MODEL", help="A model file. [default: embedded]", show_default=False)
    ] = None,
) -> None:
    """Cut Japanese text into words in JUMAN's units: surface, reading, base form, part of speech.

    Example: kakari words "太郎は本を読んだ。"
    """
    found = words_model(model)
    for argument in texts or ["-"]:
        for chunk in text_chunks(argument, one_sentence_per_line):
            sys.stdout.write(write_words(found, chunk, output.value, one_sentence=one_sentence_per_line))


def words_model(name: str | None) -> WordsModel:
    """Return the embedded model, or that of a file."""
    return pretrained_words() if name is None else WordsModel.load(name)


def write_words(model: WordsModel, texts: Sequence[str], output: str, *, one_sentence: bool) -> str:
    """Find the words of texts and write them, sentence by sentence."""
    from kakari.parsers.japanese.words.sentences import sentence_spans

    spans = [
        (number, start, end)
        for number, text in enumerate(texts)
        for start, end in ([(0, len(text))] if one_sentence and text.strip() else sentence_spans(text))
    ]
    found = model.pipe(texts[number][start:end] for number, start, end in spans)
    return "".join(FORMATS[output](words, start) for (_, start, _), words in zip(spans, found, strict=True))


def evaluate_words(model: str, corpus: str, given: str | None) -> dict[str, Any]:
    """Score the words that a model finds in the text of annotated sentences."""
    from kakari.parsers.japanese.tagging.entries import sentence_entries
    from kakari.parsers.japanese.tagging.scores import evaluate
    from kakari.reading.japanese import read_japanese

    if given not in (None, "text"):
        raise typer.BadParameter("words are found in text", param_hint="--given")
    lines = [sentence_entries(sentence) for sentence in read_japanese(corpus)]
    if not lines:
        raise CorpusError(corpus, None, "there are no sentences in it")
    return {"given": "text", **evaluate(words_model(None if model == "ja" else model), lines).as_dict()}
