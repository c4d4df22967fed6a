"""The splits of QuestionBank. It contains the questions of `qc:test`, which must not be trained on.

A tree belongs to `test` if the letters and digits of its question are those of a question of `qc:test`; of the others,
every tenth belongs to `dev` and the rest to `train`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from kakari.corpora.records.errors import CorpusError

DEV_STEP = 10


def letters_and_digits(text: str) -> str:
    """Return the letters and digits of a text, in which two spellings of a question agree.

    Examples
    --------
    >>> letters_and_digits("What 's a Hamlet ?") == letters_and_digits("what's a hamlet")
    True
    """
    return "".join(character for character in text.casefold() if character.isalnum())


def questions_of_split(trees: Iterable[Any], test_questions: Iterable[str], split: str) -> Iterator[Any]:
    """Yield the trees of a split.

    Examples
    --------
    >>> from kakari.corpora.formats.brackets import parse_brackets
    >>> trees = [parse_brackets(f"(FRAG (WP {word}) (. ?))") for word in ("Who", "What", "Why")]
    >>> [tree.leaves() for tree in questions_of_split(trees, ["who?"], "test")]
    [['Who', '?']]
    >>> [tree.leaves() for tree in questions_of_split(trees, ["who?"], "train")]
    [['Why', '?']]
    """
    known = {letters_and_digits(question) for question in test_questions}
    if not known:
        raise CorpusError("qc:test", None, "there are no questions in it, so QuestionBank cannot be divided")
    others = 0
    for tree in trees:
        if letters_and_digits("".join(tree.leaves())) in known:
            belongs = "test"
        else:
            belongs = "train" if others % DEV_STEP else "dev"
            others += 1
        if belongs == split:
            yield tree
