"""`kakari wrap` and `kakari convert` for Japanese."""

import io
import json

import pytest
from command_line import run_here

from kakari.corpora import read, read_cabocha, read_knp
from kakari.corpora.formats.knp import format_knp
from kakari.parsers.pictures.marks import cells

TEXT = "太郎は花子が読んでいる本を次郎に渡した。"


def test_lines_break_between_bunsetsu():
    lines = run_here("wrap", "-w", "20", TEXT).stdout.splitlines()
    assert lines == ["太郎は花子が", "読んでいる本を次郎に", "渡した。"]
    assert max(map(cells, lines)) <= 20
    text = f"{TEXT}\n\n行く。\n"
    assert run_here("wrap", stdin=text).stdout == text


def test_a_separator_instead_of_breaks():
    assert run_here("wrap", "--separator", "/", TEXT).stdout == "太郎は/花子が/読んでいる/本を/次郎に/渡した。\n"


def test_pages_keep_their_tags(tmp_path):
    page = "<html><head><title>題</title></head><body><p>太郎は<b>本</b>を<br>読む。</p></body></html>\n"
    (tmp_path / "x.html").write_text(page, encoding="utf-8")
    written = run_here("wrap", "--html", str(tmp_path / "x.html")).stdout
    assert "<p>太郎は<b><wbr>本</b>を<br>読む。</p>" in written
    assert "<style>body { word-break: keep-all;" in written
    assert run_here("wrap", "--html", "--separator", "\u200b", "<p>本を読む</p>").stdout == "<p>本を\u200b読む</p>"


def test_budoux_breaks_at_some_of_our_boundaries():
    budoux = pytest.importorskip("budoux")
    theirs = budoux.load_default_japanese_parser().parse(TEXT)
    ours = run_here("wrap", "--separator", "/", TEXT).stdout.strip().split("/")
    assert "".join(theirs) == "".join(ours) == TEXT
    cuts = [{sum(map(len, pieces[:i])) for i in range(1, len(pieces))} for pieces in (theirs, ours)]
    assert cuts[0] <= cuts[1]


@pytest.fixture
def knp(tmp_path):
    path = tmp_path / "x.knp"
    path.write_text("".join(format_knp(record) for record in list(read("sample-ja"))[:5]), encoding="utf-8")
    return path


def structure(records):
    return [[(b.text, b.head, b.kind) for b in record.bunsetsu] for record in records]


def test_every_format_into_every_other(knp, tmp_path):
    expected = structure(read_knp(str(knp)))
    kinds = {"cabocha": "cabocha", "conllu": "conllu", "json": "jsonl"}
    for name, suffix in kinds.items():
        first = tmp_path / f"a.{suffix}"
        assert run_here("convert", str(knp), "-f", name, "-o", str(first)).returncode == 0
        for other, other_suffix in {**kinds, "knp": "knp"}.items():
            second = tmp_path / f"b.{other_suffix}"
            assert run_here("convert", str(first), "-f", other, "-o", str(second)).returncode == 0
            back = run_here("convert", str(second), "-f", "cabocha").stdout
            assert structure(read_cabocha(io.StringIO(back))) == expected, (name, other)


def test_formats_are_told_by_names(knp, tmp_path):
    assert run_here("convert", str(knp), "-o", str(tmp_path / "y.cabocha")).returncode == 0
    assert structure(read_cabocha(str(tmp_path / "y.cabocha"))) == structure(read_knp(str(knp)))
    assert run_here("convert", str(knp), "-f", "knp").stdout == knp.read_text(encoding="utf-8")
    assert run_here("convert", str(knp), "-f", "svg").stdout.startswith("<svg")
    told = json.loads(run_here("convert", str(knp), "-f", "json").stdout.splitlines()[0])
    assert told["bunsetsu"][0]["text"] == "太郎は"


@pytest.mark.parametrize(
    ("text", "message", "code"),
    [
        ("本\t名詞,一般,*,*,*,*,本,ホン,ホン\nEOS\n", "words without bunsetsu", 1),
        ("* 0 5D\n本\t名詞\nEOS\n", "depends on 5, which does not exist", 1),
    ],
)
def test_what_cannot_be_converted(text, message, code, tmp_path):
    (tmp_path / "x.cabocha").write_text(text, encoding="utf-8")
    done = run_here("convert", str(tmp_path / "x.cabocha"), "-f", "knp")
    assert (done.returncode, message in done.stderr) == (code, True), done.stderr
    assert run_here("convert", "nothing.model").returncode == 2
