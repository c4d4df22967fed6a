"""The tokenizer of `kakari.load("en")`: spaCy's, in time linear in the text.

Runs without blanks that are longer than any word are cut before spaCy sees them, since its time is quadratic in them
(`run_cuts`). Everything else is spaCy's, so that the tokens of text that people wrote are the same.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

from spacy.language import Language, create_tokenizer
from spacy.tokenizer import Tokenizer
from spacy.tokens import Doc
from spacy.util import registry

from kakari.parsers.limits import SURROGATES, run_cuts


class BoundedTokenizer(Tokenizer):  # type: ignore[misc]
    """spaCy's tokenizer with a limit on runs without blanks; a lone surrogate becomes U+FFFD, which spaCy can hold.

    Examples
    --------
    >>> import kakari
    >>> tokenizer = kakari.load("en").tokenizer
    >>> [token.text for token in tokenizer("Don't!")], len(tokenizer("(" * 10_000))
    (['Do', "n't", '!'], 10000)
    """

    def __call__(self, text: str) -> Doc:
        """Make a document of a text."""
        text = SURROGATES.sub("\ufffd", text)
        places = run_cuts(text)
        whole: Any = super().__call__
        if not places:
            return whole(text)  # type: ignore[no-any-return]
        pieces = [whole(text[begin:end]) for begin, end in pairwise([0, *places, len(text)])]
        joined: Any = Doc.from_docs(pieces, ensure_whitespace=False)
        return joined  # type: ignore[no-any-return]


@registry.tokenizers("kakari.EnglishTokenizer.v1")  # type: ignore[untyped-decorator]
def make_tokenizer() -> Callable[[Language], BoundedTokenizer]:
    """Make the tokenizer's factory, `kakari.EnglishTokenizer.v1` in a pipeline's configuration."""
    return _of_pipeline


def _of_pipeline(nlp: Language) -> BoundedTokenizer:
    rules = create_tokenizer()(nlp)
    return BoundedTokenizer(
        rules.vocab,
        rules=rules.rules,
        prefix_search=rules.prefix_search,
        suffix_search=rules.suffix_search,
        infix_finditer=rules.infix_finditer,
        token_match=rules.token_match,
        url_match=rules.url_match,
        faster_heuristics=rules.faster_heuristics,
    )
