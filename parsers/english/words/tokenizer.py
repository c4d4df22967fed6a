"""English text to words by spaCy's rules, without spaCy.

`tokenizer_rules.json` holds the rules of `spacy.blank("en")`: what is cut off at the beginning, at the end and inside
of a piece of text between blanks, which pieces are web addresses, and how exceptions ("don't", ":)") are cut.
tests/parsers/english/words compares the rules and the tokens with spaCy's. A piece that was met before costs one
lookup; the lookup table is emptied when it is full, so that a service does not grow.

The rules are © ExplosionAI GmbH and others, MIT licence (https://github.com/explosion/spaCy).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from importlib import resources
from typing import NamedTuple

from kakari.parsers.limits import run_cuts

RUNS = re.compile(r"\S+|\s+")
ALONE = frozenset("()[]{}\"'")  # marks that the rules cut off by themselves, whatever stands beside them
LONGEST_ENDING = 8  # characters of what the rules cut off at the end, but for runs of one mark
MOST_REMEMBERED = 20_000  # pieces of text


class Tokens(NamedTuple):
    """The tokens of a text: their own texts, where they begin, whether a blank is behind them.

    Every character is in a token except for single blanks behind one.
    """

    text: str
    texts: list[str]
    begins: list[int]
    spaces: list[bool]

    def between(self, first: int, last: int) -> str:
        """Return the text of the tokens from `first` up to but not including `last`."""
        return self.text[self.begins[first] : self.begins[last - 1] + len(self.texts[last - 1])]


class Tokenizer:
    """Cuts text as spaCy's tokenizer does that has the same rules.

    Parameters
    ----------
    prefix, suffix, infix, url : str
        Regular expressions.
    exceptions : list of str
        The tokens of each exception, with a blank between them.

    Examples
    --------
    >>> english_tokenizer()("Don't! :-)").texts
    ['Do', "n't", '!', ':-)']
    """

    def __init__(self, *, prefix: str, suffix: str, infix: str, url: str, exceptions: list[str]) -> None:
        self._prefix, self._suffix = _beginning(prefix), _ending(suffix)
        self._infixes, self._is_url = re.compile(infix).finditer, re.compile(url).match
        self._exceptions: dict[str, tuple[str, ...]] = {}
        self._remembered: dict[str, tuple[str, ...]] = {}
        # Exceptions that the rules would cut are looked for in the tokens again, since what was cut off from a word
        # may be one with what stood beside it. Whole sequences by their first two tokens: dozens begin with a bracket.
        self._sequences: dict[str, dict[str | None, list[tuple[str, ...]]]] = {}
        named = {line.replace(" ", ""): tuple(line.split(" ")) for line in exceptions}
        for text in named:
            if self._prefix(text) or self._suffix(text) or next(self._infixes(text), None):
                found = self._cut(text)
                if found == named[text] and len(found) == 1:
                    continue  # the shortest comes last, and this one changes nothing
                second = found[1] if len(found) > 1 else None
                self._sequences.setdefault(found[0], {}).setdefault(second, []).append(found)
        self._exceptions.update(named)

    def __call__(self, text: str) -> Tokens:
        """Return the tokens of a text."""
        texts: list[str] = []
        spaces: list[bool] = []
        for run in _handy_runs(text):
            if run[0].isspace():
                if texts and run[0] == " ":
                    spaces[-1] = True
                    run = run[1:]
                if not run:
                    continue
            found = self._remembered.get(run)
            if found is None:
                found = self._cut(run)
                if len(self._remembered) >= MOST_REMEMBERED:
                    self._remembered.clear()
                self._remembered[run] = found
            texts += found
            spaces += [False] * len(found)
        texts, spaces = self._with_sequences(texts, spaces)
        begins = []
        place = 0
        for token, space in zip(texts, spaces, strict=True):
            begins.append(place)
            place += len(token) + space
        return Tokens(text, texts, begins, spaces)

    def _cut(self, text: str) -> tuple[str, ...]:
        """Cut a piece of text without blanks."""
        front: list[str] = []
        back: list[str] = []
        exceptions = self._exceptions
        size = 0
        while text and len(text) != size and text not in exceptions:
            size = len(text)
            before = 1 if text[0] in ALONE else self._prefix(text)
            if before and text[before:] in exceptions:
                front.append(text[:before])
                text = text[before:]
                break
            behind = 1 if text[-1] in ALONE and before < size else self._suffix(text[before:])
            if behind and text[:-behind] in exceptions:
                back.append(text[-behind:])
                text = text[:-behind]
                break
            if before:
                front.append(text[:before])
            if behind:
                back.append(text[-behind:])
            text = text[before : size - behind]
        if text:
            front += exceptions.get(text) or ((text,) if self._is_url(text) else self._cut_inside(text))
        return (*front, *reversed(back))

    def _cut_inside(self, text: str) -> Iterator[str]:
        place = 0
        for found in self._infixes(text):
            begin, end = found.span()
            if begin == 0:
                continue
            if begin != place:
                yield text[place:begin]
            if begin != end:
                yield text[begin:end]
            place = end
        if place < len(text):
            yield text[place:]

    def _matches(self, texts: list[str]) -> list[tuple[int, int]]:
        """Return the length and the place of each exception among the tokens."""
        return [
            (len(wanted), first)
            for first, (token, second) in enumerate(zip(texts, [*texts[1:], ""], strict=False))
            if token in self._sequences
            for key in (second, None)
            for wanted in self._sequences[token].get(key, ())
            if wanted == tuple(texts[first : first + len(wanted)])
        ]

    def _with_sequences(self, texts: list[str], spaces: list[bool]) -> tuple[list[str], list[bool]]:
        """Put exceptions in the place of the tokens that they were cut into."""
        matches = self._matches(texts)
        if not matches:
            return texts, spaces
        seen: set[int] = set()
        chosen: list[tuple[int, int]] = []
        for size, first in sorted(matches, key=lambda match: (-match[0], match[1])):
            if first not in seen and first + size - 1 not in seen and not any(spaces[first : first + size - 1]):
                chosen.append((first, size))
            seen.update(range(first, first + size))
        if not chosen:
            return texts, spaces
        made: list[str] = []
        blanks: list[bool] = []
        place = 0
        for first, size in sorted(chosen):
            whole = self._exceptions["".join(texts[first : first + size])]
            made += [*texts[place:first], *whole]
            blanks += [*spaces[place:first], *[False] * (len(whole) - 1), spaces[first + size - 1]]
            place = first + size
        return made + texts[place:], blanks + spaces[place:]


def _handy_runs(text: str) -> Iterator[str]:
    """Yield runs of blanks and of other characters; what is longer than any word is cut."""
    begin = 0
    for end in [*run_cuts(text), len(text)]:
        yield from RUNS.findall(text, begin, end)
        begin = end


def _beginning(pattern: str) -> Callable[[str], int]:
    """Return a function that says how much of the beginning a pattern matches; each alternative begins with ^."""
    match = re.compile(pattern).match

    def length(text: str) -> int:
        found = match(text)
        return 0 if found is None else found.end()

    return length


def _ending(pattern: str) -> Callable[[str], int]:
    """Return a function that says how much of the end a pattern matches; each alternative ends with $.

    What it matches is short, or a run of one mark (`...`) whose end it matches, too. So the last characters are looked
    at first, and the others only if these are matched whole: a search from the front asks at every character.
    """
    search = re.compile(pattern).search

    def length(text: str) -> int:
        begin = len(text) - LONGEST_ENDING
        found = search(text, begin) if begin > 0 else search(text)
        if found is None:
            return 0
        if found.start() == begin:
            found = search(text)
        return 0 if found is None else found.end() - found.start()

    return length


@cache
def english_tokenizer() -> Tokenizer:
    """Return the tokenizer that cuts as `spacy.blank("en")` does."""
    rules = resources.files("kakari.parsers.english.words") / "tokenizer_rules.json"
    return Tokenizer(**json.loads(rules.read_text("utf-8")))
