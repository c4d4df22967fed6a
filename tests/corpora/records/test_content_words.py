"""Content words: support verbs, copulas, formal nouns and suffixes do not carry a bunsetsu's meaning."""

import pytest

from kakari.corpora import catalogue, read
from kakari.corpora.records.content_words import content_place, word_class
from kakari.corpora.records.japanese import BasePhrase, Bunsetsu, Morpheme
from kakari.parsers.japanese.words.sources import Sudachi

CASES = [
    ("読んでいる", "読ん"),
    ("食べてしまった", "食べ"),
    ("静かである", "静か"),
    ("参加する", "参加"),
    ("書き始めた。", "書き"),
    ("お伝えしたいのです。", "伝え"),
    ("読むことが", "読む"),
    ("ことが", "こと"),
    ("いる。", "いる"),
    ("する", "する"),
    ("京都大学に", "大学"),
    ("積極的な", "積極"),
    ("大きさを", "大き"),
    ("「男性であると", "男性"),
    ("３人が", "人"),
    ("来るそうだ。", "来る"),
    ("買ってくれそうなので、", "買っ"),
    ("学生に対して", "学生"),
    ("そして、", "そして"),
    ("。", "。"),
]
JUMAN = [
    ((("読んで", "読む", ("動詞",)), ("いる", "いる", ("接尾辞", "動詞性接尾辞"))), 0),
    ((("労働", "労働", ("名詞", "サ変名詞")), ("者", "者", ("接尾辞", "名詞性名詞接尾辞"))), 0),
    ((("ご", "ご", ("接頭辞", "名詞接頭辞")), ("相談", "相談", ("名詞",)), ("ください", "くださる", ("動詞",))), 1),
    ((("静かだ", "静かだ", ("形容詞",)), ("と", "と", ("助詞", "格助詞"))), 0),
]
IPADIC = [
    ((("読ん", "読む", ("動詞", "自立")), ("で", "で", ("助詞", "接続助詞")), ("いる", "いる", ("動詞", "非自立"))), 0),
    ((("行く", "行く", ("動詞", "自立")), ("こと", "こと", ("名詞", "非自立", "一般"))), 0),
    ((("書か", "書く", ("動詞", "自立")), ("れ", "れる", ("動詞", "接尾")), ("た", "た", ("助動詞",))), 0),
]


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_of_sudachi(text, expected):
    words = tuple(Sudachi().records(text))
    bunsetsu = Bunsetsu(-1, "D", (BasePhrase(-1, "D", words),))
    assert words[bunsetsu.content_index()].surface == expected


@pytest.mark.parametrize(("words", "expected"), JUMAN + IPADIC)
def test_of_other_dictionaries(words, expected):
    morphemes = tuple(Morpheme(surface, "", base, pos) for surface, base, pos in words)
    assert Bunsetsu(-1, "D", (BasePhrase(-1, "D", morphemes),)).content_index() == expected


@pytest.mark.corpora
@pytest.mark.skipif(catalogue.find("ud-japanese") is None, reason="UD Japanese is not on this machine")
def test_against_the_marks_of_gsd():
    right = count = 0
    for sentence in read("ud-japanese:dev"):
        groups = []
        for word in sentence.words:
            keys = dict(word.misc)
            if keys["BunsetuBILabel"] == "B":
                groups.append([])
            groups[-1].append((word, keys["BunsetuPositionType"]))
        for group in groups:
            marked = [place for place, (_, kind) in enumerate(group) if kind in ("SEM_HEAD", "ROOT")]
            found = content_place([word_class(tuple(word.xpos.split("-")), word.lemma) for word, _ in group])
            count += 1
            right += marked == [found]
    assert right / count > 0.99
