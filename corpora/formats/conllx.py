"""CoNLL-X, the ten columns of the shared tasks of 2006 and 2007: a token a line, a blank line after each sentence.

The columns are number, form, lemma, coarse tag, fine tag, features, head, relation, projective head and its relation;
`_` stands for what is not known. There are no comments, no ranges and no empty nodes. A sentence may have several
roots (a third of the Basque training sentences do) and, in damaged data, cycles: code that needs a tree must check
for them. Written back, a file is what was read, except for line ends (LF) and one blank line after each sentence.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import IO

from kakari.corpora.records.errors import CorpusError
from kakari.corpora.records.textfiles import Source, blank_line_blocks, source_name, write_text

COLUMNS = 10


@dataclass(frozen=True, slots=True)
class ConllxToken:
    """One line except for its number, which is its place. A head is the number of a token, 0 the root, None unknown."""

    form: str
    lemma: str = "_"
    cpostag: str = "_"
    postag: str = "_"
    feats: str = "_"
    head: int | None = None
    deprel: str = "_"
    phead: int | None = None
    pdeprel: str = "_"


@dataclass(frozen=True, slots=True)
class ConllxSentence:
    """The tokens of a sentence."""

    tokens: tuple[ConllxToken, ...]


def read_conllx(source: Source, *, encoding: str = "utf-8") -> Iterator[ConllxSentence]:
    r"""Yield the sentences of a CoNLL-X file.

    Examples
    --------
    >>> import io
    >>> line = "1\tJa\tja\tI\tI\t_\t0\tROOT\t_\t_\n"
    >>> [(token.form, token.head, token.deprel) for token in next(read_conllx(io.StringIO(line))).tokens]
    [('Ja', 0, 'ROOT')]
    """
    name = source_name(source)
    for block in blank_line_blocks(source, encoding=encoding):
        yield ConllxSentence(
            tuple(_parse_token(name, number, line, place, len(block)) for place, (number, line) in enumerate(block, 1))
        )


def _parse_token(name: str, number: int, line: str, place: int, words: int) -> ConllxToken:
    columns = line.split("\t")
    if len(columns) != COLUMNS:
        raise CorpusError(name, number, f"the line has {len(columns)} columns between tabs; CoNLL-X has {COLUMNS}")
    if not all(columns):
        empty = columns.index("") + 1
        raise CorpusError(name, number, f"column {empty} is empty; an unknown value is written '_'")
    found, form, lemma, cpostag, postag, feats, head, deprel, phead, pdeprel = columns
    if found != str(place):
        raise CorpusError(name, number, f"token '{found[:40]}' stands where token {place} is expected")
    heads = [_parse_head(name, number, text, words) for text in (head, phead)]
    return ConllxToken(form, lemma, cpostag, postag, feats, heads[0], deprel, heads[1], pdeprel)


def _parse_head(name: str, number: int, text: str, words: int) -> int | None:
    if text == "_":
        return None
    if not (text.isascii() and text.isdecimal() and len(text) < 10 and int(text) <= words and text == str(int(text))):
        raise CorpusError(name, number, f"the head '{text[:40]}' is no token of this sentence")
    return int(text)


def format_conllx(sentence: ConllxSentence) -> str:
    r"""Write a sentence, with the blank line that ends it.

    Examples
    --------
    >>> format_conllx(ConllxSentence((ConllxToken("Ja", head=0, deprel="ROOT"),)))
    '1\tJa\t_\t_\t_\t_\t0\tROOT\t_\t_\n\n'
    """
    lines = []
    for place, token in enumerate(sentence.tokens, 1):
        heads = ["_" if head is None else str(head) for head in (token.head, token.phead)]
        columns = (str(place), token.form, token.lemma, token.cpostag, token.postag, token.feats)
        lines.append("\t".join((*columns, heads[0], token.deprel, heads[1], token.pdeprel)) + "\n")
    return "".join(lines) + "\n"


def write_conllx(sentences: Iterable[ConllxSentence], target: str | os.PathLike[str] | IO[str]) -> None:
    """Write sentences to a CoNLL-X file."""
    write_text(map(format_conllx, sentences), target)
