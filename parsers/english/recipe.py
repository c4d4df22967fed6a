"""The embedded English model: how it is made (`kakari.parsers.recipes`), and its card."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kakari.parsers.english.model import EnglishModel
from kakari.parsers.english.scores import evaluate
from kakari.parsers.english.training import train
from kakari.parsers.english.words.flat_trees import FlatTree
from kakari.parsers.english.words.skeletons import forms_of, read_skeletons
from kakari.parsers.english.words.treebank_trees import read_trees
from kakari.parsers.recipes import Workshop, rows

CORPORA = ("ewt:train", "gum:train", "treebank", "questionbank:train")
SKELETONS = ("ontonotes:train",)
DEVELOPMENT = ("ewt:dev", "gum:dev", "questionbank:dev")
CARD = """# en

Tags and constituency trees of English text.

| | |
|---|---|
| trained on | {corpora} ({sentences} sentences) |
| parser trained before on | {skeletons} (trees without words) |
| size | {size:.2f} MB |

| data | tags | bracket F1 | exact | crossing |
|---|---|---|---|---|
{scores}

Tags are those of the trees, with which they are decided together. Brackets are scored as EVALB does (see
parsers/english/scores.py); `text` is the text that the words make when they are
put together again, one sentence at a time.

Terms of the data: EWT and the PropBank skeletons of OntoNotes CC BY-SA 4.0; GUM CC BY 4.0, its texts under
licences of their own, some of them non-commercial; the Penn Treebank sample for non-commercial use; QuestionBank for
research (docs/licences.md). QuestionBank's trees of the questions of `qc:test` were left out. The model holds hashes
and weights, no text.

Made by `make models-en`.
"""


def training_trees(references: Sequence[str] = CORPORA) -> list[FlatTree]:
    """Return the trees of several corpora."""
    return [tree for reference in references for tree in read_trees(reference)]


def measured(model: EnglishModel) -> dict[str, dict[str, Any]]:
    """Score a model on the development data, by what it is given."""
    found: dict[str, dict[str, Any]] = {}
    for reference in DEVELOPMENT:
        trees = list(read_trees(reference))
        for given in ("text", "tokens", "tags"):
            figures = evaluate(model, trees, given=given).as_dict()
            kept = ("tag_accuracy", "bracket_f1", "exact_match", "crossing_brackets")
            found[f"{reference}, given {given}"] = {key: round(figures[key], 4) for key in kept}
    return found


def pretrain(name: str, workshop: Workshop) -> tuple[EnglishModel, dict[str, Any]]:
    """Train the embedded model and measure it; return it with the facts of its card."""
    forms = forms_of("ewt:train")
    skeletons = [tree for reference in SKELETONS for tree in read_skeletons(reference, forms)]
    model = train(training_trees(), skeletons=skeletons, report=workshop.report, checkpoint=workshop.checkpoints)
    scores = measured(model)
    model.details |= {"corpora": list(CORPORA), "skeletons": list(SKELETONS), "scores": scores}
    shares = ("tag_accuracy", "bracket_f1", "exact_match")
    told = {
        data: [*(f"{row[key]:.2%}" for key in shares), f"{row['crossing_brackets']:.2f}"]
        for data, row in scores.items()
    }
    return model, {
        "corpora": ", ".join(CORPORA),
        "skeletons": ", ".join(SKELETONS),
        "sentences": model.details["sentences"],
        "scores": rows(told),
    }
