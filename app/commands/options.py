"""Options that several commands share, with the same help text everywhere."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import Annotated

import typer


class Words(str, Enum):
    """Word segmenters for Japanese text."""

    kakari = "kakari"
    sudachi = "sudachi"


Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
JsonFigures = Annotated[bool, typer.Option("--json", help="Print figures as JSON.")]


def not_gzip(path: Path) -> Path:
    """Refuse a name that promises gzip: models are safetensors files."""
    if path.suffix == ".gz":
        raise typer.BadParameter(
            "models are no gzip files: leave .gz out (`kakari freeze --compress` makes them small)"
        )
    return path


NewModel = Annotated[
    Path, typer.Option("--output", "-o", metavar="MODEL", help="File for the model.", callback=not_gzip)
]
Corpora = Annotated[
    list[str], typer.Argument(metavar="CORPUS", help="Corpora (ewt:train) or files (x.mrg.gz, x.conll.gz).")
]


def refuse_other_options(context: typer.Context, used: set[str], why: str) -> None:
    """Refuse the options of a command line that are not in `used`: a value that changes nothing would mislead."""
    for parameter in context.command.params:
        source = context.get_parameter_source(parameter.name or "")
        if source is not None and source.name == "COMMANDLINE" and parameter.name not in used:
            raise typer.BadParameter(why, param_hint=parameter.opts[0])
