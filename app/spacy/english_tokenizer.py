"""The tokenizer of `kakari.load("en")`: spaCy's, in time linear in the text (`parsers/english/words/bounded`)."""

from __future__ import annotations

from collections.abc import Callable

from spacy.language import Language, create_tokenizer
from spacy.util import registry

from kakari.parsers.english.words.bounded import BoundedTokenizer, bounded


@registry.tokenizers("kakari.EnglishTokenizer.v1")  # type: ignore[untyped-decorator]
def make_tokenizer() -> Callable[[Language], BoundedTokenizer]:
    """Make the tokenizer's factory, `kakari.EnglishTokenizer.v1` in a pipeline's configuration."""
    return _of_pipeline


def _of_pipeline(nlp: Language) -> BoundedTokenizer:
    return bounded(create_tokenizer()(nlp))
