"""Base forms of English words by rules on their endings, learned from words whose base forms are known."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

LONGEST_ENDING = 5
WHOLE = "^"

Edit = tuple[int, str]


class Lemmatiser:
    """Cuts letters off the end of a word and puts others there, by the longest ending that has a rule.

    Parameters
    ----------
    rules : sequence of str
        Each a tag, an ending (with ^ before it: the whole word), how many letters go, and what comes instead.

    Examples
    --------
    >>> known = [("making", "VBG", "make"), ("going", "VBG", "go"), ("doing", "VBG", "do"), ("went", "VBD", "go")]
    >>> lemmas = Lemmatiser.learned(known)
    >>> lemmas.lemma("Waking", "VBG"), lemmas.lemma("went", "VBD"), lemmas.lemma("house", "NN")
    ('wake', 'go', 'house')
    """

    def __init__(self, rules: Sequence[str]) -> None:
        self.rules = tuple(rules)
        self._edits: dict[tuple[str, str], Edit] = {}
        for rule in rules:
            tag, ending, gone, *added = (*rule.split(" "), "", "", "")[: max(4, rule.count(" ") + 1)]
            if not gone.isdecimal():
                raise ValueError(f"this is not a rule for base forms: {rule!r}")
            self._edits[tag, ending] = int(gone), "".join(added)

    def lemma(self, word: str, tag: str) -> str:
        """Return a word's base form in small letters."""
        small = word.lower()
        for ending in endings(small):
            edit = self._edits.get((tag, ending))
            if edit is not None:
                gone, added = edit
                return small[: len(small) - gone] + added if gone <= len(small) else small
        return small

    @staticmethod
    def learned(known: Iterable[tuple[str, str, str]]) -> Lemmatiser:
        """Learn rules from words with their tags and base forms; rules that a shorter ending implies are left out."""
        counts: dict[tuple[str, str], Counter[Edit]] = defaultdict(Counter)
        for (word, tag, lemma), times in sorted(Counter(known).items()):
            if " " in word or " " in lemma:
                continue
            edit = edit_of(word.lower(), lemma)
            for ending in endings(word.lower()):
                counts[tag, ending][edit] += times
        best = {key: min(edits, key=lambda edit: (-edits[edit], edit)) for key, edits in counts.items()}
        kept: dict[tuple[str, str], Edit] = {}
        for (tag, ending), edit in sorted(best.items(), key=lambda item: (len(item[0][1]), item[0])):
            shorter = (kept[tag, part] for part in endings(ending.removeprefix(WHOLE)) if (tag, part) in kept)
            if next(shorter, None) != edit:
                kept[tag, ending] = edit
        return Lemmatiser([f"{tag} {ending} {gone} {added}" for (tag, ending), (gone, added) in kept.items()])


def endings(word: str) -> list[str]:
    """Return the whole word, marked, and then its endings from the longest to none.

    Examples
    --------
    >>> endings("went")
    ['^went', 'went', 'ent', 'nt', 't', '']
    """
    return [WHOLE + word, *(word[len(word) - size :] for size in range(min(LONGEST_ENDING, len(word)), -1, -1))]


def edit_of(word: str, lemma: str) -> Edit:
    """Say how many letters of a word go, and what comes instead.

    Examples
    --------
    >>> edit_of("making", "make"), edit_of("go", "go")
    ((3, 'e'), (0, ''))
    """
    same = 0
    while same < min(len(word), len(lemma)) and word[same] == lemma[same]:
        same += 1
    return len(word) - same, lemma[same:]
