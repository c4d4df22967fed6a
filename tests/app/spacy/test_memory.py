"""A service that analyses within memory zones keeps nothing of them."""

import pickle
from itertools import count

import pytest
import spacy

import kakari
from kakari.spacy import memory, processes
from kakari.spacy.memory import ZoneMorphology, take_over_morphology
from kakari.spacy.tokenizer import FastJapaneseTokenizer, WordTokenizer


@pytest.fixture
def vocab(monkeypatch):
    monkeypatch.setattr(memory, "MOST_ENDED_ANALYSES", 20)
    found = spacy.blank("ja").vocab
    found.morphology.add("Case=Nom|Reading=イヌ")
    take_over_morphology(found)
    return found


def told(nlp, text):
    return [(token.text, token.lemma_, str(token.morph), token.morph.to_dict()) for token in nlp(text)]


def test_analyses_of_a_zone_end_with_it_and_others_stay(vocab):
    strings, sizes = len(vocab.strings), []
    for zone in range(30):
        with vocab.memory_zone():
            keys = [vocab.morphology.add({"Reading": f"{zone}か{number}", "Case": "Nom"}) for number in range(10)]
            assert [vocab.morphology.get(key) for key in keys] == [f"Case=Nom|Reading={zone}か{n}" for n in range(10)]
            assert vocab.morphology.get(vocab.strings["Case=Nom|Reading=イヌ"]) == "Case=Nom|Reading=イヌ"
        sizes.append(len(vocab.morphology.analyses))
    assert len(vocab.strings) == strings
    assert max(sizes) <= 2 * 1 + memory.MOST_ENDED_ANALYSES + 2 * 10
    assert vocab.morphology.get(vocab.strings["Case=Nom|Reading=イヌ"]) == "Case=Nom|Reading=イヌ"


def test_an_analysis_of_an_earlier_zone_comes_again(vocab):
    expected = {"Case": "Nom", "Reading": "ネコ"}
    for _ in range(3):
        with vocab.memory_zone():
            doc = spacy.tokens.Doc(vocab, words=["猫"], morphs=["Reading=ネコ|Case=Nom"])
            assert doc[0].morph.to_dict() == expected
            assert doc[0].morph.get("Reading") == ["ネコ"]
    doc = spacy.tokens.Doc(vocab, words=["猫"], morphs=["Reading=ネコ|Case=Nom"])
    with vocab.memory_zone():
        assert doc[0].morph.to_dict() == expected
    assert doc[0].morph.to_dict() == expected
    assert doc[0].morph.get("Reading") == ["ネコ"]


def test_an_analysis_of_a_zone_that_began_before_the_morphology_comes_again():
    vocab, text = spacy.blank("ja").vocab, "Case=Nom|Reading=ヤマネコ"
    with vocab.memory_zone():
        take_over_morphology(vocab)
        vocab.morphology.add(text)
    for _ in range(2):
        with vocab.memory_zone():
            for _ in range(2):
                key = vocab.morphology.add(text)
            doc = spacy.tokens.Doc(vocab, words=["猫"], morphs=[text])
            assert doc[0].morph.key == key
            assert doc[0].morph.to_dict() == {"Case": "Nom", "Reading": "ヤマネコ"}
    vocab.morphology.add(text)
    with vocab.memory_zone():
        vocab.morphology.add(text)
    assert vocab.morphology.get(vocab.strings[text]) == text


@pytest.mark.parametrize("features", ["", "_", "B=2,1|A=3", {}, {"B": "2,1", "A": "3"}, {"Reading": "カ"}])
def test_analyses_are_those_of_spacy(vocab, features):
    theirs = spacy.blank("ja").vocab.morphology
    key = vocab.morphology.add(features)
    assert key == theirs.add(features) == vocab.morphology.add(features)
    assert vocab.morphology.get(key) == theirs.get(key)


def test_a_pickled_vocabulary_keeps_its_analyses(vocab):
    again = pickle.loads(pickle.dumps(vocab))
    FastJapaneseTokenizer(again)
    assert isinstance(again.morphology, ZoneMorphology)
    assert again.morphology.get(vocab.strings["Case=Nom|Reading=イヌ"]) == "Case=Nom|Reading=イヌ"


@pytest.mark.parametrize("kind", [FastJapaneseTokenizer, WordTokenizer])
def test_a_service_keeps_no_new_words(kind):
    nlp = spacy.blank("ja")
    nlp.tokenizer = kind(nlp.vocab)
    numbers, sizes = count(10_000), []
    for _ in range(4):
        with nlp.memory_zone():
            for _ in range(20):
                told(nlp, f"猫が{next(numbers)}匹とゾ{next(numbers)}ピャー")
        sizes.append(len(nlp.vocab.strings))
    assert sizes[1:] == sizes[:1] * 3


@pytest.mark.parametrize(("language", "text"), [("ja", "猫が{}匹いる。"), ("en", "Cats ate {} mice.")])
def test_the_table_of_strings_is_written_anew(language, text, monkeypatch):
    monkeypatch.setattr(processes, "MOST_ENDED_STRINGS", 100)
    written = []
    monkeypatch.setattr(processes, "compact", lambda strings: written.append(memory.compact(strings)))
    nlp, numbers = kakari.load(language), count(10_000)
    expected = told(nlp, text.format(7))
    size = len(nlp.vocab.strings)
    for _ in range(2):
        while not written:
            with nlp.memory_zone():
                for doc in nlp.pipe([text.format(next(numbers)) for _ in range(max(100, size // 8))]):
                    assert doc[0].text
        written.clear()
        assert told(nlp, text.format(7)) == expected
    assert len(nlp.vocab.strings) <= size + 10
