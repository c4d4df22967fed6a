"""Content word and function word of a bunsetsu, in the tags of every dictionary.

A word belongs to one of a few classes by its tag and base form (`word_class`); the classes of a bunsetsu's words say
the rest. The content word is the last of the words before the first function word: support verbs (読んでいる), copulas
(静かである), verbs behind a verb or noun (書き始める, 参加する) and formal nouns (読むこと) are function words behind
another. Nominal suffixes are content words in UniDic's and IPADIC's tags, as in UD Japanese GSD, and none in JUMAN's,
as in KNP's base phrases.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from functools import lru_cache


class WordClass(IntEnum):
    """Classes of words in a bunsetsu."""

    CONTENT = 0
    SUPPORT = 1  # a content word if it is the first, a function word behind another (いる, する, こと)
    SUFFIX = 2  # changes the word before it, whatever follows (的)
    PREFIX = 3
    FUNCTION = 4
    MARK = 5


MARKS = frozenset({"特殊", "補助記号", "空白"})
FUNCTIONS = frozenset({"助詞", "助動詞", "判定詞"})
VERBS = frozenset({"動詞", "形容詞"})
FORMAL_NOUNS = frozenset("こと 事 もの 物 ため 為 わけ 訳 はず 筈 つもり ほう 方 ところ うち まま とおり せい".split())
SUPPORT_VERBS = frozenset({"する", "為る", "できる", "出来る", "いたす", "致す"})
JUMAN_SUFFIXES = ("名詞性", "形容詞性", "動詞性")


@lru_cache(1 << 14)
def word_class(pos: tuple[str, ...], base: str) -> WordClass:
    """Return the class of a word by its part of speech (all levels) and base form.

    Examples
    --------
    >>> word_class(("動詞", "非自立可能"), "いる").name, word_class(("助詞", "格助詞"), "が").name
    ('SUPPORT', 'FUNCTION')
    """
    first, second, third = (*pos, "", "", "")[:3]
    if first in MARKS or (first == "記号" and second not in ("文字", "アルファベット")):
        return WordClass.MARK
    if first in FUNCTIONS or (first, second) in (("形状詞", "助動詞語幹"), ("名詞", "特殊")) or third == "助動詞語幹":
        return WordClass.FUNCTION
    if first == "接尾辞":
        return _suffix_class(second, base)
    if first in VERBS and second == "接尾":  # IPADIC's れる, せる
        return WordClass.FUNCTION
    if first in ("接頭辞", "接頭詞"):
        return WordClass.PREFIX
    if pos == ("動詞",) or (first in VERBS and (second in ("非自立可能", "非自立") or base in SUPPORT_VERBS)):
        return WordClass.SUPPORT
    if first == "名詞" and (second in ("形式名詞", "非自立") or base in FORMAL_NOUNS):
        return WordClass.SUPPORT
    return WordClass.CONTENT


def _suffix_class(second: str, base: str) -> WordClass:
    if second.startswith(JUMAN_SUFFIXES):
        return WordClass.SUFFIX if second.startswith("名詞性") else WordClass.FUNCTION
    if second == "形状詞的":
        return WordClass.SUFFIX
    return WordClass.CONTENT if second == "名詞的" and base != "さ" else WordClass.SUPPORT


def content_place(classes: Sequence[int]) -> int:
    """Return the place of the content word among a bunsetsu's words, given their classes.

    Examples
    --------
    >>> content_place([WordClass.CONTENT, WordClass.FUNCTION, WordClass.SUPPORT, WordClass.MARK])  # 読んでいる。
    0
    >>> content_place([WordClass.SUPPORT, WordClass.FUNCTION])  # いた
    0
    """
    found = other = -1
    for place, kind in enumerate(classes):
        if kind == WordClass.CONTENT:
            found = place
        elif kind == WordClass.MARK:
            continue
        elif kind == WordClass.PREFIX:
            other = place
        elif found >= 0 and kind != WordClass.SUFFIX:
            break
        elif kind == WordClass.SUPPORT:
            found = place
        elif other < 0:
            other = place
    if found < 0:
        found = other
    return found if found >= 0 else len(classes) - 1


def function_place(classes: Sequence[int]) -> int:
    """Return the place of the function word: the last word that is no mark.

    Examples
    --------
    >>> function_place([WordClass.CONTENT, WordClass.FUNCTION, WordClass.MARK])
    1
    """
    for place in range(len(classes) - 1, -1, -1):
        if classes[place] != WordClass.MARK:
            return place
    return len(classes) - 1
