"""Peers of the dependency parser, trained on the same treebank: spaCy's CPU pipeline and UDPipe 1.

A trained peer is kept in a folder and used again: spaCy's training takes most of an hour of one core. Both are given
words, not text, and both are scored by the code that scores us.
"""

import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from kakari.parsers.dependency.treebank import TreeSentence

Trees = list[TreeSentence]


def write_conllu(sentences: Sequence[TreeSentence], *, bare: bool = False) -> str:
    """Write words as CoNLL-U, with their columns and trees unless `bare`; written words of several are left out."""
    lines = []
    for sentence in sentences:
        for place, ((form, lemma, coarse, fine, features), head, relation) in enumerate(
            zip(sentence.words, sentence.heads, sentence.relations, strict=True), 1
        ):
            known = (lemma, coarse, fine, features, str(head), relation)
            lines.append("\t".join((str(place), form, *(("_",) * 6 if bare else known), "_", "_")))
        lines.append("")
    return "\n".join(lines) + "\n"


class SpacyPeer:
    """`spacy init config --pipeline tagger,parser --optimize efficiency`, with a morphologizer for coarse tags."""

    name = "spaCy"

    def __init__(self, folder: Path, steps: int) -> None:
        self.folder = folder / "spacy"
        self.steps = steps
        self.note = f"{steps} steps at most"

    def train(self, train: Trees, held_out: Trees) -> None:
        """Train once; the best of the checkpoints by the held-out sentences is kept."""
        if (self.folder / "model-best").exists():
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        for name, sentences in (("train", train), ("held_out", held_out)):
            _doc_bin(sentences).to_disk(self.folder / f"{name}.spacy")
        config = self.folder / "config.cfg"
        choice = ("--lang", "en", "--pipeline", "tagger,parser", "--optimize", "efficiency", "--force")
        subprocess.run([sys.executable, "-m", "spacy", "init", "config", str(config), *choice], check=True)
        options = {
            "paths.train": self.folder / "train.spacy",
            "paths.dev": self.folder / "held_out.spacy",
            "training.max_steps": self.steps,
            "training.eval_frequency": 500,
        }
        command = [sys.executable, "-m", "spacy", "train", str(config), "--output", str(self.folder)]
        subprocess.run([*command, *(part for key, value in options.items() for part in (f"--{key}", str(value)))],
                       check=True)  # fmt: skip

    def load(self) -> None:
        """Load the trained pipeline."""
        import spacy

        self.nlp = spacy.load(self.folder / "model-best")

    def parse(self, sentences: Trees) -> Trees:
        """Parse given words, each sentence for itself; the parser may not cut it in two."""
        from spacy.tokens import Doc

        docs = [
            Doc(self.nlp.vocab, words=list(s.forms), sent_starts=[True] + [False] * (len(s.forms) - 1))
            for s in sentences
        ]
        found = []
        for doc in self.nlp.pipe(docs, batch_size=256):
            words = tuple((t.text, "_", "_", t.tag_, "_") for t in doc)
            heads = tuple(0 if t.head.i == t.i else t.head.i + 1 for t in doc)
            relations = tuple("root" if head == 0 else t.dep_ for t, head in zip(doc, heads, strict=True))
            found.append(TreeSentence(words, heads, relations))
        return found


def _doc_bin(sentences: Trees):  # type: ignore[no-untyped-def]
    import spacy
    from spacy.tokens import Doc, DocBin

    vocab = spacy.blank("en").vocab
    docs = DocBin(store_user_data=False)
    for sentence in sentences:
        docs.add(
            Doc(
                vocab,
                words=list(sentence.forms),
                tags=[word[3] for word in sentence.words],
                heads=[place if head == 0 else head - 1 for place, head in enumerate(sentence.heads)],
                deps=["ROOT" if head == 0 else r for head, r in zip(sentence.heads, sentence.relations, strict=True)],
            )
        )
    return docs


class UdpipePeer:
    """UDPipe 1 with its own trainer: its defaults, but for the passes of its parser and tagger (10 and 20 by default).

    Parts that words alone do not need are not trained. `plain` leaves out its search for better gold steps at each
    eighth sentence, which takes a third of a pass.
    """

    name = "UDPipe 1"

    def __init__(self, folder: Path, passes: int, tagger_passes: int, *, plain: bool = False) -> None:
        self.path = folder / f"udpipe-{passes}-{tagger_passes}{'-plain' * plain}.model"
        self.options = f"iterations={tagger_passes}", f"iterations={passes}{';structured_interval=0' * plain}"
        self.note = f"{passes} parser and {tagger_passes} tagger passes{', no structured oracle' * plain}"

    def train(self, train: Trees, held_out: Trees) -> None:
        """Train once, with the held-out sentences for its choice of the iteration."""
        from ufal.udpipe import InputFormat, ProcessingError, Sentence, Sentences, Trainer

        if self.path.exists():
            return
        self.path.parent.mkdir(parents=True, exist_ok=True)

        def read(sentences: Trees):  # type: ignore[no-untyped-def]
            reader = InputFormat.newConlluInputFormat()
            reader.setText(write_conllu(sentences))
            kept, error = Sentences(), ProcessingError()
            while True:
                sentence = Sentence()
                if not reader.nextSentence(sentence, error):
                    break
                kept.push_back(sentence)
            if error.occurred():
                raise ValueError(error.message)
            return kept

        error = ProcessingError()
        model = Trainer.train("morphodita_parsito", read(train), read(held_out), "none", *self.options, error)
        if error.occurred():
            raise ValueError(error.message)
        self.path.write_bytes(model)

    def load(self) -> None:
        """Load the trained model."""
        from ufal.udpipe import Model, Pipeline

        self.model = Model.load(str(self.path))
        self.pipeline = Pipeline(self.model, "conllu", Pipeline.DEFAULT, Pipeline.DEFAULT, "conllu")

    def parse(self, sentences: Trees) -> Trees:
        """Parse given words."""
        written = self.pipeline.process(write_conllu(sentences, bare=True))
        found = []
        for block in written.split("\n\n"):
            rows = [line.split("\t") for line in block.split("\n") if line and not line.startswith("#")]
            if rows:
                words = tuple((r[1], r[2], r[3], r[4], r[5]) for r in rows)
                found.append(TreeSentence(words, tuple(int(r[6]) for r in rows), tuple(r[7] for r in rows)))
        return found


def timed(work) -> float:  # type: ignore[no-untyped-def]
    """Return CPU seconds."""
    start = time.process_time()
    work()
    return time.process_time() - start
