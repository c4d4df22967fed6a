"""Words that others have found: every format, every dictionary."""

import io
import subprocess
from pathlib import Path

import pytest
from command_line import run_here

from kakari.corpora import read, read_cabocha, read_knp
from kakari.corpora.formats.cabocha import format_cabocha
from kakari.corpora.formats.knp import format_knp

IPADIC = """太郎\t名詞,固有名詞,人名,名,*,*,太郎,タロウ,タロー
は\t助詞,係助詞,*,*,*,*,は,ハ,ワ
本\t名詞,一般,*,*,*,*,本,ホン,ホン
を\t助詞,格助詞,一般,*,*,*,を,ヲ,ヲ
読ん\t動詞,自立,*,*,五段・マ行,連用タ接続,読む,ヨン,ヨン
で\t助詞,接続助詞,*,*,*,*,で,デ,デ
いる\t動詞,非自立,*,*,一段,基本形,いる,イル,イル
。\t記号,句点,*,*,*,*,。,。,。
EOS
"""
UNIDIC = """太郎\t名詞,固有名詞,人名,名,*,*,タロウ,タロウ,太郎,タロー,太郎,タロー,固,*,*,*,*
は\t助詞,係助詞,*,*,*,*,ハ,は,は,ワ,は,ワ,和,*,*,*,*
本\t名詞,普通名詞,一般,*,*,*,ホン,本,本,ホン,本,ホン,漢,*,*,*,*
を\t助詞,格助詞,*,*,*,*,ヲ,を,を,オ,を,オ,和,*,*,*,*
読ん\t動詞,一般,*,*,五段-マ行,連用形-撥音便,ヨム,読む,読ん,ヨン,読む,ヨム,和,*,*,*,*
で\t助詞,接続助詞,*,*,*,*,テ,て,で,デ,で,デ,和,*,*,*,*
いる\t動詞,非自立可能,*,*,上一段-ア行,終止形-一般,イル,居る,いる,イル,いる,イル,和,*,*,*,*
。\t補助記号,句点,*,*,*,*,,。,。,,。,,記号,*,*,*,*
EOS
"""
JUMAN_DIC = """太郎\t名詞,人名,*,*,太郎,たろう,人名:日本:名
は\t助詞,副助詞,*,*,は,は,*
本\t名詞,普通名詞,*,*,本,ほん,*
を\t助詞,格助詞,*,*,を,を,*
読んで\t動詞,*,子音動詞マ行,タ系連用テ形,読む,よんで,*
いる\t接尾辞,動詞性接尾辞,母音動詞,基本形,いる,いる,*
。\t特殊,句点,*,*,。,。,*
EOS
"""
JUMAN = """太郎 たろう 太郎 名詞 6 人名 5 * 0 * 0 "人名:日本:名"
@ 太郎 ふとお 太郎 名詞 6 人名 5 * 0 * 0 NIL
は は は 助詞 9 副助詞 2 * 0 * 0 NIL
本 ほん 本 名詞 6 普通名詞 1 * 0 * 0 NIL
を を を 助詞 9 格助詞 1 * 0 * 0 NIL
読んで よんで 読む 動詞 2 * 0 子音動詞マ行 9 タ系連用テ形 14 NIL
いる いる いる 接尾辞 14 動詞性接尾辞 7 母音動詞 1 基本形 2 NIL
。 。 。 特殊 1 句点 1 * 0 * 0 NIL
EOS
"""
SUDACHI = """太郎\t名詞,固有名詞,人名,名,*,*\t太郎\t太郎\tタロウ\t0
は\t助詞,係助詞,*,*,*,*\tは\tは\tハ\t0
本\t名詞,普通名詞,一般,*,*,*\t本\t本\tホン\t0
を\t助詞,格助詞,*,*,*,*\tを\tを\tヲ\t0
読ん\t動詞,一般,*,*,五段-マ行,連用形-撥音便\t読む\t読む\tヨン\t0
で\t助詞,接続助詞,*,*,*,*\tで\tで\tデ\t0
いる\t動詞,非自立可能,*,*,上一段-ア行,終止形-一般\t居る\tいる\tイル\t0
。\t補助記号,句点,*,*,*,*\t。\t。\t。\t0
EOS
"""
WORDS = {"mecab": IPADIC, "unidic": UNIDIC, "juman": JUMAN, "sudachi": SUDACHI}


@pytest.mark.parametrize("kind", WORDS)
def test_output_of_analysers(kind):
    done = run_here("parse", "--input", kind, "-f", "cabocha", stdin=WORDS[kind])
    assert done.returncode == 0, done.stderr
    (record,) = read_cabocha(io.StringIO(done.stdout))
    assert [(b.text, b.head) for b in record.bunsetsu] == [("太郎は", 2), ("本を", 2), ("読んでいる。", -1)]
    verb = record.bunsetsu[2].morphemes[record.bunsetsu[2].content_index()]
    assert verb.base == "読む"


def test_mecab_with_the_dictionary_of_juman():
    done = run_here("parse", "--input", "mecab", "-f", "tree", stdin=JUMAN_DIC)
    assert "読んでいる。" in done.stdout


def test_words_of_ipadic_keep_their_tags():
    done = run_here("parse", "--input", "mecab", "-f", "cabocha", stdin=IPADIC)
    (record,) = read_cabocha(io.StringIO(done.stdout))
    assert [word.pos for word in record.morphemes][2] == ("名詞", "一般")
    assert record.bunsetsu[2].features.startswith("0/2 ")


def test_unknown_tags_are_refused():
    done = run_here("parse", "--input", "mecab", stdin="本\tNN\nEOS\n")
    assert (done.returncode, "none of IPADIC's" in done.stderr) == (1, True), done.stderr


def test_files_are_told_by_their_names(tmp_path):
    (tmp_path / "x.mecab").write_text(IPADIC, encoding="utf-8")
    assert run_here("parse", str(tmp_path / "x.mecab")).stdout.lstrip().startswith("太郎は")
    (tmp_path / "x.knp").write_text(JUMAN, encoding="utf-8")  # no lines of bunsetsu: it is JUMAN's
    assert run_here("parse", str(tmp_path / "x.knp"), "-f", "cabocha").stdout.startswith("* 0 2D")


GSD = """#! DOCID\t1
#! DOC\t1
* 0 1D 0/1 0.000000
太郎\t名詞,固有名詞,人名,名,*,*,タロウ,タロウ,太郎,タロー,太郎
は\t助詞,係助詞,*,*,*,*,ハ,は,は,ワ,は
* 1 -1Z 0/0 0.000000
読む\t動詞,一般,*,*,五段-マ行,終止形-一般,ヨム,読む,読む,ヨム,読む
#! SEGMENT_S bunsetu 0 3 ""
#! GROUP_S Parallel 0 1
EOS
"""


def test_files_of_gsd_are_read_and_written_back():
    (record,) = read_cabocha(io.StringIO(GSD))
    assert [b.kind for b in record.bunsetsu] == ["D", "Z"]
    assert len(record.annotations) == 2
    assert format_cabocha(record) == GSD
    done = run_here("parse", "--input", "cabocha", "-f", "tree", stdin=GSD)
    assert done.stdout == "太郎は─┐\n    読む\n\n"


@pytest.mark.parametrize("name", ["cabocha", "conllu", "json", "knp"])
def test_what_is_written_is_read(name, tmp_path):
    """The words of our own output, parsed again with their bunsetsu kept, give the same arcs."""
    text = "太郎は花子が読んでいる本を次郎に渡した。\n"
    suffix = {"json": "jsonl"}.get(name, name)
    (tmp_path / f"x.{suffix}").write_text(run_here("parse", "-f", name, stdin=text).stdout, encoding="utf-8")
    done = run_here("parse", str(tmp_path / f"x.{suffix}"), "--keep-bunsetsu", "-f", "tree")
    assert done.stdout == run_here("parse", stdin=text).stdout


def test_bunsetsu_are_kept(tmp_path):
    record = next(iter(read("sample-ja")))
    joined = format_knp(record).replace("* 2D\n+ 2D\n花子", "花子", 1)
    (tmp_path / "x.knp").write_text(joined, encoding="utf-8")
    one, other = (
        [b.text for b in next(read_knp(io.StringIO(run_here("parse", path, "-f", "knp", *options).stdout))).bunsetsu]
        for path, options in ((str(tmp_path / "x.knp"), ()), (str(tmp_path / "x.knp"), ("--keep-bunsetsu",)))
    )
    assert one[:2] == ["太郎は", "花子が"]
    assert other[:2] == [b.text for b in next(read_knp(io.StringIO(joined), strict=False)).bunsetsu][:2]


IPADIC_FOLDER = Path("/var/lib/mecab/dic/ipadic-utf8")


@pytest.mark.slow
@pytest.mark.skipif(not IPADIC_FOLDER.is_dir(), reason="MeCab with IPADIC is not installed")
def test_ipadic_agrees_with_text():
    texts = [record.text for record in read("sample-ja")]
    tagged = subprocess.run(
        ["mecab", "-d", IPADIC_FOLDER], input="\n".join(texts) + "\n", capture_output=True, text=True, check=True
    ).stdout
    arcs = []
    for options, given in ((("--input", "mecab"), tagged), (("--one-sentence-per-line",), "\n".join(texts))):
        written = run_here("parse", "-f", "cabocha", *options, stdin=given).stdout
        arcs.append({(i, b.text, b.head) for i, r in enumerate(read_cabocha(io.StringIO(written))) for b in r.bunsetsu})
    assert len(arcs[0] & arcs[1]) / len(arcs[1]) > 0.97
