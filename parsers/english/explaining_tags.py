"""Why the tagger gave a word its tag: conjunctions of the words around it and of the two tags before, with weights.

A tag is told against the best other one after the same two tags. The beam compares whole sentences, and the tree
decides between taggings that are near each other: so a margin can be negative.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kakari.parsers.english.constituency.tagging import tag_conjunctions
from kakari.parsers.english.model import EnglishModel
from kakari.parsers.english.words.words import EnglishWords
from kakari.parsers.pictures.bars import Explanation

# The templates of tagging.hpp in their order, prefixes and suffixes between these two.
BEFORE_AFFIXES = (
    "bias, form, word, word-1, word+1, word-2, word+2, word-1 word, word word+1, word-1 word+1, word-2 word-1,"
    " word+1 word+2"
)
BEHIND_AFFIXES = (
    "shape, shape first capitals, shape suffix3, shape-1 shape, shape shape+1, shape-1 shape shape+1, suffix3+1,"
    " suffix3-1, suffix3 word+1, suffix3 word-1, suffix2 suffix2+1, suffix3 prefix2 first, known, known+1,"
    " known known+1, word known+1, known+1 known+2, known known+1 known+2, word known+1 known+2, letters known,"
    " letters first capitals suffix3, known word+1, known word-1, word last, shape known first,"
    " letters known capitals, word-1 word word+1, shape-1 shape capitals, shape shape+1 capitals known,"
    " word-1 suffix3 known+1"
)
HISTORY = (
    "tag-1, tag-1 word, tag-1 suffix3 shape, tag-1 known, tag-1 word+1, tag-1 known known+1, tag-1 word known+1,"
    " tag-1 shape, tag-1 known+1 suffix3, tag-1 shape capitals known, tag-1 tag-2, tag-1 tag-2 word, tag-1 tag-2 known,"
    " tag-2 word, tag-1 tag-2 word-1 known, tag-1 tag-2 suffix3, tag-1 tag-2 known+1"
)
PREFIXES, SUFFIXES = 4, 5
WITHOUT_VALUE = frozenset(
    {"bias", "known", "shape", "letters", "capitals", "first"}
)  # of which the word itself tells more


def conjunction_names(words: Sequence[str], tags: Sequence[str], place: int, count: int) -> list[str]:
    """Return the names of the `count` conjunctions that decide about a word's tag, in the order of their hashes.

    Examples
    --------
    >>> conjunction_names(["Dogs", "bark"], ["NNS", "VBP"], 1, 68)[2:4]
    ['word=bark', 'word-1=dogs']
    """
    affixes: list[str] = []
    fixed = sum(len(templates.split(",")) for templates in (BEFORE_AFFIXES, BEHIND_AFFIXES, HISTORY))
    if count > fixed:  # a quotation mark has none
        letters = words[place].lower()
        affixes += [f"prefix={letters[: size + 1]}" for size in range(min(PREFIXES, len(letters)))]
        affixes += [f"suffix={letters[-size - 1 :]}" for size in range(min(SUFFIXES, len(letters)))]

    def named(templates: str) -> list[str]:
        return [
            " & ".join(_part(name, words, tags, place) for name in template.split())
            for template in templates.split(",")
        ]

    return [*named(BEFORE_AFFIXES), *affixes, *named(BEHIND_AFFIXES), *named(HISTORY)]


def _part(name: str, words: Sequence[str], tags: Sequence[str], place: int) -> str:
    """Return a part of a conjunction with its value."""
    if name == "last":
        return f"last={words[-1]}"
    kind, shift = (name[:-2], int(name[-2:])) if name[-2:-1] in ("-", "+") else (name, 0)
    at = place + shift
    if kind in WITHOUT_VALUE and not shift:
        return name
    if not 0 <= at < len(words):
        return f"{name}=none"
    word = words[at].lower()
    if kind in ("suffix3", "suffix2", "prefix2"):  # which a shorter word does not have
        size = int(kind[-1])
        ending = word[:size] if kind == "prefix2" else word[-size:]
        return f"{name}={ending if len(word) >= size else 'none'}"
    return f"{name}={ {'form': words[at], 'tag': tags[at]}.get(kind, word) }"


def explain_tag(
    model: EnglishModel, words: Sequence[str], tags: Sequence[str], place: int, top: int
) -> list[Explanation]:
    """Explain the tag of a word, counted from 0, in a sentence with its tags.

    Examples
    --------
    >>> from kakari.parsers.english.model import pretrained_model
    >>> (told,) = explain_tag(pretrained_model(), ["Dogs", "bark", "."], ["NNS", "VBP", "."], 1, 5)
    >>> told["machine"].split(",")[0]
    'VBP “bark”'
    >>> sum(item["weight"] for item in told["items"]) == told["margin"]
    True
    """
    numbers = {tag: number for number, tag in enumerate(model.tags)}
    if tags[place] not in numbers:
        raise ValueError(f"the tagger has no tag {tags[place]}")
    before = [numbers.get(tags[at]) if at >= 0 else None for at in (place - 1, place - 2)]
    hashes = tag_conjunctions(EnglishWords([words], model.lexicon), model.tagger, len(model.tags), place, *before)
    rows = np.array([model.tagger.scores([value], len(model.tags)) for value in hashes.tolist()], dtype=np.int64)
    own, sums = numbers[tags[place]], rows.sum(axis=0)
    rival = max((number for number in range(len(sums)) if number != own), key=lambda number: (sums[number], -number))
    weights = rows[:, own] - rows[:, rival]
    names = conjunction_names(words, tags, place, len(hashes))
    ranked = [(name, float(weight)) for name, weight in zip(names, weights.tolist(), strict=True) if weight]
    ranked.sort(key=lambda item: -abs(item[1]))
    machine = f"{tags[place]} “{words[place]}”, before: {model.tags[rival]}"
    return [Explanation.of(machine, float(weights.sum()), ranked, top)]
