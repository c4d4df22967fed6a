"""Parsing of given words: as they are, or by their text if the model was trained on other words.

A model of Sudachi's words reads UniDic's too; one of JUMAN's reads JUMAN's. Words of other dictionaries (IPADIC) would
be misread: their text is analysed again, and the result is mapped to them by character offsets. Given bunsetsu can be
kept, so that only heads are predicted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate

import numpy as np

from kakari.corpora.formats.tagged import dictionary_of
from kakari.corpora.records.japanese import JapaneseSentence
from kakari.parsers.japanese.gold import carry_over
from kakari.parsers.japanese.model import UnfitModelError
from kakari.parsers.japanese.parser import JapaneseParser, ParsedBunsetsu, ParsedSentence
from kakari.parsers.japanese.words.sources import record_morphemes

TAGS_OF = {"unidic": "sudachi", "juman": "juman"}  # tags of dictionaries
MODELS = {"unidic": "ja", "juman": "ja-juman", "ipadic": "ja"}


class UnknownWordsError(ValueError):
    """Words whose tags are not those of a known dictionary."""


def dictionary_of_sentences(sentences: Sequence[JapaneseSentence]) -> str | None:
    """Return the dictionary that the words of sentences are from; None without words.

    Raises
    ------
    UnknownWordsError
        If their tags fit none.
    """
    words = [morpheme for sentence in sentences for morpheme in sentence.morphemes]
    found = dictionary_of(words)
    if found is None and any(word.pos for word in words):
        shown = ",".join(words[0].pos)
        raise UnknownWordsError(
            f"the tags of these words ('{shown}') are none of IPADIC's, UniDic's, Sudachi's or JUMAN's: give the text"
        )
    return found


def parse_given(
    parser: JapaneseParser, sentences: Sequence[JapaneseSentence], *, keep_bunsetsu: bool = False
) -> list[ParsedSentence]:
    """Parse the words of records; their own bunsetsu are kept or ignored.

    Examples
    --------
    >>> from kakari.corpora import read
    >>> record = next(iter(read("sample-ja")))
    >>> (found,) = parse_given(JapaneseParser.pretrained(), [record], keep_bunsetsu=True)  # by the text
    >>> found.heads
    (5, 2, 3, 5, 5, -1)
    """
    tagset = parser.model.lexicon.tagset
    dictionary = dictionary_of_sentences(sentences)
    if dictionary is None or TAGS_OF.get(dictionary) == tagset:
        morphemes = record_morphemes(sentences, parser.model.lexicon)
        opens = carry_over(sentences, morphemes).opens if keep_bunsetsu else None
        return parser.parse_morphemes(morphemes, opens)
    if tagset != "sudachi":
        raise UnfitModelError(f"this model knows JUMAN's words, and these are {dictionary}'s: use the model ja")
    morphemes = parser.source.morphemes([sentence.text for sentence in sentences], parser.model.lexicon)
    opens = carry_over(sentences, morphemes).opens if keep_bunsetsu else None
    found = parser.parse_morphemes(morphemes, opens)
    return [_carried(sentence, one, keep_bunsetsu) for sentence, one in zip(sentences, found, strict=True)]


def _carried(sentence: JapaneseSentence, found: ParsedSentence, keep_bunsetsu: bool) -> ParsedSentence:
    """Map the parse of a sentence's text to its own words."""
    ends = np.array(list(accumulate(len(word.surface) for word in sentence.morphemes)), dtype=np.int64)
    if not len(ends):
        return replace(found, bunsetsu=(), words=())
    begins = np.concatenate(([0], ends[:-1]))
    if keep_bunsetsu:
        sizes = [len(bunsetsu.morphemes) for bunsetsu in sentence.bunsetsu]
        firsts = [0, *accumulate(sizes[:-1])]
    else:
        firsts = sorted({_nearest(begins, ends, bunsetsu.begin) for bunsetsu in found.bunsetsu} - {len(begins)})
    # Each new bunsetsu is part of a found one: the last that begins at or before its middle.
    found_begins = [bunsetsu.begin for bunsetsu in found.bunsetsu]
    lasts = [*firsts[1:], len(begins)]
    middles = [(begins[first] + ends[last - 1] - 1) // 2 for first, last in zip(firsts, lasts, strict=True)]
    parts = [int(np.searchsorted(found_begins, middle, side="right")) - 1 for middle in middles]
    holders = {part: number for number, part in enumerate(parts)}  # the last new one of each
    bunsetsu = []
    for number, (first, last, part) in enumerate(zip(firsts, lasts, parts, strict=True)):
        own = found.bunsetsu[part]
        head = -1 if number == len(firsts) - 1 else _head(found, part, number, holders)
        bunsetsu.append(
            ParsedBunsetsu(
                int(begins[first]), int(ends[last - 1]), first, last, head, own.score, own.kind, own.boundary
            )
        )
    return replace(found, end=int(ends[-1]), bunsetsu=tuple(bunsetsu), words=())


def _head(found: ParsedSentence, part: int, number: int, holders: dict[int, int]) -> int:
    """Return the head of a new bunsetsu: that of the found bunsetsu it ends, else the next part of the same one."""
    if holders[part] != number:
        return number + 1
    part = found.bunsetsu[part].head
    while part >= 0 and holders.get(part, -1) <= number:
        part = found.bunsetsu[part].head
    return holders[part] if part >= 0 else number + 1


def _nearest(begins: np.ndarray, ends: np.ndarray, place: int) -> int:
    """Return the word that begins nearest to a character."""
    word = int(np.searchsorted(begins, place, side="right")) - 1
    return word + (place - int(begins[word]) > int(ends[word]) - place)
