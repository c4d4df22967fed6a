"""`kakari hyponyms`: pairs in Wikipedia articles; and `evaluate`, `predict` and `explain` for hyponymy models."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from kakari.corpora import catalogue
from kakari.corpora.formats.pairs import Pair
from kakari.corpora.records.errors import CorpusError
from kakari.corpora.records.textfiles import write_text
from kakari.output.console import stdout_is_terminal, with_progress
from kakari.parsers.hyponymy.extraction import JudgedPair, judged_pairs
from kakari.parsers.hyponymy.model import HyponymyModel, pretrained_hyponymy
from kakari.parsers.hyponymy.scores import scores

EMBEDDED = "ja-hyponymy"
Settings = tuple[str, str, bool, float]  # model, format, sentences, minimum
COLUMNS = ("hypernym", "hyponym", "probability", "where")


class PairFormat(str, Enum):
    """Output formats."""

    tsv = "tsv"
    json = "json"


def hyponyms_cli(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE...",
            help="MediaWiki XML dumps or JSON lines (title, text), also .bz2 or .gz; - for a pipe; or jawiki-country.",
        ),
    ],
    output: Annotated[PairFormat, typer.Option("--format", "-f", help="Output format.")] = PairFormat.tsv,
    model: Annotated[str, typer.Option(metavar="MODEL", help="A model file, or ja-hyponymy.")] = EMBEDDED,
    minimum: Annotated[
        float, typer.Option("--minimum", min=0.0, max=1.0, help="Print pairs with at least this probability.")
    ] = 0.5,
    sentences: Annotated[bool, typer.Option(help="Also read definition sentences, which are parsed.")] = False,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=1, help="With -o: number of processes.")] = 1,
    folder: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="DIR",
            help="Folder for the results, one file for each FILE; existing results are kept.",
        ),
    ] = None,
    scheduler: Annotated[
        str | None, typer.Option(metavar="tcp://HOST:PORT", help="With -o: a Dask cluster that reads the files.")
    ] = None,
) -> None:
    """Find hypernyms and hyponyms in the lists, tables and headings of Wikipedia articles.

    Prints hypernym, hyponym, probability and where the pair was found. Example: kakari hyponyms jawiki.xml.bz2
    """
    settings = (model, output.value, sentences, minimum)
    if folder is not None:
        from kakari.output.results_folder import results_in_folder

        load_hyponymy(model)  # an invalid model is refused before the work begins
        results_in_folder(
            hyponyms_of_file,
            files,
            folder,
            output.value,
            settings,
            title="Reading",
            done="read",
            jobs=jobs,
            scheduler=scheduler,
        )
        return
    if scheduler is not None:
        raise typer.BadParameter("a cluster reads files into a folder: -o DIR", param_hint="--scheduler")
    if jobs > 1:
        raise typer.BadParameter("processes read files into a folder: -o DIR", param_hint="--jobs")
    for file in files:
        lines: Any = found_lines(file, settings)
        if not stdout_is_terminal():
            lines = with_progress(lines, f"Reading {file[:40]}")
        sys.stdout.writelines(lines)


def found_lines(file: str, settings: Settings) -> Iterator[str]:
    """Yield the output lines for a file."""
    name, output, sentences, minimum = settings
    model = load_hyponymy(name)
    if model.language != "ja":
        raise CorpusError(name, None, "this model judges English pairs, not candidates of Wikipedia articles")
    articles = catalogue.read(file, format_name="wikipedia")
    for judged in judged_pairs(articles, model, sentences=sentences, minimum=minimum):
        yield pair_line(judged, output)


def pair_line(judged: JudgedPair, output: str) -> str:
    r"""Write a pair as TSV or JSON.

    Examples
    --------
    >>> pair = Pair("市", "堺", article="日本", path=("title", "bullet"), distance=1)
    >>> pair_line(JudgedPair(pair, 0.91234), "tsv")
    '市\t堺\t0.9123\t日本: title > bullet\n'
    """
    values = (judged.pair.hypernym, judged.pair.hyponym, round(judged.probability, 4), judged.where)
    if output == "json":
        return json.dumps(dict(zip(COLUMNS, values, strict=True)), ensure_ascii=False) + "\n"
    return "\t".join(map(str, values)) + "\n"


def hyponyms_of_file(task: tuple[str, str, Settings]) -> str:
    """Write the pairs of one file into another; return its name."""
    file, target, settings = task
    write_text(found_lines(file, settings), target)
    return target


def load_hyponymy(name: str) -> HyponymyModel:
    """Return the embedded model, or that of a file."""
    if name == EMBEDDED and not Path(name).exists():
        return pretrained_hyponymy()
    return HyponymyModel.load(name)


def read_labelled(corpus: str) -> list[Pair]:
    """Read the annotated pairs of a corpus or of a TSV file."""
    pairs = list(catalogue.read(corpus, format_name="pairs"))
    if not all(isinstance(pair, Pair) for pair in pairs):
        raise CorpusError(corpus, None, "there are no pairs of hypernym and hyponym in it")
    if not pairs:
        raise CorpusError(corpus, None, "there are no pairs in it")
    for number, pair in enumerate(pairs, 1):
        if pair.label is None:
            raise CorpusError(corpus, None, f"pair {number} has no label")
    return pairs


def evaluate_hyponymy(name: str, corpus: str, *, threads: int = 1) -> dict[str, Any]:
    """Score a model on annotated pairs."""
    model = load_hyponymy(name)
    pairs = read_labelled(corpus)
    start = time.process_time()
    margins = model.margins(pairs, threads=threads)
    seconds = time.process_time() - start
    truth = np.array([bool(pair.label) for pair in pairs])
    return {"task": "hyponymy", "language": model.language, **scores(truth, margins), "seconds": round(seconds, 4)}


def explain_pair(name: str, corpus: str, line: int, top: int) -> list[dict[str, Any]]:
    """Explain the margin of one pair of a corpus, counted from 1."""
    model = load_hyponymy(name)
    pairs = list(catalogue.read(corpus, format_name="pairs"))
    if line > len(pairs):
        raise CorpusError(corpus, None, f"there are {len(pairs)} pairs, so no number {line}")
    pair = pairs[line - 1]
    parts = model.explain(pair)
    items = [
        {"conjunction": " & ".join(model.vocabulary[number] for number in ids) or "(bias)", "weight": weight}
        for ids, weight in parts.items[:top]
    ]
    rest = parts.items[top:]
    if rest:
        items.append({"conjunction": f"({len(rest)} others)", "weight": float(sum(weight for _, weight in rest))})
    return [{"machine": f"{pair.hyponym} < {pair.hypernym}", "margin": parts.margin, "items": items}]


def predicted_lines(name: str, corpus: str, *, threads: int = 1) -> Iterator[str]:
    """Yield a line for each pair: hypernym, hyponym, probability."""
    model = load_hyponymy(name)
    pairs = list(catalogue.read(corpus, format_name="pairs"))
    for pair, probability in zip(pairs, model.probabilities(pairs, threads=threads).tolist(), strict=True):
        yield f"{pair.hypernym}\t{pair.hyponym}\t{round(probability, 4)}\n"
