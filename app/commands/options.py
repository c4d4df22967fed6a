"""Options that several commands share, so that each reads the same everywhere."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
JsonFigures = Annotated[bool, typer.Option("--json", help="Print figures as JSON.")]
NewModel = Annotated[Path, typer.Option("--output", "-o", metavar="MODEL", help="Where the model goes.")]
Corpora = Annotated[
    list[str], typer.Argument(metavar="CORPUS", help="Corpora (ewt:train) or files (x.mrg.gz, x.conll.gz).")
]
