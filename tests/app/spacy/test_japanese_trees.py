"""Universal Dependencies in spaCy: heads, relations, parts of speech, and what spaCy makes of them."""

import pytest
import spacy
from hypothesis import given, settings
from hypothesis import strategies as st
from spacy.tokens import DocBin

import kakari
from kakari.parsers.japanese.parser import JapaneseParser
from kakari.spacy.bunsetsu import MissingBunsetsuWarning
from kakari.spacy.tokenizer import make_tokenizer

TEXT = "太郎は京都大学に行った。 \n　赤い本を読んでいる人が、静かに笑った。  "
NLP = kakari.load("ja")
PARSER = JapaneseParser.pretrained(universal=True)


def tree(doc):
    return [(t.text, t.pos_, t.dep_, t.head.i, t.is_sent_start) for t in doc]


def test_tokens_have_universal_dependencies():
    doc = NLP("太郎は赤い本を読んでいる。")
    assert [(t.text, t.pos_, t.dep_, t.head.text) for t in doc][:6] == [
        ("太郎", "PROPN", "nsubj", "読ん"),
        ("は", "ADP", "case", "太郎"),
        ("赤い", "ADJ", "acl", "本"),
        ("本", "NOUN", "obj", "読ん"),
        ("を", "ADP", "case", "本"),
        ("読ん", "VERB", "ROOT", "読ん"),
    ]
    assert [bunsetsu._.content_token.text for bunsetsu in doc._.bunsetsu] == ["太郎", "赤い", "本", "読ん"]


def test_noun_chunks_are_maximal():
    assert [chunk.text for chunk in NLP(TEXT).noun_chunks] == ["太郎", "京都大学", "赤い本を読んでいる人"]


@pytest.mark.parametrize(
    ("text", "chunks"),
    [
        ("赤い本を買った。", ["赤い本"]),  # spaCy's own iterator knows no objects
        ("太郎は赤い本を図書館で読んだ。", ["太郎", "赤い本", "図書館"]),
        ("太郎は学生だ。", ["太郎", "学生"]),
        ("これは父の本です。", ["これ", "父の本"]),
        ("走った。", []),
        ("", []),
    ],
)
def test_objects_and_predicates_are_noun_chunks(text, chunks):
    assert [chunk.text for chunk in NLP(text).noun_chunks] == chunks
    (piped,) = NLP.pipe([text])
    assert [chunk.text for chunk in piped.noun_chunks] == chunks


def test_displacy_draws_the_tree():
    drawn = spacy.displacy.render(NLP("本を読む。"), style="dep")
    assert "obj" in drawn
    assert "NOUN" in drawn


def test_rule_matchers_see_relations():
    matcher = spacy.matcher.DependencyMatcher(NLP.vocab)
    verb = {"RIGHT_ID": "verb", "RIGHT_ATTRS": {"POS": "VERB"}}
    found = {"LEFT_ID": "verb", "REL_OP": ">", "RIGHT_ID": "object", "RIGHT_ATTRS": {"DEP": "obj"}}
    matcher.add("objects", [[verb, found]])
    doc = NLP("太郎は本を読んだ。")
    ((_, (own, other)),) = matcher(doc)
    assert (doc[own].text, doc[other].text) == ("読ん", "本")


@settings(max_examples=60)
@given(st.lists(st.sampled_from([*"本を読む人は。、」「 \n　aA1!？", "太郎が", "赤い"]), max_size=30).map("".join))
def test_documents_of_every_way_agree_and_are_trees(text):
    one = NLP(text)
    (other,) = NLP.pipe([text])
    assert tree(one) == tree(other)
    for sentence in one.sents:
        assert sum(token.dep_ == "ROOT" for token in sentence) == 1
        assert all(token in sentence for word in sentence for token in word.subtree)


def test_the_parser_says_the_same():
    text = "太郎は赤い本を読んでいる。"
    (sentence,) = PARSER.parse(text)
    doc = NLP(text)
    assert [word.part for word in sentence.words] == [token.pos_ for token in doc]
    assert [word.relation.replace("root", "ROOT") for word in sentence.words] == [token.dep_ for token in doc]


def test_documents_without_bunsetsu_say_so():
    doc = NLP("太郎は本を読む。")
    for other in (doc[0:3].as_doc(), spacy.blank("ja")("太郎は本を読む。")):
        with pytest.warns(MissingBunsetsuWarning, match="no bunsetsu"):
            assert other._.bunsetsu == []
    (again,) = DocBin(docs=[doc]).get_docs(NLP.vocab)
    with pytest.warns(MissingBunsetsuWarning):
        assert again._.bunsetsu == []


def test_documents_of_other_languages_are_refused():
    other = spacy.blank("en")
    other.add_pipe("kakari_bunsetsu")
    with pytest.raises(ValueError, match="language 'en'"):
        other("Mary reads.")


def test_a_span_that_is_no_bunsetsu_has_no_head():
    doc = NLP("太郎は本を読む。")
    assert doc[0:2]._.head.text == "読む。"
    assert doc[0:3]._.head is None
    assert doc[0:1]._.head is None


def test_dictionary_and_split_mode_in_the_configuration():
    tokenizer = {"@tokenizers": "kakari.JapaneseTokenizer.v1", "split": "C"}
    nlp = spacy.lang.ja.Japanese.from_config({"nlp": {"tokenizer": tokenizer}})
    nlp.add_pipe("kakari_bunsetsu")
    assert nlp("選挙管理委員会が開いた。")[0].text == "選挙管理委員会"
    with pytest.raises(ValueError, match="split mode"):
        make_tokenizer(split="D")
