"""Which roleset of PropBank a predicate has: `see.01` or `see.03`.

A base form has the rolesets that the training data gave it, the most frequent one first; where there are several, a
linear model chooses by the words and phrases around the predicate. A base form that was never seen has its first sense.
Rolesets can have other names than the base form (`like.01` stands in the frames of *liken*).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from zlib import crc32

import numpy as np

from kakari.kernels.stored import Contents
from kakari.models.linear.model import LinearModel
from kakari.parsers.arguments.candidates.frames import Frame, FramedSentence
from kakari.parsers.arguments.predicates import as_rows
from kakari.parsers.english.words.flat_trees import FlatTree, Node

FIRST = ".01"
PHRASES = 3  # behind the predicate, whose labels and words are looked at
WIDTH = 15 + 2 * PHRASES


@dataclass(frozen=True)
class SenseModel:
    """Rolesets by base forms, and what chooses among those of one.

    Attributes
    ----------
    rolesets : mapping of str to tuple of str
        Base forms that have only their first sense are left out.
    table : LinearModel, optional
        Its classes are places in a tuple of rolesets; without one, the most frequent one is chosen.

    Examples
    --------
    >>> tree = FlatTree(("Dogs", "bark"), ("NNS", "VBP"), (("S", 0, 2), ("NP", 0, 1), ("VP", 1, 2)))
    >>> senses = SenseModel({"see": ("see.01", "see.03")})
    >>> [frame.roleset for frame in senses.told(tree, [Frame(1, "bark"), Frame(1, "see")])]
    ['bark.01', 'see.01']
    """

    rolesets: Mapping[str, tuple[str, ...]]
    table: LinearModel | None = None

    def told(self, tree: FlatTree, frames: Sequence[Frame]) -> list[Frame]:
        """Return the predicates of a tree with their rolesets."""
        (answered,) = self.answered([FramedSentence(tree, tuple(frames))])
        return list(answered.frames)

    def answered(self, sentences: Sequence[FramedSentence]) -> list[FramedSentence]:
        """Return sentences with the rolesets of their predicates."""
        asked = [
            (number, place)
            for number, one in enumerate(sentences)
            for place, frame in enumerate(one.frames)
            if len(self.rolesets.get(frame.lemma, ())) > 1
        ]
        chosen: dict[tuple[int, int], int] = {}
        if self.table is not None and asked:
            rows = [sense_row(sentences[number].tree, sentences[number].frames[place]) for number, place in asked]
            numbers = np.array([int(name) for name in self.table.classes])
            for (number, place), scores in zip(asked, self.table.scores(as_rows(rows)), strict=True):
                own = self.rolesets[sentences[number].frames[place].lemma]
                known = numbers < len(own)
                if known.any():
                    chosen[number, place] = int(numbers[known][scores[known].argmax()])
        made = []
        for number, one in enumerate(sentences):
            named = tuple(
                replace(
                    frame,
                    roleset=self.rolesets.get(frame.lemma, (frame.lemma + FIRST,))[chosen.get((number, place), 0)],
                )
                for place, frame in enumerate(one.frames)
            )
            made.append(replace(one, frames=named))
        return made

    def contents(self) -> Contents:
        """Return what a file holds of the model."""
        parts = {} if self.table is None else {"table": self.table.contents()}
        lines = [" ".join((lemma, *own)) for lemma, own in sorted(self.rolesets.items())]
        return Contents.joined(parts, {"rolesets": lines})

    @staticmethod
    def from_contents(contents: Contents) -> SenseModel:
        """Rebuild a model from its `contents()`."""
        rolesets = {}
        for line in contents.texts("rolesets"):
            lemma, *own = line.split(" ")
            if not own or not all(own):
                raise contents.refuse(f"the base form {lemma!r} has no rolesets")
            rolesets[lemma] = tuple(own)
        table = LinearModel.from_contents(contents.part("table")) if contents.has_part("table") else None
        if table is not None and not all(name.isdecimal() and len(name) < 4 for name in table.classes):
            raise contents.refuse("the senses are not numbered")
        return SenseModel(rolesets, table)


def known_rolesets(frames: Iterable[Frame]) -> dict[str, tuple[str, ...]]:
    """Return the rolesets of each base form, the most frequent first; those with their first sense alone are left out.

    Examples
    --------
    >>> told = ("see", "see.01"), ("run", "run.02"), ("run", "run.02"), ("run", "run.01")
    >>> known_rolesets(Frame(0, lemma, roleset=roleset) for lemma, roleset in told)
    {'run': ('run.02', 'run.01')}
    """
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for frame in frames:
        if frame.roleset and " " not in frame.lemma + frame.roleset:
            counts[frame.lemma][frame.roleset] += 1
    ranked = {
        lemma: tuple(sorted(own, key=lambda roleset: (-own[roleset], roleset))) for lemma, own in sorted(counts.items())
    }
    return {lemma: own for lemma, own in ranked.items() if own != (lemma + FIRST,)}


def sense_row(tree: FlatTree, frame: Frame) -> list[int]:
    """Return the features of a predicate as hashes, each with its base form; -1 where there is none."""
    token, words = frame.token, [word.lower() for word in tree.words]
    first, *rest = [*words[token : token + 3], "", ""][:3]
    before, tag = words[token - 1] if token else "", tree.tags[token]
    behind, leading = sisters(tree, token)
    labels = " ".join(label for label, _, _ in behind)
    told = ["", first, tag, rest[0], " ".join(rest), before, f"{before} {rest[0]}", labels, f"{labels} {tag}"]
    told += [tree.tags[token - 1] if token else "", tree.tags[token + 1] if token + 1 < len(words) else ""]
    told += [words[leading[2] - 1] if leading else "", leading[0] if leading else ""]
    told += [f"{rest[0]} {labels}", " ".join(words[begin] for label, begin, _ in behind if label == "PRT")]
    for label, begin, end in behind[:PHRASES]:
        told += [f"{label} {words[begin]}", f"{label} {words[end - 1]}"]
    row = [
        crc32(f"{number} {frame.lemma} {one}".encode("utf-8", "surrogatepass")) >> 1 for number, one in enumerate(told)
    ]
    return row + [-1] * (WIDTH - len(row))


def sisters(tree: FlatTree, token: int) -> tuple[list[Node], Node | None]:
    """Return what stands behind a word inside its innermost constituent, and the phrase before its verb phrases.

    Examples
    --------
    >>> nodes = (("S", 0, 5), ("NP", 0, 1), ("VP", 1, 5), ("NP", 2, 4), ("PRT", 4, 5))
    >>> tree = FlatTree(("He", "put", "his", "coat", "on"), ("PRP", "VBD", "PRP$", "NN", "RP"), nodes)
    >>> sisters(tree, 1)
    ([('NP', 2, 4), ('PRT', 4, 5)], ('NP', 0, 1))
    """
    around = [node for node in tree.nodes if node[1] <= token < node[2]]
    end = around[-1][2] if around else len(tree.words)
    behind: list[Node] = []
    at = token + 1
    for label, begin, stop in tree.nodes:
        if begin < at or stop > end:
            continue
        behind += [(tree.tags[place], place, place + 1) for place in range(at, begin)]
        behind.append((label, begin, stop))
        at = stop
    behind += [(tree.tags[place], place, place + 1) for place in range(at, end)]
    clause = next((node for node in reversed(around) if node[0] != "VP"), None)
    leading = None
    if clause is not None:
        inner = min((node[1] for node in around if node[0] == "VP" and node[1] >= clause[1]), default=token)
        leading = next(
            (node for node in tree.nodes if clause[1] <= node[1] and node[2] == inner and node != clause), None
        )
    return behind, leading
