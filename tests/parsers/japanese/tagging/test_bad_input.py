"""What strangers give to words, chunks and labellers: one row of the issue's list each."""

import json

import pytest
from command_line import run_here
from hypothesis import given, settings
from hypothesis import strategies as st

from kakari.parsers.japanese.tagging.model import pretrained_words


def surfaces(text):
    words = pretrained_words().analyse(text)
    assert "".join(word.surface for word in words) == text
    assert [word.start for word in words] == [0, *(word.end for word in words[:-1])][: len(words)]
    assert all(text[word.start : word.end] == word.surface for word in words)
    return [word.surface for word in words]


def test_empty_text():
    assert surfaces("") == []
    assert run_here("words", "").stdout == ""
    assert run_here("parse", "--words", "kakari", "").stdout == ""


@pytest.mark.parametrize("text", ["犬", "。", "a", " ", "🍣", "\u3099", "ｱ", "\t", "\u200d"])
def test_one_character(text):
    assert surfaces(text) == [text]


def test_a_hundred_thousand_characters_without_a_mark():
    text = "太郎は京都大学に行って本を読むと言った" * 5300
    assert len(surfaces(text)) > 30_000


@pytest.mark.parametrize("text", ["สวัสดีชาวโลก", "مرحبا بالعالم", "안녕하세요", "Привет мир", "𠮷野家で𩸽を食べた"])
def test_unknown_scripts(text):
    surfaces(text)


@pytest.mark.parametrize("text", ["寿司🍣を食べた👨‍👩‍👧‍👦", "か\u3099きを食べた", "cafe\u0301に行く", "👍🏽です"])
def test_emoji_and_combining_characters(text):
    surfaces(text)


def test_half_width_kana():
    assert surfaces("ｶﾚｰを食べた。") == ["ｶﾚｰ", "を", "食べた", "。"]


def test_blanks_and_tabs_inside():
    assert surfaces("本 を\t読む") == ["本", " ", "を", "\t", "読む"]
    (line,) = run_here("words", "-f", "json", "本 を\t読む").stdout.splitlines()
    assert [word["start"] for word in json.loads(line)["words"]] == [0, 1, 2, 3, 4]
    table = run_here("words", "本\tを").stdout.splitlines()
    assert all(line.count("\t") == 3 for line in table if line)


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=40))
def test_any_text(text):
    surfaces(text)


def test_a_missing_column(tmp_path):
    path = tmp_path / "x.txt"
    path.write_text("The DT B-NP\ndog I-NP\n")
    result = run_here("train", "sequence", str(path), "-o", str(tmp_path / "m"))
    assert result.returncode == 1 and f"{path}:2: " in result.stderr and "Traceback" not in result.stderr


def test_a_label_that_begins_with_neither_b_i_nor_o(tmp_path):
    path = tmp_path / "x.txt"
    path.write_text("The DT B-NP\ndog NN X-NP\n")
    result = run_here("train", "sequence", str(path), "-o", str(tmp_path / "m"))
    assert result.returncode == 1 and "X-NP" in result.stderr and f"{path}:" in result.stderr
    assert not (tmp_path / "m").exists()
