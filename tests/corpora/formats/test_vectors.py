"""svmlight, SVM-Light-TK and plain columns."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kakari.corpora import (
    CorpusError,
    LabelledVector,
    SparseVector,
    TreesAndVectors,
    format_columns,
    format_svmlight,
    format_svmlight_tk,
    read_columns,
    read_svmlight,
    read_svmlight_tk,
)

NUMBERS = st.floats(allow_nan=False, allow_infinity=False) | st.integers(-3, 3).map(float)
PAIRS = st.lists(st.tuples(st.integers(0, 2**31 - 1), NUMBERS), max_size=4)
VECTORS = PAIRS.map(lambda pairs: SparseVector(tuple(i for i, _ in pairs), tuple(v for _, v in pairs)))
COMMENTS = st.sampled_from(["", "why not"])
TREES = st.sampled_from(["", "(A a)", "(A (b)(C c))", "(S (NP (D the))(VP (V ran)))"])


@given(st.builds(LabelledVector, NUMBERS, VECTORS, st.none() | st.integers(0, 99), COMMENTS))
def test_svmlight_round_trip(example):
    assert list(read_svmlight(io.StringIO(format_svmlight(example)))) == [example]


@given(
    st.builds(
        TreesAndVectors,
        NUMBERS,
        st.lists(TREES, max_size=3).map(tuple),
        st.lists(VECTORS, max_size=3).map(tuple),
        COMMENTS,
    )
)
def test_svmlight_tk_round_trip(example):
    if not example.trees and not example.vectors:
        return  # a bare label is read as a label with an empty vector
    assert list(read_svmlight_tk(io.StringIO(format_svmlight_tk(example)))) == [example]


@pytest.mark.parametrize(
    ("line", "trees", "ids"),
    [
        ("1 |BT| (A a) |ET|", ("(A a)",), []),
        ("1\t|BT| (A a) |ET| 3:1 |EV|", ("(A a)",), [(3,)]),
        ("1 |BT| (A a) |BT| (B b) |ET| 1:1 |BV| 2:1 |EV|", ("(A a)", "(B b)"), [(1,), (2,)]),
        ("1 |BT| (A a) |ET| |BT| (B b) |ET| |BV| 2:1 |EV|", ("(A a)", "(B b)"), [(2,)]),
        ("1 |BT||ET| 5:1 |EV| # c", ("",), [(5,)]),
        ("1 4:1 5:1", (), [(4, 5)]),
    ],
)
def test_svmlight_tk_spellings(line, trees, ids):
    (example,) = read_svmlight_tk(io.StringIO(line))
    assert example.trees == trees
    assert [vector.ids for vector in example.vectors] == ids


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("x 1:1", "label 'x'"),
        ("nan 1:1", "not a finite"),
        ("1 1", "should look like"),
        ("1 a:1", "feature number 'a'"),
        ("1 -1:1", "feature number"),
        ("1 2147483648:1", "feature number"),
        ("1 1:x", "value 'x'"),
        ("1 1:inf", "not a finite"),
        ("1 qid:x 1:1", "query id"),
    ],
)
def test_malformed_vectors(line, words):
    for reader in (read_svmlight, read_svmlight_tk):
        with pytest.raises(
            CorpusError, match="feature number" if "qid" in line and reader is read_svmlight_tk else words
        ):
            list(reader(io.StringIO(line)))


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("1 |BT| (A a", "not closed"),
        ("1 |BT| (A a)) |ET|", "too early"),
        ("1 |BT| A |ET|", "begin with a bracket"),
        ("1 |BT| (A a)", "not ended"),
        ("1 |BT| (A a) |BV| 1:1 |EV|", "before"),
        ("1 |ET| 1:1 |EV|", "not begun"),
        ("1 |BT| (A a) |ET| 1:1 |EV| 2:2", "after"),
        ("1 2:1 |BT| (A a) |ET|", "trees come first"),
        ("|BT| (A a) |ET|", "no label"),
    ],
)
def test_malformed_trees(line, words):
    with pytest.raises(CorpusError, match=words):
        list(read_svmlight_tk(io.StringIO(line)))


def test_nltk_trees():
    (tree, nothing) = TreesAndVectors(1.0, ("(A (b)(C c))", "")).nltk_trees()
    assert (tree.leaves(), nothing) == (["b", "c"], None)


def test_columns():
    text = "a\tb\nc\td\n\ne\tf\n\n"
    sentences = list(read_columns(io.StringIO(text)))
    assert [len(sentence.rows) for sentence in sentences] == [2, 1]
    assert "".join(map(format_columns, sentences)) == text
    with pytest.raises(CorpusError, match="3 columns, the first line of the file 2"):
        list(read_columns(io.StringIO("a b\nc d e\n")))
