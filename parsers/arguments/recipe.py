"""The embedded model of predicates and arguments: how it is made (`kakari.parsers.recipes`), and its card.

The embedded parser takes no part in the training; its trees are those of the figures, so that a new parser needs this
recipe again.
"""

from __future__ import annotations

from typing import Any

from kakari.parsers.arguments.candidates.frames import read_frames
from kakari.parsers.arguments.model import ArgumentModel
from kakari.parsers.arguments.scores import GIVEN, evaluate_arguments
from kakari.parsers.arguments.training import train_arguments
from kakari.parsers.english.model import EnglishModel
from kakari.parsers.recipes import Workshop, rows

CORPUS, DEVELOPMENT = "ewt:train", "ewt:dev"
KEPT = ("span_f1", "span_precision", "span_recall", "node_f1", "labelled_f1", "predicate_f1", "verb_f1")
CARD = """# en-arguments

Predicates of English sentences, the spans of their arguments and the roles of these, in constituency trees.

| | |
|---|---|
| trained on | {corpus} ({sentences} sentences), {trees} |
| roles | {roles} |
| size | {size:.2f} MB |

| given | spans | precision | recall | nodes | with roles | predicates | verbs |
|---|---|---|---|---|---|---|---|
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


def pretrain(name: str, workshop: Workshop) -> tuple[ArgumentModel, dict[str, Any]]:
    """Train the embedded model and measure it; return it with the facts of its card."""
    model = train_arguments(list(read_frames(CORPUS)), report=workshop.report)
    workshop.report("measuring")
    scores = measured(model, EnglishModel.load(workshop.folder / "en.safetensors"))
    model.details |= {"corpora": [CORPUS], "scores": scores}
    folds = model.details["settings"]["folds"]
    return model, {
        "corpus": CORPUS,
        "development": DEVELOPMENT,
        "sentences": model.details["sentences"],
        "trees": f"trees of parsers of {folds} folds" if folds else "gold trees",
        "roles": 0 if model.roles is None else len(model.roles.table.classes),
        "scores": rows({given: [f"{100 * row[key]:.2f}" for key in KEPT] for given, row in scores.items()}),
    }
