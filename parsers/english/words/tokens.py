r"""From spaCy's English tokens to the tokens of the treebanks, and sentences of them.

spaCy splits nearly as the English Web Treebank does: contractions (do n't, we 're), possessives, brackets, quotes and
hyphens (`15 - year`) are tokens of their own. The bridge joins what the treebank keeps together and spaCy cuts:

- runs of marks without a blank between them: `!!!`, `?!`, `* * *` written solid, `====`, `$$$`, a quote ``;
- an affix and its word: `e-mail`, `non-human`, `re-wording`, `anti-war` (the list is AFFIXES);
- numbers joined by hyphens that are telephone numbers and the like: `303-832-8160`;
- an abbreviation and its full stop: `etc.`, `al.`, `Capt.` (ABBREVIATIONS), `b/c` and `w/o`;
- an apostrophe and what it stands before, where a blank comes first: `'ve`, `'70s`;
- a hashtag (`#wrong`, but `#` `1`), and `no.` before a number.

and it cuts what spaCy keeps whole: `and/or` and `F-16` in three, `CAN'T` and `4B.` in two. Offsets are kept: a token is
a span of characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

from kakari.parsers.english.words.tokenizer import Tokens
from kakari.parsers.limits import LONGEST_ENGLISH, tell

AFFIXES = frozenset(
    "a anti bi bio co counter de e eco ex extra inter intra mega meta micro mid mini mis multi neo non over para pan"
    " post pre pro pseudo quasi re semi sub super trans tri ultra un under uni vice x".split()
)
ABBREVIATIONS = frozenset(
    "al assoc approx capt cal ch dept drs ect ed est etc ext fig ft gen hon max min pp ps".split()
)
SHORT = frozenset({("b", "c"), ("w", "o"), ("w", "e"), ("w", "in")})
MARKS = re.compile(r"[!?.]+|([=*_+$~#>`-])\1*")
CONTRACTED = re.compile(r"m|ve|re|ll|d|s|t|em|cause|til|n|\d+s?", re.IGNORECASE)
CUT = re.compile(
    r"(and)(/)(or)|([a-z]+)(-)(\d+)|([a-z]{1,6})(n['’]t)(\.)?|([a-z]+)(['’](?:m|re|ve|ll|d|s))|(\d[\d.,]*[a-z]{1,2})(\.)",
    re.IGNORECASE,
)
ENDS = re.compile(r"[.!?]*[.!?…]|\.\.+")
PLAIN_ENDS = re.compile(r"\.|[!?]+")
# Ends of sentences that spaCy's tokens hide: the full stop of `5 p.m.` or `etc.` before a word that begins sentences.
HIDDEN_ENDS = re.compile(r"(?:[a-z]\.){2,}|(?:etc|inc|co|corp|ltd|jr|sr)\.", re.IGNORECASE)
CUT_ENDS = re.compile(r"\d[\d.,]*[a-z]{1,2}\.|[a-z]{1,6}n['’]t\.", re.IGNORECASE)
OPENERS = frozenset(
    "A After And An As At Before But Did Do Does Even For From He Her His How However I If In Is It Its My No Now On Or"
    " Our She Since So That The Their Then There These They This Those To Was We Were What When Where Which While Who"
    " Why With You Your".split()
)
CLOSERS = frozenset({'"', "''", "'", "”", "’", ")", "]", "}", "»"})

JOINING = frozenset({*AFFIXES, *ABBREVIATIONS, *(first for first, _ in SHORT), "no", "nos", "#", "'", "’"})

MOST_REMEMBERED = 10_000  # tokens of which it is known what they may be
LONGEST_GROUP = 400  # tokens of spaCy's that are looked at to make one of the treebank's

TokenSpan = tuple[int, int]


def token_groups(tokens: Tokens) -> list[TokenSpan]:
    """Return the treebank's tokens as spans of spaCy's; white space is in none of them.

    Examples
    --------
    >>> from kakari.parsers.english.words.tokenizer import english_tokenizer
    >>> tokens = english_tokenizer()("I've read 2 e-mails!!!")
    >>> [tokens.between(begin, end) for begin, end in token_groups(tokens)]
    ['I', "'ve", 'read', '2', 'e-mails', '!!!']
    """
    groups: list[TokenSpan] = []
    texts, ends = tokens.texts, _solid_ends(tokens)
    begin = 0
    while begin < len(texts):
        text, end = texts[begin], begin + 1
        if text.isspace():
            begin = end
            continue
        if ends[begin] > end and _may_join(text):
            end = begin + _joined(tokens, begin, ends[begin])
        groups.append((begin, end))
        begin = end
    return groups


def pieces(text: str) -> list[str]:
    """Cut a token of spaCy's that is several ones in the treebank.

    Examples
    --------
    >>> pieces("F-16"), pieces("and/or"), pieces("word")
    (['F', '-', '16'], ['and', '/', 'or'], ['word'])
    """
    found = CUT.fullmatch(text)
    return [text] if found is None else [piece for piece in found.groups() if piece]


def piece_spans(tokens: Tokens, group: TokenSpan) -> list[tuple[int, int]]:
    """Return the characters of the treebank's tokens that a group of spaCy's is.

    Examples
    --------
    >>> from kakari.parsers.english.words.tokenizer import english_tokenizer
    >>> piece_spans(english_tokenizer()("An F-16"), (1, 2))
    [(3, 4), (4, 5), (5, 7)]
    """
    first, last = group
    begin = tokens.begins[first]
    text = tokens.texts[first] if last == first + 1 else tokens.between(first, last)
    places = _piece_places(text)
    if places is None:
        return [(begin, begin + len(text))]
    return [(begin + own, begin + end) for own, end in places]


@lru_cache(MOST_REMEMBERED)
def _piece_places(text: str) -> list[tuple[int, int]] | None:
    """Return the characters of each piece of a token, None if it is one piece."""
    sizes = [len(piece) for piece in pieces(text)]
    if len(sizes) == 1:
        return None
    ends = list(accumulate(sizes))
    return list(zip([0, *ends], ends, strict=False))


@lru_cache(MOST_REMEMBERED)
def _may_join(first: str) -> bool:
    """Return whether a token may be one with what stands behind it: brackets, quotes and most words never are."""
    return first.lower() in JOINING or first.isdecimal() or MARKS.fullmatch(first) is not None


def _solid_ends(tokens: Tokens) -> list[int]:
    """Return, for each token, the token behind the next blank."""
    ends: list[int] = []
    end = len(tokens.texts)
    blank = True
    for place in range(end, 0, -1):
        if blank or tokens.spaces[place - 1]:
            end = place
        ends.append(end)
        blank = tokens.texts[place - 1].isspace()
    ends.reverse()
    return ends


def _joined(tokens: Tokens, begin: int, end: int) -> int:
    """Return how many tokens of spaCy's make one of the treebank's."""
    solid = min(end - begin, LONGEST_GROUP)
    if solid == 1:
        return 1
    piece = tokens.texts[begin : begin + min(solid, 3)]
    first = piece[0]
    if MARKS.fullmatch(first):
        count = _marks(tokens, begin, begin + solid)
        if count > 1:
            return count
    if first == "-" or first.isspace():
        return 1
    if solid >= 3 and piece[1] == "-" and _starts_word(tokens, begin):
        if first.lower() in AFFIXES and piece[2].isalpha():
            return 3
        if first.isdecimal() and piece[2].isdecimal():
            count = _is_number(tokens.texts[begin : begin + solid])
            if count:
                return count
    if solid >= 3 and piece[1] == "/" and (first.lower(), piece[2].lower()) in SHORT:
        return 3
    if piece[1] == "." and (first.lower() in ABBREVIATIONS or _counts(tokens, begin)):
        return 2
    if first == "#" and piece[1][0].isalpha() and _starts_word(tokens, begin):
        return 2
    if first in ("'", "’") and piece[1][0].isalnum() and _starts_word(tokens, begin) and CONTRACTED.fullmatch(piece[1]):
        return 2
    return 1


def _marks(tokens: Tokens, begin: int, end: int) -> int:
    """Count the tokens from `begin` up to `end` that form one run of marks, including the first."""
    found = MARKS.match(tokens.text, tokens.begins[begin], tokens.begins[end - 1] + len(tokens.texts[end - 1]))
    reach = found.end() if found else 0
    count = 0
    while begin + count < end and tokens.begins[begin + count] + len(tokens.texts[begin + count]) <= reach:
        count += 1
    return count


def _counts(tokens: Tokens, begin: int) -> bool:
    """Return whether a token is the `no` of `no. 1`."""
    behind = begin + 2
    is_number = behind < len(tokens.texts) and tokens.texts[behind][0].isdecimal() and tokens.spaces[begin + 1]
    return is_number and tokens.texts[begin].lower() in ("no", "nos")


def _starts_word(tokens: Tokens, place: int) -> bool:
    return place == 0 or tokens.spaces[place - 1] or not tokens.texts[place - 1].isalnum()


def _is_number(piece: list[str]) -> int:
    """Count the tokens of a telephone number, 0 if there is none: 832-8160, 303-832-8160, 3-5213."""
    count = 1
    while count + 1 < len(piece) and piece[count] == "-" and piece[count + 1].isdecimal():
        count += 2
    return count if count >= 3 and len(piece[count - 1]) == 4 and all(len(p) <= 5 for p in piece[:count]) else 0


class _Role(NamedTuple):
    """What a token may be at the end or at the beginning of a sentence."""

    ends: bool
    plain: bool
    hidden: bool
    closes: bool
    opens: bool
    small: bool


@lru_cache(MOST_REMEMBERED)
def _role(text: str) -> _Role:
    """Return what a token may be."""
    return _Role(
        ENDS.fullmatch(text) is not None or CUT_ENDS.fullmatch(text) is not None,
        PLAIN_ENDS.fullmatch(text) is not None,
        HIDDEN_ENDS.fullmatch(text) is not None,
        text in CLOSERS,
        text in OPENERS,
        text[0].islower(),
    )


def sentence_groups(tokens: Tokens, groups: list[TokenSpan]) -> Iterator[tuple[int, int]]:
    r"""Yield sentences as spans of groups: they end with . ! ? and closing marks, or at an empty line.

    A full stop before a lower-case letter ends nothing, unless the sentence began with one (who writes so never uses
    capitals), nor does a line break alone. The full stop of an abbreviation (`5 p.m.`) ends a sentence before a word
    that begins sentences.

    Examples
    --------
    >>> from kakari.parsers.english.words.tokenizer import english_tokenizer
    >>> tokens = english_tokenizer()("He left (at 5 p.m.). Did she? \"Yes.\" A title\n\nBody")
    >>> groups = token_groups(tokens)
    >>> [tokens.between(groups[begin][0], groups[end - 1][1]) for begin, end in sentence_groups(tokens, groups)]
    ['He left (at 5 p.m.).', 'Did she?', '"Yes."', 'A title', 'Body']
    """
    begin = behind = 0
    ended = hidden = plain = False
    texts, begins = tokens.texts, tokens.begins
    for place, (first, last) in enumerate(groups):
        text = texts[first] if last == first + 1 else tokens.between(first, last)
        role, start = _role(text), begins[first]
        if place > begin and start > behind:
            small = role.small and not (plain and texts[groups[begin][0]][0].islower())
            over = (ended and not small) or (hidden and role.opens)
            if over or tokens.text.count("\n", behind, start) > 1:
                yield begin, place
                begin, ended, plain = place, False, False
        if role.ends:
            ended, plain = True, role.plain
        elif not role.closes:
            ended = plain = False
        hidden = role.hidden
        behind = start + len(text)
    if begin < len(groups):
        yield begin, len(groups)


def handy_sentences(tokens: Tokens, groups: list[TokenSpan], *, whole: bool = False) -> Iterator[tuple[int, int]]:
    """Yield sentences as spans of groups, those that are too long cut; `whole` takes all for one sentence.

    Examples
    --------
    >>> from kakari.parsers.english.words.tokenizer import english_tokenizer
    >>> tokens = english_tokenizer()("Stop! Don't.")
    >>> groups = token_groups(tokens)
    >>> list(handy_sentences(tokens, groups)), list(handy_sentences(tokens, groups, whole=True))
    ([(0, 2), (2, 5)], [(0, 5)])
    """
    for begin, end in [(0, len(groups))] if whole and groups else sentence_groups(tokens, groups):
        if end - begin > LONGEST_ENGLISH:
            tell(f"a sentence of more than {LONGEST_ENGLISH:,} tokens was cut")
        for start in range(begin, end, LONGEST_ENGLISH):
            yield start, min(start + LONGEST_ENGLISH, end)
