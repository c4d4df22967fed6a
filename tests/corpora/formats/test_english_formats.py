"""PropBank columns, PTB brackets and questions."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.tree import Tree

from kakari.corpora import (
    CorpusError,
    format_brackets,
    format_propbank,
    parse_brackets,
    read,
    read_brackets,
    read_propbank,
    read_qc,
    read_question_trees,
)
from kakari.corpora.formats.brackets import bare_label


def brackets(text, **options):
    return [format_brackets(tree) for tree in read_brackets(io.StringIO(text), **options)]


def test_layouts_of_trees():
    flat = ["(S (NP (N a)) (V b))", "(X c)"]
    assert brackets("(S (NP (N a)) (V b)) (X c)") == flat
    assert brackets("( (S\n  (NP (N a))\r\n (V b)) )\n\n\n((X c))\n") == flat
    assert brackets("(TOP (S (V go)))") == ["(TOP (S (V go)))"]
    assert brackets("") == []


def test_functions_and_traces():
    text = "( (S (NP-SBJ-1 (-NONE- *)) (VP=2 (VB go) (NP (-NONE- *T*-1)) (-LRB- -LRB-))))"
    assert brackets(text, functions=False, traces=False) == ["(S (VP (VB go) (-LRB- -LRB-)))"]
    assert brackets(text, functions=False) == ["(S (NP (-NONE- *)) (VP (VB go) (NP (-NONE- *T*-1)) (-LRB- -LRB-)))"]
    assert brackets("(S (NP (-NONE- *)))", traces=False) == []
    (tree,) = read_brackets(io.StringIO(text), unescape=True)
    assert tree.leaves()[-1] == "("


@pytest.mark.parametrize("label", ["NP", "NP-SBJ", "NP=1", "-LRB-", "-", "--", "=", "ADVP|PRT"])
def test_a_bare_label_is_never_empty(label):
    assert bare_label(label)
    assert label.startswith(bare_label(label))


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("(S (NP a)", 1, "not closed"),
        ("(S a))", 1, "never opened"),
        ("\n\n(S\n(NP a)", 3, "not closed"),
        ("a (S b)", 1, "outside"),
        ("(S ())", 1, "empty"),
        ("(S (NP))", 1, "'NP' is empty"),
        ("()", 1, "empty pair"),
        ("(S)", 1, "no words"),
        ("((S a) (S b))", 1, "2 parts"),
        ("(S (NP a) ((V b)))", 1, "no label"),
    ],
)
def test_malformed_brackets(text, line, words):
    with pytest.raises(CorpusError, match=words) as caught:
        brackets(text)
    assert caught.value.line == line


@pytest.mark.thorough
def test_a_very_deep_tree():
    deep = "(A " * 50_000 + "x" + ")" * 50_000
    assert brackets(deep) == [deep]
    assert brackets(deep, functions=False, traces=False, unescape=True) == [deep]


WORDS = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1, max_size=4)
LABELS = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"], exclude_characters="()"), min_size=1)
TREES = st.recursive(
    st.builds(Tree, LABELS, st.lists(WORDS, min_size=1, max_size=2)),
    lambda trees: st.builds(Tree, LABELS, st.lists(trees | WORDS, min_size=1, max_size=3)),
    max_leaves=12,
)


@given(TREES)
def test_brackets_round_trip(tree):
    (back,) = read_brackets(io.StringIO(format_brackets(tree)))
    assert format_brackets(back) == format_brackets(tree)


def test_parse_brackets_wants_one_tree():
    with pytest.raises(CorpusError, match="there are 2"):
        parse_brackets("(A a) (B b)")


def propbank(*rows):
    return list(read_propbank(io.StringIO("\n".join(rows) + "\n")))


DOGS = "d\t0\t0\tDogs\tNNS\t(TOP(S(NP*)\t-\t-\t(ARG0*)"
BARK = "d\t0\t1\tbark\tVBP\t(VP*)))\tbark\tbark.01\t(V*)"


def test_propbank_sample_round_trips():
    for sentence in read("sample-en"):
        (back,) = read_propbank(io.StringIO(format_propbank(sentence)))
        assert back == sentence


@pytest.mark.parametrize(
    ("rows", "line", "words"),
    [
        ((DOGS, BARK.rpartition("\t")[0]), 2, "8 columns"),
        (("a\tb\tc",), 1, "3 columns"),
        ((DOGS.replace("NNS", ""), BARK), 1, "column 5 is empty"),
        ((DOGS, BARK.replace(")))", ")")), 2, "not closed"),
        ((DOGS, BARK.replace(")))", "))))")), 2, "never opened"),
        ((DOGS.replace("(TOP(S(NP*)", "*"), BARK), 1, "outside of the tree"),
        ((DOGS.replace("(NP*)", "(NP*)))"), BARK), 2, "ended before"),
        ((DOGS.replace("(NP*)", "(NP"), BARK), 1, "parse bit"),
        ((DOGS.replace("(ARG0*)", "(ARG0*"), BARK), 1, "'ARG0' does not close"),
        ((DOGS, BARK.replace("(V*)", "*)")), 2, "never opened"),
        ((DOGS, BARK.replace("(V*)", "V")), 2, "should look like"),
        ((DOGS, BARK.replace("bark.01", "-")), 1, "0 rolesets, but 1 columns"),
    ],
)
def test_malformed_propbank(rows, line, words):
    with pytest.raises(CorpusError, match=words) as caught:
        propbank(*rows)
    assert caught.value.line == line


def test_questions_are_refused_in_words():
    for text in ("HUM Who ?", "HUM:ind", "HUM:ind  "):
        with pytest.raises(CorpusError, match="should look like"):
            list(read_qc(io.StringIO(text)))
    for text, words in [
        ("HUM\tind", "2 columns"),
        ("HUM\t\tWho ?", "empty"),
        ("HUM\tind\tWho ?\t(ROOT", "not closed"),
        ("HUM\tind\tWho ?\t(A a) (B b)", "there are 2"),
    ]:
        with pytest.raises(CorpusError, match=words) as caught:
            list(read_question_trees(io.StringIO("\n" + text)))
        assert caught.value.line == 2
