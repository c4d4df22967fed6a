"""The embedded words model: how it is made, and its card.

    python -m kakari.parsers.japanese.tagging.recipe models/pretrained

trains it anew from the corpora of the catalogue and the dictionary of Debian's mecab-jumandic-utf8; the same data gives
the same file.
"""

from __future__ import annotations

import sys
from pathlib import Path

from kakari.corpora.catalogue import read
from kakari.parsers.japanese.tagging.entries import JUMANDIC, read_dictionary, sentence_entries
from kakari.parsers.japanese.tagging.scores import evaluate
from kakari.parsers.japanese.tagging.training import train

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


def make(folder: Path) -> None:
    """Write the model and its card into a folder."""
    sentences = [sentence for corpus in CORPORA for sentence in read(corpus)]
    model = train(sentences, read_dictionary(JUMANDIC), report=lambda line: sys.stderr.write(f"{line}\n"))
    found = {name: evaluate(model, [sentence_entries(one) for one in read(name)]).as_dict() for name in DEVELOPMENT}
    model.details |= {"data": list(CORPORA), "scores": found}
    path = folder / "ja-words.safetensors"
    model.save(path, compressed=True)
    keys = ("word_f1", "word_pos_f1", "word_base_f1", "boundary_accuracy")
    rows = [f"| {name} | " + " | ".join(f"{own[key]:.2%}" for key in keys) + " |" for name, own in found.items()]
    card = CARD.format(
        corpora=", ".join(CORPORA),
        sentences=len(sentences),
        entries=len(model.dictionary.arrays["kinds"]),
        size=path.stat().st_size / 1e6,
        scores="\n".join(rows),
    )
    (folder / "ja-words.md").write_text(card, encoding="utf-8")


if __name__ == "__main__":
    make(Path(sys.argv[1]))
