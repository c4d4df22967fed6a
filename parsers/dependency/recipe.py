"""The embedded model of English Universal Dependencies: how it is made, and its card.

    python -m kakari.parsers.dependency.recipe models/pretrained

trains it anew from the corpora of the catalogue; the same corpora give the same file.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from kakari.parsers.dependency.model import DependencyModel
from kakari.parsers.dependency.parser import evaluated
from kakari.parsers.dependency.scores import score_trees
from kakari.parsers.dependency.training import train
from kakari.parsers.dependency.treebank import read_treebank

NAME = "en-dependency"
CORPORA = ("ud-english:train",)
DEVELOPMENT = "ud-english:dev"
CARD = """# en-dependency

Tags, morphological features, lemmas and dependency trees of English text, in Universal Dependencies.

| | |
|---|---|
| trained on | {corpora} ({sentences} sentences, {words} words; {lifted} trees with crossing arcs were lifted) |
| size | {size:.2f} MB |

{scores}

F1 by the definition of CoNLL-2018 on {development}; relations without subtypes.

Terms of the data: the English Web Treebank in Universal Dependencies, CC BY-SA 4.0. The model holds hashes, weights and
forms whose lemma is an exception.

Made by `make models-en`.
"""


@cache
def pretrained_model() -> DependencyModel:
    """Return the embedded model."""
    return DependencyModel.load(str(resources.files("kakari.models") / "pretrained" / f"{NAME}.safetensors"))


def load_model(name: str) -> DependencyModel:
    """Return the embedded model by its name, or the model of a file."""
    return pretrained_model() if name == NAME else DependencyModel.load(name)


def measured(model: DependencyModel) -> dict[str, dict[str, float]]:
    """Score a model on the development data, by what it is given."""
    sentences = list(read_treebank(DEVELOPMENT))
    return {
        given: {name: round(value, 4) for name, value in score_trees(sentences, predicted).items()}
        for given in ("text", "tokens", "tags")
        for predicted in [evaluated(model, sentences, given)]
    }


def card(details: dict[str, Any], size: int) -> str:
    """Write the model's card."""
    names = ("sentences", "words", "upos", "xpos", "feats", "lemma", "uas", "las", "clas")
    lines = [f"| given | {' | '.join(names)} |", "|---" * (len(names) + 1) + "|"]
    for given, row in details["scores"].items():
        lines.append(f"| {given} | {' | '.join(f'{row[name]:.2%}' for name in names)} |")
    told = {name: details[name] for name in ("sentences", "words", "lifted")}
    return CARD.format(
        **told, corpora=", ".join(details["data"]), size=size / 1e6, scores="\n".join(lines), development=DEVELOPMENT
    )


def pretrain(report: Callable[[str], object]) -> DependencyModel:
    """Train the embedded model and measure it."""
    sentences = [sentence for reference in CORPORA for sentence in read_treebank(reference)]
    model = train(sentences, language="en", report=report)
    model.details["data"] = list(CORPORA)
    model.details["scores"] = measured(model)
    return model


def main(arguments: Sequence[str]) -> None:
    """Write the model and its card into a folder."""
    folder = Path(arguments[0])
    began = time.process_time()

    def tell(line: str) -> None:
        if not line.endswith("sentences"):
            sys.stderr.write(f"{time.process_time() - began:8.1f} s  {line}\n")

    model = pretrain(tell)
    model.save(folder / f"{NAME}.safetensors")
    text = card(model.details, (folder / f"{NAME}.safetensors").stat().st_size)
    (folder / f"{NAME}.md").write_text(text)
    tell(text)


if __name__ == "__main__":
    main(sys.argv[1:])
