"""`kakari parse`: text in, structure out."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from kakari.commands.japanese.parsing import Analyser
from kakari.commands.options import Words
from kakari.commands.parsing import Input, Language, Output, Request, Split, Standard, parsed
from kakari.output.console import stdout_is_terminal, with_progress
from kakari.reading.portions import Reading


def parse_cli(
    texts: Annotated[
        list[str] | None,
        typer.Argument(metavar="TEXT|FILE", help="Texts, or files that hold them; - or nothing reads a pipe."),
    ] = None,
    output: Annotated[Output, typer.Option("--format", "-f", help="Output format.")] = Output.tree,
    language: Annotated[
        Language | None,
        typer.Option("--language", "-l", help="The language. [default: by the script]", show_default=False),
    ] = None,
    source: Annotated[
        Input | None, typer.Option("--input", help="Input format. [default: by the file's name]", show_default=False)
    ] = None,
    words: Annotated[
        Words | None,
        typer.Option(
            help="Japanese: word segmenter: kakari's own model of JUMAN's units, or Sudachi. [default: sudachi]",
            show_default=False,
        ),
    ] = None,
    one_sentence_per_line: Annotated[
        bool, typer.Option(help="Treat each line as one sentence; an empty line is an empty sentence.")
    ] = False,
    join_lines: Annotated[bool, typer.Option(help="Join wrapped lines: a text ends at an empty line.")] = False,
    html: Annotated[bool, typer.Option("--html", help="Parse the text between the tags of a page.")] = False,
    ruby: Annotated[bool, typer.Option("--ruby", help="Leave out ruby: 吾輩《わがはい》.")] = False,
    keep_bunsetsu: Annotated[
        bool, typer.Option("--keep-bunsetsu", "-I", help="Analysed files: keep their bunsetsu, find heads.")
    ] = False,
    dictionary: Annotated[
        str, typer.Option(metavar="NAME|FILE", help="Sudachi's dictionary: core, small, full, or a file.")
    ] = "core",
    user_dictionary: Annotated[
        list[str] | None,
        typer.Option(metavar="FILE", help="A compiled user dictionary of Sudachi, or several.", show_default=False),
    ] = None,
    standard: Annotated[
        Standard | None,
        typer.Option(
            "--bunsetsu",
            help="Standard of bunsetsu boundaries: gsd keeps dates and names whole. [default: kwdlc]",
            show_default=False,
        ),
    ] = None,
    split: Annotated[Split, typer.Option(help="Sudachi's split mode; the models were trained on A.")] = Split.A,
    model: Annotated[
        str | None,
        typer.Option(
            metavar="MODEL",
            help="A model file, or en-ud for dependency trees. [default: embedded, by the input]",
            show_default=False,
        ),
    ] = None,
    kinds: Annotated[bool, typer.Option(help="Print arc types (D, P, I, A), if the model knows them.")] = False,
    beam: Annotated[
        int, typer.Option(min=0, help="Number of analyses to search for and print with scores (json; conllu; ptb).")
    ] = 0,
    nominal: Annotated[
        bool, typer.Option(help="English: look for nouns and adjectives that are predicates too.")
    ] = False,
    jobs: Annotated[
        int, typer.Option("--jobs", "-j", min=1, help="Number of processes; it does not change the output.")
    ] = 1,
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
        str | None, typer.Option(metavar="tcp://HOST:PORT", help="With -o: a Dask cluster that parses the files.")
    ] = None,
) -> None:
    """Find bunsetsu and dependencies in Japanese text; trees, predicates and their arguments in English text.

    Examples: kakari parse "太郎は花子が読んでいる本を次郎に渡した。", kakari parse -f ptb "Who wrote Hamlet?"
    """
    request = Request(
        output,
        language,
        source,
        one_sentence_per_line,
        model,
        kinds,
        beam,
        stdout_is_terminal(),
        keep_bunsetsu,
        Reading(one_sentence_per_line, join_lines, ruby, html),
        Analyser(dictionary, tuple(user_dictionary or ()), split.value),
        words,
        standard,
        nominal,
    )
    if folder is not None:
        from kakari.commands.parse_files import parse_files

        parse_files(texts or [], folder, request, jobs=jobs, scheduler=scheduler)
        return
    if scheduler is not None:
        raise typer.BadParameter("a cluster parses files into a folder: -o DIR", param_hint="--scheduler")
    for argument in texts or ["-"]:
        pieces: Iterable[str] = parsed(argument, request, jobs)
        if not stdout_is_terminal():  # on a terminal, the results themselves show the progress
            pieces = with_progress(pieces, f"Parsing {argument[:40]}")
        for piece in pieces:
            sys.stdout.write(piece)
