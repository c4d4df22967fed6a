"""Focus of a question: its question word, the noun or verb that the answer must fit, and that word's meaning.

"What kind of food do pandas eat ?" asks for a food: `noun` is *food*, reached through *kind of*. Tagged words are
enough (Penn Treebank tags), so that a wrong tree does little harm, and a tagger alone will do. One pass over the
words, whole phrases by runs of tags. A list of words has their senses; endings are taken off by rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
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


Tagged = Sequence[tuple[str, str]]

QUESTION_WORDS = frozenset("what which who whom whose where when why how whats what's".split())
QUESTION_TAGS = ("WP", "WDT", "WRB", "WP$")
DETERMINING = ("what", "which", "whose")
REQUESTS = frozenset("name names list give tell define describe identify find state explain mention cite".split())
BE = frozenset("is are was were 's be been am being s 're".split())
AUXILIARIES = BE | frozenset(
    "do does did has have had can could will would shall should may might must 'd 've 'll d".split()
)
# "kind of X" asks for an X.
LIGHT_NOUNS = frozenset(
    "kind type sort name form species breed variety brand part group set pair series class genre style category piece"
    " list title make model one some any each both two three four which most best example member nickname bit".split()
)
PHRASE_TAGS = frozenset("CD JJ JJS JJR DT PRP$ POS VBN VBG RBS RB $ FW `` '' PDT HYPH".split())
NOT_AFTER_NOUN = frozenset("DT PRP$ PDT RB VBN VBG".split())
HOW_TAGS = frozenset("JJ RB JJR RBR NN VB VBP IN VBD NNS NNP".split())


@dataclass(frozen=True, slots=True)
class Focus:
    """Focus of a question; numbers are places of words.

    Attributes
    ----------
    question_word : str
        `what`, `how-many`, `why`, …; `name!` for a request.
    determines : bool
        Whether it stands before its noun, as in "what city".
    auxiliary : str
        *is*, *did*, …, or nothing.
    phrase : int, optional
        Where the noun phrase after *is* begins.
    noun, modifier, verb, object, subject : int, optional
    light : tuple of int
        Nouns like *kind* that lead to the noun.
    owned, owner : int, optional
        "What singer's song": the song is owned, "What is the man's name": the man is the owner.
    """

    question_word: str
    determines: bool = False
    auxiliary: str = ""
    phrase: int | None = None
    noun: int | None = None
    modifier: int | None = None
    verb: int | None = None
    object: int | None = None
    subject: int | None = None
    light: tuple[int, ...] = ()
    owned: int | None = None
    owner: int | None = None


def find_focus(words: Tagged) -> Focus:
    """Find what a question asks for.

    Examples
    --------
    >>> words = [("What", "WP"), ("kind", "NN"), ("of", "IN"), ("food", "NN"), ("do", "VBP"), ("pandas", "NNS")]
    >>> focus = find_focus([*words, ("eat", "VB"), ("?", ".")])
    >>> focus.question_word, words[focus.noun][0], [words[i][0] for i in focus.light]
    ('what', 'food', ['kind'])
    """
    low = [word.lower() for word, _ in words]
    words = _retagged(words, low)
    if low and low[0] in REQUESTS:
        return _requested(words, low, f"{low[0]}!")
    place = _question_word(words, low)
    if place is None:
        return _requested(words, low, f"{low[0]}!" if low else "!")
    asked, after = low[place], place + 1
    if asked == "how" and low[after : after + 1] == ["come"]:
        asked, after = "why", after + 1
    focus = Focus(asked)
    if asked == "how":
        return _how(words, low, after, focus)
    bare = asked in ("who", "whom", "where", "when", "why")
    if bare or (after < len(words) and (low[after] in AUXILIARIES or words[after][1] == "MD")):
        return _clause(words, low, after, focus)
    if _last_noun(words, after) is not None and words[after][1] not in ("DT", "PRP$"):
        return _noun(words, low, after, replace(focus, determines=True))
    if after < len(words) and words[after][1] in ("JJ", "CD", "RB", "RBS", "JJS"):
        last = after
        while last + 1 < len(words) and words[last + 1][1] in ("JJ", "CD", "NN", "NNS"):
            last += 1
        return replace(focus, determines=True, noun=last)
    return _clause(words, low, after, focus)


def _retagged(words: Tagged, low: Sequence[str]) -> list[tuple[str, str]]:
    """After *what* and *which*, taggers take nouns for verbs ("what sport features …"): mend what we know."""
    mended = list(words)
    for place in range(1, len(words)):
        word, tag = words[place]
        if low[place - 1] not in DETERMINING or low[place] in AUXILIARIES:
            continue
        following = words[place + 1][1] if place + 1 < len(words) else ""
        senses = word_senses().get(noun_base(word), ())
        surely = tag in ("VB", "VBP", "JJ", "VBG")
        likely = tag in ("VBZ", "VBD") and following in ("VBD", "VBZ", "VBP", "VB", "MD", "NN", "NNS")
        if (surely or likely) and any(not sense.endswith("verb") for sense in senses):
            mended[place] = (word, "NNS" if low[place].endswith("s") else "NN")
        elif tag.startswith("VB") and word[0].isupper():
            mended[place] = (word, "NNP")
    return mended


def _question_word(words: Tagged, low: Sequence[str]) -> int | None:
    places = [place for place, (_, tag) in enumerate(words) if low[place] in QUESTION_WORDS or tag in QUESTION_TAGS]
    if not places:
        return None
    fronted = places[0] == 0 and low[0] in ("when", "where", "who", "as") and len(places) > 1
    if fronted and "," in low[: places[1]] and low[places[1]] in (*DETERMINING, "who", "how"):
        return places[1]  # "When it rains , what city …"
    return places[0]


def _requested(words: Tagged, low: Sequence[str], request: str) -> Focus:
    place = 1
    while place < len(words) and words[place][1] in ("PRP", "IN", "TO"):
        place += 1
    return _noun(words, low, place, Focus(request))


def _how(words: Tagged, low: Sequence[str], after: int, focus: Focus) -> Focus:
    if after < len(words) and low[after] not in AUXILIARIES and words[after][1] in HOW_TAGS:
        focus = replace(focus, question_word=f"how-{low[after]}")
        if low[after] in ("many", "much"):
            return _noun(words, low, after + 1, focus)
        after += 1
    return _clause(words, low, after, focus)


def _last_noun(words: Tagged, start: int) -> int | None:
    """Return the last noun of the noun phrase that starts here, without what is attached behind it."""
    last = None
    for place in range(start, len(words)):
        tag = words[place][1]
        noun = tag.startswith("NN")
        if not (noun or tag in PHRASE_TAGS) or (last is not None and tag in NOT_AFTER_NOUN):
            break
        if noun:
            last = place
    return last


def _noun(words: Tagged, low: Sequence[str], start: int, focus: Focus) -> Focus:
    """Find the noun of the phrase from `start` on, or of the next one, through light nouns."""
    last = _last_noun(words, start)
    if last is None:
        start = next((place for place in range(start, len(words)) if words[place][1].startswith("NN")), len(words))
        last = _last_noun(words, start)
        if last is None:
            return focus
    owners = [place - 1 for place in range(start + 1, last) if words[place][1] == "POS"]
    if focus.determines and owners and words[owners[0]][1].startswith("NN"):
        return replace(focus, noun=owners[0], owned=last)
    if focus.phrase is not None and owners and noun_base(low[last]) == "name":
        focus = replace(focus, owner=owners[-1])
    light: list[int] = []
    while len(light) < 3 and noun_base(low[last]) in LIGHT_NOUNS and low[last + 1 : last + 2] in (["of"], ["for"]):
        following = _last_noun(words, last + 2)
        if following is None:
            break
        light.append(last)
        last = following
    modified = last > start and words[last - 1][1].startswith(("NN", "JJ"))
    return replace(focus, noun=last, light=tuple(light), modifier=last - 1 if modified else None)


def _clause(words: Tagged, low: Sequence[str], start: int, focus: Focus) -> Focus:
    """Find what follows a question word without a noun of its own."""
    place = start
    while place < len(words) and words[place][1] == "RB":
        place += 1
    if place >= len(words):
        return focus
    if low[place] in BE:
        return _after_copula(words, low, place + 1, replace(focus, auxiliary=low[place]))
    if low[place] in AUXILIARIES:
        return _after_auxiliary(words, place + 1, replace(focus, auxiliary=low[place]))
    if words[place][1].startswith("VB") or words[place][1] == "MD":
        return replace(focus, verb=place, object=_last_noun(words, place + 1))
    subject = _last_noun(words, place)
    if subject is None:
        return focus
    return replace(focus, subject=subject, verb=_first_verb(words, subject + 1))


def _after_copula(words: Tagged, low: Sequence[str], place: int, focus: Focus) -> Focus:
    while place < len(words) and words[place][1] in ("RB", "EX"):
        place += 1
    if _last_noun(words, place) is not None:
        focus = _noun(words, low, place, replace(focus, phrase=place))
        noun = focus.noun or 0
        for later in range(noun + 1, min(len(words), noun + 12)):
            if words[later][1] in ("VBN", "VBG"):
                return replace(focus, verb=later)
            if words[later][1] in ("WP", "WDT", "WRB", "IN", "."):
                break
        return focus
    for later in range(place, len(words)):
        if words[later][1].startswith("VB"):
            return replace(focus, verb=later)
        if words[later][1].startswith(("NN", "JJ")):
            return replace(focus, noun=later)
    return focus


def _after_auxiliary(words: Tagged, place: int, focus: Focus) -> Focus:
    verb = _first_verb(words, place)
    end = len(words) if verb is None else verb
    subject = next((i for i in range(end - 1, place - 1, -1) if words[i][1].startswith("NN")), None)
    if verb is None:
        return replace(focus, subject=subject, noun=subject)
    return replace(focus, subject=subject, verb=verb, object=_last_noun(words, verb + 1))


def _first_verb(words: Tagged, start: int) -> int | None:
    return next((place for place in range(start, len(words)) if words[place][1].startswith("VB")), None)
