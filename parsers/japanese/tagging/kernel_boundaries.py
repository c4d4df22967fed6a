"""The 2003 paper's segmenter: characters and their types at six places, a support vector machine with a cubic kernel.

It decides each boundary alone, without a dictionary and without the decisions before it. In use it is the conjunctions
mined from its support vectors (PKE).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kakari.kernels.frozen.model import FrozenModel
from kakari.kernels.stored import Contents
from kakari.parsers.japanese.tagging.dictionary import CHARACTER_COLUMNS
from kakari.parsers.sequences.labelling import label_batch
from kakari.parsers.sequences.templates import TemplateSet
from kakari.parsers.sequences.tokens import TokenTable


@dataclass(frozen=True)
class KernelBoundaries:
    """A segmenter of one frozen kernel machine, in the place of a `FrozenLabeller`; safe to use from many threads.

    Attributes
    ----------
    templates : TemplateSet
        Templates over some of the columns of characters.
    machine : FrozenModel
        Its margin is positive where a word begins.
    """

    templates: TemplateSet
    machine: FrozenModel

    def label(self, table: TokenTable) -> NDArray[np.uint8]:
        """Return 1 for each character at which a word begins, else 0."""
        return label_batch(own_columns(table, self.templates), self.templates, [self.machine], 2)

    def contents(self) -> Contents:
        """Return the saved form of the segmenter."""
        return Contents.joined({"machine": self.machine.contents()}, {"templates": list(self.templates.texts)})

    @staticmethod
    def from_contents(contents: Contents) -> KernelBoundaries:
        """Rebuild a segmenter from its `contents()`."""
        templates = TemplateSet(contents.texts("templates"))
        if templates.fixed != len(templates.texts) or any(
            column.kind != "whole" or column.name not in CHARACTER_COLUMNS for column in templates.derived
        ):
            raise contents.refuse("its templates are not about characters")
        return KernelBoundaries(templates, FrozenModel.from_contents(contents.part("machine")))


def own_columns(table: TokenTable, templates: TemplateSet) -> TokenTable:
    """Return the columns of a table of characters that templates are about."""
    places = [CHARACTER_COLUMNS.index(column.name) for column in templates.derived]
    return TokenTable(table.starts, table.values[:, places])
