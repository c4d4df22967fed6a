"""KNP's base phrases and features for parsed sentences.

Features are the type of a bunsetsu (`体言`, `用言:動`, `用言:形`, `用言:判`), its relation to its head (`係:ガ格`,
`係:連格`, `係:連用`, `係:文末`, …), coordination (`並列`), commas (`読点`) and sentence ends (`文頭`, `文末`).
They have KNP's names, without those that KNP finds by case frames. Every content word opens a base phrase, as in KNP.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kakari.corpora.records.content_words import WordClass, content_place, word_class
from kakari.corpora.records.japanese import BasePhrase, Bunsetsu, JapaneseSentence, Morpheme

KATAKANA = str.maketrans({chr(code): chr(code + 96) for code in range(0x3041, 0x3097)})
CASES = frozenset("が を に へ で と から まで より の".split())
TOPICS = frozenset("は も こそ しか さえ でも だって なら".split())
CONTINUING = ("連用", "タ系連用", "語幹", "条件", "仮定", "基本条件", "タ接続", "未然")
COPULAS = frozenset("だ です である で".split())
COMMAS = frozenset("、，,")


def with_features(sentence: JapaneseSentence, sid: str) -> JapaneseSentence:
    """Return a record with base phrases, features and a line `# S-ID`, if it has none, for `format_knp`."""
    split = [_phrases(bunsetsu.morphemes) for bunsetsu in sentence.bunsetsu]
    lasts: list[int] = []
    for phrases in split:
        lasts.append((lasts[-1] if lasts else -1) + len(phrases))
    found = []
    for number, (bunsetsu, phrases) in enumerate(zip(sentence.bunsetsu, split, strict=True)):
        features = bunsetsu_features(sentence, number)
        first = lasts[number] - len(phrases) + 1
        head = lasts[bunsetsu.head] if 0 <= bunsetsu.head < len(lasts) else -1
        own = [
            BasePhrase(first + place + 1, "D", words, "<体言>" if place + 1 < len(phrases) else features)
            for place, words in enumerate(phrases)
        ]
        own[-1] = replace(own[-1], head=head, kind=bunsetsu.kind, features=features)
        found.append(Bunsetsu(bunsetsu.head, bunsetsu.kind, tuple(own), features))
    comments = sentence.comments if sentence.sid else (f"# S-ID:{sid}", *sentence.comments)
    return replace(sentence, bunsetsu=tuple(found), comments=comments, origin="knp")


def _phrases(words: Sequence[Morpheme]) -> list[tuple[Morpheme, ...]]:
    """Cut a bunsetsu into base phrases: one for each of the content words up to the bunsetsu's own."""
    classes = [word_class(word.pos, word.base) for word in words]
    last = content_place(classes)
    cuts, waiting = [], 0  # marks and prefixes before a content word belong to it
    for place, kind in enumerate(classes[: last + 1]):
        if kind in (WordClass.CONTENT, WordClass.SUPPORT) or place == last:
            cuts.append(waiting)
            waiting = place + 1
        elif kind in (WordClass.FUNCTION, WordClass.SUFFIX) and cuts:
            waiting = place + 1
    cuts[0] = 0
    return [tuple(words[begin:end]) for begin, end in zip(cuts, [*cuts[1:], len(words)], strict=True)]


def bunsetsu_features(sentence: JapaneseSentence, number: int) -> str:
    """Return the features of a bunsetsu, each in pointed brackets.

    Examples
    --------
    >>> book, wo = Morpheme("本", "", "本", ("名詞",)), Morpheme("を", "", "を", ("助詞", "格助詞"))
    >>> read = Morpheme("読む", "", "読む", ("動詞",), conj_form="終止形")
    >>> phrases = BasePhrase(1, "D", (book, wo)), BasePhrase(-1, "D", (read,))
    >>> record = JapaneseSentence(tuple(Bunsetsu(phrase.head, "D", (phrase,)) for phrase in phrases))
    >>> bunsetsu_features(record, 0), bunsetsu_features(record, 1)
    ('<文頭><ヲ><助詞><体言><係:ヲ格>', '<文末><用言:動><係:文末>')
    """
    bunsetsu = sentence.bunsetsu[number]
    words = [word for word in bunsetsu.morphemes if word_class(word.pos, word.base) != WordClass.MARK]
    kind = predicate_kind(bunsetsu)
    features = ["文頭"] * (number == 0) + ["文末"] * (bunsetsu.head < 0)
    particle = words[-1].surface if words and words[-1].pos[:1] == ("助詞",) else ""
    if particle:
        features += [particle.translate(KATAKANA), "助詞"]
    features.append(f"用言:{kind}" if kind else "体言" if is_nominal(bunsetsu) else "修飾")
    features.append(f"係:{_leaning(sentence, number, words, kind, particle)}")
    if bunsetsu.kind in "PI":
        features.append("並列")
    if any(word.surface in COMMAS for word in bunsetsu.morphemes):
        features.append("読点")
    return "".join(f"<{feature}>" for feature in features)


def predicate_kind(bunsetsu: Bunsetsu) -> str:
    """Return 動 (verb), 形 (adjective) or 判 (noun with copula) for a predicate, else an empty string."""
    words = bunsetsu.morphemes
    content = bunsetsu.content_index()
    pos, behind = words[content].pos[:1], words[content + 1 :]
    if pos == ("動詞",) or any(word.base in ("する", "為る") and word.pos[:1] == ("動詞",) for word in behind):
        return "動"
    if pos == ("形容詞",):
        return "形"
    if any(word.pos[:1] in (("助動詞",), ("判定詞",)) and word.base in COPULAS for word in behind):
        return "判"
    return ""


def is_nominal(bunsetsu: Bunsetsu) -> bool:
    """Return whether the content word is a noun, a pronoun or a nominal suffix."""
    return bunsetsu.morphemes[bunsetsu.content_index()].pos[:1] in (("名詞",), ("代名詞",), ("接尾辞",), ("指示詞",))


def _leaning(sentence: JapaneseSentence, number: int, words: list[Morpheme], kind: str, particle: str) -> str:
    """Return the relation of a bunsetsu to its head."""
    bunsetsu = sentence.bunsetsu[number]
    if bunsetsu.head < 0:
        return "文末"
    if not kind:
        cases = [word.surface for word in words if word.pos[:1] == ("助詞",) and word.surface in CASES]
        if particle in TOPICS and not cases:
            return "未格"
        if cases:
            return f"{cases[-1].translate(KATAKANA)}格"
        adnominal = words and words[-1].pos[:1] == ("連体詞",)
        return "連体" if adnominal else "無格" if is_nominal(bunsetsu) else "連用"
    if particle == "の":
        return "ノ格"
    continues = bool(particle) or words[-1].conj_form.startswith(CONTINUING)
    head = sentence.bunsetsu[bunsetsu.head] if bunsetsu.head < len(sentence.bunsetsu) else bunsetsu
    return "連用" if continues or not is_nominal(head) else "連格"
