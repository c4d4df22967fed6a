"""Records of an analysed Japanese sentence: bunsetsu, their base phrases, their morphemes.

The same records serve every Japanese format. What only one format knows (tags behind a morpheme, scores on a
bunsetsu line) is kept as text in `features`, is written back by that format and ignored by the others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from kakari.corpora.records.content_words import WordClass, content_place, function_place, word_class


@dataclass(frozen=True, slots=True)
class Morpheme:
    """One morpheme.

    Attributes
    ----------
    pos : tuple of str
        Part of speech and its subdivisions, as many levels as the format has; trailing `*` left out.
    conj_type, conj_form : str
        Conjugation type and form, empty for what does not conjugate.
    codes : tuple of int
        JUMAN's numbers for POS, sub-POS, conjugation type and form.
    features : str
        The rest of the line, as the format writes it.
    """

    surface: str
    reading: str
    base: str
    pos: tuple[str, ...]
    conj_type: str = ""
    conj_form: str = ""
    codes: tuple[int, int, int, int] = (0, 0, 0, 0)
    features: str = ""


@dataclass(frozen=True, slots=True)
class BasePhrase:
    """A base phrase: one content word with what belongs to it. `head` counts base phrases, -1 is the root."""

    head: int
    kind: str
    morphemes: tuple[Morpheme, ...]
    features: str = ""


@dataclass(frozen=True, slots=True)
class Bunsetsu:
    """A bunsetsu. `head` counts bunsetsu, -1 is the root; `kind` is D, P, I or A in KNP's files."""

    head: int
    kind: str
    phrases: tuple[BasePhrase, ...]
    features: str = ""

    @property
    def morphemes(self) -> tuple[Morpheme, ...]:
        """All morphemes, in order."""
        if len(self.phrases) == 1:
            return self.phrases[0].morphemes
        return tuple(morpheme for phrase in self.phrases for morpheme in phrase.morphemes)

    @property
    def text(self) -> str:
        """The surface text."""
        return "".join(morpheme.surface for phrase in self.phrases for morpheme in phrase.morphemes)

    def content_index(self) -> int:
        """Index of the content word: see `kakari.corpora.records.content_words`.

        Examples
        --------
        >>> words = Morpheme("読んで", "", "読む", ("動詞",)), Morpheme("いる", "", "いる", ("接尾辞", "動詞性接尾辞"))
        >>> Bunsetsu(-1, "D", (BasePhrase(-1, "D", words),)).content_index()
        0
        """
        return content_place(self._classes())

    def function_index(self) -> int:
        """Index of the functional morpheme: the last that is no mark."""
        return function_place(self._classes())

    def _classes(self) -> list[WordClass]:
        return [word_class(morpheme.pos, morpheme.base) for morpheme in self.morphemes]


@dataclass(frozen=True, slots=True)
class JapaneseSentence:
    """An analysed sentence.

    Attributes
    ----------
    comments : tuple of str
        The comment lines before the sentence, without the line ends.
    origin : str
        The format it was read from; `features` of its parts mean something to that format only.
    annotations : tuple of str
        Comment lines behind the sentence's words (`#! …` in CaboCha's files), without the line ends.
    """

    bunsetsu: tuple[Bunsetsu, ...]
    comments: tuple[str, ...] = ()
    origin: str = ""
    annotations: tuple[str, ...] = ()

    @property
    def sid(self) -> str:
        """The sentence's id: what follows `S-ID:` in a comment, or an empty string."""
        for comment in self.comments:
            found = re.search(r"S-ID:(\S+)", comment)
            if found:
                return found[1]
        return ""

    @property
    def document(self) -> str:
        """The document's id: the sentence's id without its last numbers.

        Examples
        --------
        >>> JapaneseSentence((), ("# S-ID:w201106-0000060050-1-01",)).document
        'w201106-0000060050'
        """
        return re.sub(r"(-[0-9]{1,3})+$", "", self.sid)

    @property
    def text(self) -> str:
        """The surface text."""
        return "".join(bunsetsu.text for bunsetsu in self.bunsetsu)

    @property
    def morphemes(self) -> tuple[Morpheme, ...]:
        """All morphemes, in order."""
        return tuple(morpheme for bunsetsu in self.bunsetsu for morpheme in bunsetsu.morphemes)

    @property
    def is_parenthesis(self) -> bool:
        """True for a parenthesis that was cut out of the sentence before (KWDLC, WAC)."""
        return any("括弧始" in comment for comment in self.comments)

    def faults(self) -> Iterator[tuple[int, str]]:
        """Yield the invalid heads: the bunsetsu's index and the reason.

        Examples
        --------
        >>> def sentence(*heads):
        ...     return JapaneseSentence(tuple(Bunsetsu(head, "D", ()) for head in heads))
        >>> list(sentence(1, 2, -1).faults())
        []
        >>> list(sentence(0, 9, -1).faults())
        [(0, 'bunsetsu 0 depends on itself'), (1, 'bunsetsu 1 depends on 9, which does not exist')]
        """
        heads = [bunsetsu.head for bunsetsu in self.bunsetsu]
        yield from head_faults(heads, "bunsetsu")

    def crossing(self) -> bool:
        """Return whether two arcs cross.

        Examples
        --------
        >>> arcs = [Bunsetsu(head, "D", ()) for head in (2, 3, 3, -1)]
        >>> JapaneseSentence(tuple(arcs)).crossing()
        True
        """
        arcs = [
            (min(i, bunsetsu.head), max(i, bunsetsu.head))
            for i, bunsetsu in enumerate(self.bunsetsu)
            if bunsetsu.head >= 0
        ]
        return any(a < c < b < d for a, b in arcs for c, d in arcs)


def head_faults(heads: list[int], unit: str) -> Iterator[tuple[int, str]]:
    """Yield (index, reason) for each head that does not point to the right.

    A cycle needs an arc to the left, so finding these finds it; the reason then mentions the cycle.
    """
    for index, head in enumerate(heads):
        if head >= len(heads) or head < -1:
            yield index, f"{unit} {index} depends on {head}, which does not exist"
        elif head == index:
            yield index, f"{unit} {index} depends on itself"
        elif 0 <= head < index:
            circle = " and the heads run in a circle" if _returns(heads, index) else ""
            yield index, f"{unit} {index} depends on {head}, to its left{circle}"


def _returns(heads: list[int], start: int) -> bool:
    seen = {start}
    place = heads[start]
    while 0 <= place < len(heads) and place not in seen:
        seen.add(place)
        place = heads[place]
    return place in seen
