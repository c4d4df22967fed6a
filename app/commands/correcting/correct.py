"""`kakari correct`: a model learns what its user corrected; what that broke is shown before it is kept."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kakari.commands.models import model_file
from kakari.commands.options import Json
from kakari.output.console import note, print_json, print_table

if TYPE_CHECKING:
    from kakari.parsers.correcting.checking import Broken
    from kakari.parsers.correcting.learning import Corrected


def correct_cli(
    model: Annotated[str, typer.Argument(metavar="MODEL", help="A model file, or an embedded model (ja).")],
    corrections: Annotated[
        Path, typer.Argument(metavar="CORRECTIONS", help="File of corrections, one line of JSON each.")
    ],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="MODEL", help="File for the corrected model.")
    ] = None,
    only_check: Annotated[
        bool, typer.Option("--check", help="Show what a correction fixes and breaks, and write nothing.")
    ] = False,
    table: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="Also check the sentences of this file: text, tab, analysis."),
    ] = None,
    undo: Annotated[
        bool, typer.Option(help="Take back the last correction: remove it from the file and from the model.")
    ] = False,
    keep: Annotated[bool, typer.Option(help="Write the model although something broke.")] = False,
    as_json: Json = False,
) -> None:
    """Let a model learn what you corrected, see what that changed, and write it to a new file.

    The original model stays inside the new file: the same corrections always give the same bytes, and
    what was corrected can be taken back.
    """
    from kakari.parsers.correcting.files import read_corrections, remove_last
    from kakari.parsers.correcting.learning import apply_corrections, load_correctable
    from kakari.parsers.correcting.records import CorrectionError

    if output is None and not only_check:
        raise typer.BadParameter("write the new model where? (--check writes none)", param_hint="--output")
    if only_check and (output is not None or undo or keep):
        raise typer.BadParameter("--check writes nothing, so that no other option of writing goes with it")
    wanted = read_corrections(corrections)
    if undo and not wanted:
        raise CorrectionError(f"{corrections}: there is no correction to take back")
    loaded = load_correctable(model_file(model))
    done = apply_corrections(loaded, wanted[:-1] if undo else wanted)
    broken = broken_rows(done.model, table or [])
    show(done, broken, as_json=as_json)
    faults = len(done.broken) + len(broken)
    if output is None:
        return
    if faults and not keep:
        reason = f"{len(done.broken)} corrections do not hold and {len(broken)} sentences of the check broke"
        raise CorrectionError(f"{reason}: {output} is not written (--keep writes it)")
    done.model.save(output)
    if undo:
        remove_last(corrections)
    note(f"wrote {output}: {len(done.outcomes)} corrections, {len(done.broken)} of them not learned")


def broken_rows(model: Any, tables: list[Path]) -> list[Broken]:
    """Return the sentences of the embedded sample and of tables that corrections broke."""
    from kakari.parsers.correcting.checking import check, read_table

    return [*check(model), *(one for path in tables for one in check(model, read_table(path)))]


def show(done: Corrected, broken: list[Broken], *, as_json: bool) -> None:
    """Print the outcome of each correction, and the sentences that broke."""
    if as_json:
        told = [
            {"correction": one.correction.told(), "text": one.correction.text, "before": one.before, "now": one.now}
            for one in done.outcomes
        ]
        print_json({"corrections": told, "broken": [one._asdict() for one in broken]})
        return
    words = {False: "wrong", True: "right"}
    rows = [(one.correction.kind, one.correction.told(), words[one.before], words[one.now]) for one in done.outcomes]
    print_table(("kind", "correction", "before", "now"), rows)
    if broken:
        print_table(("broke", "before", "now"), [(one.text, one.before, one.now) for one in broken])
