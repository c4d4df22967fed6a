"""Sentences of treebanks in one form, whatever their format: words with all their columns.

Multi-word tokens (`6-7 da`) are kept as ranges of words; empty nodes are left out. Heads that are missing or in a cycle
are refused, since training needs trees. Several roots are allowed: a third of the Basque sentences have them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from kakari.corpora.catalogue import read
from kakari.corpora.formats.conllu import ConlluSentence
from kakari.corpora.formats.conllx import ConllxSentence
from kakari.corpora.records.arcs import crossing_arcs, reaches_root
from kakari.corpora.records.errors import CorpusError

Columns = tuple[str, str, str, str, str]  # form, lemma, coarse tag, fine tag, features


@dataclass(frozen=True, slots=True)
class TreeSentence:
    """The words of a sentence with their heads.

    Attributes
    ----------
    words : tuple of (form, lemma, coarse tag, fine tag, features)
        "_" stands for an unknown value.
    heads : tuple of int
        Counted from 1; 0 is the root.
    relations : tuple of str
    ranges : tuple of (int, int, str)
        Multi-word tokens: the first word and the one after the last, counted from 0, and the form.
    spaces : tuple of bool
        Whether a blank follows the word, or the written word that ends with it.
    begins_paragraph : bool
        Whether a new document or paragraph begins here.
    """

    words: tuple[Columns, ...]
    heads: tuple[int, ...]
    relations: tuple[str, ...]
    ranges: tuple[tuple[int, int, str], ...] = ()
    spaces: tuple[bool, ...] = ()
    begins_paragraph: bool = False

    @property
    def forms(self) -> tuple[str, ...]:
        """The forms of the words."""
        return tuple(word[0] for word in self.words)

    @property
    def text(self) -> str:
        """The text that the written words make."""
        starts = {begin: (end, form) for begin, end, form in self.ranges}
        pieces, at = [], 0
        while at < len(self.words):
            end, form = starts.get(at, (at + 1, self.words[at][0]))
            pieces.append(form + (" " if not self.spaces or self.spaces[end - 1] else ""))
            at = end
        return "".join(pieces).rstrip(" ")


def read_treebank(reference: str, *, need_heads: bool = True) -> Iterator[TreeSentence]:
    r"""Yield the sentences of a treebank; with `need_heads`, each is a tree.

    Examples
    --------
    >>> from pathlib import Path
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "x.conllu")
    >>> _ = path.write_text("1\tGo\tgo\tVERB\tVB\t_\t0\troot\t_\tSpaceAfter=No\n")
    >>> next(read_treebank(str(path))).heads
    (0,)
    """
    for number, record in enumerate(read(reference), 1):
        sentence = from_record(reference, number, record)
        if need_heads and not (len(sentence.heads) == len(sentence.words) and reaches_root(sentence.heads)):
            missing = len(sentence.heads) < len(sentence.words)
            reason = "a word has no head" if missing else "the heads make a cycle"
            raise CorpusError(reference, None, f"sentence {number} ('{sentence.text[:40]}') is no tree: {reason}")
        yield sentence


def from_record(reference: str, number: int, record: Any) -> TreeSentence:
    """Return a sentence of CoNLL-U or CoNLL-X."""
    if isinstance(record, ConlluSentence):
        return _from_conllu(record)
    if isinstance(record, ConllxSentence):
        tokens = record.tokens
        return TreeSentence(
            tuple((t.form, t.lemma, t.cpostag, t.postag, t.feats) for t in tokens),
            tuple(t.head for t in tokens if t.head is not None),
            tuple(t.deprel for t in tokens),
        )
    raise CorpusError(reference, None, f"record {number} is no dependency tree; CoNLL-U and CoNLL-X have them")


def _from_conllu(record: ConlluSentence) -> TreeSentence:
    words = record.words
    spaces = [word.space_after for word in words]
    ranges = []
    for token in record.tokens:
        if token.is_range:
            first, last = (int(part) for part in token.id.split("-"))
            ranges.append((first - 1, last, token.form))
            spaces[first - 1 : last] = [token.space_after] * (last - first + 1)
    return TreeSentence(
        tuple((word.form, word.lemma, word.upos, word.xpos, word.feats) for word in words),
        tuple(int(word.head) for word in words if word.head != "_"),
        tuple(word.deprel for word in words),
        tuple(ranges),
        tuple(spaces),
        any(comment.startswith(("# newdoc", "# newpar")) for comment in record.comments),
    )


def enclitics_of(sentences: Sequence[TreeSentence], *, least: int = 3) -> tuple[str, ...]:
    """Return the words that a treebank writes together with the word before them: `n't`, `'s`.

    A word is included if it is found inside or at the end of multi-word tokens `least` times or more, and rarely joined
    to the word before it otherwise.
    """
    inside: Counter[str] = Counter()
    outside: Counter[str] = Counter()
    for sentence in sentences:
        behind = {place for begin, end, form in sentence.ranges for place in range(begin + 1, end)
                  if form == "".join(sentence.forms[begin:end])}  # fmt: skip
        for place in range(1, len(sentence.words)):
            name = sentence.words[place][0].lower()
            if place in behind:
                inside[name] += 1
            elif sentence.spaces and not sentence.spaces[place - 1]:
                outside[name] += 1
    return tuple(sorted(name for name, count in inside.items() if count >= least and count >= 9 * outside[name]))


def lifted(heads: Sequence[int]) -> tuple[int, ...]:
    """Make a tree projective: while an arc spans words not below its head, attach the shortest one to its head's head.

    Examples
    --------
    >>> lifted([3, 4, 0, 3])
    (3, 3, 0, 3)
    """
    found = list(heads)
    while wrong := [token for token in crossing_arcs(found) if not _spans_its_own(found, token)]:
        token = min(wrong, key=lambda token: (abs(found[token - 1] - token), token))
        found[token - 1] = found[found[token - 1] - 1]
    return tuple(found)


def _spans_its_own(heads: Sequence[int], token: int) -> bool:
    """Return whether all words between a token and its head lead to the head."""
    head = heads[token - 1]
    for between in range(min(head, token) + 1, max(head, token)):
        while between not in (0, head):
            between = heads[between - 1]
        if between != head:
            return False
    return True
