"""Words of Japanese text: the dictionary's columns against their plain definition, offsets, files, scores."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from budgets import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from kakari.corpora.catalogue import read
from kakari.models.files import ModelFileError, model_bytes
from kakari.parsers.japanese.tagging.dictionary import (
    CHARACTER_COLUMNS,
    WordDictionary,
    character_table,
    normalized,
    word_table,
)
from kakari.parsers.japanese.tagging.entries import Entry, Tag, read_dictionary, sentence_entries
from kakari.parsers.japanese.tagging.model import WordsModel, pretrained_words
from kakari.parsers.japanese.tagging.scores import WordScores, evaluate
from kakari.parsers.japanese.tagging.training import train

letters = st.sampled_from("本屋の根ア1")
dictionaries = st.dictionaries(
    st.text(letters, min_size=1, max_size=5).map(normalized), st.integers(1, 60), max_size=12
)


@pytest.fixture(scope="module")
def sentences():
    return list(read("sample-ja"))


@pytest.fixture(scope="module")
def model(sentences):
    return train(sentences)


def plain_columns(text, words):
    """Say of each character what words of a dictionary begin there, end before it, and go on over the boundary."""
    text = normalized(text)
    places = [(i, j) for i in range(len(text)) for j in range(i + 1, len(text) + 1) if text[i:j] in words]
    rows = []
    for at in range(len(text)):
        starting = [(j - i, words[text[i:j]]) for i, j in places if i == at]
        ending = [(j - i, words[text[i:j]]) for i, j in places if j == at]
        bits = {min(at - i, 5) for i, j in places if i < at < j} | {8 + min(j - at, 5) for i, j in places if i < at < j}
        rows.append(
            (
                ord(text[at]),
                sum(1 << size for size in {min(size, 8) for size, _ in starting}),
                sum(1 << size for size in {min(size, 8) for size, _ in ending}),
                sum(1 << bit for bit in bits),
                max(starting, default=(0, 0))[1],
                max(ending, default=(0, 0))[1],
                max(starting, default=(0, 0))[0],
                max(ending, default=(0, 0))[0],
            )
        )
    return rows


@given(st.lists(st.text(letters, max_size=7), max_size=3), dictionaries)
def test_columns_of_characters(texts, words):
    table = character_table(texts, WordDictionary.of_words(words))
    columns = [place for place, name in enumerate(CHARACTER_COLUMNS) if name != "type"]
    wanted = [row for text in texts for row in plain_columns(text, words)]
    assert [tuple(row) for row in table.values[:, columns].tolist()] == wanted


@given(dictionaries)
def test_dictionaries_keep_their_words(words):
    dictionary = WordDictionary.of_words(words)
    assert dictionary.words() == sorted(words)
    again = WordDictionary(**dictionary.arrays)
    assert again.kinds_of(sorted(words)) == [words[word] for word in sorted(words)]
    assert again.kinds_of(["犬", ""])[0] == 0 if words else True


@pytest.mark.parametrize(
    "arrays",
    [
        ([1], [1], [30], [1]),  # shares what is not there
        ([0], [2], [30], [1]),  # fewer characters than it says
        ([0], [1], [30], [0]),  # no kind
        ([0], [0], [], [1]),  # no characters
        ([0], [200], [30] * 200, [1]),  # too long
        ([0, 0], [1], [30], [1]),
    ],
)
def test_damaged_dictionaries_are_refused(arrays):
    with pytest.raises(ValueError):
        WordDictionary(*(np.array(one, dtype=dtype) for one, dtype in zip(arrays, ("u1", "u1", "u4", "u2"))))


@given(st.lists(st.text(letters, max_size=6), max_size=3), st.integers(0, 2**18))
def test_words_follow_marks(texts, bits):
    dictionary = WordDictionary.of_words({"本": 1, "本屋": 2})
    table = character_table(texts, dictionary)
    marks = np.array([bits >> place & 1 for place in range(len(table.values))], dtype=np.uint8)
    words = word_table(table, marks, dictionary)
    starts, found = words.table.starts.tolist(), []
    for number, text in enumerate(texts):
        begin = 0
        for place in range(starts[number], starts[number + 1]):
            found.append(text[begin : words.ends[place]])
            begin = int(words.ends[place])
        assert begin == len(text)
    wanted, at = [], 0
    for text in texts:
        for place, letter in enumerate(text):
            if place == 0 or marks[at]:
                wanted.append("")
            wanted[-1] += letter
            at += 1
    assert found == wanted


@settings(deadline=None, max_examples=examples(200))
@given(st.lists(st.text(max_size=30), max_size=4))
def test_offsets_reproduce_any_text(texts):
    for text, words in zip(texts, pretrained_words().pipe(texts), strict=True):
        assert "".join(word.surface for word in words) == text
        assert all(text[word.start : word.end] == word.surface for word in words)
        assert [word.start for word in words[1:]] == [word.end for word in words[:-1]]


@pytest.mark.parametrize(
    "text", ["", "あ", "あ" * 100_000, "👨‍👩‍👧が来た", "か\u3099ん", "ﾃｽﾄ中", "a b\tc", "Привет", "\ud800"]
)
def test_odd_texts(text):
    assert "".join(word.surface for word in pretrained_words().analyse(text)) == text


def test_half_width_is_analysed_as_full_width():
    narrow, wide = (pretrained_words().analyse(text) for text in ("ABCを100個", "ＡＢＣを１００個"))
    assert [(word.start, word.end, word.tag) for word in narrow] == [(word.start, word.end, word.tag) for word in wide]


def test_training_data_is_learned(model, sentences):
    figures = evaluate(model, [sentence_entries(sentence) for sentence in sentences]).as_dict()
    assert figures["word_f1"] > 0.97 and figures["word_base_f1"] > 0.95


def test_files_and_repetition(model, sentences, tmp_path):
    model.save(tmp_path / "x")
    again = WordsModel.load(tmp_path / "x")
    assert again.analyse("太郎は本を読んだ。") == model.analyse("太郎は本を読んだ。")
    assert again.to_bytes() == model.to_bytes() == train(sentences).to_bytes()


def damaged(model, part, change, arrays=None):
    """Return the file of a model with other settings or arrays in one of its parts."""
    contents = model.contents()
    place = contents.part(part) if part else contents
    place.settings = {**place.settings, **change}
    place.arrays |= arrays or {}
    return model_bytes(WordsModel.task, contents, schema=WordsModel.schema())


@pytest.mark.parametrize(
    ("part", "change"),
    [
        ("", {"tags": []}),
        ("", {"tags": [["名詞"]]}),
        ("", {"codes": []}),
        ("", {"codes": [["1", "2", "3", "4"]]}),
        ("", {"endings": []}),
        ("", {"bases": 1}),
        ("", {"bases": [["本", "0", "本"]]}),
        ("", {"unknown": 1}),
        ("boundaries", {"beam": 0}),
        ("boundaries", {"templates": ["char[0]"]}),
    ],
)
def test_damaged_models_are_refused(model, part, change):
    WordsModel.from_bytes(damaged(model, part, {}))
    with pytest.raises(ModelFileError):
        WordsModel.from_bytes(damaged(model, part, change))


@pytest.mark.parametrize(
    ("part", "name", "change"),
    [
        ("dictionary", "kinds", lambda kinds: kinds + np.uint16(60_000)),
        ("dictionary", "shared", lambda shared: shared.astype(np.int64)),
        ("choices", "labels", lambda labels: np.full_like(labels, 255)),
        ("choices", "starts", lambda starts: starts[::-1]),
        ("readings", "entries", lambda entries: entries[1:]),
        ("readings", "entries", lambda entries: entries + np.int32(1_000_000)),
        ("readings", "text", lambda text: np.full_like(text, 255)),
    ],
)
def test_damaged_arrays_are_refused(model, part, name, change):
    arrays = {name: change(model.contents().part(part).arrays[name])}
    with pytest.raises(ModelFileError):
        WordsModel.from_bytes(damaged(model, part, {}, arrays))


def test_other_features_are_refused(model):
    with pytest.raises(ModelFileError, match="other features"):
        WordsModel.from_bytes(model_bytes(WordsModel.task, model.contents(), schema="features 0"))


def test_threads_share_a_model():
    texts = ["太郎は花子が読んでいる本を次郎に渡した。"] * 50
    wanted = list(pretrained_words().pipe(texts))
    with ThreadPoolExecutor(4) as pool:
        assert all(found == wanted for found in pool.map(lambda _: list(pretrained_words().pipe(texts)), range(8)))


def test_scores():
    scores = WordScores()
    scores.add([(0, 1, "名詞", "本"), (1, 2, "助詞", "を")], [(0, 1, "名詞", "木"), (1, 2, "動詞", "を")])
    scores.add([(0, 2, "名詞", "本屋")], [(0, 1, "名詞", "本"), (1, 2, "名詞", "屋")])
    figures = scores.as_dict()
    assert figures["word_f1"] == pytest.approx(4 / 7, abs=1e-6)
    assert figures["word_pos_f1"] == pytest.approx(2 / 7, abs=1e-6)
    assert figures["word_base_f1"] == 0
    assert figures["boundary_accuracy"] == 0.5


def test_what_unknown_words_cost():
    scores = WordScores()
    scores.add([(0, 1, "名詞", "本"), (1, 2, "助詞", "を")], [(0, 1, "名詞", "本"), (1, 2, "助詞", "を")])
    known = [(0, 2, "名詞", "嘷狛"), (2, 3, "助詞", "は"), (3, 5, "動詞", "行く")]
    scores.add(known, [(0, 1, "名詞", "嘷"), (1, 2, "名詞", "狛"), *known[1:]], [(0, 2)])
    scores.add([(0, 2, "名詞", "狛嘷")], [(0, 2, "名詞", "狛嘷")], [(0, 2)])
    figures = scores.as_dict()
    assert (figures["unknown_words"], figures["unknown_word_recall"]) == (2, 0.5)
    assert (figures["known_word_recall"], figures["word_f1_without_unknown"]) == (1.0, 1.0)
    assert figures["word_f1"] == pytest.approx(2 * 5 / 13, abs=1e-6)


def test_words_that_the_dictionary_lacks_are_counted():
    lines = [[Entry(word, Tag("名詞", "普通名詞", "", ""), word, word) for word in ("本", "嘷狛狽")]]
    assert evaluate(pretrained_words(), lines).unknown == 1


def test_dictionary_files(tmp_path):
    (tmp_path / "Noun.csv").write_bytes("犬,1,1,1,名詞,普通名詞,*,*,犬,いぬ,x\n".encode() + b"\xff,1\n")
    (entry,) = read_dictionary(tmp_path)
    assert (entry.surface, entry.tag.pos, entry.reading) == ("犬", "名詞", "いぬ")
    (tmp_path / "Noun.csv").write_text("犬,1\n")
    with pytest.raises(ValueError, match="2 columns"):
        list(read_dictionary(tmp_path))
    with pytest.raises(ValueError, match="no CSV"):
        list(read_dictionary(tmp_path / "nowhere"))
