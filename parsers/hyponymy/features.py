"""Features of a candidate pair of Japanese names: of each name, of the two together, of the place they were found in.

Each name: its surface, morphemes with parts of speech, first and last morpheme, last characters, kinds of characters,
length, whether it names a section of an article rather than a class. The pair: what the names share, distance and kinds
of nodes, siblings and the ending they share, patterns that were cut off, in how many places the hyponym stands.
Conjunctions are the kernel's business.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from kakari.corpora.formats.pairs import Pair
from kakari.parsers.japanese.words.sources import Sudachi

# Headings that name a part of the article or an aspect of its subject; what stands below is seldom a kind of them.
SECTION_NAMES = frozenset(
    "概要 概説 歴史 沿革 参考文献 関連文献 文献 関連項目 外部リンク 脚注 脚註 注釈 注 出典 備考 その他 補足"
    " 略年表 年表 年譜 政治 経済 地理 文化 国民 社会 軍事 交通 国名 名称 由来 表記 日本語表記 現地語表記 人口 面積"
    " 気候 外交 国際関係 治安 教育 保健 特徴 構成 内容 背景 評価 影響 データ 基本情報 観光".split()
)
KINDS_OF_CHARACTERS = (
    ("漢", re.compile(r"[一-鿿々〆ヶ]+")),
    ("ひ", re.compile(r"[ぁ-ゟ]+")),
    ("カ", re.compile(r"[ァ-ヿ]+")),
    ("a", re.compile(r"[A-Za-zÀ-ɏͰ-ϿЀ-ӿ]+")),
    ("0", re.compile(r"[0-9]+")),
)
_COLLAPSED = re.compile(r"(.)\1+")


class Name(NamedTuple):
    """A name as the features see it: morphemes as (surface, part of speech, finer part of speech)."""

    text: str
    words: tuple[tuple[str, str, str], ...]
    shape: str

    @property
    def last(self) -> str:
        """The surface of the last morpheme."""
        return self.words[-1][0] if self.words else self.text


_sudachi = Sudachi()


@lru_cache(maxsize=100_000)
def analysed(text: str) -> Name:
    """Cut a name into morphemes; a name that was seen lately is not cut again.

    Examples
    --------
    >>> name = analysed("世界遺産")
    >>> [word for word, _, _ in name.words], name.shape
    (['世界', '遺産'], '漢')
    """
    words = tuple(
        (word.surface, word.pos[0] if word.pos else "", "-".join(word.pos[:3])) for word in _sudachi.records(text)
    )
    return Name(text, words, shape(text))


def shape(text: str) -> str:
    """Return the kinds of characters of a text, each run as one.

    Examples
    --------
    >>> shape("マゾフシェ県"), shape("1990年 (A)")
    ('カ漢', '0漢 (a)')
    """
    for mark, pattern in KINDS_OF_CHARACTERS:
        text = pattern.sub(mark, text)
    return _COLLAPSED.sub(r"\1", text)[:12]


def bucket(number: int) -> str:
    """Return the range a count falls into.

    Examples
    --------
    >>> [bucket(number) for number in (0, 1, 2, 3, 6, 15, 200)]
    ['0', '1', '2', '3-5', '6-10', '11-20', '21+']
    """
    if number <= 2:
        return str(max(number, 0))
    return "3-5" if number <= 5 else "6-10" if number <= 10 else "11-20" if number <= 20 else "21+"


def pair_features(pair: Pair) -> list[str]:
    """Return the names of a pair's features.

    Examples
    --------
    >>> found = pair_features(Pair("県", "千葉県", path=("title", "heading", "bullet"), distance=1))
    >>> "same last word" in found, "hypernym=県" in found, "kinds=heading>bullet" in found
    (True, True, True)
    """
    hypernym, hyponym = analysed(pair.hypernym), analysed(pair.hyponym)
    return list(
        dict.fromkeys(
            [
                *_features_of("hypernym", pair.hypernym),
                *_features_of("hyponym", pair.hyponym),
                *_of_both(hypernym, hyponym, pair.suffix),
                *_of_place(pair),
            ]
        )
    )


@lru_cache(maxsize=100_000)
def _features_of(role: str, text: str) -> tuple[str, ...]:
    """Return the features of a name; a heading is in a pair with everything below it."""
    return tuple(_of_name(role, analysed(text)))


def _of_name(role: str, name: Name) -> Iterable[str]:
    yield f"{role}={name.text}"
    yield f"{role} shape={name.shape}"
    yield f"{role} length={bucket(len(name.text))}"
    yield f"{role} words={bucket(len(name.words))}"
    yield f"{role} ends {name.text[-1:]}"
    yield f"{role} ends {name.text[-2:]}"
    yield f"{role} begins {name.text[:1]}"
    for word, tag, _ in name.words:
        yield f"{role} has {word}"
        yield f"{role} has {tag}"
    if name.words:
        first, last = name.words[0], name.words[-1]
        yield f"{role} first={first[0]}"
        yield f"{role} first tag={first[2]}"
        yield f"{role} last={last[0]}"
        yield f"{role} last tag={last[2]}"
    if any("固有名詞" in fine for _, _, fine in name.words):
        yield f"{role} proper"
    if any("人名" in fine for _, _, fine in name.words):
        yield f"{role} person"
    if any("地名" in fine for _, _, fine in name.words):
        yield f"{role} place"
    if name.text in SECTION_NAMES:
        yield f"{role} section"
    if "の" in name.text[1:]:
        yield f"{role} of={name.text.rpartition('の')[2]}"


def _of_both(hypernym: Name, hyponym: Name, suffix: str) -> Iterable[str]:
    if hypernym.last == hyponym.last:
        yield "same last word"
    if hyponym.text.endswith(hypernym.text):
        yield "hyponym ends in hypernym"
    elif hypernym.text in hyponym.text:
        yield "hyponym has hypernym"
    elif hyponym.text in hypernym.text:
        yield "hypernym has hyponym"
    shared = {word for word, _, _ in hypernym.words} & {word for word, _, _ in hyponym.words}
    yield f"shared words={bucket(len(shared))}"
    if hypernym.text[-1:] == hyponym.text[-1:]:
        yield "same last character"
    yield f"siblings end {suffix}"
    if suffix and hyponym.text.endswith(suffix):
        yield "ends like its siblings"
    if suffix and suffix in hypernym.text:
        yield "hypernym has the siblings' ending"
    yield f"shapes={hypernym.shape}>{hyponym.shape}"
    yield f"lasts={hypernym.last}>{hyponym.text[-1:]}"


def _of_place(pair: Pair) -> Iterable[str]:
    kinds = pair.path
    yield f"kind={kinds[-1] if kinds else ''}"
    if pair.distance and len(kinds) > pair.distance:
        yield f"kinds={kinds[-1 - pair.distance]}>{kinds[-1]}"
        yield f"between={'>'.join(kinds[-pair.distance : -1])}"
    yield f"distance={bucket(pair.distance)}"
    yield f"siblings={bucket(pair.siblings)}"
    yield f"places={bucket(pair.places)}"
    yield f"depth={bucket(len(kinds))}"
    for pattern in pair.pattern.split():
        yield f"pattern={pattern}"
    if not pair.pattern:
        yield "no pattern"
    for form in pair.form.split():
        yield f"form={form}"
    if "link" not in pair.form:
        yield "no link"


def feature_rows(pairs: Sequence[Pair]) -> list[list[str]]:
    """Return the features of each pair."""
    return [pair_features(pair) for pair in pairs]
