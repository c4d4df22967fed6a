"""Japanese on the command line as a user meets it: one answer everywhere."""

import io
import json
import re
from pathlib import Path

import pytest
from command_line import run, run_here

import kakari
from kakari.corpora import (
    conllu_to_japanese,
    format_cabocha,
    format_knp,
    read,
    read_cabocha,
    read_conllu,
    read_knp,
)
from kakari.output.bunsetsu_tree import draw
from kakari.output.japanese import write_texts
from kakari.output.japanese_records import to_record
from kakari.parsers.japanese.parser import JapaneseParser

TEXT = "太郎は花子が読んでいる本を次郎に渡した。"
DRAWING = """\
太郎は─────────┐
  花子が─┐     │
読んでいる─┐   │
        本を───┤
        次郎に─┤
        渡した。
"""
WORDS = ["太郎は", "花子が", "読んでいる", "本を", "次郎に", "渡した。"]
HEADS = [5, 2, 3, 5, 5, -1]


def test_the_golden_sentence_is_the_same_everywhere(tmp_path):
    assert run("parse", TEXT).stdout == DRAWING + "\n"
    assert run("parse", stdin=TEXT).stdout == DRAWING + "\n"
    (tmp_path / "x.txt").write_text(TEXT + "\n", encoding="utf-8")
    assert run_here("parse", str(tmp_path / "x.txt")).stdout == DRAWING + "\n"
    (sentence,) = JapaneseParser.pretrained().parse(TEXT)
    assert ([TEXT[b.begin : b.end] for b in sentence.bunsetsu], list(sentence.heads)) == (WORDS, HEADS)
    doc = kakari.load("ja")(TEXT)
    assert [b.text for b in doc._.bunsetsu] == WORDS
    assert [b._.head.text for b in doc._.bunsetsu] == [WORDS[head] for head in HEADS]


@pytest.mark.parametrize(
    ("name", "reader"),
    [
        ("cabocha", read_cabocha),
        ("knp", read_knp),
        ("conllu", lambda file: map(conllu_to_japanese, read_conllu(file))),
    ],
)
def test_formats(name, reader):
    (record,) = reader(io.StringIO(run_here("parse", TEXT, "-f", name).stdout))
    assert [b.text for b in record.bunsetsu] == WORDS
    assert [b.head for b in record.bunsetsu] == HEADS


def test_cabocha_of_text_is_that_of_its_records():
    parser = JapaneseParser.pretrained()
    texts = [record.text for record in read("sample-ja")] + ["a　b c。「未完", "!?", "　本 "]
    plain = [
        format_cabocha(to_record(sentence, words), [b.score for b in sentence.bunsetsu])
        for found in parser.pipe_words(texts)
        for sentence, words in found
    ]
    assert write_texts(parser, texts, "cabocha") == "".join(plain)


@pytest.mark.slow
def test_jobs_keep_the_order_of_analysed_files(tmp_path):
    text = "".join(format_knp(record) for record in read("sample-ja")) * 8
    (tmp_path / "x.knp").write_text(text, encoding="utf-8")
    one = run_here("parse", str(tmp_path / "x.knp"), "-f", "cabocha").stdout
    assert run("parse", str(tmp_path / "x.knp"), "-f", "cabocha", "--jobs", "2").stdout == one
    assert one.count("EOS\n") == text.count("EOS\n")
    (tmp_path / "x.knp").write_text(text + "* 0D\n", encoding="utf-8")
    result = run_here("parse", str(tmp_path / "x.knp"), "-f", "cabocha", "--jobs", "2")
    assert result.returncode == 1
    assert f"x.knp:{text.count(chr(10)) + 1}: the file ends in the middle" in result.stderr


def test_json_svg_and_html():
    told = json.loads(run_here("parse", TEXT, "-f", "json", "--beam", "3").stdout)
    assert [TEXT[b["start"] : b["end"]] for b in told["bunsetsu"]] == WORDS
    assert told["alternatives"][0]["heads"] == HEADS
    assert run_here("parse", TEXT, "-f", "svg").stdout.startswith("<svg")
    assert run_here("parse", TEXT, "-f", "html").stdout.startswith("<!DOCTYPE html>")


def test_sentences_and_lines():
    text = "行く。来る。\n見た\n"
    assert run_here("parse", "-f", "cabocha", stdin=text).stdout.count("EOS") == 3
    assert run_here("parse", "-f", "cabocha", "--one-sentence-per-line", stdin=text).stdout.count("EOS") == 2
    assert run_here("parse", "-f", "cabocha", stdin="").stdout == ""
    assert run_here("parse", "-f", "cabocha", stdin=" \n\n　\n").stdout == ""


def test_knp_files_are_parsed_from_their_morphemes(tmp_path):
    text = run_here("corpora", "show", "sample-ja", "-n", "5").stdout
    (tmp_path / "x.knp").write_text(text, encoding="utf-8")
    records = list(read_knp(io.StringIO(run_here("parse", str(tmp_path / "x.knp"), "-f", "knp").stdout)))
    assert [record.text for record in records] == [record.text for record in read_knp(io.StringIO(text))]
    assert records[0].sid == "sample-ja-001"


@pytest.mark.slow
def test_jobs_keep_the_order(tmp_path):
    lines = [f"{i}番の人は本を読んだ。" for i in range(3000)]
    (tmp_path / "x.txt").write_text("\n".join(lines), encoding="utf-8")
    one = run_here("parse", str(tmp_path / "x.txt"), "-f", "json").stdout
    assert run("parse", str(tmp_path / "x.txt"), "-f", "json", "--jobs", "2").stdout == one
    assert [json.loads(line)["text"] for line in one.splitlines()] == lines


def test_bad_input(tmp_path):
    (tmp_path / "latin").write_bytes(b"caf\xe9\n")
    result = run_here("parse", str(tmp_path / "latin"))
    assert (result.returncode, result.stdout) == (1, "")
    assert "latin:1: this is not UTF-8" in result.stderr
    assert run_here("parse", str(tmp_path)).returncode == 1
    result = run_here("parse", str(tmp_path / "nothing.txt"))
    assert (result.returncode, result.stdout) == (1, "")
    assert "nothing.txt: there is no such file" in result.stderr
    assert run_here("parse", "-l", "xx", "text").returncode == 2
    assert run_here("parse", "--model", str(tmp_path / "latin"), "本").returncode == 1


@pytest.mark.parametrize("text", ["", " \n"])
def test_nothing_to_parse(text):
    result = run_here("parse", text)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


def test_explain():
    told = json.loads(run_here("explain", TEXT, "--pair", "0", "2", "--json", "--top", "100000").stdout)
    assert sum(item["weight"] for item in told[0]["items"]) == pytest.approx(told[0]["margin"], abs=1e-4)
    assert told[0]["margin"] < 0
    shown = " ".join(item["conjunction"] for item in told[0]["items"])
    assert "D_FUNCTION=は" in shown
    assert not re.search(r"FUNCTION=[0-9]", shown)
    for pair, message in ((("2", "0"), "I must be before J"), (("1", "4"), "it depends on 2, which is nearer")):
        result = run_here("explain", TEXT, "--pair", *pair)
        assert (result.returncode, message in result.stderr) == (1, True), result.stderr


def test_explain_every_arc_and_arcs_to_the_last():
    told = json.loads(run_here("explain", TEXT, "--json").stdout)
    names = [part["machine"] for part in told]
    assert "花子が → 読んでいる (0)" in names
    assert names[0] == "太郎は → 渡した。: the nearer heads were refused"
    assert names[-1] == "次郎に → 渡した。: there is no other head"
    last = json.loads(run_here("explain", TEXT, "--pair", "0", "5", "--json").stdout)
    assert last == told[: len(last)]
    assert all(part["margin"] < 0 for part in last[1:])


def test_models():
    rows = json.loads(run_here("models", "--json").stdout)
    assert any(row["path"].endswith("ja.safetensors") for row in rows)
    sizes = {Path(row["path"]).stem: row["megabytes"] for row in rows}
    assert sum(Path(row["path"]).stat().st_size for row in rows) < 30 * 10**6  # as DESIGN.md allows
    assert max(sizes["ja"], sizes["ja-juman"]) <= 8
    assert sizes["en"] + sizes["en-questions"] <= 15 and sizes["en-questions"] <= 2


@pytest.mark.parametrize("morphology", ["gold", "sudachi"])
def test_training_and_evaluating(tmp_path, morphology):
    model = str(tmp_path / "m")
    figures = run_here("train", "ja-dependency", "sample-ja", "-o", model, "--morphology", morphology, "--json")
    assert json.loads(figures.stdout)["sentences"] == 107, figures.stderr
    given = ["morphemes", "bunsetsu"] if morphology == "gold" else ["text", "bunsetsu"]
    for what in given:
        told = json.loads(run_here("evaluate", model, "sample-ja", "--given", what, "--json").stdout)
        keys = "segmentation_f1 dependency_accuracy sentence_accuracy span_head_f1 span_head_recall sentences seconds"
        assert set(keys.split()) <= set(told)
        assert told["dependency_accuracy"] > 0.9
    assert "by_particle" in run_here("evaluate", model, "sample-ja").stdout


def test_a_segmenter_alone(tmp_path):
    model = str(tmp_path / "m")
    run_here("train", "ja-bunsetsu", "sample-ja", "-o", model, "--morphology", "gold")
    told = json.loads(run_here("evaluate", model, "sample-ja", "--json").stdout)
    assert told["segmentation_f1"] > 0.9
    assert told["dependency_accuracy"] is told["span_head_recall"] is None
    told = json.loads(run_here("evaluate", model, "sample-ja", "--given", "text", "--json").stdout)
    assert told["segmentation_f1"] > 0.8  # with our own words
    for arguments, message in (
        (("evaluate", model, "sample-ja", "--given", "bunsetsu"), "a segmenter only"),
        (("evaluate", "ja", "sample-ja", "--given", "morphemes"), "use text or bunsetsu"),
        (("evaluate", model, "sample-ja", "--given", "tags"), "not 'tags'"),
        (("parse", "本を読む。", "--model", model), "no dependency parser"),
    ):
        result = run_here(*arguments)
        assert (result.returncode, result.stdout) == (1, "")
        assert message in result.stderr
        assert "Traceback" not in result.stderr


def test_drawing_of_odd_things():
    assert draw([], []) == []
    assert draw(["a"], [-1]) == ["a"]
    assert draw(["a\tb", "c"], [1, -1])[0].startswith("a b")


def test_a_model_file_that_was_replaced_is_loaded_again(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run_here("train", "dependency", "sample-ud", "-o", "my.model", "--passes", "1").returncode == 0
    assert "PUNCT" in run_here("parse", "--model", "my.model", "太郎は本を読んだ。").stdout
    assert run_here("train", "ja-dependency", "sample-ja", "-o", "my.model").returncode == 0
    assert "─┤" in run_here("parse", "--model", "my.model", "太郎は本を読んだ。").stdout
