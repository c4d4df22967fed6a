"""Scores of dependency trees as the CoNLL-2018 shared task defines them.

Gold and predicted words are aligned by the characters of the text: words with the same span are the same word; within a
written word that is several words, they are aligned by the longest common subsequence of their forms. Each figure is an
F1 over words, which is the accuracy where the words were given. Relations count without their subtypes (`nsubj:pass` is
`nsubj`); CLAS counts content words alone, by their relation.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from kakari.parsers.dependency.treebank import TreeSentence

FUNCTIONAL = frozenset("aux case cc clf cop det mark punct".split())


@dataclass(frozen=True, slots=True)
class ScoredWord:
    """A word with its span of characters (blanks do not count) and the place of its head, -1 for the root."""

    begin: int
    end: int
    form: str
    columns: tuple[str, str, str, str, str]
    head: int
    relation: str
    in_range: bool

    @property
    def universal(self) -> str:
        """The relation without its subtype."""
        return self.relation.split(":")[0]

    @property
    def is_content(self) -> bool:
        """True if CLAS counts the word."""
        return self.universal not in FUNCTIONAL


def scored_words(sentences: Iterable[TreeSentence]) -> tuple[list[ScoredWord], list[str], list[int]]:
    """Return the words of a treebank in one line, the written tokens' characters, and where sentences end."""
    words: list[ScoredWord] = []
    characters: list[str] = []
    ends: list[int] = []
    at = 0
    for sentence in sentences:
        first = len(words)
        inside = {k: (begin, end, form) for begin, end, form in sentence.ranges for k in range(begin, end)}
        for k, (columns, head, relation) in enumerate(
            zip(sentence.words, sentence.heads, sentence.relations, strict=True)
        ):
            written = "".join((inside[k][2] if k in inside else columns[0]).split())
            if k not in inside or inside[k][0] == k:
                characters.append(written)
                begin, at = at, at + len(written)
            place = -1 if head == 0 else first + head - 1
            words.append(ScoredWord(begin, at, columns[0].lower(), columns, place, relation, k in inside))
        ends.append(at)
    return words, characters, ends


def aligned(gold: Sequence[ScoredWord], found: Sequence[ScoredWord]) -> list[tuple[int, int]]:
    """Return the pairs of words that are the same, as places in both."""
    pairs: list[tuple[int, int]] = []
    g = f = 0
    while g < len(gold) and f < len(found):
        if gold[g].in_range or found[f].in_range:
            g0, f0, g, f = _region(gold, found, g, f)
            pairs += _common(gold, found, range(g0, g), range(f0, f))
        elif (gold[g].begin, gold[g].end) == (found[f].begin, found[f].end):
            pairs.append((g, f))
            g, f = g + 1, f + 1
        elif gold[g].begin <= found[f].begin:
            g += 1
        else:
            f += 1
    return pairs


def _region(gold: Sequence[ScoredWord], found: Sequence[ScoredWord], g: int, f: int) -> tuple[int, int, int, int]:
    """Find the words of both that overlap with written words of several words, beginning here."""
    if gold[g].in_range:
        end = gold[g].end
        f += not found[f].in_range and found[f].begin < gold[g].begin
    else:
        end = found[f].end
        g += not gold[g].in_range and gold[g].begin < found[f].begin
    g0, f0 = g, f

    def beyond(words: Sequence[ScoredWord], at: int) -> bool:
        if at >= len(words):
            return True
        return words[at].begin >= end if words[at].in_range else words[at].end > end

    while not beyond(gold, g) or not beyond(found, f):
        if g < len(gold) and (f >= len(found) or gold[g].begin <= found[f].begin):
            word, g = gold[g], g + 1
        else:
            word, f = found[f], f + 1
        if word.in_range:
            end = max(end, word.end)
    return g0, f0, g, f


def _common(
    gold: Sequence[ScoredWord], found: Sequence[ScoredWord], ours: range, theirs: range
) -> list[tuple[int, int]]:
    """Pair the words of a region by the longest common subsequence of their forms."""
    longest = [[0] * (len(theirs) + 1) for _ in range(len(ours) + 1)]
    for i in reversed(range(len(ours))):
        for j in reversed(range(len(theirs))):
            if gold[ours[i]].form == found[theirs[j]].form:
                longest[i][j] = 1 + longest[i + 1][j + 1]
            else:
                longest[i][j] = max(longest[i + 1][j], longest[i][j + 1])
    pairs, i, j = [], 0, 0
    while i < len(ours) and j < len(theirs):
        if gold[ours[i]].form == found[theirs[j]].form:
            pairs.append((ours[i], theirs[j]))
            i, j = i + 1, j + 1
        elif longest[i][j] == longest[i + 1][j]:
            i += 1
        else:
            j += 1
    return pairs


def score_trees(gold: Iterable[TreeSentence], found: Iterable[TreeSentence]) -> dict[str, float]:
    """Compare predicted sentences with gold ones of the same text.

    Returns
    -------
    dict
        F1 of `sentences`, `words`, `upos`, `xpos`, `feats`, `lemma`, `uas`, `las`, `clas`, as fractions.

    Raises
    ------
    ValueError
        If the characters of both are not the same.

    Examples
    --------
    >>> words = (("Dogs", "dog", "NOUN", "_", "_"), ("bark", "bark", "VERB", "_", "_"))
    >>> gold, wrong = TreeSentence(words, (2, 0), ("nsubj", "root")), TreeSentence(words, (0, 1), ("root", "obj"))
    >>> score_trees([gold], [wrong])["uas"], score_trees([gold], [gold])["las"]
    (0.0, 1.0)
    """
    ours, our_text, our_ends = scored_words(gold)
    theirs, their_text, their_ends = scored_words(found)
    if "".join(our_text) != "".join(their_text):
        raise ValueError("gold and predicted sentences are not of the same text")
    pairs = aligned(ours, theirs)
    place = {f: g for g, f in pairs}
    place[-1] = -1
    right = dict.fromkeys(("upos", "xpos", "feats", "lemma", "uas", "las", "clas"), 0)
    for g, f in pairs:
        one, other = ours[g], theirs[f]
        for name, column in (("upos", 2), ("xpos", 3), ("feats", 4)):
            right[name] += one.columns[column] == other.columns[column]
        right["lemma"] += one.columns[1] in ("_", other.columns[1])
        head = place.get(other.head, -2) == one.head
        right["uas"] += head
        right["las"] += head and one.universal == other.universal
        right["clas"] += head and one.universal == other.universal and one.is_content
    total = len(ours) + len(theirs)
    content = sum(word.is_content for word in ours) + sum(word.is_content for word in theirs)
    figures = {
        "sentences": _f1(len(_spans(our_ends) & _spans(their_ends)), len(our_ends) + len(their_ends)),
        "words": _f1(len(pairs), total),
    }
    return figures | {name: _f1(count, content if name == "clas" else total) for name, count in right.items()}


def _spans(ends: Sequence[int]) -> set[tuple[int, int]]:
    return set(zip([0, *ends], ends, strict=False))


def _f1(right: int, both: int) -> float:
    return 2 * right / both if both else 0.0
