"""Bunsetsu of a spaCy document: how they are kept, and the extensions that show them.

They are kept in `doc.user_data` as lists of whole numbers (so they survive `to_bytes`, `DocBin` and worker
processes), and shown through extensions: `doc._.bunsetsu` gives spans, `span._.head` the bunsetsu that one
depends on (the last one's is itself, as in spaCy), `span._.content_token` and `span._.function_token` its head and
functional token, `token._.bunsetsu` the bunsetsu around a token.
"""

from __future__ import annotations

import warnings
from bisect import bisect_right
from typing import Any

from spacy.tokens import Doc, Span, Token

from kakari.corpora.records.japanese import BasePhrase, Bunsetsu, Morpheme

STARTS, HEADS, SCORES = "kakari_bunsetsu_starts", "kakari_bunsetsu_heads", "kakari_bunsetsu_scores"


class MissingBunsetsuWarning(UserWarning):
    """A document was asked for bunsetsu that it does not have."""


def _starts(doc: Doc) -> list[int]:
    """Return the first token of each bunsetsu; warn where none were found or kept."""
    starts: list[int] | None = doc.user_data.get(STARTS)
    if starts is None and len(doc):
        warnings.warn(
            "this document has no bunsetsu: kakari_bunsetsu was not run on it, or its user data was left behind, as"
            " span.as_doc() does, and DocBin without store_user_data=True",
            MissingBunsetsuWarning,
            stacklevel=4,
        )
    return starts or []


def bunsetsu_spans(doc: Doc) -> list[Span]:
    """Return the bunsetsu of a document as spans, in order."""
    starts = _starts(doc)
    return [doc[begin:end] for begin, end in zip(starts, [*starts[1:], len(doc)], strict=False)]


def _number(token_or_span: Token | Span) -> int | None:
    """Return the number of the bunsetsu that holds a token, or that a span starts in."""
    index = token_or_span.i if isinstance(token_or_span, Token) else token_or_span.start
    starts = _starts(token_or_span.doc)
    return bisect_right(starts, index) - 1 if starts else None


def bunsetsu_of(token_or_span: Token | Span) -> Span | None:
    """Return the bunsetsu that holds a token (or a span's first token); None if none were found."""
    number = _number(token_or_span)
    if number is None:
        return None
    starts = token_or_span.doc.user_data[STARTS]
    return token_or_span.doc[starts[number] : (*starts[1:], len(token_or_span.doc))[number]]


def bunsetsu_head(token_or_span: Token | Span) -> Span | None:
    """Return the bunsetsu that this one depends on; itself for the last of a sentence.

    None if the span is not a bunsetsu, or heads were not looked for.
    """
    number = _number(token_or_span)
    heads = token_or_span.doc.user_data.get(HEADS)
    if number is None or not heads:
        return None
    starts = [*token_or_span.doc.user_data[STARTS], len(token_or_span.doc)]
    if isinstance(token_or_span, Span) and [token_or_span.start, token_or_span.end] != starts[number : number + 2]:
        return None
    head = heads[number]
    return token_or_span.doc[starts[head] : starts[head + 1]]


def content_token(span: Span) -> Token:
    """Return a bunsetsu's head token: the last that is no particle, auxiliary, suffix or mark."""
    return span[_as_bunsetsu(span).content_index()]


def function_token(span: Span) -> Token:
    """Return a bunsetsu's functional token: the last that is no mark."""
    return span[_as_bunsetsu(span).function_index()]


def _as_bunsetsu(span: Span) -> Bunsetsu:
    words = tuple(Morpheme(token.text, "", token.lemma_, tuple(token.tag_.split("-"))) for token in span)
    return Bunsetsu(-1, "D", (BasePhrase(-1, "D", words),))


def register_extensions() -> None:
    """Register what this module shows; an attribute that another library has taken is left alone."""
    extensions: tuple[tuple[Any, str, Any], ...] = (
        (Doc, "bunsetsu", bunsetsu_spans),
        (Token, "bunsetsu", bunsetsu_of),
        (Span, "head", bunsetsu_head),
        (Span, "content_token", content_token),
        (Span, "function_token", function_token),
    )
    for holder, name, getter in extensions:
        if not holder.has_extension(name):
            holder.set_extension(name, getter=getter)
