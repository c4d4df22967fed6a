"""A reranker on top of a trained parser: jack-knifed lists, Algorithm 1, and the model with both in one file."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from kakari.models.files import ModelFileError, load_model
from kakari.models.reporting import Report, silent
from kakari.parsers.dependency.model import DependencyModel
from kakari.parsers.dependency.reranked.jackknife import (
    TASK,
    FoldTask,
    columns_of,
    described,
    list_settings,
    lists_of,
    read_lists,
    sentences_of,
    write_columns,
    write_fold,
)
from kakari.parsers.dependency.reranking.properties import Columns
from kakari.parsers.dependency.reranking.reranker import Arrays
from kakari.parsers.dependency.reranking.training import RerankSettings, train_reranker
from kakari.parsers.dependency.tokens import TokenBatch
from kakari.parsers.dependency.training import DependencySettings, jackknife_part, jackknifed, train_labels
from kakari.parsers.dependency.treebank import TreeSentence
from kakari.parsers.workers import run_tasks

TrainingLists = tuple[list[list[Columns]], Arrays, list[tuple[int, ...]], list[list[int]]]


def add_reranker(
    model: DependencyModel,
    corpora: Sequence[str],
    settings: DependencySettings | None = None,
    reranking: RerankSettings | None = None,
    *,
    folds: int = 20,
    half: bool = True,
    folder: str | Path | None = None,
    processes: int = 1,
    scheduler: str | None = None,
    report: Report = silent,
) -> DependencyModel:
    """Return the model with a reranker that was trained on jack-knifed lists of its treebanks.

    Parameters
    ----------
    model : DependencyModel
        Trained on the same treebanks.
    corpora : sequence of str
    settings : DependencySettings, optional
        Those the model was trained with.
    folds : int
        So many parts, each parsed by a parser of the others.
    half : bool
        Whether these parsers have about half the passes of the model, or all of them.
    folder : path, optional
        Where lists are kept; what is there already is not made again.
    processes, scheduler
        Where the work is done (see `run_tasks`).
    """
    chosen, asked = settings or DependencySettings(), reranking or RerankSettings()
    where: dict[str, Any] = {"folder": folder, "processes": processes, "scheduler": scheduler}
    made: dict[str, Any] = {"folds": folds, "half": half, "report": report}
    data = training_lists(model.relations, corpora, chosen, asked.trees, **made, **where)
    trained = train_reranker(*data, len(model.relations), asked, report=report)
    told = {name: value for name, value in trained.details.items() if name != "seconds"}
    return replace(model, reranker=trained.reranker, details={**model.details, "reranking": {**told, "folds": folds}})


def training_lists(
    relations: Sequence[str],
    corpora: Sequence[str],
    settings: DependencySettings,
    trees: int,
    *,
    folds: int = 20,
    half: bool = True,
    folder: str | Path | None = None,
    processes: int = 1,
    scheduler: str | None = None,
    report: Report = silent,
) -> TrainingLists:
    """Return what `train_reranker` learns from: tagged sentences, lists, gold heads, numbers of gold relations.

    Sentences stand part by part, as the lists do; see `add_reranker` for the parameters.
    """
    if folds < 2:
        raise ValueError("lists need at least two parts")
    with tempfile.TemporaryDirectory() as temporary:
        place = Path(folder or temporary)
        place.mkdir(parents=True, exist_ok=True)
        tags = place / "tags.safetensors"
        sentences = sentences_of(corpora)
        if not _is_there(tags):
            write_columns(tags, jackknifed(sentences, settings, report=report))
        own = list_settings(settings, half=half)
        tasks = [
            FoldTask(tuple(corpora), str(tags), own, fold, folds, trees, str(place / f"{fold}.lists"))
            for fold in range(folds)
        ]
        left = [task for task in tasks if not _is_there(task.target, task)]
        report(f"lists: {folds - len(left)} of {folds} parts were there")
        for number, (_, path) in enumerate(run_tasks(write_fold, left, processes=processes, scheduler=scheduler), 1):
            report(f"lists: {folds - len(left) + number} of {folds} parts done ({path})")
        tagged = load_model(tags, TASK, columns_of)
        lists = read_lists([task.target for task in tasks], tasks, relations)
    numbers = {name: number for number, name in enumerate(relations)}
    order = [place for fold in range(folds) for place in jackknife_part(len(sentences), fold, folds)]
    gold = [[numbers.get(name, -1) for name in sentences[place].relations] for place in order]
    return [tagged[place] for place in order], lists, [sentences[place].heads for place in order], gold


def labelled_again(
    model: DependencyModel, data: TrainingLists, settings: DependencySettings, *, report: Report = silent
) -> DependencyModel:
    """Return the model with relations that were learned again, in gold trees and in the first trees of the lists.

    So a word's relation is learned beside wrong modifiers and siblings, as it will be met. `data` is what
    `training_lists` gives.
    """
    words, lists, heads, numbers = data
    gold = [
        TreeSentence(tuple(line), tuple(own), tuple(model.relations[number] for number in named))
        for line, own, named in zip(words, heads, numbers, strict=True)
        if min(named, default=0) >= 0
    ]
    if len(gold) < len(words):
        raise ValueError("the lists have relations that the model does not know")
    found = first_trees(lists, [len(line) for line in words])
    relations, labels = train_labels(TokenBatch(words), gold, settings, report, found)
    if relations != model.relations:
        raise ValueError("the lists do not have all the relations of the model")
    return replace(model, labels=labels)


def first_trees(lists: Arrays, lengths: Sequence[int]) -> list[list[int]]:
    """Return the heads of the first tree of each list.

    Examples
    --------
    >>> import numpy as np
    >>> first_trees({"counts": np.array([2, 1]), "heads": np.array([0, 1, 2, 0, 0])}, [2, 1])
    [[0, 1], [0]]
    """
    found, at = [], 0
    for count, length in zip(lists["counts"].tolist(), lengths, strict=True):
        found.append(lists["heads"][at : at + length].tolist())
        at += count * length
    return found


def settings_of(model: DependencyModel) -> DependencySettings:
    """Return the settings that a model was trained with, as far as lists need them; others are the usual ones."""
    told = model.details.get("settings")
    usual = DependencySettings()
    names = [name for name, value in asdict(usual).items() if isinstance(value, (int, float))]
    known = told if isinstance(told, dict) else {}
    same = {name: known[name] for name in names if type(known.get(name)) is type(getattr(usual, name))}
    return replace(usual, **same)


def _is_there(path: str | Path, task: FoldTask | None = None) -> bool:
    """Return whether a file exists and is complete; lists of other settings are refused."""
    if not Path(path).exists():
        return False
    if task is None:
        load_model(path, TASK, columns_of)
        return True
    try:
        load_model(path, TASK, lists_of, schema=described(task))
    except ModelFileError as error:
        raise ModelFileError(
            str(path), f"these lists are of another training; choose another folder ({error})"
        ) from None
    return True
