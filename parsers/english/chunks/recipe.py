"""The embedded chunker: how it is made (`kakari.parsers.recipes`), and its card.

A tenth of the training data, every tenth sentence, is held back for the card's first row, and the model of the file is
trained on all of it.
"""

from __future__ import annotations

from typing import Any

from kakari.parsers.english.chunks.settings import chunk_settings
from kakari.parsers.recipes import Workshop
from kakari.parsers.sequences.model import SequenceModel
from kakari.parsers.sequences.reading import LabelledSentences, read_labelled
from kakari.parsers.sequences.scores import SequenceScores, score
from kakari.parsers.sequences.training import train

CORPUS = "conll2000:train"
CARD = """# en-chunks

Chunks of English sentences (noun phrases, verb groups, …), from words and tags.

| | |
|---|---|
| trained on | {corpus} ({sentences} sentences) |
| size | {size:.2f} MB |

| every tenth sentence of {corpus}, held back, its own tags | precision | recall | F1 |
|---|---|---|---|
| all types | {chunks.precision:.2%} | {chunks.recall:.2%} | {chunks.f1:.2%} |
| NP | {np.precision:.2%} | {np.recall:.2%} | {np.f1:.2%} |

Chunks are scored as conlleval does. The sentences that were held back were labelled by a model of the others.

Terms of the data: CoNLL-2000 is made of the Wall Street Journal part of the Penn Treebank and is used in research,
without a stated licence. The model holds hashes and weights, no text. docs/licences.md has the whole table.

Made by `make models-en`.
"""


def trained(data: LabelledSentences) -> SequenceModel:
    """Train a chunker with the embedded one's settings."""
    return train(data.rows, data.labels, chunk_settings())


def held_back_scores(data: LabelledSentences) -> SequenceScores:
    """Score a model of nine tenths of the sentences on the last tenth."""
    kept = [place for place in range(len(data.rows)) if place % 10]
    model = trained(LabelledSentences([data.rows[one] for one in kept], [data.labels[one] for one in kept]))
    return score(zip(data.labels[::10], model.predict(data.rows[::10]), strict=True))


def pretrain(name: str, workshop: Workshop) -> tuple[SequenceModel, dict[str, Any]]:
    """Train the embedded model and measure it; return it with the facts of its card."""
    data = read_labelled(CORPUS, chunks=True)
    scores = held_back_scores(data)
    model = trained(data)
    model.details |= {"data": [CORPUS], "types": [], "scores": {"held_back": scores.as_dict(chunks=True)}}
    facts = {"corpus": CORPUS, "sentences": len(data.rows), "chunks": scores.chunks, "np": scores.types["NP"]}
    return model, facts
