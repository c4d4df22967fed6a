"""The embedded model of predicates and arguments: how it is made, and its card.

    python -m kakari.parsers.arguments.recipe models/pretrained

trains it anew from the corpora of the catalogue; the same corpora give the same file. The embedded parser takes no part
in the training; its trees are those of the figures, so that a new parser needs this command again.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from kakari.parsers.arguments.candidates.frames import read_frames
from kakari.parsers.arguments.model import ArgumentModel
from kakari.parsers.arguments.scores import GIVEN, evaluate_arguments
from kakari.parsers.arguments.training import ArgumentSettings, train_arguments
from kakari.parsers.english.model import EnglishModel, pretrained_model

NAME = "en-arguments"
CORPUS, DEVELOPMENT = "ewt:train", "ewt:dev"
KEPT = ("span_f1", "span_precision", "span_recall", "node_f1", "labelled_f1", "predicate_f1", "verb_f1")
CARD = """# en-arguments

Predicates of English sentences, the spans of their arguments and the roles of these, in constituency trees.

| | |
|---|---|
| trained on | {corpus} ({sentences} sentences), {trees} |
| roles | {roles} |
| size | {size:.2f} MB |

{scores}

On {development}, in percent; the predicate's word is given except for the last two columns. `spans` is F1 over
(predicate, span) pairs, `with roles` counts a span only if its role is right, `predicates` and `verbs` are F1 of the
words found. From `trees` to `tags` the parser's errors come in, then those of the tagger, then those of the tokens.

Terms of the data: EWT and PropBank CC BY-SA 4.0 (docs/licences.md). The model holds hashes, weights and rules on the
endings of words, no text.

Made by `make models-en-arguments`, a part of `make models-en`.
"""


def measured(model: ArgumentModel, parser: EnglishModel) -> dict[str, dict[str, float]]:
    """Score a model on the development data, by what it is given."""
    sentences = list(read_frames(DEVELOPMENT))
    found: dict[str, dict[str, float]] = {}
    for given in reversed(GIVEN):
        figures = evaluate_arguments(model, parser, sentences, given=given).as_dict()  # type: ignore[arg-type]
        found[given] = {key: figures[key] for key in KEPT}
    return found


def card(model: ArgumentModel) -> str:
    """Write the model's card."""
    lines = ["| given | spans | precision | recall | nodes | with roles | predicates | verbs |", "|---" * 8 + "|"]
    for given, row in model.details["scores"].items():
        lines.append(f"| {given} | " + " | ".join(f"{100 * row[key]:.2f}" for key in KEPT) + " |")
    settings: dict[str, Any] = model.details["settings"]
    return CARD.format(
        corpus=CORPUS,
        development=DEVELOPMENT,
        sentences=model.details["sentences"],
        trees=f"trees of parsers of {settings['folds']} folds" if settings["folds"] else "gold trees",
        roles=0 if model.roles is None else len(model.roles.table.classes),
        size=len(model.to_bytes()) / 1e6,
        scores="\n".join(lines),
    )


def pretrain(settings: ArgumentSettings | None = None, *, report: Callable[[str], object] = print) -> ArgumentModel:
    """Train the embedded model and measure it."""
    model = train_arguments(list(read_frames(CORPUS)), settings, report=report)
    report("measuring")
    model.details |= {"corpora": [CORPUS], "scores": measured(model, pretrained_model())}
    return model


def main(arguments: Sequence[str]) -> None:
    """Write the model and its card into a folder."""
    folder = Path(arguments[0])
    began = time.process_time()

    def tell(line: str) -> None:
        sys.stderr.write(f"{time.process_time() - began:8.1f} s  {line}\n")

    model = pretrain(report=tell)
    model.save(folder / f"{NAME}.safetensors")
    (folder / f"{NAME}.md").write_text(card(model))
    tell(card(model))


if __name__ == "__main__":
    main(sys.argv[1:])
