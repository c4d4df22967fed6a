"""Output of morphological analysers: a word a line, `EOS` after a sentence, no bunsetsu.

MeCab writes `surface⇥features`, where the features are those of its dictionary (IPADIC, UniDic, JUMAN's), Sudachi
`surface⇥part of speech⇥normalised form` and more with `-a`, JUMAN lines of blank-separated fields, with `@` before
further analyses of a word, which are left out. A sentence becomes a record of one bunsetsu: `parse` finds the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kakari.corpora.formats import knp
from kakari.corpora.formats.cabocha import join_features, split_features
from kakari.corpora.records.errors import CorpusError
from kakari.corpora.records.japanese import BasePhrase, Bunsetsu, JapaneseSentence, Morpheme

POS_LEVELS = 4
SUDACHI_LEVELS = 6
UNIDIC_COLUMNS = 10
# Tags that only one dictionary has: part of speech, subdivision ("" for none).
ONLY_IN = {
    name: frozenset((first, "" if second == "-" else second) for first, own in table.items() for second in own.split())
    for name, table in {
        "ipadic": {
            "名詞": "一般 サ変接続 非自立 接尾 代名詞 数 副詞可能 形容動詞語幹 ナイ形容詞語幹",
            "動詞": "自立 非自立 接尾",
            "形容詞": "自立 非自立 接尾",
            "記号": "句点 読点 括弧開 括弧閉 空白 一般",
            "助詞": "連体化 並立助詞 副助詞／並立助詞／終助詞",
            "フィラー": "-",
            "接頭詞": "名詞接続 数接続 動詞接続 形容詞接続",
        },
        "unidic": {
            "動詞": "一般 非自立可能",
            "形容詞": "一般 非自立可能",
            "代名詞": "-",
            "形状詞": "一般 タリ 助動詞語幹",
            "補助記号": "句点 読点 括弧開 括弧閉 一般 ＡＡ",
            "接尾辞": "名詞的 動詞的 形状詞的 形容詞的",
            "助詞": "準体助詞",
            "名詞": "数詞",
            "接頭辞": "-",
        },
        "juman": {
            "動詞": "-",
            "形容詞": "-",
            "判定詞": "-",
            "名詞": "サ変名詞 形式名詞 副詞的名詞 人名 地名 時相名詞",
            "特殊": "句点 読点 括弧始 括弧終 記号 空白",
            "指示詞": "名詞形態指示詞 連体詞形態指示詞 副詞形態指示詞",
            "接尾辞": "動詞性接尾辞 形容詞性述語接尾辞 形容詞性名詞接尾辞 名詞性述語接尾辞 名詞性名詞接尾辞"
            " 名詞性名詞助数辞 名詞性特殊接尾辞",
            "接頭辞": "名詞接頭辞 動詞接頭辞 イ形容詞接頭辞 ナ形容詞接頭辞",
        },
    }.items()
}


def dictionary_of(morphemes: Iterable[Morpheme]) -> str | None:
    """Return the dictionary that words are from, by their tags: ipadic, unidic (Sudachi's too), juman, or None.

    Examples
    --------
    >>> dictionary_of([Morpheme("本", "", "", ("名詞", "一般")), Morpheme("。", "", "", ("記号", "句点"))])
    'ipadic'
    """
    tags = {(*morpheme.pos, "", "")[:2] for morpheme in morphemes}
    votes = {name: len(tags & own) for name, own in ONLY_IN.items()}
    best = max(votes, key=lambda name: votes[name])
    return best if votes[best] else None


def tagged_sentences(name: str, lines: Iterable[tuple[int, str]]) -> Iterator[JapaneseSentence]:
    r"""Yield the sentences of numbered lines of MeCab, Sudachi or JUMAN; `name` is that of their file.

    Examples
    --------
    >>> text = "本\t名詞,一般,*,*,*,*,本,ホン,ホン\nEOS\n"
    >>> [s.morphemes[0].base for s in tagged_sentences("x", enumerate(text.splitlines(), 1))]
    ['本']
    """
    words: list[tuple[int, str]] = []
    number = 0
    for number, line in lines:
        if line == "EOS":
            yield _sentence(name, words)
            words = []
        elif line.startswith("@ "):
            continue
        else:
            words.append((number, line))
    if words:
        raise CorpusError(name, number, "the file ends in the middle of a sentence: EOS is missing")


def _sentence(name: str, lines: list[tuple[int, str]]) -> JapaneseSentence:
    told = [line for _, line in lines if line.startswith("#") and "\t" not in line]
    comments = tuple(line for line in told if len(line.split(" ")) < knp.FIELDS)  # the word `#` has all fields
    kept = [(number, line) for number, line in lines if line not in comments]
    words = tuple(_word(name, number, line) for number, line in kept)
    if "\t" in "".join(line for _, line in kept[:1]):
        words = tuple(_columns_of(word, dictionary_of(words)) for word in words)
    if not words:
        return JapaneseSentence((), comments, "tagged")
    return JapaneseSentence((Bunsetsu(-1, "D", (BasePhrase(-1, "D", words),)),), comments, "tagged")


def _word(name: str, number: int, line: str) -> Morpheme:
    """Read a line. Its columns stay in `features` until all words show which dictionary it is (`_columns_of`)."""
    if "\t" not in line:
        return knp.parse_morpheme(name, number, line)
    surface, features, *more = line.split("\t")
    if not surface:
        raise CorpusError(name, number, "the word before the tab is empty")
    columns = split_features(features)
    if more and len(columns) == SUDACHI_LEVELS:
        base, reading = (more[1], more[2]) if len(more) > 2 else (more[0], "")
        columns = [*columns, base, reading]
    levels = ["" if level == "*" else level for level in columns[:POS_LEVELS]]
    while levels and not levels[-1]:
        levels.pop()
    return Morpheme(surface, "", "", tuple(level or "*" for level in levels), features=join_features(columns))


def _columns_of(word: Morpheme, dictionary: str | None) -> Morpheme:
    columns = ["" if column == "*" else column for column in split_features(word.features)]
    columns += [""] * (UNIDIC_COLUMNS + 1 - len(columns))
    if dictionary == "juman":  # MeCab with JUMAN's dictionary: two levels, conjugation, base form, reading
        pos, conjugation, base, reading = word.pos[:2], columns[2:4], columns[4], columns[5]
        if pos[1:] == ("*",):
            pos = pos[:1]
    elif dictionary == "unidic" and columns[UNIDIC_COLUMNS]:  # MeCab with UniDic: lemma, written form, its base form
        pos, conjugation, base, reading = word.pos, columns[4:6], columns[UNIDIC_COLUMNS], columns[6]
    else:
        pos, conjugation, base, reading = word.pos, columns[4:6], columns[6], columns[7]
    return Morpheme(word.surface, reading, base or word.surface, pos, conjugation[0], conjugation[1])
