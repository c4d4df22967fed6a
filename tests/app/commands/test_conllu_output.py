"""`kakari parse -f conllu`: Universal Dependencies that other readers take."""

import io

import pytest
from command_line import run_here

from kakari.corpora import read_conllu

TEXT = "太郎は New  York　に行った。 本は|読んだ。"


def parsed(*arguments):
    return list(read_conllu(io.StringIO(run_here("parse", "-f", "conllu", *arguments).stdout)))


def test_words_heads_and_relations():
    (sentence,) = parsed("太郎は赤い本を読んだ。")
    assert sentence.comments == ("# sent_id = 1", "# text = 太郎は赤い本を読んだ。")
    assert [(t.form, t.upos, t.head, t.deprel) for t in sentence.tokens] == [
        ("太郎", "PROPN", "6", "nsubj"),
        ("は", "ADP", "1", "case"),
        ("赤い", "ADJ", "4", "acl"),
        ("本", "NOUN", "6", "obj"),
        ("を", "ADP", "4", "case"),
        ("読ん", "VERB", "0", "root"),
        ("だ", "AUX", "6", "aux"),
        ("。", "PUNCT", "6", "punct"),
    ]


def test_text_is_told_with_its_spaces():
    first, second = parsed(TEXT)
    assert [first.text, second.text] == ["太郎は New  York　に行った。", "本は|読んだ。"]
    for sentence in (first, second):
        joined = "".join(token.form + " " * token.space_after for token in sentence.tokens)
        assert joined.split() == sentence.text.split()
    assert [sentence.comments[0] for sentence in (first, second)] == ["# sent_id = 1", "# sent_id = 2"]


@pytest.mark.parametrize("text", ["行く。\n来る。\n", "「行く。」「来る。」"])
def test_sentences_are_numbered_through(text, tmp_path):
    (tmp_path / "x.txt").write_text(text, encoding="utf-8")
    found = parsed(str(tmp_path / "x.txt"))
    assert [sentence.comments[0] for sentence in found] == ["# sent_id = 1", "# sent_id = 2"]
