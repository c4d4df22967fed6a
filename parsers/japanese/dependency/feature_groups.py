"""The feature groups of a pair of bunsetsu, and features in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from kakari.parsers.japanese.dependency.pairs import Slot
from kakari.parsers.japanese.words.shapes import shape_name

GROUPS = {
    "base": (
        "D_HEAD_SURFACE D_HEAD_SUBPOS D_HEAD_FORM D_TAIL_SURFACE D_TAIL_POS D_TAIL_SUBPOS D_TAIL_FORM"
        " D_LAST_SURFACE D_BRACKET D_PUNCTUATION D_PARTICLE D_FIRST D_LEFT_LAST_SURFACE"
        " H_FIRST_SURFACE H_FIRST_SUBPOS H_HEAD_SURFACE H_HEAD_POS H_HEAD_SUBPOS H_HEAD_FORM H_TAIL_SURFACE"
        " H_TAIL_SUBPOS H_TAIL_FORM H_LAST_SUBPOS H_BRACKET H_PUNCTUATION H_PARTICLE H_LAST"
        " H_RIGHT_FIRST_SURFACE H_RIGHT_HEAD_SURFACE H_RIGHT_LAST_SURFACE"
        " SAME_LEFT_HEAD SAME_HEAD SAME_RIGHT_HEAD DISTANCE BETWEEN_BRACKETS CHILD_PARTICLE"
    ),
    "content": (
        "D_CONTENT_BASE D_CONTENT_FINE D_CONTENT_SHAPE D_CONTENT_CHAR"
        " H_CONTENT_BASE H_CONTENT_FINE H_CONTENT_SHAPE H_CONTENT_CHAR"
    ),
    "conjugation": "D_CONJ_TYPE D_CONJ_FORM H_CONJ_TYPE H_CONJ_FORM",
    "function": "D_FUNCTION D_KINDS H_FUNCTION H_KINDS",
    "context": (
        "D_LEFT_FUNCTION H_RIGHT_FUNCTION H_RIGHT_KINDS H_RIGHT_CONTENT H_RIGHT2_FUNCTION H_RIGHT2_KINDS"
        " H_NEXT_PREDICATE H_NEXT_PREDICATE_DISTANCE H_REMAINING"
    ),
    "between": "FINE_DISTANCE BETWEEN_COMMAS BETWEEN_PREDICATES BETWEEN_TOPICS",
    "coordination": "SAME_FUNCTION SAME_RIGHT_FUNCTION SAME_FINE SAME_CHAR SIMILARITY",
    "attached": (
        "H_CHILDREN H_CHILD_FUNCTION H_CHILD_KINDS H_CHILD_SAME_FUNCTION D_CHILDREN D_CHILD_FUNCTION D_CHILD_CONTENT"
    ),
    "chain": (
        "CHAIN ABOVE_FUNCTION ABOVE_CONTENT ABOVE_FORM ABOVE_KINDS ABOVE_HEAD_SUBPOS ABOVE_TAIL_SURFACE"
        " ABOVE_PUNCTUATION ABOVE_DISTANCE ABOVE_CHILDREN ABOVE_SAME_FUNCTION ABOVE_SAME_FINE"
        " BEFORE_FUNCTION BEFORE_KINDS BEFORE_PUNCTUATION BEFORE_FORM"
    ),
    "stack": "STACK_FUNCTION STACK_KINDS STACK_PUNCTUATION STACK_DISTANCE",
}


def slots_of(groups: Iterable[str]) -> list[int]:
    """Return the numbers of the slots of feature groups, in order; `-name` names a single slot to leave out.

    Examples
    --------
    >>> [Slot(number).name for number in slots_of(["conjugation", "-H_CONJ_TYPE"])]
    ['D_CONJ_TYPE', 'D_CONJ_FORM', 'H_CONJ_FORM']
    """
    groups = list(groups)
    names = {name for group in groups if not group.startswith("-") for name in GROUPS[group].split()}
    names -= {group[1:] for group in groups if group.startswith("-")}
    return sorted(int(Slot[name]) for name in names)


STRINGS = ("SURFACE", "POS", "FORM", "PARTICLE", "BASE", "FINE", "CHAR", "TYPE", "CONTENT", "NEXT_PREDICATE")
KIND_BITS = ("verb", "adjective", "copula", "particle", "auxiliary", "comma", "noun")
WORDS = {
    "BRACKET": ("none", "balanced", "open", "closed"),
    "PUNCTUATION": ("none", "comma", "period", "both"),
    "BETWEEN_BRACKETS": ("balanced", "open", "closed"),
    "DISTANCE": ("1", "2-5", "6+"),
}


def feature_name(width: int, feature: int, strings: Sequence[str], functions: Mapping[int, str] | None = None) -> str:
    """Return the name of a feature id; `functions` are the function words by their numbers (see `function_words`).

    Examples
    --------
    >>> feature_name(300, 300 * Slot.DISTANCE + 1, [])
    'DISTANCE=2-5'
    >>> feature_name(300, 300 * Slot.D_FUNCTION + 7, [], {7: "には"})
    'D_FUNCTION=には'
    >>> feature_name(300, 300 * Slot.D_KINDS + 9, []), feature_name(300, 300 * Slot.SAME_HEAD, [])
    ('D_KINDS=verb+particle', 'SAME_HEAD')
    """
    slot, value = divmod(int(feature), int(width))
    name = Slot(slot).name or str(slot)
    if "SAME_" in name or name in ("D_FIRST", "H_LAST"):
        return name
    return f"{name}={_value(name, value, strings, functions or {})}"


def _value(name: str, value: int, strings: Sequence[str], functions: Mapping[int, str]) -> str:
    for words in (WORDS.get(name), WORDS.get(name.partition("_")[2])):
        if words is not None and value < len(words):
            return words[value]
    if name.endswith("FUNCTION"):
        return functions.get(value, str(value)) if value else "(none)"
    if name.endswith("KINDS"):
        return "+".join(kind for bit, kind in enumerate(KIND_BITS) if value >> bit & 1) or "(none)"
    if name.endswith("SHAPE"):
        return shape_name(value)
    if name.endswith(STRINGS) and value < len(strings):
        return strings[value]
    return str(value)
