"""`kakari models`: list the models in the package, or describe a model file."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Annotated, Any

import typer

from kakari.commands.options import Json
from kakari.output.console import print_json, print_table

SHOWN = 12  # items of a long list


def models_cli(
    arguments: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[show] MODEL",
            help="A model file or an embedded model to describe.",
            show_default=False,
        ),
    ] = None,
    fragments: Annotated[
        int,
        typer.Option(
            min=0,
            help="Machines over trees: number of fragments to print, the heaviest first; boundary models: each sign.",
        ),
    ] = 0,
    conjunctions: Annotated[
        int,
        typer.Option(min=0, help="Classifiers: number of conjunctions of each machine to print, the heaviest first."),
    ] = 0,
    as_json: Json = False,
) -> None:
    """List the embedded models, or describe one of them or a model file."""
    named = list(arguments or [])
    if named[:1] == ["show"]:
        named = named[1:]
        if not named:
            raise typer.BadParameter("which model?", param_hint="show MODEL")
    if len(named) > 1:
        raise typer.BadParameter("one model at a time", param_hint="MODEL")
    if named:
        file = model_file(named[0])
        if fragments:
            print_fragments(file, fragments, as_json=as_json)
            return
        if conjunctions:
            print_conjunctions(file, conjunctions, as_json=as_json)
            return
        told = describe(file)
        if as_json:
            print_json(told)
        else:
            print_table(("what", "value"), list(plain_rows({**told, **shown_history(told)})))
        return
    rows = [describe(path) for path in embedded()]
    if as_json:
        print_json(rows)
    else:
        print_table(("name", "task", "MB"), [(Path(r["path"]).stem, r["task"], r["megabytes"]) for r in rows])


def plain_rows(told: dict[str, Any], above: str = "") -> Iterator[tuple[str, str]]:
    """Yield a row for each value of a table, tables inside it included; long lists are counted.

    Examples
    --------
    >>> list(plain_rows({"task": "toy", "scores": {"dev": {"f1": 0.5}}, "tags": ["NN"] * 50, "none": None}))
    [('task', 'toy'), ('scores, dev, f1', '0.5'), ('tags', '50: NN NN NN NN NN NN NN NN NN NN NN NN …')]
    """
    for key, value in told.items():
        name = f"{above}, {key}" if above else str(key)
        if isinstance(value, dict):
            yield from plain_rows(value, name)
        elif isinstance(value, list):
            shown = " ".join(map(str, value[:SHOWN]))
            yield name, shown if len(value) <= SHOWN else f"{len(value)}: {shown} …"
        elif value is not None:
            yield name, str(value)


def print_fragments(file: Path, most: int, *, as_json: bool) -> None:
    """Print the heaviest fragments of each sign."""
    from kakari.models.files import model_task

    if model_task(file) == "kernel-classify":
        from kakari.commands.trees import fragment_rows as machine_rows
        from kakari.models.machines.kernel_classifier import KernelClassifier

        found = machine_rows(KernelClassifier.load(file), most)
        if as_json:
            print_json(found)
        else:
            columns = ("machine", "weight", "fragment")
            print_table(columns, [(row["machine"], f"{row['weight']:+.6f}", row["fragment"]) for row in found])
        return
    from kakari.commands.boundaries import fragment_rows

    rows = fragment_rows(file, most)
    if as_json:
        print_json(rows)
    else:
        print_table(("weight", "fragment"), [(row["weight"], row["fragment"]) for row in rows])


def print_conjunctions(file: Path, most: int, *, as_json: bool) -> None:
    """Print the heaviest conjunctions of a classifier over feature sets."""
    from kakari.commands.classifying import conjunction_rows
    from kakari.models.polynomial.classifier import Classifier

    rows = conjunction_rows(Classifier.load(file), most)
    if as_json:
        print_json(rows)
    else:
        columns = ("machine", "weight", "conjunction")
        print_table(columns, [(row["machine"], f"{row['weight']:+.6f}", row["conjunction"]) for row in rows])


def embedded() -> list[Path]:
    """Return the files of the models in the package."""
    folder = Path(str(resources.files("kakari.models") / "pretrained"))
    return sorted(folder.glob("*.safetensors"))


def model_file(name: str) -> Path:
    """Return the file of a model: the one of this name, else the embedded model.

    Examples
    --------
    >>> model_file("ja").name
    'ja.safetensors'
    """
    if not Path(name).exists():
        return next((path for path in embedded() if path.stem == name), Path(name))
    return Path(name)


def describe(path: Path) -> dict[str, Any]:
    """Return a model file's metadata and size."""
    from kakari.models.files import model_metadata, read_model

    read_model(path)  # refuses what is damaged
    metadata = model_metadata(path)
    contents = metadata.pop("contents")
    settings = contents["settings"]
    told = settings.pop("details", settings.pop("information", {}))
    corrected = contents["parts"].get("corrections")
    learned = {} if corrected is None else {"corrections": corrected["settings"]["history"]}
    size = round(path.stat().st_size / 1e6, 2)
    return {"path": str(path), "megabytes": size, **metadata, **told, **settings, **learned}


def shown_history(told: dict[str, Any]) -> dict[str, Any]:
    """Return the corrections of a model by number, each described in words."""
    from kakari.parsers.correcting.records import Correction

    if "corrections" not in told:
        return {}
    found = [Correction.from_line(line) for line in told["corrections"]]
    named = {
        f"correction {number}": " ".join(filter(None, (one.told(), one.when))) for number, one in enumerate(found, 1)
    }
    return {"corrections": len(found), **named}
