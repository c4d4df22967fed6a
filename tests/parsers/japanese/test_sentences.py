"""Where sentences end: marks in addresses and names, quotations in a row."""

import warnings

import pytest

from kakari.parsers.japanese.words.sentences import sentence_spans

CASES = [
    ("http://a.jp/x?b=1&c=2を見た。行く。", ["http://a.jp/x?b=1&c=2を見た。", "行く。"]),
    ("a?b=1という式。", ["a?b=1という式。"]),
    ("Yahoo!ニュースを見た。", ["Yahoo!ニュースを見た。"]),
    ("Ｙａｈｏｏ！ニュースを見た。", ["Ｙａｈｏｏ！ニュースを見た。"]),
    ("Yahoo!の記事を読む!次に行く。", ["Yahoo!の記事を読む!", "次に行く。"]),
    ("すごい!本当?はい。", ["すごい!", "本当?", "はい。"]),
    ("モーニング娘。の曲。好き。", ["モーニング娘。の曲。", "好き。"]),
    ("「行く。」「来る。」", ["「行く。」", "「来る。」"]),
    ("「行く。」「来る。」\n帰った。", ["「行く。」", "「来る。」\n", "帰った。"]),
    ("「行く。」「来る。」と言った。", ["「行く。」「来る。」と言った。"]),
    ("彼は「行く。」「来る。」", ["彼は「行く。」「来る。」"]),
    ("「行く」「来る」", ["「行く」「来る」"]),
    ("3．5倍。", ["3．5倍。"]),
    ("OK! 行く。", ["OK!", " 行く。"]),
    ("www.a.jp?q=1!", ["www.a.jp?q=1!"]),
]


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_sentences(text, expected):
    assert [text[begin:end] for begin, end in sentence_spans(text)] == expected


def test_many_quotations_take_linear_time():
    text = "「行く。」" * 20_000 + "と言った。"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it is cut, being too long
        assert "".join(text[begin:end] for begin, end in sentence_spans(text)) == text
