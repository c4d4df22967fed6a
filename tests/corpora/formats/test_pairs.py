"""Pairs of hypernym and hyponym: read by the names of their columns, written back the same."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kakari.corpora import read
from kakari.corpora.formats.pairs import Pair, read_counts, read_pairs, write_pairs
from kakari.corpora.records.errors import CorpusError

WORDS = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1, max_size=8)
PAIRS = st.builds(
    Pair,
    WORDS,
    WORDS,
    st.sampled_from([None, True, False]),
    WORDS,
    st.lists(st.sampled_from(["title", "heading", "bullet"]), max_size=4).map(tuple),
    st.integers(0, 9),
    st.integers(0, 999),
    st.integers(0, 9),
)


@given(st.lists(PAIRS, max_size=5))
def test_pairs_round_trip(pairs):
    file = io.StringIO()
    write_pairs(pairs, file)
    assert list(read_pairs(io.StringIO(file.getvalue()))) == pairs


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("word1\tword3\na\tb\n", "1: 'word3' is no column"),
        ("word1\tlabel\na\tTrue\n", "1: there is no column 'hypernym'"),
        ("word1\tword1\tword2\na\tb\tc\n", "1: a column stands here twice"),
        ("word1\tword2\na\n", "2: the line has 1 columns"),
        ("word1\tword2\na\t\n", "2: a word of the pair is empty"),
        ("word1\tword2\tlabel\na\tb\tperhaps\n", "2: the label 'perhaps'"),
        ("word1\tword2\tdistance\na\tb\t-1\n", "2: '-1' is no number of distance"),
    ],
)
def test_bad_pairs_are_told(text, reason):
    with pytest.raises(CorpusError, match=reason):
        list(read_pairs(io.StringIO(text)))


@pytest.mark.parametrize(
    ("text", "reason"), [("a\tb\n", "2 columns"), ("a\tb\t-3\n", "no count"), ("\tb\t3\n", "empty")]
)
def test_bad_counts_are_told(text, reason):
    with pytest.raises(CorpusError, match=reason):
        list(read_counts(io.StringIO(text)))


def test_the_sample_is_split_by_article_and_a_tenth_was_annotated_twice():
    train, dev = list(read("sample-hyponymy:train")), list(read("sample-hyponymy:dev"))
    assert len(train) + len(dev) == 2740
    assert not {pair.article for pair in train} & {pair.article for pair in dev}
    assert len({(pair.hypernym, pair.hyponym) for pair in [*train, *dev]}) == 2740
    first = {(pair.hypernym, pair.hyponym): pair.label for pair in [*train, *dev]}
    second = list(read("sample-hyponymy-second"))
    same = sum(first[pair.hypernym, pair.hyponym] == pair.label for pair in second)
    assert (same, len(second)) == (279, 280)
