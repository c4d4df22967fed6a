"""KeLP's data files as examples of ours: trees, sparse vectors with numbered features, and one label a line."""

from __future__ import annotations

from typing import Any

from kakari.corpora.formats.klp import KelpExample, read_klp
from kakari.corpora.formats.vectors import LARGEST_ID
from kakari.corpora.records.errors import CorpusError
from kakari.corpora.records.textfiles import Source, source_name
from kakari.models.machines.svmlight_tk import Vector, examples_of
from kakari.models.vocabulary import Vocabulary


def kelp_examples(kernel: Any, source: Source, names: Vocabulary | None = None) -> tuple[Any, list[str]]:
    """Return the examples of a `.klp` file as a kernel takes them, and their labels.

    Parameters
    ----------
    names : Vocabulary, optional
        For features with names: new ones are numbered from 1 on. Without it, features must be numbers already, as a
        model's file keeps no names of columns.

    Examples
    --------
    >>> import io
    >>> from kakari.kernels.trees.tree_kernel import TreeKernel
    >>> kelp_examples(TreeKernel("stk"), io.StringIO("food |BT| (S (N bread)) |ET| |BS| bread |ES|"))
    ([('(S (N bread))',)], ['food'])
    """
    name, trees, vectors, labels = source_name(source), [], [], []
    for row, example in enumerate(read_klp(source), 1):
        if example.pair is not None:
            raise CorpusError(name, None, f"example {row} is a pair: we learn from single examples")
        if len(example.labels) != 1:
            raise CorpusError(name, None, f"example {row} has {len(example.labels)} labels: there should be one")
        labels.append(example.labels[0])
        trees.append(example.trees())
        vectors.append(_vectors(name, row, example, names) if kernel.takes != "trees" else [])
    return examples_of(kernel, trees, vectors), labels


def _vectors(name: str, row: int, example: KelpExample, names: Vocabulary | None) -> list[Vector]:
    found: list[Vector] = []
    for one in example.representations:
        if one.kind == "DV":
            numbers = one.numbers()
            found.append((range(1, len(numbers) + 1), numbers))
        elif one.kind == "V":
            features = one.features()
            ids = [_number(name, row, feature, names) for feature in features]
            found.append((ids, list(features.values())))
    return found


def _number(name: str, row: int, feature: str, names: Vocabulary | None) -> int:
    if names is not None:
        return names.add(feature) + 1
    if not (feature.isascii() and feature.isdecimal() and len(feature) <= 10) or int(feature) > LARGEST_ID:
        raise CorpusError(
            name, None, f"example {row}: the feature '{feature[:40]}' has a name, and should have a number"
        )
    return int(feature)
