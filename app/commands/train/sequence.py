"""`kakari train sequence`: train a labeller on a user's own columns."""

from __future__ import annotations

import time
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kakari.commands.options import JsonFigures, NewModel
from kakari.corpora.provenance import source_names
from kakari.corpora.records.errors import CorpusError
from kakari.output.console import print_figures, progress

if TYPE_CHECKING:
    from kakari.parsers.sequences.training import SequenceSettings

Columns = Annotated[
    list[str],
    typer.Argument(metavar="CORPUS", help="Column files (a token a line, the last column is its label), or corpora."),
]
Types = Annotated[
    list[str] | None, typer.Option("--type", metavar="TYPE", help="Learn only chunks of this type; may be repeated.")
]
Passes = Annotated[int, typer.Option(min=1, help="Number of passes over the data.")]
Beam = Annotated[int, typer.Option(min=1, help="linear: beam width.")]
Learners = Annotated[int, typer.Option(min=1, help="linear: number of models that are trained apart and added up.")]
Most = Annotated[
    int | None, typer.Option(min=1, help="linear: number of weights to keep. [default: all]", show_default=False)
]
Degree = Annotated[int, typer.Option(min=1, max=4, help="direct, pairs: degree of the polynomial kernel.")]
Cost = Annotated[float, typer.Option(min=0.0, help="direct, pairs: aggressiveness C.")]
Sigma = Annotated[
    float, typer.Option(min=0.0, help="direct, pairs: drop conjunctions whose weight is smaller than this.")
]
Seed = Annotated[int, typer.Option(min=0, help="Seed of the order in which sentences are visited.")]


class Scheme(str, Enum):
    """Classifiers that decide between labels."""

    linear = "linear"
    direct = "direct"
    pairs = "pairs"


def sequence_cli(
    corpora: Columns,
    output: NewModel,
    scheme: Annotated[
        Scheme,
        typer.Option(
            help="Linear weights of conjunctions, one multi-class kernel machine, or votes over pairs of labels."
        ),
    ] = Scheme.linear,
    templates: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="File of feature templates, one a line. [default: by the columns]", readable=False
        ),
    ] = None,
    fields: Annotated[
        str | None,
        typer.Option(metavar="A,B", help="Names of the columns in templates. [default: c0,c1,…]", show_default=False),
    ] = None,
    types: Types = None,
    backwards: Annotated[bool, typer.Option(help="Read sentences from right to left.")] = False,
    passes: Passes = 10,
    beam: Beam = 4,
    learners: Learners = 1,
    most: Most = None,
    degree: Degree = 2,
    cost: Cost = 1.0,
    sigma: Sigma = 0.0,
    seed: Seed = 1,
    as_json: JsonFigures = False,
) -> None:
    """Train a labeller of tokens: chunks, tags, or any other labels in the last column."""
    from kakari.parsers.sequences.training import SequenceSettings

    width = _width(corpora)
    names = tuple(fields.split(",")) if fields else tuple(f"c{number}" for number in range(width))
    if len(names) != width or len(set(names)) != width or not all(name.isidentifier() for name in names):
        raise typer.BadParameter(f"{width} different names are needed, as in word,tag", param_hint="--fields")
    declared = () if templates is None else tuple(template_lines(templates, backwards=backwards))
    options = SequenceSettings(
        names, declared, scheme.value, backwards, passes, beam, learners, None, most, degree, cost, sigma, seed
    )
    train_columns(corpora, output, options, tuple(types or ()), as_json=as_json)


class ChunkSettings(str, Enum):
    """Named training settings of chunkers."""

    kakari = "kakari"
    paper = "paper"


def chunks_cli(
    corpora: Columns,
    output: NewModel,
    settings: Annotated[
        ChunkSettings,
        typer.Option(
            help="Settings of the embedded model, or of the 2003 paper: quadratic kernel, votes over pairs of labels."
        ),
    ] = ChunkSettings.kakari,
    types: Types = None,
    seed: Seed = 1,
    as_json: JsonFigures = False,
) -> None:
    """Train a chunker of English, from words, tags and labels (`conll2000:train`)."""
    from kakari.parsers.english.chunks.settings import chunk_settings

    options = chunk_settings(settings.value, seed=seed)
    train_columns(corpora, output, options, tuple(types or ()), as_json=as_json, chunks=True)


class WordSettings(str, Enum):
    """Named training settings of word segmenters."""

    kakari = "kakari"
    paper = "paper"


def words_cli(
    corpora: Annotated[list[str], typer.Argument(metavar="CORPUS", help="Corpora (kwdlc:train) or files (x.knp.gz).")],
    output: NewModel,
    settings: Annotated[
        WordSettings,
        typer.Option(
            help="Settings of the embedded model, or with the 2003 paper's segmenter: characters and their types at six"
            " places, a support vector machine with a cubic kernel."
        ),
    ] = WordSettings.kakari,
    dictionary: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Folder with a dictionary's CSV files, as in Debian's mecab-jumandic-utf8.",
            readable=False,
        ),
    ] = None,
    partial: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE",
            help="Text with some boundaries (|) and places without one (-), the others left open; may be repeated.",
        ),
    ] = None,
    passes: Annotated[
        int | None,
        typer.Option(min=1, help="Number of passes of the segmenter over the data. [default: 6]", show_default=False),
    ] = None,
    seed: Seed = 1,
    as_json: JsonFigures = False,
) -> None:
    """Train a segmenter and tagger of Japanese words, in the units of the corpora."""
    from kakari.parsers.japanese.tagging.entries import read_dictionary
    from kakari.parsers.japanese.tagging.partial import read_partial
    from kakari.parsers.japanese.tagging.settings import words_settings
    from kakari.parsers.japanese.tagging.training import train
    from kakari.reading.japanese import read_japanese

    if settings is WordSettings.paper:
        for option, given in (("--passes", passes), ("--partial", partial)):
            if given:
                raise typer.BadParameter("a support vector machine does not need this", param_hint=option)
    sentences = [sentence for corpus in corpora for sentence in read_japanese(corpus)]
    words = [] if dictionary is None else list(read_dictionary(dictionary))
    corrections = [sentence for file in partial or [] for sentence in read_partial(file)]
    start = time.process_time()
    with progress("Training") as report:
        chosen = words_settings(settings.value, seed=seed, **({} if passes is None else {"passes": passes}))
        model = train(sentences, words, chosen, partial=corrections, report=report)
    model.details["data"] = corpora
    model.save(output, compressed=True)
    figures = {
        "seconds": round(time.process_time() - start, 2),
        "sentences": len(sentences),
        **({"partial_sentences": len(corrections)} if corrections else {}),
        "words": model.details["words"],
        "tags": len(model.tags),
        "dictionary": len(model.dictionary.arrays["kinds"]),
        "megabytes": round(output.stat().st_size / 1e6, 2),
    }
    print_figures(figures, output, as_json=as_json)


def _width(corpora: list[str]) -> int:
    """Return the number of columns before the label in the first corpus."""
    from kakari.parsers.sequences.reading import read_labelled

    return len(read_labelled(corpora[0]).rows[0][0])


def template_lines(path: Path, *, backwards: bool) -> list[str]:
    """Read templates, one a line; a # starts a comment."""
    from kakari.corpora.records.textfiles import numbered_lines
    from kakari.parsers.sequences.templates import TemplateError, parse_template

    texts = []
    for number, line in numbered_lines(path):
        text = line.partition("#")[0].strip()
        if not text:
            continue
        try:
            parse_template(text, backwards=backwards)
        except TemplateError as error:
            raise CorpusError(str(path), number, str(error)) from None
        texts.append(text)
    return texts


def train_columns(
    corpora: list[str],
    output: Path,
    settings: SequenceSettings,
    types: tuple[str, ...],
    *,
    as_json: bool,
    chunks: bool = False,
) -> None:
    """Train a labeller on corpora, write it, and print figures."""
    from kakari.parsers.sequences.reading import read_labelled
    from kakari.parsers.sequences.training import train

    parts = [read_labelled(corpus, types=types, chunks=chunks) for corpus in corpora]
    for corpus, part in zip(corpora, parts, strict=True):
        if len(part.rows[0][0]) != len(settings.fields):
            raise CorpusError(
                corpus, None, f"it has {len(part.rows[0][0])} columns before the label, not {len(settings.fields)}"
            )
    rows = [sentence for part in parts for sentence in part.rows]
    labels = [sentence for part in parts for sentence in part.labels]
    start = time.process_time()
    with progress("Training") as report:
        model = train(rows, labels, settings, report=report)
    model.details |= {"data": source_names(corpora), "types": list(types)}
    model.save(output, compressed=True)
    figures = {
        "seconds": round(time.process_time() - start, 2),
        "sentences": len(rows),
        "labels": len(model.labels),
        "templates": len(model.templates.texts),
        "megabytes": round(output.stat().st_size / 1e6, 2),
    }
    print_figures(figures, output, as_json=as_json)
