"""Training of the 2003 paper's segmenter: each place between two characters is an example by itself."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from kakari.kernels.frozen.freezing import freeze
from kakari.kernels.sets.featuresets import FeatureSets
from kakari.kernels.solvers.expanded import solve_expanded
from kakari.parsers.japanese.tagging.kernel_boundaries import KernelBoundaries, own_columns
from kakari.parsers.japanese.tagging.settings import KernelSettings
from kakari.parsers.sequences.labelling import feature_sets
from kakari.parsers.sequences.templates import TemplateSet
from kakari.parsers.sequences.tokens import TokenTable


def boundary_decisions(
    table: TokenTable, begins: NDArray[np.uint8], templates: TemplateSet
) -> tuple[FeatureSets, NDArray[np.uint8]]:
    """Return the features of each place between two characters of a sentence, and whether a word begins behind it.

    Examples
    --------
    >>> from kakari.parsers.japanese.tagging.dictionary import WordDictionary, character_table
    >>> table = character_table(["本を", "木"], WordDictionary.of_words({}))
    >>> sets, labels = boundary_decisions(table, np.ones(3, dtype=np.uint8), TemplateSet(["char[-1]", "char[0]"]))
    >>> len(sets), labels.tolist()
    (1, [1])
    """
    inner = np.ones(len(begins), dtype=bool)
    inner[table.starts[:-1][np.diff(table.starts) > 0]] = False  # a sentence's first character begins a word
    rows = np.flatnonzero(inner)
    return feature_sets(own_columns(table, templates), templates, begins).take(rows), begins[rows]


def learned_kernel_boundaries(
    table: TokenTable, begins: NDArray[np.uint8], templates: Sequence[str], settings: KernelSettings
) -> KernelBoundaries:
    """Train a support vector machine on all boundaries, and freeze it."""
    compiled = TemplateSet(templates)
    sets, labels = boundary_decisions(table, begins, compiled)
    signs = np.where(labels == 1, 1, -1).astype(np.int8)
    found = solve_expanded(sets, signs, settings.degree, cost=settings.cost, tolerance=settings.tolerance)
    support = np.flatnonzero(found["coefficients"])
    kept = sets.take(support), found["coefficients"][support]
    return KernelBoundaries(compiled, freeze(*kept, settings.degree, kind="expansion", sigma=settings.sigma))
