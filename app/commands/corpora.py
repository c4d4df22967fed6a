"""`kakari corpora`: list corpora, show and count their records, download those of NLTK."""

from __future__ import annotations

import itertools
import sys
from typing import Annotated, Any

import typer

from kakari.corpora import catalogue
from kakari.corpora.corpus_list import CORPORA
from kakari.corpora.formats.registry import FORMATS, to_jsonable
from kakari.corpora.records.errors import CorpusError
from kakari.corpora.statistics import count_records
from kakari.output.console import note, print_json, print_table, with_progress

Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table or text.")]
Reference = Annotated[
    str,
    typer.Argument(metavar="CORPUS", help="A corpus (kwdlc), one of its parts (kwdlc:dev) or a file (x.knp.gz)."),
]
FormatName = Annotated[
    str | None,
    typer.Option(
        "--format",
        "-f",
        metavar="NAME",
        help=f"Format of the file, if its name does not show it: {', '.join(FORMATS)}.",
    ),
]


def corpora_cli(context: typer.Context, as_json: Json = False) -> None:
    """List the corpora that kakari knows, and where each was found."""
    if context.invoked_subcommand is None:
        rows = list_corpora()
        if as_json:
            print_json(rows)
        else:
            print_table(
                ("name", "parts", "format", "found", "what it is", "licence"),
                [
                    (
                        r["name"],
                        " ".join(r["parts"]),
                        r["format"],
                        "yes" if r["path"] else "no",
                        r["title"],
                        r["licence"],
                    )
                    for r in rows
                ],
            )


def list_corpora() -> list[dict[str, Any]]:
    """Describe each corpus of the catalogue, with the place where it was found (or None)."""
    return [
        {
            "name": corpus.name,
            "title": corpus.title,
            "licence": corpus.licence,
            "format": corpus.format,
            "parts": list(corpus.splits),
            "path": str(place) if (place := catalogue.find(corpus.name)) else None,
            "obtain": corpus.obtain,
        }
        for corpus in CORPORA.values()
    ]


def show_cli(
    corpus: Reference,
    head: Annotated[int | None, typer.Option("--head", "-n", min=0, help="Stop after this many records.")] = None,
    format_name: FormatName = None,
    as_json: Json = False,
) -> None:
    """Print the records of a corpus, in its own format or as JSON, one object a line."""
    entry = catalogue.format_in(corpus, format_name)
    for record in itertools.islice(catalogue.read(corpus, format_name=entry.name), head):
        if as_json:
            print_json(to_jsonable(record))
        else:
            sys.stdout.write(entry.format(record))


def count_cli(corpus: Reference, format_name: FormatName = None, as_json: Json = False) -> None:
    """Count the sentences, tokens and other units of a corpus."""
    entry = catalogue.format_in(corpus, format_name)
    records = catalogue.read(corpus, format_name=entry.name)
    counts = count_records(with_progress(records, f"Reading {corpus}"))
    if as_json:
        print_json(counts)
    else:
        print_table(("what", "number"), [(key.replace("_", " "), number) for key, number in counts.items()])


def fetch_cli(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A corpus that NLTK distributes.")],
) -> None:
    """Download one of NLTK's corpora; this is the only command that uses the network."""
    corpus = catalogue.corpus_named(name)
    if (place := catalogue.find(name)) is not None:
        note(f"{name} is already here: {place}")
        return
    if corpus.kind != "nltk":
        raise CorpusError(name, None, f"NLTK does not distribute this corpus. {corpus.obtain}")
    import nltk

    if not nltk.download(corpus.folder, quiet=True):
        raise CorpusError(name, None, "NLTK could not download it; is there a network?")
    note(f"{name} is now here: {catalogue.find(name)}")
