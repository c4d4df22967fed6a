"""`kakari.load("ja", words="kakari")`: documents of our own words, analysed as the parser analyses the same text."""

import pickle
import subprocess
import sys

import pytest
import spacy
from budgets import examples
from hypothesis import given, settings
from hypothesis import strategies as st

import kakari
from kakari.corpora import read
from kakari.parsers.japanese.parser import JapaneseParser
from kakari.spacy.tokenizer import JUMAN_PARTS, WordTokenizer

TEXT = "太郎は花子が読んでいる本を次郎に渡した。 静かである。"


@pytest.fixture(scope="module")
def nlp():
    return kakari.load("ja", words="kakari")


@pytest.fixture(scope="module")
def parser():
    return JapaneseParser.pretrained(words="kakari")


def in_document(doc):
    """Return (text, text of the head) of each bunsetsu, the last of a sentence being its own head.

    White space around them is left out: a blank between sentences belongs to the token before it here.
    """
    return [(b.text.strip(), b._.head.text.strip()) for b in doc._.bunsetsu if b.text.strip()]


def by_parser(parser, text):
    found = []
    for sentence in parser.parse(text):
        spans = [text[b.begin : b.end].strip() for b in sentence.bunsetsu]
        found += [
            (span, spans[b.head] if b.head >= 0 else span) for span, b in zip(spans, sentence.bunsetsu, strict=True)
        ]
    return [pair for pair in found if pair[0]]


def test_what_users_hold(nlp):
    doc = nlp(TEXT)
    token = next(token for token in doc if token.text == "読んで")
    assert (token.tag_, token.pos_, token.lemma_) == ("動詞", "VERB", "読む")
    assert token.morph.get("Inflection") == ["子音動詞マ行;タ系連用テ形"]
    assert token.morph.get("Reading") == ["よんで"]
    assert [b._.content_token.text for b in doc._.bunsetsu][:3] == ["太郎", "花子", "読んで"]
    assert [s.text for s in doc.sents] == ["太郎は花子が読んでいる本を次郎に渡した。", "静かである。"]


def test_the_parsers_bunsetsu_and_heads(nlp, parser):
    for record in list(read("sample-ja"))[:60]:
        assert in_document(nlp(record.text)) == by_parser(parser, record.text)


@settings(max_examples=examples(120), deadline=None)
@given(text=st.text(st.sampled_from("本をは。、「 \n　\taAz1０行っくた😀!？…=|\u3099ｱﾞ㌔"), max_size=20))
def test_any_text(nlp, parser, text):
    doc = nlp(text)
    assert doc.text == text
    assert in_document(doc) == by_parser(parser, text)


def test_streams_processes_and_copies(nlp, tmp_path):
    texts = [TEXT, "", "本を読む。", " "]
    expected = [in_document(nlp(text)) for text in texts]
    assert [in_document(doc) for doc in nlp.pipe(texts)] == expected
    assert [in_document(doc) for doc in nlp.pipe(texts, n_process=2)] == expected
    assert [in_document(doc) for doc in pickle.loads(pickle.dumps(nlp)).pipe(texts)] == expected
    nlp.to_disk(tmp_path / "p")
    assert [in_document(doc) for doc in spacy.load(tmp_path / "p").pipe(texts)] == expected


def test_a_model_of_ones_own_travels_with_its_tokenizer(nlp):
    from kakari.parsers.japanese.tagging.settings import WordsSettings
    from kakari.parsers.japanese.tagging.source import KakariWords
    from kakari.parsers.japanese.tagging.training import train

    small = train(list(read("sample-ja"))[:5], settings=WordsSettings(passes=1, tag_passes=1, learners=1))
    tokenizer = WordTokenizer(nlp.vocab, KakariWords(small))
    copy = pickle.loads(pickle.dumps(tokenizer))
    assert [token.text for token in copy(TEXT)] == [token.text for token in tokenizer(TEXT)]
    assert copy.words.model.to_bytes() == small.to_bytes()


def test_every_class_of_juman_has_a_part_of_speech(nlp):
    from kakari.parsers.japanese.tagging import pretrained_words

    assert {tag.pos for tag in pretrained_words().tags} <= JUMAN_PARTS.keys()


def test_sudachi_is_not_needed():
    program = (
        "import sys; sys.modules['sudachipy'] = sys.modules['sudachidict_core'] = None\n"
        "import kakari; doc = kakari.load('ja', words='kakari')('本を読んだ。')\n"
        "print([b.text for b in doc._.bunsetsu])"
    )
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert told == "['本を', '読んだ。']\n"


@pytest.mark.parametrize(("language", "words"), [("ja", "mecab"), ("en", "kakari")])
def test_other_words_are_refused(language, words):
    with pytest.raises(ValueError, match="words are"):
        kakari.load(language, words=words)
