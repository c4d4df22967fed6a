"""Peers of the dependency parser, trained on the same treebank: spaCy's CPU pipeline and UDPipe 1.

    python benchmarks/dependency_peers.py spacy|udpipe [--peers DIR] [--steps 20000] [--udpipe-passes 10]
        [--udpipe-tagger-passes 20] [--udpipe-plain]

trains one of them on ud-english:train; `benchmarks/dependency.py --peers DIR` scores them beside us. What is trained is
kept in a folder and used again: UDPipe's tagger and parser are two files, spaCy keeps its best checkpoint while it
trains. Both are given words, not text, and both are scored by the code that scores us.
"""

import argparse
import resource
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from kakari.parsers.dependency.treebank import TreeSentence, read_treebank

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
    """`spacy init config --pipeline tagger,parser --optimize efficiency`, trained by `spacy train`.

    The configuration is spaCy's own but for the most steps: each 200 steps it scores the held-out sentences, keeps the
    best checkpoint, and stops when 1,600 steps have brought nothing better.
    """

    name = "spaCy"

    def __init__(self, folder: Path, steps: int) -> None:
        self.folder = folder / "spacy"
        self.steps = steps
        self.note = f"{steps} steps at most"

    def train(self, train: Trees, held_out: Trees) -> None:
        """Train until spaCy stops; the best of the checkpoints by the held-out sentences is kept."""
        if (self.folder / "finished").exists():
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
        }
        command = [sys.executable, "-m", "spacy", "train", str(config), "--output", str(self.folder)]
        subprocess.run([*command, *(part for key, value in options.items() for part in (f"--{key}", str(value)))],
                       check=True)  # fmt: skip
        (self.folder / "finished").write_text(f"{self.steps} steps at most\n")

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
        self.tagger = folder / f"udpipe-tagger-{tagger_passes}.model"
        self.path = folder / f"udpipe-{passes}-{tagger_passes}{'-plain' * plain}.model"
        self.options = f"iterations={tagger_passes}", f"iterations={passes}{';structured_interval=0' * plain}"
        self.note = f"{passes} parser and {tagger_passes} tagger passes{', no structured oracle' * plain}"

    def train(self, train: Trees, held_out: Trees) -> None:
        """Train the tagger, then the parser on its tags, each once; the held-out sentences choose the iteration."""
        if self.path.exists():
            return
        self.path.parent.mkdir(parents=True, exist_ok=True)
        own, choosing = _read_udpipe(train), _read_udpipe(held_out)
        if not self.tagger.exists():
            self.tagger.write_bytes(_train_udpipe(own, choosing, self.options[0], "none"))
        self.path.write_bytes(_train_udpipe(own, choosing, f"from_model=file:{self.tagger}", self.options[1]))

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


def _read_udpipe(sentences: Trees):  # type: ignore[no-untyped-def]
    from ufal.udpipe import InputFormat, ProcessingError, Sentence, Sentences

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


def _train_udpipe(train, held_out, tagger: str, parser: str) -> bytes:  # type: ignore[no-untyped-def]
    from ufal.udpipe import ProcessingError, Trainer

    error = ProcessingError()
    model: bytes = Trainer.train("morphodita_parsito", train, held_out, "none", tagger, parser, error)
    if error.occurred():
        raise ValueError(error.message)
    return model


def add_options(arguments: argparse.ArgumentParser) -> None:
    """Add what tells how the peers are trained."""
    arguments.add_argument("--peers", type=Path, default=Path("build/peers"), help="where trained peers are kept")
    arguments.add_argument("--steps", type=int, default=20000, help="of spaCy's training, at most")
    arguments.add_argument("--udpipe-passes", type=int, default=10, help="of UDPipe's parser")
    arguments.add_argument("--udpipe-tagger-passes", type=int, default=20, help="of UDPipe's tagger")
    arguments.add_argument("--udpipe-plain", action="store_true", help="UDPipe's parser without its structured oracle")


def chosen_peers(chosen: argparse.Namespace) -> dict[str, SpacyPeer | UdpipePeer]:
    """Return the peers by the names of the command line."""
    passes = chosen.udpipe_passes, chosen.udpipe_tagger_passes
    return {
        "udpipe": UdpipePeer(chosen.peers, *passes, plain=chosen.udpipe_plain),
        "spacy": SpacyPeer(chosen.peers, chosen.steps),
    }


def main() -> None:
    """Train one peer and tell its CPU seconds."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("peer", choices=("spacy", "udpipe"))
    add_options(arguments)
    chosen = arguments.parse_args()
    chosen_peers(chosen)[chosen.peer].train(*(list(read_treebank(f"ud-english:{part}")) for part in ("train", "dev")))
    used = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"{chosen.peer}: {sum(one.ru_utime + one.ru_stime for one in used):.0f} CPU s")


if __name__ == "__main__":
    main()
