"""`kakari words`, `parse -f chunks`, and evaluation of words and chunks."""

import json

import pytest
from command_line import run_here

from kakari.corpora import read
from kakari.parsers.japanese.tagging.model import WordsModel
from kakari.parsers.japanese.tagging.settings import words_settings
from kakari.parsers.japanese.tagging.training import train as train_words


def test_formats():
    table = run_here("words", "本を読んだ。").stdout
    assert (
        table
        == "本\tほん\t本\t名詞-普通名詞\nを\tを\tを\t助詞-格助詞\n読んだ\tよんだ\t読む\t動詞\n。\t。\t。\t特殊-句点\n\n"
    )
    juman = run_here("words", "-f", "juman", "本を読んだ。").stdout.splitlines()
    assert juman[0] == "本 ほん 本 名詞 6 普通名詞 1 * 0 * 0 NIL" and juman[-1] == "EOS"
    mecab = run_here("words", "-f", "mecab", "本を読んだ。").stdout.splitlines()
    assert mecab[0] == "本\t名詞,普通名詞,*,*,本,ほん,*" and mecab[-1] == "EOS"
    (line,) = run_here("words", "-f", "json", "本を読んだ。").stdout.splitlines()
    assert json.loads(line)["words"][2] | {"reading": ""} == {
        "text": "読んだ", "start": 2, "end": 5, "reading": "", "base": "読む",
        "pos": "動詞", "subpos": "", "conj_type": "子音動詞マ行", "conj_form": "タ形",
    }  # fmt: skip


def test_sentences_and_offsets():
    lines = run_here("words", "-f", "json", "行く。来る。").stdout.splitlines()
    assert [json.loads(line)["words"][0]["start"] for line in lines] == [0, 3]
    assert run_here("words", "-", stdin="").stdout == ""


def test_training_and_evaluation(tmp_path):
    model = str(tmp_path / "words")
    told = run_here("train", "ja-words", "sample-ja", "-o", model, "--json")
    assert told.returncode == 0, told.stderr
    figures = json.loads(run_here("evaluate", model, "sample-ja", "--json").stdout)
    assert figures["word_f1"] > 0.97
    embedded = json.loads(
        run_here("evaluate", "ja", "sample-ja", "--task", "words", "--given", "text", "--json").stdout
    )
    assert {"word_f1", "word_pos_f1", "word_base_f1", "boundary_accuracy"} <= embedded.keys()
    assert {"unknown_words", "unknown_word_recall", "known_word_recall", "word_f1_without_unknown"} <= embedded.keys()
    assert run_here("evaluate", "ja", "sample-ja", "--task", "words", "--given", "morphemes").returncode == 2
    result = run_here("train", "ja-words", "sample-ja", "-o", model, "--dictionary", str(tmp_path / "none"))
    assert result.returncode == 1 and "no CSV files" in result.stderr


def test_parsing_with_our_words(tmp_path):
    lines = run_here("parse", "--words", "kakari", "-f", "knp", "本を読んだ。").stdout.splitlines()
    assert [" ".join(line.split(" ")[: 2 if line[0] in "*+" else 11]) for line in lines] == [
        "# S-ID:1-1",
        "* 1D", "+ 1D", "本 ほん 本 名詞 6 普通名詞 1 * 0 * 0", "を を を 助詞 9 格助詞 1 * 0 * 0",
        "* -1D", "+ -1D", "読んだ よんだ 読む 動詞 2 * 0 子音動詞マ行 9 タ形 10", "。 。 。 特殊 1 句点 1 * 0 * 0",
        "EOS",
    ]  # fmt: skip
    ours, theirs = (run_here("parse", "--words", name, "-f", "json", "本を読んだ。").stdout for name in WORDS)
    assert [len(json.loads(one)["bunsetsu"][1]["morphemes"]) for one in (ours, theirs)] == [2, 3]
    assert run_here("parse", "-f", "json", "本を読んだ。").stdout == theirs
    (tmp_path / "x.knp").write_text("EOS\n")
    for arguments, reason in (
        (("-l", "en", "A dog."), "for Japanese"),
        ((str(tmp_path / "x.knp"),), "are in the file"),
        (("--model", "ja", "犬"), "words of sudachi, not those of kakari"),
    ):
        refused = run_here("parse", "--words", "kakari", *arguments)
        assert refused.returncode in (1, 2) and reason in refused.stderr
    assert run_here("parse", "--words", "kakari", "").stdout == ""


WORDS = ("kakari", "sudachi")


def test_evaluation_with_our_words():
    figures = json.loads(run_here("evaluate", "ja", "sample-ja", "--words", "kakari", "--json").stdout)
    assert figures["given"] == "text" and figures["segmentation_f1"] > 0.8
    same = json.loads(run_here("evaluate", "ja-juman", "sample-ja", "--given", "text", "--json").stdout)
    assert same["span_head_recall"] == figures["span_head_recall"]
    for arguments in (("en", "--words", "kakari"), ("ja", "--words", "kakari", "--given", "bunsetsu")):
        assert run_here("evaluate", arguments[0], "sample-ja", *arguments[1:]).returncode == 2
    refused = run_here("evaluate", "ja-juman", "sample-ja", "--words", "sudachi")
    assert refused.returncode == 1 and "words of kakari" in refused.stderr


def test_chunks(tmp_path):
    assert run_here("parse", "-l", "en", "-f", "chunks", "The dog barked.").stdout == "[NP The dog] [VP barked] .\n"
    assert run_here("parse", "-f", "chunks", "-l", "ja", "犬").returncode == 2
    path = tmp_path / "x.txt"
    path.write_text("The DT B-NP\ndog NN I-NP\nbarked VBD B-VP\n. . O\n")
    for given in ("tags", "tokens"):
        told = json.loads(run_here("evaluate", "en", str(path), "--task", "chunks", "--given", given, "--json").stdout)
        assert told["chunk_f1"] == told["chunk_precision"] == told["chunk_recall"] == 1
    assert run_here("evaluate", "en", str(path), "--task", "chunks", "--given", "trees").returncode == 2


@pytest.mark.parametrize("name", ["kakari", "paper"])
def test_chunk_settings(tmp_path, name):
    path = tmp_path / "x.txt"
    path.write_text("Dogs NNS B-NP\nbark VBP B-VP\n. . O\n\nThe DT B-NP\ncat NN I-NP\nsleeps VBZ B-VP\n")
    model = str(tmp_path / "m")
    assert run_here("train", "en-chunks", str(path), "-o", model, "--settings", name, "--type", "NP").returncode == 0
    assert json.loads(run_here("evaluate", model, str(path), "--json").stdout)["chunk_f1"] == 1


def test_the_papers_segmenter(tmp_path):
    model = str(tmp_path / "m")
    told = run_here("train", "ja-words", "sample-ja", "-o", model, "--settings", "paper", "--json")
    assert told.returncode == 0, told.stderr
    sentences = list(read("sample-ja"))
    same = train_words(sentences, (), words_settings("paper"))
    same.details["data"] = ["sample-ja"]
    assert WordsModel.load(model).to_bytes() == same.to_bytes()
    assert run_here("words", "--model", model, "本を読んだ。").stdout.startswith("本\tほん\t本\t")
    assert json.loads(run_here("evaluate", model, "sample-ja", "--json").stdout)["boundary_accuracy"] > 0.99
    refused = run_here("parse", "--model", model, "本を読んだ。")
    assert refused.returncode == 1 and "a model for 'ja-words'" in refused.stderr
    (tmp_path / "x.txt").write_text("本|を\n")
    for option in (("--passes", "3"), ("--partial", str(tmp_path / "x.txt"))):
        result = run_here("train", "ja-words", "sample-ja", "-o", model, "--settings", "paper", *option)
        assert result.returncode == 2 and option[0] in result.stderr
