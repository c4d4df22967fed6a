"""spaCy's tokenizer of English for text that nobody wrote: its time is linear in the text.

spaCy takes marks off both ends of what stands between two blanks, one at a time, and looks at all that is left after
each: 8,000 opening brackets take seconds, a megabyte of them days. Here a run without blanks that is longer than any
word is cut before spaCy sees it. Everything else is spaCy's, so that the tokens of text that people wrote are the same.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

from spacy.tokenizer import Tokenizer
from spacy.tokens import Doc

LONGEST_RUN = 500  # characters without a blank: addresses of pages may be as long
LONGEST_MARKS = 200  # characters without a blank, letter or digit
SURROGATES = re.compile("[\ud800-\udfff]")
LONG_RUN = re.compile(rf"\S{{{LONGEST_MARKS},}}")
MARKS = re.compile(rf"[\W_]{{{LONGEST_MARKS}}}")


def cuts(text: str) -> list[int]:
    """Return the places where a text is cut: none for ordinary text.

    Examples
    --------
    >>> cuts("one two"), cuts("a " + "(" * 450), cuts("a" * 1_200)
    ([], [202, 402], [500, 1000])
    """
    places: list[int] = []
    for run in LONG_RUN.finditer(text):
        begin, end = run.span()
        while begin < end:
            marks = MARKS.search(text, begin, min(end, begin + LONGEST_RUN))
            begin = marks.end() if marks else begin + LONGEST_RUN
            if begin < end:
                places.append(begin)
    return places


class BoundedTokenizer(Tokenizer):  # type: ignore[misc]
    """spaCy's tokenizer with a limit on runs without blanks; a lone surrogate becomes U+FFFD, which spaCy can hold.

    Examples
    --------
    >>> from spacy.lang.en import English
    >>> from spacy.language import create_tokenizer
    >>> made = bounded(create_tokenizer()(English()))
    >>> [token.text for token in made("Don't!")], len(made("(" * 10_000))
    (['Do', "n't", '!'], 10000)
    """

    def __call__(self, text: str) -> Doc:
        """Make a document of a text."""
        text = SURROGATES.sub("\ufffd", text)
        places = cuts(text)
        whole: Any = super().__call__
        if not places:
            doc: Doc = whole(text)
            return doc
        pieces = [whole(text[begin:end]) for begin, end in pairwise([0, *places, len(text)])]
        joined: Any = Doc.from_docs(pieces, ensure_whitespace=False)
        return joined  # type: ignore[no-any-return]


def bounded(tokenizer: Tokenizer) -> BoundedTokenizer:
    """Return a tokenizer with the rules of another."""
    return BoundedTokenizer(
        tokenizer.vocab,
        rules=tokenizer.rules,
        prefix_search=tokenizer.prefix_search,
        suffix_search=tokenizer.suffix_search,
        infix_finditer=tokenizer.infix_finditer,
        token_match=tokenizer.token_match,
        url_match=tokenizer.url_match,
        faster_heuristics=tokenizer.faster_heuristics,
    )
