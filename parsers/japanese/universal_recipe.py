"""The embedded conversion to Universal Dependencies: how it is made (`kakari.parsers.recipes`), and its card."""

from __future__ import annotations

from typing import Any

from kakari.corpora import read
from kakari.parsers.japanese.parser import JapaneseParser
from kakari.parsers.japanese.universal.model import UniversalModel
from kakari.parsers.japanese.universal_scores import cross_validated
from kakari.parsers.japanese.universal_training import train_universal
from kakari.parsers.recipes import Workshop

TREEBANK = "ud-japanese:dev"
FOLDS = 10
CARD = """# ja-universal

Universal Dependencies of Japanese: parts of speech, heads and relations of words, from the bunsetsu that `ja` finds.

| | |
|---|---|
| trained on | {treebank} ({sentences} sentences: its training part is not to be had) |
| size | {size:.2f} MB |
| {treebank}, {folds} folds, from text (a sentence a text): words F1 | {words:.2%} |
| parts of speech (UPOS) | {upos:.2%} |
| unlabelled attachment | {uas:.2%} |
| labelled attachment (without subtypes) | {las:.2%} |

The scores are of models that have not seen the sentences they are scored on; templates and settings were chosen on
the same folds.

Terms of the data: UD Japanese GSD CC BY-SA 4.0 (docs/licences.md). The model holds hashes and weights, no text.

Made by `make models-ja`.
"""


def pretrain(name: str, workshop: Workshop) -> tuple[UniversalModel, dict[str, Any]]:
    """Train the embedded model and measure it; return it with the facts of its card."""
    parser, sentences = JapaneseParser.load(workshop.folder / "ja.safetensors"), list(read(TREEBANK))
    scores = cross_validated(parser, sentences, folds=FOLDS)
    model = train_universal(parser, sentences)
    model.details.update(trained_on=[TREEBANK], sentences=len(sentences), scores=scores, folds=FOLDS)
    return model, {"treebank": TREEBANK, "sentences": len(sentences), "folds": FOLDS, **scores}
