"""The option that stores the results of an experiment, in the layout of `kakari reproduce all`."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer

Store = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR",
        help="Folder in which to store the results, as `all` does. [default: none]",
        show_default=False,
    ),
]


def the_command() -> str:
    """Return the command line that is running."""
    return "kakari " + shlex.join(sys.argv[1:])
