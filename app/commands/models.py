"""`kakari models`: the models in the package, or what a model file says of itself."""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from typing import Annotated, Any

import typer

from kakari.console import print_json, print_table


def models_cli(
    file: Annotated[Path | None, typer.Argument(metavar="[MODEL]", help="A model file to describe.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """List the embedded models, or describe a model file."""
    if file is not None:
        told = describe(file)
        if as_json:
            print_json(told)
        else:
            print_table(("what", "value"), [(key, str(value)[:300]) for key, value in told.items()])
        return
    rows = [describe(path) for path in embedded()]
    if as_json:
        print_json(rows)
    else:
        print_table(("name", "task", "MB"), [(Path(r["path"]).stem, r["task"], r["megabytes"]) for r in rows])


def embedded() -> list[Path]:
    """Give the files of the models in the package."""
    folder = Path(str(resources.files("kakari.models") / "pretrained"))
    return sorted(folder.glob("*.safetensors"))


def describe(path: Path) -> dict[str, Any]:
    """Give a model file's metadata and size."""
    from kakari.models.files import read_model

    _, metadata = read_model(path)
    return {"path": str(path), "megabytes": round(path.stat().st_size / 1e6, 2), **metadata}
