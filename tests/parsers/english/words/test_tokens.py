"""Tokens and sentences that spaCy's tokenizer has otherwise than the treebanks, and the tags of emoji."""

import pytest

from kakari.parsers.english.model import pretrained_model
from kakari.parsers.english.parser import tokens_of


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("I CAN'T and DON'T.", ["I CA N'T and DO N'T ."]),
        ("It’s me; I WON’T.", ["It ’s me ; I WO N’T ."]),
        ("We sold 4B. They won.", ["We sold 4B .", "They won ."]),
        ("That is #wrong, she said.", ["That is #wrong , she said ."]),
        ("It is # 1 and #2.", ["It is # 1 and # 2 ."]),
        ("He is no. 1. She left.", ["He is no. 1 .", "She left ."]),
        ("I said no. Then I left.", ["I said no .", "Then I left ."]),
        ("We met at 5 p.m. Then we left.", ["We met at 5 p.m.", "Then we left ."]),
        ("The U.S. Senate met.", ["The U.S. Senate met ."]),
        ("i went home. then i slept! it was nice", ["i went home .", "then i slept !", "it was nice"]),
        ("He said e.g. this. It is so.", ["He said e.g. this .", "It is so ."]),
        ("Well. it works", ["Well . it works"]),
        ("well... then i left", ["well ... then i left"]),
    ],
)
def test_tokens_and_sentences(text, wanted):
    assert [" ".join(text[begin:end] for begin, end in spans) for spans in tokens_of(text)] == wanted


def test_emoji_are_symbols():
    tags = pretrained_model().tag([["I", "love", "it", "\U0001f600"], ["❤️"], ["日本", "!"]])
    assert tags[0][-1] == "NFP" and tags[1] == ("NFP",) and tags[2][0] != "NFP"
