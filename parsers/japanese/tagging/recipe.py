"""The embedded words model: how it is made (`kakari.parsers.recipes`), and its card.

Its dictionary is that of Debian's mecab-jumandic-utf8.
"""

from __future__ import annotations

from typing import Any

from kakari.corpora.catalogue import read
from kakari.parsers.japanese.tagging.entries import JUMANDIC, read_dictionary, sentence_entries
from kakari.parsers.japanese.tagging.model import WordsModel
from kakari.parsers.japanese.tagging.scores import evaluate
from kakari.parsers.japanese.tagging.training import train
from kakari.parsers.recipes import Workshop, rows

CORPORA = ("kwdlc:train", "wac:train")
DEVELOPMENT = ("kwdlc:dev", "wac:dev")
CARD = """# ja-words

Words of Japanese text in JUMAN's units, with readings, base forms, parts of speech and conjugation.

| | |
|---|---|
| trained on | {corpora} ({sentences} sentences) |
| dictionary | {entries} words: those of the corpora, and JUMAN's (Debian's mecab-jumandic-utf8) |
| size | {size:.2f} MB |

| from text | words F1 | with part of speech | and base form | boundaries |
|---|---|---|---|---|
{scores}

Parts of speech are JUMAN's main classes. Sub-classes and conjugation are told as well.

Terms of the data: WAC CC BY-SA 4.0; KWDLC is released for research, without a licence file; JUMAN's dictionary
BSD-3-clause (University of Tokyo; Taku Kudo; Nara Institute of Science and Technology). The model holds hashes,
weights, and the words of the dictionary and of the corpora. docs/licences.md has the whole table.

Made by `make models-ja-words`.
"""


def pretrain(name: str, workshop: Workshop) -> tuple[WordsModel, dict[str, Any]]:
    """Train the embedded model and measure it; return it with the facts of its card."""
    sentences = [sentence for corpus in CORPORA for sentence in read(corpus)]
    model = train(sentences, read_dictionary(JUMANDIC), report=workshop.report)
    found = {data: evaluate(model, [sentence_entries(one) for one in read(data)]).as_dict() for data in DEVELOPMENT}
    model.details |= {"data": list(CORPORA), "scores": found}
    keys = ("word_f1", "word_pos_f1", "word_base_f1", "boundary_accuracy")
    return model, {
        "corpora": ", ".join(CORPORA),
        "sentences": len(sentences),
        "entries": len(model.dictionary.arrays["kinds"]),
        "scores": rows({data: [f"{own[key]:.2%}" for key in keys] for data, own in found.items()}),
    }
