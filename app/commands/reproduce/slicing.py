"""`kakari reproduce TABLE`: the papers' figures and tables from real runs on this machine."""

from __future__ import annotations

from dataclasses import asdict
from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

from kakari.commands.options import Json
from kakari.commands.reproduce.storing import Store, the_command
from kakari.experiments.pke import SIGMAS, SUPPORTS, measure_pke
from kakari.experiments.plots import draw_slicing, need_matplotlib
from kakari.experiments.problems import load_problem
from kakari.experiments.slicing import TASKS, Slicing, measure_slicing
from kakari.output.console import note, print_json, print_table, with_progress
from kakari.results.stored import Shelf

Degree = Annotated[int, typer.Option(min=1, max=4, help="Degree of the kernel.")]
Passes = Annotated[int, typer.Option(min=1, help="Number of passes over the training data.")]
Share = Annotated[
    int | None,
    typer.Option("--examples", min=2, help="Number of examples to use. [default: all]", show_default=False),
]


def slicing_cli(
    output: Annotated[Path, typer.Option("--output", "-o", metavar="DIR", help="Folder for the figures.")],
    corpus: Annotated[
        list[str],
        typer.Option(
            metavar="CORPUS",
            help="Corpus or file for figures 1 and 3; a second one is for figures 2 and 4.",
        ),
    ] = ["dep-examples:train"],  # noqa: B006 (typer's way)
    examples: Share = None,
    passes: Passes = 20,
    degree: Degree = 3,
    largest_common: Annotated[
        int | None,
        typer.Option(min=1, help="Largest N to try. [default: all features]", show_default=False),
    ] = None,
    time_limit: Annotated[
        float | None,
        typer.Option(
            min=0,
            metavar="SECONDS",
            help="Stop a run after this much CPU time and leave its point out. [default: never]",
            show_default=False,
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Draw figures 1-4 of the 2010 paper: training time against N, and against the number of examples."""
    if len(corpus) > len(TASKS):
        raise typer.BadParameter(f"at most {len(TASKS)} corpora, one for each task of the paper")
    need_matplotlib()
    runs = [
        measure_slicing(
            load_problem(reference, examples),
            task=task,
            degree=degree,
            passes=passes,
            largest_common=largest_common,
            time_limit=time_limit,
            watch=with_progress,
        )
        for reference, task in zip(corpus, TASKS, strict=False)
    ]
    paths = draw_slicing(runs, output)
    if as_json:
        print_json([{**asdict(run), "summary": run.summary()} for run in runs])
    else:
        for run in runs:
            print_slicing(run)
    note(f"The figures are in {', '.join(map(str, paths))}.")


def print_slicing(run: Slicing) -> None:
    """Print each variant's best run beside the paper's, then every run."""
    note(f"{run.corpus} (paper: {run.task}), d = {run.degree}, {run.passes} passes")
    print_table(
        ("variant", "N", "s", "MB", "times faster", "time ∝ n^", "paper: s", "MB", "times faster"),
        [tuple("" if cell is None else cell for cell in row.values()) for row in run.summary()],
    )
    for title, timings in (("against N", run.by_common), ("against the number of examples", run.by_size)):
        note(title)
        print_table(
            ("variant", "N", "examples", "s", "MB", "updates"),
            [
                (t.variant, t.common or "", t.examples, round(t.seconds, 3), round(t.megabytes, 1), t.updates)
                for t in timings
            ],
        )


class PkeTask(str, Enum):
    """The paper's tasks."""

    chunking = "chunking"
    segmentation = "segmentation"
    dependency = "dependency"


def pke_cli(
    task: Annotated[
        PkeTask | None,
        typer.Option(help="Train SVMs for one of the paper's tasks, instead of an online learner.", show_default=False),
    ] = None,
    corpus: Annotated[
        str | None,
        typer.Option(metavar="CORPUS", help="Training data. [default: dep-examples:train]", show_default=False),
    ] = None,
    test: Annotated[
        str | None, typer.Option(metavar="CORPUS", help="Test data. [default: dep-examples:dev]", show_default=False)
    ] = None,
    examples: Share = None,
    test_examples: Annotated[
        int | None,
        typer.Option(min=1, help="Number of test examples of a --task. [default: as --examples]", show_default=False),
    ] = None,
    passes: Annotated[
        int | None,
        typer.Option(min=1, help="Number of passes over the training data. [default: 20]", show_default=False),
    ] = None,
    degree: Annotated[
        int | None, typer.Option(min=1, max=4, help="Degree of the kernel. [default: 3]", show_default=False)
    ] = None,
    sigma: Annotated[
        list[float], typer.Option(min=0.0, help="Threshold σ below which weights are dropped; may be repeated.")
    ] = list(SIGMAS),  # noqa: B006
    minimum_support: Annotated[
        list[int], typer.Option(min=1, help="Minimum support ξ, tried with the smallest σ; may be repeated.")
    ] = list(SUPPORTS),  # noqa: B006
    store: Store = None,
    as_json: Json = False,
) -> None:
    """Print tables 2-6 of the 2003 paper: speed and accuracy of PKB, PKI and PKE against σ and ξ.

    With --task, SVMs are trained as in the paper, and table 1 comes first. All examples take minutes.
    """
    if task is None and test_examples is not None:
        raise typer.BadParameter("this is for the paper's tasks", param_hint="--test-examples")
    if store is not None and task is None:
        raise typer.BadParameter("the results of the paper's tasks are stored: --task", param_hint="--store")
    if task is not None:
        for name, value in (("corpus", corpus), ("test", test), ("passes", passes), ("degree", degree)):
            if value is not None:
                raise typer.BadParameter("the paper's tasks have their own", param_hint=f"--{name}")
        from kakari.experiments.svm_pke import TASKS as PAPER_TASKS
        from kakari.experiments.svm_pke import keep_task, measure_task

        table, rows = measure_task(
            PAPER_TASKS[task.value](),
            examples=examples,
            test_examples=test_examples,
            sigmas=sigma,
            supports=minimum_support,
            watch=with_progress,
        )
        if store is not None:
            keep_task(Shelf(store, command=the_command()), task.value, table, rows)
        if as_json:
            print_json({"table1": asdict(table), "rows": [asdict(row) for row in rows]})
            return
        print_table(
            ("examples", "support examples", "features", "features of a support example", "the other way", "CPU s"),
            [tuple(asdict(table).values())],
        )
    else:
        rows = measure_pke(
            load_problem(corpus or "dep-examples:train", examples),
            load_problem(test or "dep-examples:dev", examples),
            degree=degree or 3,
            passes=passes or 20,
            sigmas=sigma,
            supports=minimum_support,
            watch=with_progress,
        )
        if as_json:
            print_json([asdict(row) for row in rows])
            return
    print_table(
        ("way", "σ", "ξ", "conjunctions", "MB", "entries read", "µs", "times faster", "accuracy", "paper"),
        [
            (
                row.method,
                "" if row.sigma is None else row.sigma,
                row.minimum_support or "",
                "" if row.conjunctions is None else row.conjunctions,
                row.megabytes,
                "" if row.entries is None else row.entries,
                row.microseconds,
                row.times_faster,
                f"{row.accuracy:.4f}",
                row.published,
            )
            for row in rows
        ],
    )
