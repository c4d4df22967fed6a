"""Dumps and JSON lines give the same articles; what is damaged is told with its line."""

import bz2
import gzip
import json

import pytest

from kakari.corpora import read
from kakari.corpora.formats.wikipedia import Article, format_article, read_articles
from kakari.corpora.records.errors import CorpusError

DUMP = """<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.10/" xml:lang="ja">
  <siteinfo><namespaces>
    <namespace key="0" case="first-letter" />
    <namespace key="2600" case="first-letter">話題</namespace>
  </namespaces></siteinfo>
  <page>
    <title>日本 &amp; 世界</title>
    <ns>0</ns>
    <revision><text>古い</text></revision>
    <revision><text xml:space="preserve">== 都市 ==
* [[東京]]
</text></revision>
  </page>
  <page><title>にほん</title><ns>0</ns><redirect title="日本" /><revision><text>#転送 [[日本]]</text></revision></page>
  <page><title>話題:日本</title><revision><text>x</text></revision></page>
  <page><title>Template:国</title><ns>10</ns><revision><text /></revision></page>
  <page><title>未知:日本</title><revision><text>y</text></revision></page>
</mediawiki>
"""


@pytest.mark.parametrize("packed", [str.encode, lambda text: gzip.compress(text.encode()), None])
def test_a_dump_plain_or_packed(tmp_path, packed):
    file = tmp_path / "dump"
    file.write_bytes(bz2.compress(DUMP.encode()) if packed is None else packed(DUMP))
    pages = list(read_articles(str(file)))
    assert [page.title for page in pages] == ["日本 & 世界", "にほん", "話題:日本", "Template:国", "未知:日本"]
    assert pages[0].text == "== 都市 ==\n* [[東京]]\n"
    assert [page.space for page in pages] == [0, 0, 2600, 10, 0]
    assert [page.redirect for page in pages] == [False, True, False, False, False]


def test_a_dump_cut_short_yields_what_is_whole(tmp_path):
    file = tmp_path / "dump.xml"
    file.write_text(DUMP[: DUMP.index("話題:日本")], encoding="utf-8")
    pages = []
    with pytest.raises(CorpusError, match=r"dump.xml:15: the XML dump is cut short"):
        pages.extend(read_articles(str(file)))
    pages = iter(read_articles(str(file)))
    assert [next(pages).title for _ in range(2)] == ["日本 & 世界", "にほん"]
    packed = tmp_path / "dump.xml.bz2"
    packed.write_bytes(bz2.compress(DUMP.encode())[:-20])
    with pytest.raises(CorpusError, match="the bz2 file is cut short"):
        list(read_articles(str(packed)))


def test_json_lines_round_trip_through_the_catalogue(tmp_path):
    articles = [Article("日本", "* a\n* b"), Article("A", "")]
    file = tmp_path / "x.jsonl"
    file.write_text("".join(map(format_article, articles)), encoding="utf-8")
    assert list(read(str(file))) == articles


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "no JSON"),
        ("[]", "no JSON object"),
        ('{"title": "x"}', "no text"),
        ('{"title": 1, "text": ""}', "no title"),
    ],
)
def test_bad_json_is_told_with_its_line(tmp_path, line, reason):
    file = tmp_path / "x.json"
    file.write_text(json.dumps({"title": "a", "text": "b"}) + "\n" + line + "\n", encoding="utf-8")
    with pytest.raises(CorpusError, match=rf"x.json:2: .*{reason}"):
        list(read_articles(str(file)))


def test_an_empty_file_has_no_articles(tmp_path):
    (tmp_path / "x.json").write_text("\n")
    assert list(read_articles(str(tmp_path / "x.json"))) == []
