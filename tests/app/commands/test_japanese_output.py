"""What is written of Japanese can be read again and maps back to what was read."""

import io
import json
from xml.etree import ElementTree

import pytest
from command_line import run_here

from kakari.corpora import read_cabocha, read_knp

TEXT = "太郎は花子が読んでいる本を次郎に渡した。"
STANDARDS = {"kwdlc": (), "gsd": ("--bunsetsu", "gsd")}


def told(*arguments, **options):
    done = run_here("parse", "-f", "json", *arguments, **options)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_a_word_that_looks_like_a_comment():
    (record,) = read_knp(io.StringIO(run_here("parse", "-f", "knp", "#タグを付ける。").stdout))
    assert record.text == "#タグを付ける。"
    assert record.sid == "1-1"


def test_commas_keep_base_form_and_reading():
    written = run_here("parse", "-f", "cabocha", "3,000円を、払う。").stdout
    (record,) = read_cabocha(io.StringIO(written))
    first = record.morphemes[0]
    assert (first.surface, first.base, "," in first.reading) == ("3,000", "3,000", True)


@pytest.mark.parametrize("name", ["svg", "html"])
def test_pictures_of_several_sentences_are_one_document(name):
    written = run_here("parse", "-f", name, "行く。<本>を&読む。来る。").stdout
    document = ElementTree.fromstring(written.partition("\n")[2] if name == "html" else written)
    assert document.get("lang") == "ja"
    texts = [node.text for node in document.iter() if node.tag.endswith("text")]
    assert "".join(filter(None, texts)) == "行く。<本>を&読む。来る。"
    assert any(node.tag.endswith("title") and node.text for node in document.iter())


def test_pictures_label_what_tells_something():
    written = run_here("parse", "-f", "svg", "--kinds", "本とペンを買った。").stdout
    labels = [node.text for node in ElementTree.fromstring(written).iter() if node.get("class") == "kind"]
    assert labels == ["P"]


def test_scores_are_probabilities():
    (sentence,) = told(TEXT)
    scores = [bunsetsu["score"] for bunsetsu in sentence["bunsetsu"]]
    assert all(0.3 <= score <= 1 for score in scores)
    assert scores[-2:] == [1.0, 1.0]  # the one before last has no choice
    assert 0 < min(bunsetsu["boundary"] for bunsetsu in sentence["bunsetsu"][1:]) <= 1
    (record,) = read_cabocha(io.StringIO(run_here("parse", "-f", "cabocha", TEXT).stdout))
    assert [float(b.features.split()[1]) for b in record.bunsetsu] == scores


def test_lines_and_offsets_of_the_whole_input():
    text = "行く。来る。\n\n　見た。\r\n終わり\n"
    found = told(stdin=text)
    assert [sentence["line"] for sentence in found] == [1, 1, 3, 4]
    for sentence in found:
        assert text[sentence["start"] : sentence["end"]] == sentence["text"]
        for bunsetsu in sentence["bunsetsu"]:
            assert text[bunsetsu["start"] : bunsetsu["end"]] == bunsetsu["text"]


def test_an_empty_line_is_an_empty_sentence():
    text = "行く。\n\n来る。\n"
    lines = [(s["line"], s["text"]) for s in told("--one-sentence-per-line", stdin=text)]
    assert lines == [(1, "行く。"), (2, ""), (3, "来る。")]
    for name in ("cabocha", "knp"):
        written = run_here("parse", "-f", name, "--one-sentence-per-line", stdin=text).stdout
        assert written.count("EOS\n") == 3
    assert run_here("parse", "-f", "cabocha", stdin=text).stdout.count("EOS\n") == 2


def test_wrapped_lines_are_joined():
    text = "太郎は京都\n　大学に行った。Hello\nworld\n\n終わり\n"
    found = told("--join-lines", stdin=text)
    assert [sentence["text"] for sentence in found] == ["太郎は京都大学に行った。", "Hello world", "終わり"]
    place = next(b for b in found[0]["bunsetsu"] if b["text"] == "京都大学に")
    assert text[place["start"] : place["end"]] == "京都\n　大学に"
    assert [sentence["line"] for sentence in found] == [1, 2, 5]


def test_ruby_is_left_out():
    text = "｜吾輩《わがはい》は猫《ねこ》である。"
    (sentence,) = told("--ruby", text)
    assert sentence["text"] == "吾輩は猫である。"
    assert [text[b["start"] : b["end"]] for b in sentence["bunsetsu"]] == ["吾輩《わがはい》は", "猫《ねこ》である。"]


def test_text_of_a_page():
    page = (
        "<p>太郎は<b>本</b>を<ruby>読<rp>(</rp><rt>よ</rt></ruby>む。</p>\n<script>x()</script><div>花 &amp; 鳥</div>"
    )
    found = told("--html", page)
    assert [sentence["text"] for sentence in found] == ["太郎は本を読む。", "花 & 鳥"]
    first = found[0]["bunsetsu"]
    assert [page[b["start"] : b["end"]] for b in first] == [
        "太郎は",
        "本</b>を",
        "読<rp>(</rp><rt>よ</rt></ruby>む。",
    ]
    assert [sentence["line"] for sentence in found] == [1, 2]


def test_english_formats_refuse_japanese():
    for name in ("ptb", "conll", "chunks"):
        done = run_here("parse", "-f", name, TEXT)
        assert (done.returncode, "this text is Japanese" in done.stderr) == (2, True), done.stderr
    assert run_here("parse", "-f", "ptb", "Who wrote 源氏物語?").returncode == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--keep-bunsetsu", TEXT), "no bunsetsu"),
        (("--input", "knp", "--ruby", "-"), "analysed file"),
        (("--split", "B", "-l", "en", "Who?"), "for Japanese"),
    ],
)
def test_options_that_do_nothing_are_refused(options, message):
    done = run_here("parse", *options, stdin="")
    assert (done.returncode, message in done.stderr) == (2, True), done.stderr


def test_dictionaries_and_split_modes():
    def words(*options):
        (sentence,) = told("選挙管理委員会が開いた。", *options)
        return [m["surface"] for b in sentence["bunsetsu"] for m in b["morphemes"]][:1]

    assert words() == ["選挙"]
    assert words("--split", "C") == ["選挙管理委員会"]
    done = run_here("parse", TEXT, "--dictionary", "nothing.dic")
    assert (done.returncode, "Sudachi cannot load the dictionary nothing.dic" in done.stderr) == (1, True), done.stderr


def test_dates_are_kept_whole_by_the_other_standard():
    text = "2019年5月1日に生まれた。"
    cut = {name: [b["text"] for b in told(text, *options)[0]["bunsetsu"]] for name, options in STANDARDS.items()}
    assert cut == {"kwdlc": ["2019年", "5月", "1日に", "生まれた。"], "gsd": ["2019年5月1日に", "生まれた。"]}
    assert [b["head"] for b in told(text, "--bunsetsu", "gsd")[0]["bunsetsu"]] == [1, -1]
