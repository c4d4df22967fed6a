"""Names of entities, and pairs from lists, tables and sentences."""

import pytest

from kakari.corpora.formats.wikipedia import Article
from kakari.parsers.hyponymy.candidates import hypernym_name, names
from kakari.parsers.hyponymy.extraction import candidate_pairs


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("\x02カイロ\x03（アラビア語: القاهرة） - 首都", ["カイロ"]),
        ("「\x02雪国\x03」", ["雪国"]),
        ("3. \x02青森県\x03", ["青森県"]),
        ("アンジェイ・ワイダ【映画監督】", ["アンジェイ・ワイダ"]),
        ("\x02英語\x03・\x02仏語\x03", ["英語", "仏語"]),
        ("1990年：独立", ["1990年"]),
        ("ＡＢＣ", ["ABC"]),
        ("人口は多い。面積は狭い。", []),
        ("あ" * 41, []),
        ("1,234 - 5", []),
        ("（注）", ["(注)"]),
        ("", []),
    ],
)
def test_names(text, found):
    assert [name for name, _ in names(text)] == found


def test_hypernyms_lose_what_makes_them_headings():
    assert hypernym_name("その他の主要都市") == ("主要都市", "その他の")
    assert hypernym_name("島の一覧") == ("島", "の一覧")
    assert hypernym_name("一覧") == ("一覧", "")
    assert hypernym_name("\x02甲\x03、\x02乙\x03") == ("", "")


def test_each_node_is_paired_with_each_of_its_ancestors():
    text = "== 地理 ==\n=== 主な川 ===\n* [[利根川]]\n* [[信濃川]]\n* [[石狩川]] - 北海道\n"
    pairs = list(candidate_pairs(Article("日本", text)))
    own = [pair for pair in pairs if pair.hyponym == "石狩川"]
    assert [(pair.hypernym, pair.distance) for pair in own] == [("川", 1), ("地理", 2), ("日本", 3)]
    assert own[0].path == ("title", "heading", "heading", "bullet")
    assert (own[0].pattern, own[0].form, own[0].siblings, own[0].suffix) == ("主な", "link gloss", 3, "川")


@pytest.mark.parametrize(
    "article",
    [
        Article("日本", "#転送 [[にほん]]\n* 甲"),
        Article("日本", "* 甲", redirect=True),
        Article("Template:x", "* 甲", space=10),
        Article("日本", "リストのない記事である。"),
        Article("", ""),
    ],
)
def test_no_candidates(article):
    assert list(candidate_pairs(article)) == []


def test_a_title_with_markup():
    pairs = list(candidate_pairs(Article("''[[日本]]'' {{x}}", "* 甲")))
    assert [(pair.hypernym, pair.article) for pair in pairs] == [("日本", "日本")]


def test_definition_sentences():
    text = (
        "'''京都市'''（きょうとし）は、[[京都府]]の南部にある[[市]]である。\n"
        "鴨川は一級河川である。日本の首都は東京である。ニカラグアの先住民、ミスキート族が住む。"
    )
    found = [
        (pair.hypernym, pair.hyponym, pair.path[-1])
        for pair in candidate_pairs(Article("京都市", text), sentences=True)
    ]
    assert ("市", "京都市", "lead") in found
    assert ("一級河川", "鴨川", "sentence") in found
    assert ("先住民", "ミスキート族", "apposition") in found
    assert not any(hyponym == "首都" for _, hyponym, _ in found)
