"""Accuracy by degree and by feature group: `python -m kakari.parsers.japanese.ablation`.

Trains on kwdlc:train with gold morphemes and prints one row a setting, scored on kwdlc:dev.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace

from kakari.corpora import read
from kakari.parsers.japanese.bunsetsu.segmentation import SEGMENT_GROUPS
from kakari.parsers.japanese.scores import evaluate
from kakari.parsers.japanese.training import ACCURATE, JapaneseSettings, LearnerSettings, ParserSettings, train

GROUPS = ("base", "function", "coordination")
OTHERS = ("content", "conjugation", "context", "between", "attached", "stack")
COSTS = {1: 1e-2, 2: 1e-3, 3: 6e-5}
LEARNER = LearnerSettings(cost=COSTS[2], passes=10)


def settings_by_name() -> Iterator[tuple[str, JapaneseSettings]]:
    """Yield the settings of each row.

    Examples
    --------
    >>> next(settings_by_name())[0]
    'degree 1'
    """
    for degree, cost in COSTS.items():
        learner = replace(LEARNER, degree=degree, cost=cost)
        yield (
            f"degree {degree}",
            JapaneseSettings(segmenter=learner, parsers=(ParserSettings(GROUPS, learner),)),
        )
    for left_out in GROUPS[1:]:
        kept = tuple(group for group in GROUPS if group != left_out)
        yield f"parser without {left_out}", JapaneseSettings(segmenter=None, parsers=(ParserSettings(kept, LEARNER),))
    for added in OTHERS:
        yield (
            f"parser with {added}",
            JapaneseSettings(segmenter=None, parsers=(ParserSettings((*GROUPS, added), LEARNER),)),
        )
    for left_out in list(SEGMENT_GROUPS)[1:]:
        groups = tuple(group for group in SEGMENT_GROUPS if group != left_out)
        parsers = (ParserSettings(GROUPS, LEARNER),)
        settings = JapaneseSettings(segment_groups=groups, segmenter=LEARNER, parsers=parsers)
        yield f"segmenter without {left_out}", settings
    yield "several classifiers", replace(ACCURATE, rankers=(), trees=None)
    yield "several classifiers and a ranker", replace(ACCURATE, trees=None)
    yield "several classifiers, a ranker and whole trees", ACCURATE


def main() -> None:
    """Print the table."""
    sentences, dev = list(read("kwdlc:train")), list(read("kwdlc:dev"))
    sys.stdout.write("| setting | dependency | sentence | segmentation F1 |\n|---|---|---|---|\n")
    for name, settings in settings_by_name():
        model = train(sentences, settings)
        arcs = evaluate(model, dev)
        spans = f"{evaluate(model, dev, given='morphemes').segmentation_f1:.2%}" if model.segmenter else ""
        row = f"| {name} | {arcs.dependency_accuracy:.2%} | {arcs.sentence_accuracy:.2%} | {spans} |\n"
        sys.stdout.write(row)
        sys.stdout.flush()


if __name__ == "__main__":
    main()
