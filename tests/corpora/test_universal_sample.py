"""The embedded sample of Universal Dependencies: one root, a tree, tags, features and relations of the inventory."""

import re

import pytest

from kakari.corpora import format_conllu, read
from kakari.corpora.catalogue import find
from kakari.corpora.records.arcs import crossing_arcs, reaches_root

RELATIONS = frozenset(
    """
    acl acl:relcl advcl advmod amod appos aux aux:pass case cc ccomp compound compound:prt conj cop csubj det discourse
    expl iobj mark nmod nmod:poss nsubj nsubj:pass nummod obj obl obl:tmod punct root xcomp
    """.split()
)
COARSE = frozenset("ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X".split())
FEATURE = re.compile(r"[A-Z][A-Za-z]+=[A-Z0-9][A-Za-z0-9]*")
# Words with these relations have no modifiers of their own but each other and a few particles.
LEAVES = frozenset("case cc cop aux aux:pass det punct mark".split())


@pytest.fixture(scope="module")
def sentences():
    return list(read("sample-ud"))


def test_size_and_bytes(sentences):
    assert len(sentences) == 60
    assert "".join(map(format_conllu, sentences)) == (find("sample-ud") / "en.conllu").read_text(encoding="utf-8")


def test_every_sentence_is_a_tree_with_one_root(sentences):
    for sentence in sentences:
        heads = [int(word.head) for word in sentence.words]
        assert heads.count(0) == 1, sentence.text
        assert reaches_root(heads), sentence.text
        assert not crossing_arcs(heads), sentence.text
        assert [word.head == "0" for word in sentence.words] == [word.deprel == "root" for word in sentence.words]


def test_labels_are_of_the_inventory(sentences):
    words = [word for sentence in sentences for word in sentence.words]
    assert {word.deprel for word in words} == RELATIONS
    assert {word.upos for word in words} <= COARSE
    for word in words:
        features = [] if word.feats == "_" else word.feats.split("|")
        assert all(map(FEATURE.fullmatch, features)), word
        assert features == sorted(features, key=str.lower), word
        assert (word.upos == "PUNCT") == (word.deprel == "punct"), word


def test_function_words_have_no_modifiers(sentences):
    for sentence in sentences:
        for word in sentence.words:
            if word.head != "0":
                head = sentence.words[int(word.head) - 1]
                assert head.deprel not in LEAVES, (sentence.text, word.form)


def test_texts_are_what_the_tokens_make(sentences):
    names = [sentence.comments[0] for sentence in sentences]
    assert names == [f"# sent_id = sample-{number:02d}" for number in range(1, 61)]
    for sentence in sentences:
        inside: set[int] = set()
        text = ""
        for token in sentence.tokens:
            if token.is_range:
                first, last = map(int, token.id.split("-"))
                inside = set(range(first, last + 1))
                assert token.form == "".join(sentence.words[k - 1].form for k in inside)
            if token.is_range or int(token.id) not in inside:
                text += token.form + " " * token.space_after
        assert text.strip() == sentence.text
