"""Predicates of a sentence, and their base forms.

A trained classifier over tags, words and the tree around them decides about verbs, nouns and adjectives. Auxiliaries
are verbs that are not predicates: in the corpora, forms of be, have and do without arguments. Modals have a tag of
their own and are never predicates.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from kakari.kernels.stored import Contents
from kakari.models.linear.model import LinearModel
from kakari.parsers.arguments.candidates.frames import Frame
from kakari.parsers.english.words.flat_trees import ROOT, FlatTree

LONGEST_ENDING = 5
WHOLE = "^"

Edit = tuple[int, str]


class Lemmatiser:
    """Cuts letters off the end of a word and puts others there, by the longest ending that has a rule.

    Parameters
    ----------
    rules : sequence of str
        Each is a tag, an ending (with ^ before it: the whole word), the number of letters to remove, and those to add.

    Examples
    --------
    >>> known = [("making", "VBG", "make"), ("going", "VBG", "go"), ("doing", "VBG", "do"), ("went", "VBD", "go")]
    >>> lemmas = Lemmatiser.learned(known)
    >>> lemmas.lemma("Waking", "VBG"), lemmas.lemma("went", "VBD"), lemmas.lemma("house", "NN")
    ('wake', 'go', 'house')
    """

    def __init__(self, rules: Sequence[str]) -> None:
        self.rules = tuple(rules)
        self._edits: dict[tuple[str, str], Edit] = {}
        for rule in rules:
            tag, ending, gone, *added = [*rule.split(" "), "", ""] if rule.count(" ") < 2 else rule.split(" ")
            if not gone.isdecimal():
                raise ValueError(f"this is not a rule for base forms: {rule!r}")
            self._edits[tag, ending] = int(gone), "".join(added)

    def lemma(self, word: str, tag: str) -> str:
        """Return a word's base form in small letters."""
        small = word.lower()
        for ending in endings(small):
            edit = self._edits.get((tag, ending))
            if edit is not None:
                gone, added = edit
                return small[: len(small) - gone] + added if gone <= len(small) else small
        return small

    @staticmethod
    def learned(known: Iterable[tuple[str, str, str]]) -> Lemmatiser:
        """Learn rules from words with their tags and base forms; rules that a shorter ending implies are left out."""
        counts: dict[tuple[str, str], Counter[Edit]] = defaultdict(Counter)
        for (word, tag, lemma), times in sorted(Counter(known).items()):
            if " " in word or " " in lemma:
                continue
            edit = edit_of(word.lower(), lemma)
            for ending in endings(word.lower()):
                counts[tag, ending][edit] += times
        best = {key: min(edits, key=lambda edit: (-edits[edit], edit)) for key, edits in counts.items()}
        kept: dict[tuple[str, str], Edit] = {}
        for (tag, ending), edit in sorted(best.items(), key=lambda item: (len(item[0][1]), item[0])):
            shorter = (kept[tag, part] for part in endings(ending.removeprefix(WHOLE)) if (tag, part) in kept)
            if next(shorter, None) != edit:
                kept[tag, ending] = edit
        return Lemmatiser([f"{tag} {ending} {gone} {added}" for (tag, ending), (gone, added) in kept.items()])


def endings(word: str) -> list[str]:
    """Return the whole word, marked, and then its endings from the longest to none.

    Examples
    --------
    >>> endings("went")
    ['^went', 'went', 'ent', 'nt', 't', '']
    """
    return [WHOLE + word, *(word[len(word) - size :] for size in range(min(LONGEST_ENDING, len(word)), -1, -1))]


def edit_of(word: str, lemma: str) -> Edit:
    """Return how many letters of a word to remove, and which to add.

    Examples
    --------
    >>> edit_of("making", "make"), edit_of("go", "go")
    ((3, 'e'), (0, ''))
    """
    same = 0
    while same < min(len(word), len(lemma)) and word[same] == lemma[same]:
        same += 1
    return len(word) - same, lemma[same:]


VERBS = frozenset({"VB", "VBD", "VBG", "VBN", "VBP", "VBZ"})
NOMINALS = frozenset({"NN", "NNS", "JJ", "JJR", "JJS"})
AUXILIARIES = frozenset({"be", "have", "do"})


@dataclass
class PredicateFinder:
    """Finds predicates and their base forms.

    Examples
    --------
    >>> from kakari.parsers.arguments.candidates.frames import read_frames
    >>> from kakari.parsers.arguments.training import train_finder
    >>> sentences = list(read_frames("sample-en"))
    >>> finder = train_finder(sentences)
    >>> [(frame.token, frame.lemma) for frame in finder.find([sentences[0].tree])[0]]
    [(1, 'write'), (6, 'send')]
    """

    table: LinearModel
    lemmas: Lemmatiser

    def contents(self) -> Contents:
        """Return the saved form of the finder."""
        return Contents.joined({"table": self.table.contents()}, {"lemmas": list(self.lemmas.rules)})

    @staticmethod
    def from_contents(contents: Contents) -> PredicateFinder:
        """Rebuild a finder from its `contents()`."""
        table = LinearModel.from_contents(contents.part("table"))
        return PredicateFinder(table, Lemmatiser(contents.texts("lemmas")))

    def find(self, trees: Sequence[FlatTree], *, nominal: bool = False) -> list[tuple[Frame, ...]]:
        """Return the predicates of each tree, without arguments; nouns and adjectives only if `nominal`."""
        asked = VERBS | NOMINALS if nominal else VERBS
        places = [[i for i, tag in enumerate(tree.tags) if tag in asked] for tree in trees]
        rows = [row for tree, own in zip(trees, places, strict=True) for row in token_rows(tree, own)]
        yes = iter((self.table.scores(as_rows(rows))[:, 0] > 0).tolist()) if rows else iter(())
        chosen = [[place for place in own if next(yes)] for own in places]
        return [self.frames(tree, own) for tree, own in zip(trees, chosen, strict=True)]

    def frames(self, tree: FlatTree, places: Sequence[int]) -> tuple[Frame, ...]:
        """Return given predicates of a tree with their base forms."""
        return tuple(Frame(place, self.lemmas.lemma(tree.words[place], tree.tags[place])) for place in places)


def is_auxiliary(frame: Frame) -> bool:
    """Return whether an annotated predicate is an auxiliary.

    Examples
    --------
    >>> is_auxiliary(Frame(1, "be")), is_auxiliary(Frame(1, "be", ((0, 1),), ("ARG1",)))
    (True, False)
    """
    return frame.lemma in AUXILIARIES and not frame.spans


def as_rows(rows: Sequence[Sequence[int]]) -> NDArray[np.int32]:
    """Return rows of features as an array."""
    return np.array(rows, dtype=np.int64).astype(np.int32)


def token_rows(tree: FlatTree, places: Sequence[int]) -> list[list[int]]:
    """Return the features of some words of a tree as hashes."""
    around = surroundings(tree)
    words = ["", *(word.lower() for word in tree.words), "", ""]
    tags = ["", *tree.tags, "", ""]
    rows = []
    for place in places:
        word, tag = words[place + 1], tags[place + 1]
        parent, above, follower = around[place]
        told = (
            f"{tag}", f"{word}", f"{word} {tag}", f"{tag} {tags[place]}", f"{tag} {tags[place + 2]}",
            f"{word} {tags[place]}", f"{word} {tags[place + 2]}", f"{tag} {words[place]}", f"{tag} {words[place + 2]}",
            f"{tag} {tags[place + 2]} {tags[place + 3]}", f"{tag} {parent} {above}", f"{tag} {follower}",
            f"{word} {follower}", f"{word} {parent} {above}", f"{tag} {parent} {tags[place]} {tags[place + 2]}",
            f"{tag} {word[-4:]}", f"{tag} {word[-3:]}", f"{word} {words[place + 2]}", f"{word} {words[place]}",
        )  # fmt: skip
        rows.append([crc32(f"{number} {one}".encode("utf-8", "surrogatepass")) >> 1 for number, one in enumerate(told)])
    return rows


def surroundings(tree: FlatTree) -> list[tuple[str, str, str]]:
    """Return for each word its parent's label, its grandparent's, and the first tag of the next VP beside it.

    Examples
    --------
    >>> nodes = (("S", 0, 3), ("NP", 0, 1), ("VP", 1, 3), ("VP", 2, 3))
    >>> surroundings(FlatTree(("It", "has", "rained"), ("PRP", "VBZ", "VBN"), nodes))[1]
    ('VP', 'S', 'VP VBN')
    """
    parents = [-1] * len(tree.words)
    above: list[int] = []
    opened: list[int] = []
    followers: dict[int, list[int]] = {}
    for number, (label, begin, end) in enumerate(tree.nodes):
        while opened and tree.nodes[opened[-1]][2] <= begin:
            opened.pop()
        above.append(opened[-1] if opened else -1)
        if label == "VP":
            followers.setdefault(above[-1], []).append(number)
        opened.append(number)
        parents[begin:end] = [number] * (end - begin)
    found = []
    for place, parent in enumerate(parents):
        label, higher = (tree.nodes[parent][0], above[parent]) if parent >= 0 else (ROOT, -1)
        begins = (tree.nodes[one][1] for one in followers.get(parent, ()))
        follower = next((f"VP {tree.tags[begin]}" for begin in begins if begin > place), "")
        found.append((label, tree.nodes[higher][0] if higher >= 0 else ROOT, follower))
    return found
