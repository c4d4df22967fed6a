"""The embedded English model: how it is made, and its card.

    python -m kakari.parsers.english.recipe models/pretrained

trains it anew from the corpora of the catalogue; the same corpora give the same file. With a second argument, a folder,
finished passes are kept there and the same command goes on from them.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from kakari.parsers.english.model import EnglishModel
from kakari.parsers.english.passes import Report
from kakari.parsers.english.scores import evaluate
from kakari.parsers.english.training import EnglishSettings, train
from kakari.parsers.english.words.flat_trees import FlatTree
from kakari.parsers.english.words.skeletons import forms_of, read_skeletons
from kakari.parsers.english.words.treebank_trees import read_trees

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

{scores}

Brackets are scored as EVALB does (see parsers/english/scores.py); `text` is the text that the words make when they are
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


def card(model: EnglishModel) -> str:
    """Write the model's card."""
    lines = ["| data | tags | bracket F1 | exact | crossing |", "|---|---|---|---|---|"]
    for name, row in model.details["scores"].items():
        lines.append(
            f"| {name} | {row['tag_accuracy']:.2%} | {row['bracket_f1']:.2%} | {row['exact_match']:.2%} |"
            f" {row['crossing_brackets']:.2f} |"
        )
    return CARD.format(
        corpora=", ".join(model.details["corpora"]),
        skeletons=", ".join(model.details["skeletons"]),
        sentences=model.details["sentences"],
        size=len(model.to_bytes(compressed=True)) / 1e6,
        scores="\n".join(lines),
    )


def pretrain(
    settings: EnglishSettings | None = None, *, report: Report = print, checkpoint: Path | None = None
) -> EnglishModel:
    """Train the embedded model and measure it."""
    forms = forms_of("ewt:train")
    skeletons = [tree for reference in SKELETONS for tree in read_skeletons(reference, forms)]
    model = train(training_trees(), settings, skeletons=skeletons, report=report, checkpoint=checkpoint)
    model.details |= {"corpora": list(CORPORA), "skeletons": list(SKELETONS), "scores": measured(model)}
    return model


def main(arguments: Sequence[str]) -> None:
    """Write the model and its card into a folder."""
    folder = Path(arguments[0])
    began = time.process_time()

    def tell(line: str) -> None:
        sys.stderr.write(f"{time.process_time() - began:8.1f} s  {line}\n")

    model = pretrain(report=tell, checkpoint=Path(arguments[1]) if len(arguments) > 1 else None)
    model.save(folder / "en.safetensors", compressed=True)
    (folder / "en.md").write_text(card(model))
    tell(card(model))


if __name__ == "__main__":
    main(sys.argv[1:])
