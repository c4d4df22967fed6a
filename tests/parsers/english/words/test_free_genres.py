"""GUM's trees get the genre of their own document, and non-commercial genres are left out."""

from collections import Counter
from types import SimpleNamespace

import pytest

from kakari.corpora import CorpusError
from kakari.parsers.english.words import free_genres
from kakari.parsers.english.words.flat_trees import FlatTree


def corpus(monkeypatch, genres, words):
    """Let GUM have one sentence of a word in each document."""
    trees = [FlatTree((word,), ("NN",), (("NP", 0, 1),)) for word in words]
    sentences = [
        SimpleNamespace(comments=[f"# newdoc id = GUM_{genre}_x"] if genre else [], words=[SimpleNamespace(form=word)])
        for genre, word in genres
    ]
    monkeypatch.setattr(free_genres, "read_trees", lambda reference: iter(trees))
    monkeypatch.setattr(free_genres.catalogue, "read", lambda reference: iter(sentences))


def test_a_document_lasts_until_the_next(monkeypatch):
    corpus(monkeypatch, [("news", "a"), ("", "b"), ("fiction", "c"), ("", "d"), ("bio", "e")], "abcde")
    assert [genre for genre, _ in free_genres.trees_with_genres("train")] == ["news", "news", *["fiction"] * 2, "bio"]
    assert [tree.words[0] for tree in free_genres.read_free_trees("train")] == ["a", "b", "e"]


@pytest.mark.parametrize("words", ["ac", "a", "abc"])
def test_other_sentences_are_refused(monkeypatch, words):
    corpus(monkeypatch, [("news", "a"), ("bio", "b")], words)
    with pytest.raises(CorpusError, match="gum:train"):
        list(free_genres.trees_with_genres("train"))


@pytest.mark.corpora
def test_the_corpus(need_corpus):
    need_corpus("gum")
    need_corpus("ud-english-gum")
    counts = Counter(genre for genre, _ in free_genres.trees_with_genres("train"))
    assert counts.total() == 10_224
    assert sum(counts[genre] for genre in free_genres.NON_COMMERCIAL) == 2_799
