"""Candidate pairs from the tree of an article: each node with each of its ancestors.

A node's text becomes the name of an entity: a gloss behind a dash or colon, readings in parentheses, quotation marks
and 「など」 are cut off; several links between commas are several entities. A heading loses what makes it a heading
(「主な都市」「都市の一覧」 are 都市). What is a sentence, too long for a name, or has no word in it is no candidate.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator

from kakari.corpora.formats.pairs import Pair
from kakari.parsers.hyponymy.outline import Outline
from kakari.parsers.hyponymy.wikitext import LINK, LINK_END

LONGEST_NAME = 40

_GLOSS = re.compile(
    r"[\s　]+[-‐–—―－−~〜→=＝]+(?:[\s　]|$)|[:：→]|[-–—―－…]{2,}|…|[\s　]*[-–—―－][\s　]+|[—―]|\s[/／]\s"
)
_BLANKS = re.compile(r"[\s　]{2,}")  # the expressions here would try each of many blanks again and again
_PARENTHESES = re.compile(r"[（(【〔〈][^（()）【】〔〕〈〉]*[）)】〕〉]")
_NUMBER = re.compile(r"^\d{1,3}(?:[.．)）、][\s　]*|[\s　]+)(?=[^\W\d_]|\x02)")
_QUOTED = re.compile(r"[「『“\"]([^「」『』“”\"]+)[」』”\"]")
_AND_SO_ON = re.compile(r"(?:など|等|ほか|他)$")
_WORD = re.compile(r"[^\W\d_]")
_BETWEEN = re.compile(rf"{LINK_END}\s*(?:、|，|,|/|／|・|と|および|及び)\s*{LINK}")
_BEFORE = re.compile(
    r"(?:その他の|その他|主な|主要な|主要|おもな|著名な|有名な|代表的な|代表|各種|各|歴代の|歴代|現在の|過去の)(?=.)"
)
_BEHIND = re.compile(r"(?<=.)(?:の一覧|一覧|のリスト|リスト|の例|の種類|など|等)$")
_EDGES = " \t　、。,.;；・*＊●○◎■□◆◇▲△▼▽★☆※-–—―:：/／|\"'"


def names(text: str) -> list[tuple[str, str]]:
    r"""Return the entities that an item names, each with how it was written.

    Examples
    --------
    >>> names("\x02東京\x03（とうきょう） - 首都"), names("\x02英語\x03、\x02仏語\x03など"), names("1,234")
    ([('東京', 'link gloss parentheses')], [('英語', 'link list etc'), ('仏語', 'link list etc')], [])
    """
    form = []
    head, tail = _without_gloss(_BLANKS.sub(" ", text))
    if tail:
        form.append("gloss")
    bare = _without_parentheses(head)
    if bare.strip(_EDGES + LINK + LINK_END) and bare != head:
        form.append("parentheses")
        head = bare
    head = _NUMBER.sub("", head.strip(_EDGES), count=1)
    shorter = _AND_SO_ON.sub("", head)
    if shorter and shorter != head and head[-1] != "他":
        form.append("etc")
        head = shorter.strip(_EDGES)
    parts = _BETWEEN.split(head)
    if len(parts) > 1 and head.startswith(LINK) and head.endswith(LINK_END) and head.count(LINK) == len(parts):
        return [
            (name, " ".join(["link", "list", *form])) for part in parts if (name := _name(part.strip(LINK + LINK_END)))
        ]
    linked = _linking(head)
    quoted = _QUOTED.fullmatch(head.replace(LINK, "").replace(LINK_END, ""))
    if quoted:
        form.append("quoted")
    name = _name(quoted[1] if quoted else head)
    return [(name, " ".join([*([linked] if linked else []), *form]))] if name else []


def _without_gloss(text: str) -> tuple[str, str]:
    """Cut at the first dash or colon that is in no parentheses or link and has something before it."""
    at = open_parentheses = open_links = 0
    named = False
    for match in _GLOSS.finditer(text):
        piece = text[at : match.start()]
        at = match.start()
        named = named or bool(piece.strip(_EDGES + LINK + LINK_END))
        open_parentheses += piece.count("（") + piece.count("(") - piece.count("）") - piece.count(")")
        open_links += piece.count(LINK) - piece.count(LINK_END)
        if named and open_parentheses <= 0 and open_links <= 0:
            return text[:at], text[match.end() :].strip()
    return text, ""


def _without_parentheses(text: str) -> str:
    """Drop what stands in parentheses, also in two within each other."""
    return _PARENTHESES.sub("", _PARENTHESES.sub("", text))


def _linking(head: str) -> str:
    if LINK not in head:
        return ""
    if head.startswith(LINK) and head.find(LINK_END) == len(head) - 1:
        return "link"
    return "link-first" if head.startswith(LINK) else "link-inside"


def _name(text: str) -> str:
    """Return a text as a name, or nothing where it is none."""
    text = text.replace(LINK, "").replace(LINK_END, "")
    text = " ".join(unicodedata.normalize("NFKC", text).split()).strip(_EDGES)
    if len(text) > LONGEST_NAME or "。" in text or not _WORD.search(text):
        return ""
    return text


def hypernym_name(text: str) -> tuple[str, str]:
    """Return the name of a class that a heading or item stands for, and what was cut off it.

    Examples
    --------
    >>> hypernym_name("主な都市の一覧"), hypernym_name("歴史"), hypernym_name("日本 (国)")
    (('都市', '主な の一覧'), ('歴史', ''), ('日本', ''))
    """
    found = names(text)
    if len(found) != 1:
        return "", ""
    name, cut = found[0][0], []
    if match := _BEFORE.match(name):
        cut.append(match[0])
        name = name[match.end() :]
    if match := _BEHIND.search(name):
        cut.append(match[0])
        name = name[: match.start()]
    return name, " ".join(cut)


def candidates(title: str, tree: Outline) -> Iterator[Pair]:
    r"""Yield every pair of a node and an ancestor of it, in the order of the article.

    Examples
    --------
    >>> from kakari.parsers.hyponymy.outline import outline
    >>> tree = outline("日本", "== 主な都市 ==\n* [[東京]] - 首都")
    >>> [(pair.hypernym, pair.hyponym, pair.distance) for pair in candidates("日本", tree)]
    [('日本', '都市', 1), ('都市', '東京', 1), ('日本', '東京', 2)]
    """
    entities = [names(text) for text in tree.texts]
    classes: dict[int, tuple[str, str]] = {}
    siblings: dict[tuple[int, str], list[int]] = defaultdict(list)
    places: Counter[str] = Counter()
    for node in range(1, len(tree.kinds)):
        siblings[tree.parents[node], tree.kinds[node]].append(node)
        places.update({name for name, _ in entities[node]})
    suffixes = {key: _common_suffix([entities[node] for node in nodes]) for key, nodes in siblings.items()}
    for node in range(1, len(tree.kinds)):
        if not entities[node]:
            continue
        group = tree.parents[node], tree.kinds[node]
        chain = _named_ancestors(tree, node, classes)
        kinds = [tree.kinds[ancestor] for ancestor, _, _ in reversed(chain)]
        found = entities[node]
        if tree.kinds[node] == "heading" and len(found) == 1:
            found = [(hypernym_name(tree.texts[node])[0], found[0][1])]
        for name, form in found:
            for step, (_, hypernym, pattern) in enumerate(chain, 1):
                if hypernym != name:
                    yield Pair(
                        hypernym,
                        name,
                        article=title,
                        path=(*kinds, tree.kinds[node]),
                        distance=step,
                        siblings=len(siblings[group]),
                        places=places[name],
                        pattern=pattern,
                        form=form,
                        suffix=suffixes[group],
                    )


def _named_ancestors(tree: Outline, node: int, classes: dict[int, tuple[str, str]]) -> list[tuple[int, str, str]]:
    """Return the ancestors that have a name, the nearest first."""
    chain = []
    above = tree.parents[node]
    while above >= 0:
        if above not in classes:
            classes[above] = hypernym_name(tree.texts[above])
        if classes[above][0]:
            chain.append((above, *classes[above]))
        above = tree.parents[above]
    return chain


def _common_suffix(entities: list[list[tuple[str, str]]]) -> str:
    """Return the last character of more than half of the siblings' names, where there are three or more."""
    lasts = Counter(name[-1] for found in entities for name, _ in found)
    if lasts.total() < 3:
        return ""
    last, count = lasts.most_common(1)[0]
    return last if 2 * count > lasts.total() else ""
