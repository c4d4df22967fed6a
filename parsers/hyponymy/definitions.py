"""Candidate pairs from definition sentences, found in dependency trees: 「XはYである」「Y、X」.

In 「XはYである」 the topic depends on the last bunsetsu, which is a noun with or without a copula. Of the first
sentence of an article, X is the article's title; elsewhere X is a topic that nothing modifies, since
「日本の首都は東京である」 names the holder of a role. 「〜の一つ」「〜の一種」「〜の総称」 say that Y is the noun
before の. In 「〜のY、X」 the noun Y, which something modifies, depends on the proper noun X that follows it:
「フランスの首都、パリ」.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from kakari.corpora.formats.pairs import Pair
from kakari.corpora.records.japanese import Morpheme
from kakari.parsers.hyponymy.candidates import LONGEST_NAME, names
from kakari.parsers.hyponymy.outline import Outline
from kakari.parsers.hyponymy.wikitext import LINK, LINK_END
from kakari.parsers.japanese.parser import JapaneseParser, ParsedSentence
from kakari.parsers.japanese.words.sentences import sentence_spans

_PARENTHESES = re.compile(r"[（(][^（()）]*[）)]")
_DEFINES = re.compile(r"は.*(?:[^\Wぁ-ん]|である|であった|です|でした|だった|だ|の一つ|のひとつ|もの|こと)。?$")
_APPOSES = re.compile(r"[^\Wぁ-ん]、[^\Wぁ-ん]")
_MARKS = str.maketrans("", "", LINK + LINK_END)
LONGEST_SENTENCE = 300
EMPTY_NOUNS = frozenset(("一つ", "ひとつ", "1つ", "１つ", "一種", "1種", "総称", "一員", "一部", "一人", "ひとり"))
NO_CLASSES = frozenset(
    ("こと", "もの", "ため", "ところ", "とおり", "通り", "よう", "一方", "場合", "以上", "以下", "名称", "呼称")
)
NOUN_TAGS = frozenset(("名詞", "接頭辞", "接尾辞", "形状詞"))
COPULAS = frozenset(("だ", "です", "である", "ある", "た"))


@cache
def _parser() -> JapaneseParser:
    return JapaneseParser.pretrained()


def definitions(title: str, tree: Outline, parser: JapaneseParser | None = None) -> Iterator[Pair]:
    """Yield the pairs that an article's prose defines; `lead` is the first sentence.

    Examples
    --------
    >>> from kakari.parsers.hyponymy.outline import outline
    >>> tree = outline("京都市", "'''京都市'''（きょうとし）は、[[京都府]]の南部にある[[市]]である。")
    >>> [(pair.hypernym, pair.hyponym, pair.path) for pair in definitions("京都市", tree)]
    [('市', '京都市', ('lead',))]
    """
    sentences = list(_sentences(tree.prose))
    parsed = (parser or _parser()).pipe_words([text for text, _ in sentences], one_sentence=True)
    for (_, kind), found in zip(sentences, parsed, strict=True):
        for sentence, words in found:
            for hypernym, hyponym, place in _pairs(sentence, words, title, kind):
                if hypernym != hyponym:
                    yield Pair(hypernym, hyponym, article=title, path=(place,), form="sentence")


def _sentences(prose: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the sentences that may hold a pair, and whether each is the first of the article."""
    first = True
    for line in prose:
        text = line.translate(_MARKS)
        text = _PARENTHESES.sub("", _PARENTHESES.sub("", text))
        for begin, end in sentence_spans(text):
            sentence = text[begin:end].strip()
            if "は" not in sentence and "、" not in sentence:
                continue
            lead, first = first and "は" in sentence, False
            if len(sentence) <= LONGEST_SENTENCE and (_DEFINES.search(sentence) or _APPOSES.search(sentence)):
                yield sentence, "lead" if lead else "sentence"


def _pairs(sentence: ParsedSentence, words: list[Morpheme], title: str, kind: str) -> Iterator[tuple[str, str, str]]:
    bunsetsu = sentence.bunsetsu
    defined = _defined(sentence, words)
    if defined is not None:
        hypernym, topic = defined
        if kind == "lead":
            for name, _ in names(title):
                yield hypernym, name, "lead"
        elif all(other.head != topic for other in bunsetsu):
            hyponym = _noun(words[bunsetsu[topic].first : bunsetsu[topic].last])
            if hyponym:
                yield hypernym, hyponym, "sentence"
    for place, own in enumerate(bunsetsu[:-1]):
        if own.head == place + 1 and words[own.last - 1].surface in "、，" and _is_modified(sentence, words, place):
            following = words[bunsetsu[own.head].first : bunsetsu[own.head].last]
            if _is_proper(words[own.last - 2]) or not _is_proper(following[0]):
                continue
            hypernym, hyponym = _noun(words[own.first : own.last]), _noun(following)
            if hypernym and hyponym and hypernym not in NO_CLASSES:
                yield hypernym, hyponym, "apposition"


def _defined(sentence: ParsedSentence, words: list[Morpheme]) -> tuple[str, int] | None:
    """Return the class that the last bunsetsu names, and the topic that depends on it."""
    bunsetsu = sentence.bunsetsu
    last = len(bunsetsu) - 1
    topics = [
        place
        for place, own in enumerate(bunsetsu[:-1])
        if own.head == last and _ends_in(words[own.first : own.last], "は")
    ]
    if not topics:
        return None
    end = words[bunsetsu[last].first : bunsetsu[last].last]
    hypernym = _noun(end, copula=True)
    if hypernym in EMPTY_NOUNS:
        of = [own for own in bunsetsu[:-1] if own.head == last and _ends_in(words[own.first : own.last], "の")]
        hypernym = _noun(words[of[-1].first : of[-1].last]) if of else ""
    if not hypernym or hypernym in NO_CLASSES:
        return None
    return hypernym, topics[0]


def _is_modified(sentence: ParsedSentence, words: list[Morpheme], place: int) -> bool:
    return any(own.head == place and _ends_in(words[own.first : own.last], "の") for own in sentence.bunsetsu)


def _is_proper(word: Morpheme) -> bool:
    return word.pos[1:2] == ("固有名詞",)


def _ends_in(words: Sequence[Morpheme], particle: str) -> bool:
    rest = [word for word in words if word.surface not in "、，。"]
    return len(rest) > 1 and rest[-1].surface == particle


def _noun(words: Sequence[Morpheme], *, copula: bool = False) -> str:
    """Return the compound noun that a bunsetsu begins with; nothing if something else than particles follows."""
    size = 0
    while size < len(words) and words[size].pos and words[size].pos[0] in NOUN_TAGS:
        size += 1
    rest = [word for word in words[size:] if word.surface not in "、，。."]
    if copula and any(word.base not in COPULAS and word.surface != "で" for word in rest):
        return ""
    if not copula and any(not word.pos or word.pos[0] != "助詞" for word in rest):
        return ""
    text = "".join(word.surface for word in words[:size])
    found = names(text)
    return found[0][0] if size and len(found) == 1 and len(text) <= LONGEST_NAME else ""
