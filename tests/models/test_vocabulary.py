"""The vocabulary against a Python dict."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kakari.kernels.stored import Contents
from kakari.models.vocabulary import Vocabulary, VocabularyError

STRINGS = st.text(max_size=6) | st.sampled_from(["", "a", "名詞", "\0", "\ud800"])


@given(st.lists(st.lists(STRINGS, max_size=6), max_size=20), st.lists(st.lists(STRINGS, max_size=6), max_size=6))
def test_encode_is_a_dict_of_first_appearances(rows, later):
    ids = {}
    expected = [sorted({ids.setdefault(s, len(ids)) for s in row}) for row in rows]
    vocabulary = Vocabulary()
    assert vocabulary.encode(rows).tolist() == expected
    assert [vocabulary[i] for i in range(len(vocabulary))] == list(ids)
    vocabulary.freeze()
    known = [sorted({ids[s] for s in row if s in ids}) for row in later]
    for copy in (
        vocabulary,
        Vocabulary.from_contents(vocabulary.contents()),
        pickle.loads(pickle.dumps(vocabulary)),
    ):
        assert copy.frozen
        assert copy.encode(later).tolist() == known
        assert len(copy) == len(ids)


def test_many_strings_survive_growth():
    vocabulary = Vocabulary()
    strings = [f"feature={i}" for i in range(20_000)]
    assert [vocabulary.add(s) for s in strings] == list(range(20_000))
    assert [vocabulary.id_of(s) for s in strings] == list(range(20_000))
    assert vocabulary.id_of("feature=20000") is None


def test_an_unfrozen_vocabulary_stays_so_when_pickled():
    vocabulary = Vocabulary()
    vocabulary.add("a")
    again = pickle.loads(pickle.dumps(vocabulary))
    assert again.add("b") == 1


def test_frozen():
    vocabulary = Vocabulary()
    vocabulary.freeze()
    with pytest.raises(VocabularyError, match="frozen"):
        vocabulary.add("a")


@pytest.mark.parametrize("rows", [["abc"], [[1]], [[b"abc"]], [[None]]])
def test_what_is_no_row_of_strings(rows):
    with pytest.raises(VocabularyError, match="row 0"):
        Vocabulary().encode(rows)


def test_foreign_arrays_are_refused():
    vocabulary = Vocabulary()
    for string in ("a", "bc", "def"):
        vocabulary.add(string)
    good = vocabulary.contents().arrays
    for key, bad in [
        ("starts", good["starts"] + 1),
        ("starts", good["starts"][::-1].copy()),
        ("starts", good["starts"].astype(np.uint64)),
        ("starts", good["starts"].astype(np.float64)),
        ("text", good["text"][:2].copy()),
        ("text", np.frombuffer(b"aaaaaa", dtype=np.uint8)),  # no string twice is there, but a, aa, aaa
        ("text", np.frombuffer(b"a\xe3\x81\x82bc", dtype=np.uint8)),  # a character in two strings
        ("text", np.frombuffer(b"abc\xffde", dtype=np.uint8)),
    ]:
        if bytes(bad) == b"aaaaaa":
            Vocabulary.from_contents(Contents({**good, key: bad}))
            continue
        with pytest.raises(ValueError, match=r"offsets|array|UTF-8|character"):
            Vocabulary.from_contents(Contents({**good, key: bad}))
    twice = {"text": np.frombuffer(b"aa", dtype=np.uint8), "starts": np.array([0, 1, 2])}
    with pytest.raises(VocabularyError, match="twice"):
        Vocabulary.from_contents(Contents(twice))


def test_unknown_ids():
    with pytest.raises(IndexError):
        Vocabulary()[0]
