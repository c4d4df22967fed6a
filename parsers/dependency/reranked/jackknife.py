"""Lists of trees by jack-knifing: each part of a treebank is parsed by a parser that was trained on the other parts.

A part is one task, some blocks of the treebank (`jackknife_part`): trees and relations are learned from the others
with the tags that `jackknifed` found, and its lists are written as a model file. Tasks are done here, in other
processes or on a Dask cluster; files that are there are not made again: an interrupted run goes on where it was.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kakari.corpora.records.arcs import crossing_arcs
from kakari.kernels.stored import Contents
from kakari.models.files import load_model, write_model
from kakari.models.reporting import silent
from kakari.parsers.dependency.lists import best_lists
from kakari.parsers.dependency.tokens import TokenBatch
from kakari.parsers.dependency.training import DependencySettings, jackknife_part, train_labels, train_trees
from kakari.parsers.dependency.treebank import Columns, TreeSentence, lifted, read_treebank

TASK = "tree-lists"


@dataclass(frozen=True)
class FoldTask:
    """One part to be parsed: everything that another process needs.

    Attributes
    ----------
    corpora : tuple of str
        The treebanks that the sentences come from.
    tags : str
        The file of their columns.
    settings : DependencySettings
    fold, folds, trees : int
    target : str
        The file to write.
    """

    corpora: tuple[str, ...]
    tags: str
    settings: DependencySettings
    fold: int
    folds: int
    trees: int
    target: str


def sentences_of(corpora: Sequence[str]) -> list[TreeSentence]:
    """Read the sentences that have words."""
    return [sentence for corpus in corpora for sentence in read_treebank(corpus) if sentence.words]


def list_settings(settings: DependencySettings, *, half: bool) -> DependencySettings:
    """Return the settings of the parsers that make lists: one learner, and about half the passes or all of them.

    Lists of parsers with all passes are more like those that the finished parser makes, and take twice as long.
    """
    one = replace(settings, learners=1, label_learners=1)
    if not half:
        return one
    return replace(
        one,
        passes=max(1, settings.passes // 2),
        light_passes=max(1, settings.light_passes * 3 // 4),
        label_passes=max(1, settings.label_passes * 4 // 5),
    )


def write_fold(task: FoldTask) -> str:
    """Write the lists of one part; return the file."""
    sentences = sentences_of(task.corpora)
    words = load_model(task.tags, TASK, columns_of)
    made = fold_lists(sentences, words, task.settings, task.fold, task.folds, task.trees)
    write_model(task.target, TASK, made, schema=described(task))
    return task.target


def described(task: FoldTask) -> str:
    """Return what a file of lists says it was made from; other lists are not taken for these."""
    return f"{' '.join(task.corpora)}, blocks {task.fold} of {task.folds}, {task.trees} trees, {asdict(task.settings)}"


def fold_lists(
    sentences: Sequence[TreeSentence],
    words: Sequence[Sequence[Columns]],
    settings: DependencySettings,
    fold: int,
    folds: int,
    trees: int,
) -> Contents:
    """Parse one part of the sentences, tagged as `words`, with a parser of the others."""
    part = jackknife_part(len(sentences), fold, folds)
    apart = set(part)
    others = [place for place in range(len(sentences)) if place not in apart] or list(range(len(sentences)))
    heads = [s.heads for s in sentences]
    if settings.projective:
        heads = [lifted(own) if crossing_arcs(own) else own for own in heads]
    one_root = all(own.count(0) == 1 for own in heads)
    batch = TokenBatch([words[place] for place in others])
    light, search, full = train_trees(batch, [heads[place] for place in others], settings, one_root, silent)
    relations, labels = train_labels(batch, [sentences[place] for place in others], settings, silent)
    own = TokenBatch([words[place] for place in part])
    lists = best_lists(own, trees, light, full, search, labels, len(relations))
    lists["scores"] = lists["scores"] * full.unit
    lists["light"] = lists["light"] * light.unit
    return Contents(lists, {"relations": list(relations)})


def read_lists(
    paths: Sequence[str | Path], tasks: Sequence[FoldTask], relations: Sequence[str]
) -> dict[str, NDArray[Any]]:
    """Join the lists of all parts; relations are numbered as those given."""
    numbers = {name: number for number, name in enumerate(relations)}
    parts: list[dict[str, NDArray[Any]]] = []
    for path, task in zip(paths, tasks, strict=True):
        found, names = load_model(path, TASK, lists_of, schema=described(task))
        renumbered = np.array([numbers[name] for name in names], dtype=np.uint8)
        parts.append({**found, "relations": renumbered[found["relations"]]})
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def lists_of(contents: Contents) -> tuple[dict[str, NDArray[Any]], list[str]]:
    """Read lists from a file."""
    names = contents.texts("relations", distinct=True)
    counts = contents.array("counts", np.int32, minimum=1)
    trees = int(counts.sum())
    heads = contents.array("heads", np.int32, minimum=0)
    arrays = {
        "counts": counts,
        "heads": heads,
        "relations": contents.array("relations", np.uint8, shape=heads.shape, below=len(names)),
        "scores": contents.array("scores", np.float64, shape=(trees,)),
        "leads": contents.array("leads", np.int64, shape=(trees,)),
        "label_scores": contents.array("label_scores", np.int64, shape=(trees,)),
        "light": contents.array("light", np.float64, shape=(trees,)),
        "consensus": contents.array("consensus", np.float64, shape=(trees,)),
    }
    return arrays, names


def columns_of(contents: Contents) -> list[list[Columns]]:
    """Read tagged sentences from a file."""
    counts = contents.array("words", np.int32, minimum=0).tolist()
    try:
        values = contents.array("text", np.uint8).tobytes().decode("utf-8", "surrogatepass").split("\n")[:-1]
    except UnicodeDecodeError:
        raise contents.refuse("the columns are no text") from None
    if len(values) != 5 * sum(counts):
        raise contents.refuse("a word does not have five columns")
    words = list(zip(*(values[k::5] for k in range(5)), strict=True))
    ends = np.cumsum([0, *counts]).tolist()
    return [words[begin:end] for begin, end in pairwise(ends)]


def write_columns(path: Path, sentences: Sequence[Sequence[Columns]]) -> None:
    """Write tagged sentences to a file: all columns as one text, a line each."""
    text = "".join(f"{value}\n" for line in sentences for word in line for value in word)
    arrays: dict[str, NDArray[Any]] = {
        "words": np.array([len(line) for line in sentences], dtype=np.int32),
        "text": np.frombuffer(text.encode("utf-8", "surrogatepass"), dtype=np.uint8),
    }
    write_model(path, TASK, Contents(arrays))
