"""Lemmas by edit trees: how a form becomes its lemma, learned from a treebank.

An edit tree (Chrupała 2008) finds the longest substring that form and lemma share, and has a subtree each for the text
before and after it; where nothing is shared, one string replaces another. `walked → walk` and `talked → talk` have the
same tree, whatever the length of the shared part. Trees are applied to the form in lower case, or as it is written if
the lemma has its capital letters.

The tree of a form is looked up in this order: the exceptions, which list single forms; the longest suffix that was
seen with the tag; the form itself. Exceptions are only those pairs of the training data that the suffixes get wrong,
so that the list stays short.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Any

from kakari.kernels.stored import Contents

LONGEST_SUFFIX = 8
LONGEST_FORM = 1 << 20
# A tree: (characters kept off at the left, at the right, tree of the left, tree of the right), or (text, text).
EditTree = tuple[Any, ...]


@lru_cache(maxsize=100_000)
def edit_tree(form: str, lemma: str) -> EditTree:
    """Return the tree that turns a form into a lemma.

    Examples
    --------
    >>> edit_tree("walked", "walk")
    (0, 2, ('', ''), ('ed', ''))
    >>> edit_tree("went", "go")
    ('went', 'go')
    """
    if not form or not lemma:
        return (form, lemma)
    match = SequenceMatcher(None, form, lemma, autojunk=False).find_longest_match()
    if match.size == 0:
        return (form, lemma)
    left = edit_tree(form[: match.a], lemma[: match.b])
    right = edit_tree(form[match.a + match.size :], lemma[match.b + match.size :])
    return (match.a, len(form) - match.a - match.size, left, right)


def apply_tree(tree: EditTree, form: str) -> str | None:
    """Return the lemma of a form, or None if the tree does not fit it.

    Examples
    --------
    >>> apply_tree(edit_tree("walked", "walk"), "talked"), apply_tree(("went", "go"), "talked")
    ('talk', None)
    """
    if len(tree) == 2:
        return tree[1] if form == tree[0] else None
    left, right, before, behind = tree
    if left + right > len(form):
        return None
    start, end = apply_tree(before, form[:left]), apply_tree(behind, form[len(form) - right :])
    return None if start is None or end is None else start + form[left : len(form) - right] + end


@dataclass(frozen=True)
class Lemmatiser:
    """Rules by tag and suffix, and exceptions.

    Attributes
    ----------
    trees : tuple
        The edit trees; rules and exceptions refer to them by number. A number below 0 means that the form is used as it
        is written, not in lower case: -1 is tree 0.
    rules : mapping
        (tag, suffix of the form in small letters) to the number of a tree.
    exceptions : mapping
        (tag, form) to the number of a tree.
    """

    trees: tuple[EditTree, ...] = ()
    rules: Mapping[tuple[str, str], int] = field(default_factory=dict)
    exceptions: Mapping[tuple[str, str], int] = field(default_factory=dict)

    def lemma(self, form: str, tag: str) -> str:
        """Return the lemma of a form that has a tag.

        Examples
        --------
        >>> words = [("walked", "VBD", "walk"), ("talked", "VBD", "talk"), ("went", "VBD", "go")]
        >>> lemmatiser = train_lemmatiser(words)
        >>> lemmatiser.lemma("barked", "VBD"), lemmatiser.lemma("Went", "VBD")
        ('bark', 'go')
        """
        small = form.lower()
        for written in (form, small):
            number = self.exceptions.get((tag, written))
            found = None if number is None else self._applied(number, form, small)
            if found:
                return found
        return self.by_suffix(form, small, tag)

    def by_suffix(self, form: str, small: str, tag: str) -> str:
        """Return the lemma by the longest known suffix."""
        for length in range(min(LONGEST_SUFFIX, len(small)), -1, -1):
            number = self.rules.get((tag, small[len(small) - length :]))
            found = None if number is None else self._applied(number, form, small)
            if found:
                return found
        return small

    def _applied(self, number: int, form: str, small: str) -> str | None:
        return apply_tree(self.trees[-1 - number], form) if number < 0 else apply_tree(self.trees[number], small)

    def contents(self) -> Contents:
        """Return the saved form of the lemmatiser."""
        settings = {
            "trees": [list(tree) for tree in self.trees],
            "rules": _grouped(self.rules),
            "exceptions": _grouped(self.exceptions),
        }
        return Contents(settings=settings)

    @staticmethod
    def from_contents(contents: Contents) -> Lemmatiser:
        """Rebuild a lemmatiser from its `contents()`.

        Examples
        --------
        >>> lemmatiser = train_lemmatiser([("dogs", "NNS", "dog")])
        >>> Lemmatiser.from_contents(lemmatiser.contents()) == lemmatiser
        True
        """
        trees = tuple(_tree(tree) for tree in contents.lists("trees"))
        rules, exceptions = (_ungrouped(contents.table(name), len(trees)) for name in ("rules", "exceptions"))
        return Lemmatiser(trees, rules, exceptions)


def _grouped(table: Mapping[tuple[str, str], int]) -> dict[str, dict[str, str]]:
    """Put the forms of one tag and tree together: tag, tree, forms with blanks between (no form has one)."""
    found: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for (tag, text), number in sorted(table.items()):
        found[tag][str(number)].append(text)
    return {tag: {number: " ".join(texts) for number, texts in own.items()} for tag, own in found.items()}


def _ungrouped(table: dict[str, Any], trees: int) -> dict[tuple[str, str], int]:
    found = {}
    for tag, own in table.items():
        for name, texts in own.items() if isinstance(own, dict) else [("", None)]:
            number = int(name) if re.fullmatch(r"-?[0-9]{1,9}", name) else trees
            if not isinstance(texts, str) or not -trees <= number < trees:
                raise ValueError("a rule names an edit tree that is not there")
            found.update({(tag, text): number for text in texts.split(" ")})
    return found


def _tree(value: Any) -> EditTree:
    if isinstance(value, (list, tuple)) and len(value) == 2 and all(isinstance(text, str) for text in value):
        return (value[0], value[1])
    if isinstance(value, (list, tuple)) and len(value) == 4:
        left, right, before, behind = value
        if all(type(size) is int and 0 <= size <= LONGEST_FORM for size in (left, right)):
            return (left, right, _tree(before), _tree(behind))
    raise ValueError("this is not an edit tree")


def train_lemmatiser(words: Iterable[tuple[str, str, str]], *, least: int = 1) -> Lemmatiser:
    """Learn rules and exceptions from (form, tag, lemma); pairs that occur less than `least` times are left out."""
    counts = Counter((form, tag, lemma) for form, tag, lemma in words if " " not in form and lemma != "_")
    numbers: dict[EditTree, int] = {}
    by_suffix: dict[tuple[str, str], Counter[int]] = defaultdict(Counter)
    by_form: dict[tuple[str, str], Counter[int]] = defaultdict(Counter)
    for (form, tag, lemma), count in sorted(counts.items()):
        written = lemma != lemma.lower()
        tree = edit_tree(form if written else form.lower(), lemma)
        number = numbers.setdefault(tree, len(numbers))
        number = -1 - number if written else number
        small = form.lower()
        by_form[tag, small if not written else form][number] += count
        for length in range(min(LONGEST_SUFFIX, len(small)) + 1):
            # Each form counts once for its suffix: a frequent form is no better example of a rule.
            by_suffix[tag, small[len(small) - length :]][number] += 1
    rules = _needed_rules(by_suffix)
    draft = Lemmatiser(tuple(numbers), rules, {})
    exceptions = {}
    for (tag, form), own in by_form.items():
        number, count = min(own.items(), key=lambda item: (-item[1], item[0]))
        told = draft.lemma(form, tag)
        wanted = draft._applied(number, form, form.lower())
        if count >= least and told != wanted:
            exceptions[tag, form] = number
    return _compacted(Lemmatiser(tuple(numbers), rules, exceptions))


def _needed_rules(by_suffix: Mapping[tuple[str, str], Counter[int]]) -> dict[tuple[str, str], int]:
    """Keep the most frequent tree of each suffix, rare or not, unless the next shorter suffix has the same."""
    best = {key: min(own.items(), key=lambda item: (-item[1], item[0])) for key, own in by_suffix.items()}
    rules: dict[tuple[str, str], int] = {}
    for (tag, suffix), (number, count) in sorted(best.items(), key=lambda item: len(item[0][1])):
        shorter = suffix
        inherited = None
        while shorter and inherited is None:
            shorter = shorter[1:]
            inherited = rules.get((tag, shorter))
        if number != inherited and (count > 1 or not suffix):
            rules[tag, suffix] = number
    return rules


def _compacted(full: Lemmatiser) -> Lemmatiser:
    """Leave out the trees that are not used."""
    used = sorted({-1 - n if n < 0 else n for table in (full.rules, full.exceptions) for n in table.values()})
    places = {number: place for place, number in enumerate(used)}

    def moved(table: Mapping[tuple[str, str], int]) -> dict[tuple[str, str], int]:
        return {key: -1 - places[-1 - n] if n < 0 else places[n] for key, n in table.items()}

    return Lemmatiser(tuple(full.trees[n] for n in used), moved(full.rules), moved(full.exceptions))
