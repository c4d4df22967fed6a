"""`evaluate` and `predict` for sequence labellers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import typer

from kakari.corpora.records.errors import CorpusError
from kakari.parsers.sequences.model import SequenceModel
from kakari.parsers.sequences.reading import placed_sentences, read_labelled
from kakari.parsers.sequences.scores import score


def evaluate_labeller(model: SequenceModel, corpus: str, task: str | None) -> dict[str, Any]:
    """Score a labeller on columns whose last one is the label."""
    types = tuple(model.details.get("types", ()))
    data = read_labelled(corpus, types=types, chunks=task == "chunks")
    width = len(data.rows[0][0])
    if width != len(model.fields):
        raise CorpusError(corpus, None, f"it has {width} columns before the label; the model needs {len(model.fields)}")
    if task not in (None, "chunks", "tags"):
        raise typer.BadParameter("a labeller is scored by chunks or tags", param_hint="--task")
    chunks = data.chunking if task is None else task == "chunks"
    found = model.predict(data.rows)
    return score(zip(data.labels, found, strict=True)).as_dict(chunks=chunks)


def evaluate_chunks(corpus: str, given: str | None) -> dict[str, Any]:
    """Score the embedded chunker of English, with the corpus's tags or those of the embedded tagger."""
    from kakari.parsers.english.chunks.chunker import Chunker

    if given not in (None, "tags", "tokens"):
        raise typer.BadParameter(f"'{given}' is not for chunks; tags or tokens are", param_hint="--given")
    data = read_labelled(corpus, chunks=True)
    if len(data.rows[0][0]) != 2:
        raise CorpusError(corpus, None, "chunks need a word, a tag and a label in each line")
    chunker = Chunker.pretrained()
    words = [[row[0] for row in sentence] for sentence in data.rows]
    tags: Any = [[row[1] for row in sentence] for sentence in data.rows]
    if given == "tokens":
        tags = chunker.tagger.tag(words)
    found = chunker.labels(words, tags)
    return {"given": given or "tags", **score(zip(data.labels, found, strict=True)).as_dict(chunks=True)}


def labelled_lines(model: SequenceModel, file: str) -> Iterator[str]:
    """Yield the lines of a column file with the predicted label appended; an existing label column is ignored."""
    for line, sentence in placed_sentences(file):
        width = len(sentence.rows[0])
        if width not in (len(model.fields), len(model.fields) + 1):
            raise CorpusError(
                file,
                line,
                f"the line has {width} columns; the model needs {len(model.fields)} ({', '.join(model.fields)})",
            )
        (labels,) = model.predict([[row[: len(model.fields)] for row in sentence.rows]])
        for row, label in zip(sentence.rows, labels, strict=True):
            yield sentence.separator.join([*row, label]) + "\n"
        yield "\n"
