"""What kind of thing an English word names: base forms, and a small list of senses that is part of the package."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib import resources

# Plurals that the rules below get wrong.
IRREGULAR_NOUNS = {
    "aches": "ache", "aids": "aids", "axes": "axe", "axis": "axis", "bacteria": "bacteria", "bases": "base",
    "basis": "basis", "bus": "bus", "calories": "calorie", "cases": "case", "causes": "cause", "children": "child",
    "cookies": "cookie", "courses": "course", "data": "data", "diseases": "disease", "feet": "foot", "gas": "gas",
    "geese": "goose", "halves": "half", "heroes": "hero", "horses": "horse", "houses": "house", "knives": "knife",
    "leaves": "leaf", "lens": "lens", "lice": "louse", "licenses": "license", "lives": "life", "media": "media",
    "mice": "mouse", "movies": "movie", "news": "news", "niches": "niche", "noses": "nose", "nurses": "nurse",
    "oxen": "ox", "people": "person", "phrases": "phrase", "pies": "pie", "potatoes": "potato", "purposes": "purpose",
    "roses": "rose", "series": "series", "shoes": "shoe", "species": "species", "spouses": "spouse", "teeth": "tooth",
    "this": "this", "ties": "tie", "tomatoes": "tomato", "universes": "universe", "uses": "use", "verses": "verse",
    "volcanoes": "volcano", "wives": "wife", "wolves": "wolf",
}  # fmt: skip
IRREGULAR_VERBS = {
    "became": "become", "began": "begin", "born": "born", "built": "build", "buried": "bury", "called": "call",
    "came": "come", "caused": "cause", "died": "die", "fought": "fight", "found": "find", "gave": "give", "got": "get",
    "grew": "grow", "grown": "grow", "held": "hold", "knew": "know", "known": "know", "led": "lead", "lost": "lose",
    "made": "make", "meant": "mean", "met": "meet", "paid": "pay", "ran": "run", "said": "say", "sang": "sing",
    "saw": "see", "shot": "shoot", "sold": "sell", "spoke": "speak", "stands": "stand", "stood": "stand",
    "sung": "sing", "taught": "teach", "took": "take", "went": "go", "won": "win", "wore": "wear",
    "written": "write", "wrote": "write",
}  # fmt: skip
# Verbs whose stem is checked against this list when an ending is taken off.
COMMON_VERBS = frozenset(
    "appear become build buy call carry cause change choose close come contain cost cover cross die drink earn eat fall"
    " feature fly follow form get give happen hate help include increase invent issue kill know land learn leave like"
    " live lose love make mean move name occur open own pass pay pick play prevent produce provide publish read receive"
    " release require rule sail say score see sell serve set share sign sink spend stand start stop study support take"
    " travel turn use visit wear work write".split()
)
VERB_ENDINGS = (("ing", ""), ("ing", "e"), ("ed", ""), ("ed", "e"), ("es", ""), ("s", ""))


@cache
def word_senses() -> dict[str, tuple[str, ...]]:
    """Return the senses of each word of the list.

    Examples
    --------
    >>> word_senses()["seal"], word_senses()["iron"]
    (('animal',), ('substance',))
    """
    text = (resources.files("kakari.parsers.questions") / "senses.txt").read_text(encoding="utf-8")
    found: dict[str, list[str]] = {}
    sense = ""
    for line in text.splitlines():
        if not line or line.startswith("#"):
            continue
        if not line.startswith(" "):
            sense, _, line = line.partition(":")
        for word in line.split():
            found.setdefault(word, []).append(sense)
    return {word: tuple(senses) for word, senses in found.items()}


def noun_base(word: str) -> str:
    """Return the singular of a noun, in small letters.

    Examples
    --------
    >>> [noun_base(word) for word in ("Cities", "wives", "boxes", "glass", "policemen")]
    ['city', 'wife', 'box', 'glass', 'policeman']
    """
    word = word.lower()
    if word in IRREGULAR_NOUNS:
        return IRREGULAR_NOUNS[word]
    if word.endswith("men") and len(word) > 2 and word not in ("abdomen", "omen", "regimen", "specimen"):
        return f"{word[:-2]}an"
    if len(word) < 4 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies"):
        return f"{word[:-3]}y"
    return word[:-2] if word.endswith(("sses", "ches", "shes", "xes", "zzes")) else word[:-1]


def verb_base(word: str) -> str:
    """Return the base form of a verb, in small letters, as far as endings tell.

    Examples
    --------
    >>> [verb_base(word) for word in ("Wrote", "invented", "causes", "studied", "living")]
    ['write', 'invent', 'cause', 'study', 'live']
    """
    word = word.lower()
    if word in IRREGULAR_VERBS:
        return IRREGULAR_VERBS[word]
    for ending, instead in VERB_ENDINGS:
        stem = word.removesuffix(ending) + instead
        if word.endswith(ending) and len(word) - len(ending) > 2 and (stem in word_senses() or stem in COMMON_VERBS):
            return stem
    if word.endswith(("ied", "ies")):
        return f"{word[:-3]}y"
    for ending, shortest in (("ing", 6), ("ed", 5), ("s", 4)):
        if word.endswith(ending) and not word.endswith("ss") and len(word) >= shortest:
            return word[: -len(ending)]
    return word


def noun_senses(word: str) -> Iterable[str]:
    """Return the senses of a noun in any form; of a compound with hyphens, those of its last part.

    Examples
    --------
    >>> list(noun_senses("actresses")), list(noun_senses("actor-singer")), list(noun_senses("qwerty"))
    (['occupation'], ['occupation'], [])
    """
    known, word = word_senses(), word.lower()
    senses = dict.fromkeys((*known.get(word, ()), *known.get(noun_base(word), ())))
    if not senses and "-" in word:
        return noun_senses(word.rpartition("-")[2])
    return senses
