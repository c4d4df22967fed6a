"""What the segmenter sees beyond its window, in plain Python; and training data of another standard."""

import numpy as np
import pytest
from budgets import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from kakari.corpora import read
from kakari.kernels.sets.featuresets import FeatureSets
from kakari.models.vocabulary import Vocabulary
from kakari.parsers.japanese.bunsetsu.segmentation import Segmenter, SegmentSlot, segment_slots_of, training_tokens
from kakari.parsers.japanese.domain_marks import first_sentences, marked, unmarked
from kakari.parsers.japanese.gold import analysed
from kakari.parsers.japanese.model import JapaneseModel
from kakari.parsers.japanese.training import JapaneseSettings, LearnerSettings, ParserSettings, train
from kakari.parsers.japanese.words.morphemes import Lexicon, MorphemeBatch

WORDS = {
    "本": "名詞",
    "棚": "名詞",
    "を": "助詞",
    "・": "特殊",
    "、": "特殊",
    "「": "特殊",
    "第": "接頭辞",
    "読む": "動詞",
}
SMALL = LearnerSettings(cutoff=1, passes=3)


def strings_of(words):
    vocabulary = Vocabulary()
    for word in words:
        for text in (word, WORDS[word], word[:1], word[-1:]):
            vocabulary.add(text)
    return vocabulary


def plain_features(words, opens, strings):
    """Return the features of each token but the first as (slot, value)."""
    point = 0
    for token in range(1, len(words)):
        ahead = [t for t in range(token, min(token + 5, len(words))) if words[t] == "・"]
        found = {("S1_CHAR", strings.id_of(words[token - 1][-1])), ("S0_FIRST_CHAR", strings.id_of(words[token][0]))}
        if token + 1 < len(words):
            found.add(("T1_FIRST_CHAR", strings.id_of(words[token + 1][0])))
        found |= {("POINT", point), ("POINT_AHEAD", ahead[0] - token if ahead else 6)}
        yield found
        if words[token - 1] == "・":
            point = 2 if opens[token] else 1


@settings(max_examples=examples(60))
@given(st.lists(st.tuples(st.sampled_from(list(WORDS)), st.booleans()), min_size=1, max_size=14))
def test_characters_and_marks_between_words(tokens):
    words, opens = [word for word, _ in tokens], [cut for _, cut in tokens]
    strings = strings_of(WORDS)
    batch = MorphemeBatch(Lexicon(strings, "juman"))
    for place, word in enumerate(words):
        batch.add(word, word, (WORDS[word],), "", "", place, place + 1)
    batch.end_sentence()
    segmenter = Segmenter(256, segment_slots_of(["edges", "points"]))
    sets, labels = training_tokens(batch.finish(), opens, segmenter)
    shown = [{(SegmentSlot(feature // 256).name, feature % 256) for feature in row} for row in sets.tolist()]
    assert shown == list(plain_features(words, opens, strings))
    assert [label > 0 for label in labels.tolist()] == opens[1:]


@given(st.lists(st.lists(st.integers(0, 20), unique=True).map(sorted), max_size=6), st.integers(0, 3), st.data())
def test_marks_come_and_go(rows, count, data):
    first = data.draw(st.integers(0, len(rows)))
    marks = range(50, 50 + count)
    sets = marked(FeatureSets.from_lists(rows), first, marks)
    assert sets.tolist() == [row + list(marks) if place < first else row for place, row in enumerate(rows)]
    assert unmarked(sets, 50).tolist() == rows


def test_first_sentences():
    sentences = list(read("sample-ja"))[:3]
    morphemes = analysed(sentences, Lexicon(Vocabulary(), "juman"))
    part = first_sentences(morphemes, 2)
    assert len(part) == 2
    assert (part.fields == analysed(sentences[:2], Lexicon(Vocabulary(), "juman")).fields).all()


@pytest.fixture(scope="module")
def with_foreign():
    sentences = list(read("sample-ja"))
    chosen = JapaneseSettings(segmenter=SMALL, parsers=(ParserSettings(learner=SMALL),), foreign_marks=4)
    return train(sentences[50:], chosen, foreign=sentences[:50])


def test_foreign_data_leaves_no_marks(with_foreign):
    limit = with_foreign.width * int(SegmentSlot.SEGMENT_SLOTS)
    assert np.asarray(with_foreign.segmenter.arrays["ids"]).max() < limit
    assert with_foreign.details["settings"]["foreign_marks"] == 4
    assert with_foreign.details["sentences"] == len(list(read("sample-ja")))


def test_the_smallest_file_is_the_same_model(with_foreign, tmp_path):
    with_foreign.save(tmp_path / "small", compressed=True)
    with_foreign.save(tmp_path / "large")
    assert (tmp_path / "small").stat().st_size < (tmp_path / "large").stat().st_size
    for name in ("small", "large"):
        assert JapaneseModel.load(tmp_path / name).to_bytes() == with_foreign.to_bytes()
    assert JapaneseModel.from_bytes(with_foreign.to_bytes(compressed=True)).to_bytes() == with_foreign.to_bytes()
