"""The linear ways of joining tokens beside their definitions, which look at everything behind each token."""

from hypothesis import given
from hypothesis import strategies as st

from kakari.parsers.english.words.tokenizer import english_tokenizer
from kakari.parsers.english.words.tokens import (
    CLOSERS,
    CUT_ENDS,
    ENDS,
    HIDDEN_ENDS,
    MARKS,
    OPENERS,
    PLAIN_ENDS,
    _is_number,
    _joined,
    _marks,
    _may_join,
    piece_spans,
    pieces,
    sentence_groups,
    token_groups,
)

# Marks in runs, smileys and other exceptions of the tokenizer, numbers with hyphens, blanks.
PIECES = [
    "(",
    ")",
    ":",
    ":)",
    ":(",
    "8",
    "-",
    "--",
    "_",
    ".",
    "..",
    "...",
    "!",
    "?!",
    "*",
    "==",
    "$",
    "~",
    "#",
    ">",
    "`",
]
PIECES += [
    " ",
    " ",
    "a",
    "don't",
    "no.",
    "303-832-8160",
    "e-mail",
    "'",
    "'ve",
    "o",
    "O",
    "=D",
    "(-_-)",
    "</3",
    "^_^",
    "x",
]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=30).map("".join)


SENTENCES = st.lists(
    st.sampled_from(
        [*PIECES, "\n", "\n\n", "The ", "he ", "I ", "etc. ", "p.m. ", "4B. ", "F-16", "and/or", '"', "]", "b/c", "w/o"]
    ),
    max_size=40,
).map("".join)  # fmt: skip


def plain_sentences(tokens, groups):
    """Yield sentences by their definition, which looks at each token and at what stands before it."""
    begin = behind = 0
    ended = hidden = plain = False
    for place, (first, last) in enumerate(groups):
        text = tokens.between(first, last)
        if place > begin:
            gap = tokens.text[behind : tokens.begins[first]]
            closing = text in CLOSERS and not gap
            small = text[0].islower() and not (plain and tokens.texts[groups[begin][0]][0].islower())
            over = (ended and not closing and not small) or (hidden and text in OPENERS)
            if gap.count("\n") > 1 or (over and gap):
                yield begin, place
                begin, ended, plain = place, False, False
        if ENDS.fullmatch(text) or CUT_ENDS.fullmatch(text):
            ended, plain = True, PLAIN_ENDS.fullmatch(text) is not None
        elif text not in CLOSERS:
            ended = plain = False
        hidden = HIDDEN_ENDS.fullmatch(text) is not None
        behind = tokens.begins[first] + len(text)
    if begin < len(groups):
        yield begin, len(groups)


@given(SENTENCES)
def test_sentences_and_their_tokens(text):
    tokens = english_tokenizer()(text)
    groups = token_groups(tokens)
    assert list(sentence_groups(tokens, groups)) == list(plain_sentences(tokens, groups))
    for group in groups:
        own, begin = tokens.between(*group), tokens.begins[group[0]]
        assert [text[first:last] for first, last in piece_spans(tokens, group)] == pieces(own)
        assert piece_spans(tokens, group)[0][0] == begin


@given(SENTENCES)
def test_what_joins_nothing_is_known_by_itself(text):
    tokens = english_tokenizer()(text)
    for begin, first in enumerate(tokens.texts):
        end = begin + 1
        while end < len(tokens.texts) and not tokens.spaces[end - 1] and not tokens.texts[end].isspace():
            end += 1
        if not first.isspace() and not _may_join(first):
            assert _joined(tokens, begin, end) == 1


def plain_marks(tokens, begin, end):
    piece, count = tokens.texts[begin:end], 0
    while count < len(piece) and MARKS.fullmatch("".join(piece[: count + 1])):
        count += 1
    return count


@given(TEXTS)
def test_runs_of_marks(text):
    tokens = english_tokenizer()(text)
    for begin in range(len(tokens.texts)):
        end = begin + 1  # up to the next blank
        while end < len(tokens.texts) and not tokens.spaces[end - 1] and not tokens.texts[end].isspace():
            end += 1
        assert _marks(tokens, begin, end) == plain_marks(tokens, begin, end)


@given(st.lists(st.sampled_from(["-", "1", "303", "832", "8160", "5213", "123456", "a", "/"]), max_size=12))
def test_telephone_numbers(pieces):
    text = "".join(pieces)
    tokens = english_tokenizer()(text)
    if len(tokens.texts) >= 3 and tokens.texts[0].isdecimal() and tokens.texts[1] == "-":
        assert _joined(tokens, 0, len(tokens.texts)) == (_is_number(tokens.texts) or 1)


def plain_matches(tokenizer, texts):
    """List where a sequence of the exceptions stands, by looking for each of them everywhere."""
    wanted = [one for seconds in tokenizer._sequences.values() for group in seconds.values() for one in group]
    return sorted((len(one), i) for i in range(len(texts)) for one in wanted if one == tuple(texts[i : i + len(one)]))


@given(TEXTS)
def test_sequences_are_found_by_their_first_two_tokens(text):
    tokenizer = english_tokenizer()
    texts = [piece for run in text.split() for piece in tokenizer._cut(run)]
    assert sorted(tokenizer._matches(texts)) == plain_matches(tokenizer, texts)
