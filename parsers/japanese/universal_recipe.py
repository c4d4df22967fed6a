"""The embedded conversion to Universal Dependencies and its card, made by one command.

python -m kakari.parsers.japanese.universal_recipe FOLDER
"""

from __future__ import annotations

import sys
from pathlib import Path

from kakari.corpora import read
from kakari.parsers.japanese.parser import JapaneseParser
from kakari.parsers.japanese.universal_scores import cross_validated
from kakari.parsers.japanese.universal_training import train_universal

TREEBANK = "ud-japanese:dev"
FOLDS = 10
CARD = """# ja-universal

Universal Dependencies of Japanese: parts of speech, heads and relations of words, from the bunsetsu that `ja` finds.

| | |
|---|---|
| trained on | {treebank} ({sentences} sentences: its training part is not to be had) |
| size | {size:.2f} MB |
| {treebank}, {folds} folds, from text (a sentence a text): words F1 | {tokens:.2%} |
| parts of speech (UPOS) | {upos:.2%} |
| unlabelled attachment | {uas:.2%} |
| labelled attachment (without subtypes) | {las:.2%} |

The scores are of models that have not seen the sentences they are scored on; templates and settings were chosen on
the same folds.

Terms of the data: UD Japanese GSD CC BY-SA 4.0 (docs/licences.md). The model holds hashes and weights, no text.

Made by `make models-ja`.
"""


def main(folder: Path) -> None:
    """Train the embedded model and write it with its card."""
    parser, sentences = JapaneseParser.pretrained(), list(read(TREEBANK))
    scores = cross_validated(parser, sentences, folds=FOLDS)
    model = train_universal(parser, sentences)
    model.details.update(trained_on=[TREEBANK], sentences=len(sentences), scores=scores._asdict(), folds=FOLDS)
    path = folder / "ja-universal.safetensors"
    model.save(path)
    facts = {"treebank": TREEBANK, "sentences": len(sentences), "size": path.stat().st_size / 1e6, "folds": FOLDS}
    path.with_suffix(".md").write_text(CARD.format(**facts, **scores._asdict()), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
