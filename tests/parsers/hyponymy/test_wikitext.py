"""Wikitext of every kind, good and bad: what is shown stays, the rest goes, and nothing takes more than linear work."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kakari.parsers.hyponymy.outline import outline
from kakari.parsers.hyponymy.wikitext import LINK, LINK_END, is_redirect, plain_lines


def shown(text):
    return "\n".join(plain_lines(text)).replace(LINK, "").replace(LINK_END, "")


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("[[東京都|東京]]と[[大阪]]", "東京と大阪"),
        ("[[ファイル:x.jpg|thumb|[[富士山]]の写真]]前", "前"),
        ("[[Category:国]][[:Category:国|国々]][[en:Japan]]", "国々"),
        ("[[東京 (曖昧さ回避)|]]", "東京"),
        ("{{lang|ar|'''X'''}}と{{仮リンク|甲|en|Ko}}", "Xと甲"),
        ("{{基礎情報|a={{lang|en|b}}|c=[[d|e]]}}本文", "本文"),
        ("{{!}}", "|"),
        ("a<!-- b\nc -->d<!-- e", "ad"),
        ("a<ref name=x />b<ref>c\nd</ref>e<ref>f", "abef"),
        ("<nowiki>[[a]] '''b'''</nowiki>", "[[a]] '''b'''"),
        ("a<br />b<span style='x'>c</span>", "a bc"),
        ("[http://x.jp 名前]と[https://y.jp]とhttp://z.jp", "名前とと"),
        ("&lt;a&gt; &amp;", "<a> &"),
        ("{{a|{{b|c}}", "a|"),
        ("[[a", "a"),
        ("]]}}a", "a"),
        ("{{columns|2|\n* 甲\n* 乙\n}}", "\n* 甲\n* 乙\n"),
    ],
)
def test_what_is_shown(text, plain):
    assert shown(text) == plain


def test_redirects():
    assert is_redirect("#redirect[[a]]")
    assert is_redirect(" #REDIRECT: [[a]]")
    assert not is_redirect("# [[a]]")


@pytest.mark.thorough
@pytest.mark.parametrize(
    "piece", ["{{", "[[", "}}", "]]", "<ref>", "<!--", "{|\n", "|-\n", "{{a|", "[[a|", "'''", "*", "==", "<nowiki>"]
)
def test_a_megabyte_of_anything_is_read(piece):
    tree = outline("甲", piece * (1_000_000 // len(piece)))
    assert tree.kinds[0] == "title"
    assert outline("甲", "* " + "あ" * 1_000_000).kinds == ["title", "bullet"]


@given(st.text(st.sampled_from(list("[]{}|'=*#:;!<>-ab甲\n &")), max_size=80))
def test_any_text_has_an_outline_whose_parents_come_first(text):
    tree = outline("甲", text)
    assert all(parent < node for node, parent in enumerate(tree.parents))
    assert not any(mark in line for line in plain_lines(text) for mark in ("{{", "}}", "[[", "]]"))


def rows(text):
    tree = outline("甲", text)
    return [(tree.kinds[i], tree.texts[i].strip(LINK + LINK_END), tree.parents[i]) for i in range(1, len(tree.kinds))]


def test_headings_nest_by_level():
    assert rows("== a ==\n=== b ===\n== c ==\n==== d ====\n=x\n") == [
        ("heading", "a", 0),
        ("heading", "b", 1),
        ("heading", "c", 0),
        ("heading", "d", 3),
    ]


def test_lists_nest_by_their_marks():
    assert rows("* a\n** b\n*** c\n* d\n# e\n*# f\n; g : h\n: i\n;j\n:* k\n\n** l") == [
        ("bullet", "a", 0),
        ("bullet", "b", 1),
        ("bullet", "c", 2),
        ("bullet", "d", 0),
        ("number", "e", 0),
        ("number", "f", 0),
        ("term", "g", 0),
        ("definition", "h", 7),
        ("definition", "i", 7),
        ("term", "j", 0),
        ("bullet", "k", 10),
        ("bullet", "l", 0),
    ]


def test_tables_have_headers_captions_and_spans():
    text = '{| class="x"\n|+ 表\n! 県 !! colspan="2" | 市\n|-\n| rowspan=2 | a || b || c\n|-\n| d || e\n|}\n* f'
    assert rows(text) == [
        ("caption", "表", 0),
        ("header", "県", 1),
        ("header", "市", 1),
        ("first-cell", "a", 2),
        ("cell", "b", 3),
        ("cell", "c", 3),
        ("cell", "d", 3),
        ("cell", "e", 3),
        ("bullet", "f", 0),
    ]


def test_a_table_within_a_table_and_lists_within_cells():
    assert rows("{|\n! 甲\n|-\n|\n{|\n! 乙\n|-\n| b\n|}\n|-\n|\n* c\n|}\n* d") == [
        ("header", "甲", 0),
        ("first-cell", "", 1),
        ("header", "乙", 1),
        ("first-cell", "b", 3),
        ("first-cell", "", 1),
        ("bullet", "c", 1),
        ("bullet", "d", 0),
    ]


def test_a_table_that_does_not_end_ends_with_its_section():
    assert rows("{|\n! 甲\n|-\n| a\n== b ==\n* c")[-2:] == [("heading", "b", 0), ("bullet", "c", 3)]
