"""Partly annotated text: its format, and that a segmenter learns from it."""

import io
import json

import numpy as np
import pytest
from command_line import run_here
from hypothesis import given
from hypothesis import strategies as st

from kakari.corpora import read
from kakari.corpora.records.errors import CorpusError
from kakari.parsers.japanese.tagging.partial import PartialSentence, read_partial
from kakari.parsers.japanese.tagging.settings import WordsSettings
from kakari.parsers.japanese.tagging.training import WordsTrainingError, train

QUICK = WordsSettings(passes=4, tag_passes=1, learners=1)


def written(sentence):
    parts = []
    for place, (character, mark) in enumerate(zip(sentence.text, sentence.marks, strict=True)):
        parts.append("" if place == 0 else {1: "|", 0: "-", -1: ""}[mark])
        parts.append("\\" + character if character in "|-\\" else character)
    return "".join(parts) + "\n"


@given(st.text(alphabet=list("太郎は|-\\a"), min_size=1, max_size=8), st.data())
def test_what_is_written_is_read(text, data):
    marks = (1, *(data.draw(st.sampled_from([1, 0, -1])) for _ in text[1:]))
    sentence = PartialSentence(text, marks)
    assert list(read_partial(io.StringIO(written(sentence)))) == [sentence]


@pytest.mark.parametrize("line", ["|太郎", "太郎|", "太||郎", "太-|郎", "-", "太\\郎", "太郎\\"])
def test_misplaced_marks_are_refused(line):
    with pytest.raises(CorpusError, match=":2: "):
        list(read_partial(io.StringIO(f"太|郎\n{line}\n")))


def surfaces(model, text):
    return [word.surface for word in model.analyse(text)]


def test_a_correction_is_learned():
    sentences, text = list(read("sample-ja")), "ホゲピヨは本を読んだ。"
    before = surfaces(train(sentences, settings=QUICK), text)
    lines = "ホゲ|ピヨ|は本\nホゲ|ピヨ|は行く\nあのホゲ|ピヨ|は\n"
    model = train(sentences, settings=QUICK, partial=read_partial(io.StringIO(lines * 3)))
    assert surfaces(model, text)[:3] == ["ホゲ", "ピヨ", "は"] != before[:3]
    lines = lines.replace("ホゲ|ピヨ", "ホ-ゲ-ピ-ヨ")
    model = train(sentences, settings=QUICK, partial=read_partial(io.StringIO(lines * 3)))
    assert surfaces(model, text)[:2] == ["ホゲピヨ", "は"]
    assert model.details["partial_sentences"] == 9


def test_repetition_gives_the_same_bytes():
    sentences, partial = list(read("sample-ja")), [PartialSentence("太郎は行く", (1, 0, 1, -1, -1))]
    first, second = (train(sentences, settings=QUICK, partial=partial).to_bytes() for _ in range(2))
    assert first == second


def test_one_pass_is_refused():
    with pytest.raises(WordsTrainingError, match="second pass"):
        train(read("sample-ja"), settings=WordsSettings(passes=1), partial=[PartialSentence("太郎", (1, 0))])


def test_the_command(tmp_path):
    (tmp_path / "x.txt").write_text("太郎|は行く\n\n本\\-店|に\n", encoding="utf-8")
    partial = str(tmp_path / "x.txt")
    done = run_here("train", "ja-words", "sample-ja", "-o", str(tmp_path / "m"), "--partial", partial, "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["partial_sentences"] == 2
    (tmp_path / "x.txt").write_text("太郎|\n", encoding="utf-8")
    done = run_here("train", "ja-words", "sample-ja", "-o", str(tmp_path / "n"), "--partial", partial)
    assert done.returncode == 1 and f"{partial}:1: " in done.stderr and not (tmp_path / "n").exists()


def test_open_places_follow_what_is_known():
    """Between sure boundaries, open places get the best labels, which a whole annotation would have too."""
    sentences = list(read("sample-ja"))
    model = train(
        sentences[1:], settings=QUICK, partial=[PartialSentence(sentences[0].text, whole_marks(sentences[0]))]
    )
    assert surfaces(model, sentences[0].text) == [word.surface for word in sentences[0].morphemes]


def whole_marks(sentence):
    lengths = [len(word.surface) for word in sentence.morphemes]
    marks = np.zeros(sum(lengths), dtype=int)
    marks[np.cumsum([0, *lengths[:-1]])] = 1
    return tuple(marks.tolist())
