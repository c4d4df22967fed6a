r"""Text to tokens: spaCy's English tokenizer, with a bridge to the tokens of the treebanks.

spaCy splits nearly as the English Web Treebank does: contractions (do n't, we 're), possessives, brackets, quotes and
hyphens (`15 - year`) are tokens of their own. The bridge joins what the treebank keeps together and spaCy cuts:

- runs of marks without a blank between them: `!!!`, `?!`, `* * *` written solid, `====`, `$$$`, a quote ``;
- an affix and its word: `e-mail`, `non-human`, `re-wording`, `anti-war` (the list is AFFIXES);
- numbers joined by hyphens that are telephone numbers and the like: `303-832-8160`;
- an abbreviation and its full stop: `etc.`, `al.`, `Capt.` (ABBREVIATIONS), `b/c` and `w/o`;
- an apostrophe and what it stands before, where a blank comes first: `'ve`, `'70s`.

and it cuts `and/or` and `F-16` in three, which spaCy keeps whole. Offsets are kept: a token is a span of characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from kakari.parsers.limits import LONGEST_ENGLISH, tell

if TYPE_CHECKING:
    from spacy.tokens import Doc

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
CUT = re.compile(r"(and)(/)(or)|([a-z]+)(-)(\d+)", re.IGNORECASE)
ENDS = re.compile(r"[.!?]*[.!?…]|\.\.+")
CLOSERS = frozenset({'"', "''", "'", "”", "’", ")", "]", "}", "»"})

LONGEST_GROUP = 400  # tokens of spaCy's that are looked at to make one of the treebank's

TokenSpan = tuple[int, int]


@cache
def tokenizer() -> Any:
    """Return the tokenizer of `spacy.blank("en")`, without the pipeline, which would load every component there is.

    Examples
    --------
    >>> [token.text for token in tokenizer()("Don't!")]
    ['Do', "n't", '!']
    """
    from spacy.lang.en import English
    from spacy.language import create_tokenizer
    from spacy.vocab import create_vocab

    from kakari.parsers.english.words.bounded import bounded

    blank: Any = SimpleNamespace(vocab=create_vocab("en", English.Defaults), Defaults=English.Defaults)
    return bounded(create_tokenizer()(blank))


def token_groups(doc: Doc) -> list[TokenSpan]:
    """Return the treebank's tokens as spans of spaCy's; white space is in none of them.

    Examples
    --------
    >>> doc = tokenizer()("I've read 2 e-mails!!!")
    >>> [doc[begin:end].text for begin, end in token_groups(doc)]
    ['I', "'ve", 'read', '2', 'e-mails', '!!!']
    """
    groups: list[TokenSpan] = []
    texts = [token.text for token in doc]
    ends = _solid_ends(doc, texts)
    begin = 0
    while begin < len(texts):
        if texts[begin].isspace():
            begin += 1
            continue
        end = begin + _joined(doc, texts, begin, ends[begin])
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


def piece_spans(doc: Doc, group: TokenSpan) -> list[tuple[int, int]]:
    """Return the characters of the treebank's tokens that a group of spaCy's is.

    Examples
    --------
    >>> piece_spans(tokenizer()("An F-16"), (1, 2))
    [(3, 4), (4, 5), (5, 7)]
    """
    begin = doc[group[0]].idx
    spans = []
    for piece in pieces(doc[group[0] : group[1]].text):
        spans.append((begin, begin + len(piece)))
        begin += len(piece)
    return spans


def _solid_ends(doc: Any, texts: list[str]) -> list[int]:
    """Return, for each token, where the next blank stands: the token behind it."""
    ends = list(range(1, len(texts) + 1))
    blanks = [bool(token.whitespace_) for token in doc]
    for place in range(len(texts) - 2, -1, -1):
        if not blanks[place] and not texts[place + 1].isspace():
            ends[place] = ends[place + 1]
    return ends


def _joined(doc: Any, texts: list[str], begin: int, end: int) -> int:
    """Say how many tokens of spaCy's make one of the treebank's."""
    solid = min(end - begin, LONGEST_GROUP)
    if solid == 1:
        return 1
    piece = texts[begin : begin + solid]
    first = piece[0]
    if MARKS.fullmatch(first):
        count = 1
        while count < solid and MARKS.fullmatch("".join(piece[: count + 1])):
            count += 1
        if count > 1:
            return count
    if first == "-" or first.isspace():
        return 1
    if solid >= 3 and piece[1] == "-" and _starts_word(doc, begin):
        if first.lower() in AFFIXES and piece[2].isalpha():
            return 3
        if first.isdecimal() and _is_number(piece):
            return _is_number(piece)
    if solid >= 3 and piece[1] == "/" and (first.lower(), piece[2].lower()) in SHORT:
        return 3
    if piece[1] == "." and first.lower() in ABBREVIATIONS:
        return 2
    if first in ("'", "’") and _starts_word(doc, begin) and CONTRACTED.fullmatch(piece[1]):
        return 2
    return 1


def _starts_word(doc: Any, place: int) -> bool:
    return place == 0 or bool(doc[place - 1].whitespace_) or not doc[place - 1].text.isalnum()


def _is_number(piece: list[str]) -> int:
    """Count the tokens of a telephone number, 0 if there is none: 832-8160, 303-832-8160, 3-5213."""
    count = 1
    while count + 1 < len(piece) and piece[count] == "-" and piece[count + 1].isdecimal():
        count += 2
    return count if count >= 3 and len(piece[count - 1]) == 4 and all(len(p) <= 5 for p in piece[:count]) else 0


def sentence_groups(doc: Doc, groups: list[TokenSpan]) -> Iterator[tuple[int, int]]:
    r"""Yield sentences as spans of groups: they end with . ! ? and closing marks, or at an empty line.

    A full stop before a lower-case letter ends nothing, nor does a line break alone.

    Examples
    --------
    >>> doc = tokenizer()("He left (at 5 p.m.). Did she? \"Yes.\" A title\n\nBody")
    >>> groups = token_groups(doc)
    >>> [doc[groups[begin][0] : groups[end - 1][1]].text for begin, end in sentence_groups(doc, groups)]
    ['He left (at 5 p.m.).', 'Did she?', '"Yes."', 'A title', 'Body']
    """
    begin = 0
    ended = False
    whole = doc.text
    for place, (first, last) in enumerate(groups):
        text = doc[first:last].text
        if place > begin:
            gap = whole[_end(doc, groups[place - 1]) : doc[first].idx]
            closing = text in CLOSERS and not gap
            if gap.count("\n") > 1 or (ended and not closing and not text[0].islower() and gap):
                yield begin, place
                begin, ended = place, False
        if ENDS.fullmatch(text):
            ended = True
        elif text not in CLOSERS:
            ended = False
    if begin < len(groups):
        yield begin, len(groups)


def handy_sentences(doc: Doc, groups: list[TokenSpan], *, whole: bool = False) -> Iterator[tuple[int, int]]:
    """Yield sentences as spans of groups, those that are too long cut; `whole` takes all for one sentence.

    Examples
    --------
    >>> doc = tokenizer()("Stop! Don't.")
    >>> list(handy_sentences(doc, token_groups(doc))), list(handy_sentences(doc, token_groups(doc), whole=True))
    ([(0, 2), (2, 5)], [(0, 5)])
    """
    for begin, end in [(0, len(groups))] if whole and groups else sentence_groups(doc, groups):
        if end - begin > LONGEST_ENGLISH:
            tell(f"a sentence of more than {LONGEST_ENGLISH:,} tokens was cut")
        for start in range(begin, end, LONGEST_ENGLISH):
            yield start, min(start + LONGEST_ENGLISH, end)


def _end(doc: Any, group: TokenSpan) -> int:
    last = doc[group[1] - 1]
    return int(last.idx + len(last))
