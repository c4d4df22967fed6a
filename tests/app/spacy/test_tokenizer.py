"""Our tokenizer against spaCy's own, whose documents it must give."""

import pytest
import spacy
from budgets import examples
from hypothesis import given, settings
from hypothesis import strategies as st

import kakari
from kakari.corpora import read
from kakari.spacy.tokenizer import FastJapaneseTokenizer

ATTRIBUTES = ("text", "whitespace_", "tag_", "pos_", "lemma_", "norm_")


@pytest.fixture(scope="module")
def own():
    return kakari.load("ja")


@pytest.fixture(scope="module")
def theirs():
    return spacy.blank("ja")


def tokens(doc):
    return [(*(getattr(token, name) for name in ATTRIBUTES), str(token.morph)) for token in doc]


def test_same_documents_for_sentences(own, theirs):
    for record in list(read("sample-ja"))[:60]:
        assert tokens(own.make_doc(record.text)) == tokens(theirs.make_doc(record.text))


@settings(max_examples=examples(120), deadline=None)
@given(text=st.text(st.sampled_from("本をは。、「 \n　\taAz1０行っくた😀!？…=|\u3099ｱﾞ㌔"), max_size=20))
def test_same_documents_for_any_text(own, theirs, text):
    assert tokens(own.make_doc(text)) == tokens(theirs.make_doc(text))


def test_joined_numerals_have_readings_of_their_own(own, theirs):
    texts = ["２７", "２７人", "24", "24時", "一", "一つ", "二", "二日", "２７"]
    expected = [tokens(theirs.make_doc(text)) for text in texts]
    assert len({str(doc[0]) for doc in expected}) == 8
    assert [tokens(own.make_doc(text)) for text in texts] == expected
    assert [tokens(doc) for doc in own.pipe(texts)] == expected


def test_text_beyond_sudachis_limit(own):
    text = "太郎は本を読んだ。" * 3000
    doc = own.make_doc(text)
    assert doc.text == text
    assert tokens(doc)[:6] == tokens(own.make_doc(text[:9]))[:6]


def test_memory_zones_do_not_empty_what_is_remembered(own):
    tokenizer = FastJapaneseTokenizer(own.vocab)
    with own.memory_zone():
        inside = tokens(tokenizer("蟋蟀がぴよぴよ鳴く。"))
    assert tokens(tokenizer("蟋蟀がぴよぴよ鳴く。")) == inside


def test_another_vocabulary_is_taken_over(own):
    text = "螽斯が跳ねる。"
    expected = tokens(own.make_doc(text))
    again = kakari.load("ja")
    again.make_doc(text)
    again.from_bytes(kakari.load("ja").to_bytes())
    assert tokens(again.make_doc(text)) == expected


def test_what_a_memory_zone_forgets_is_forgotten(own):
    """A string that spaCy holds for a zone only (the beginning of a word) is gone after it, as are new words."""
    tokenizer = FastJapaneseTokenizer(own.vocab)
    expected, size = None, len(own.vocab.strings)
    for _ in range(3):
        with own.memory_zone():
            assert own.vocab["鼯鼠が"].prefix_ == "鼯"
            inside = tokens(tokenizer("鼯が鳴く。"))
            assert tokens(tokenizer("鼯が鳴く。")) == inside
        expected = expected or inside
        assert inside == expected
        assert len(own.vocab.strings) <= size + 2
    assert tokens(tokenizer("鼯が鳴く。")) == expected
