"""`kakari train classify --block-size`: training on files larger than memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from kakari.models.polynomial.classifier import Classifier
from kakari.models.streaming.blocks import Block, train_in_blocks
from kakari.models.vocabulary import Vocabulary
from kakari.output.console import progress
from kakari.reading.blocks import Stream
from kakari.reading.examples import class_numbers


def train_blocks(
    stream: Stream, options: dict[str, Any], passes: int, averaged: bool, scheme: str, budget: int | None
) -> tuple[Classifier, dict[str, Any]]:
    """Read the classes in a first pass, then train in so many more; return the classifier and figures."""
    names: set[str] = set()
    vocabulary = Vocabulary()
    for examples in stream.blocks(vocabulary):
        names.update(examples.labels)
    classes, numbers = class_numbers(sorted(names))
    place = dict(zip(sorted(names), numbers.tolist(), strict=True))
    kept = vocabulary if len(vocabulary) else None
    with progress("Training") as report:
        done = 0

        def blocks() -> Iterator[Block]:
            nonlocal done
            for examples in stream.blocks(kept):
                yield (
                    examples.sets,
                    np.array([place[label] for label in examples.labels], dtype=np.int64),
                    examples.weights,
                )
            done += 1
            report("", done, passes)

        if budget is None:
            return train_in_blocks(
                blocks, classes, options, passes=passes, averaged=averaged, scheme=scheme, vocabulary=kept
            )
        from kakari.models.streaming.budgeted import train_under_budget

        return train_under_budget(
            blocks,
            classes,
            degree=options["degree"],
            budget=budget,
            passes=passes,
            scheme=scheme,
            seed=options["seed"],
            vocabulary=kept,
        )
