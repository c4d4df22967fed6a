"""Parsed Japanese as Universal Dependencies in CoNLL-U that UD's validator accepts.

MISC has the bunsetsu, with GSD's keys (`BunsetuBILabel`, `BunsetuPositionType`) and kakari's (`BunsetsuHead`,
`BunsetsuType`), readings and conjugation, and whether a blank follows a word. `# text` has the text as it was read,
with blanks for line breaks and other unprintable spaces.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from kakari.corpora.formats.conllu import ConlluSentence, format_conllu, japanese_to_conllu
from kakari.output.japanese_records import to_record
from kakari.parsers.limits import SURROGATES

if TYPE_CHECKING:
    from kakari.corpora.records.japanese import JapaneseSentence, Morpheme
    from kakari.parsers.japanese.parser import ParsedSentence
    from kakari.parsers.japanese.universal.model import UniversalWord

UNPRINTABLE_SPACE = re.compile(r"[^\S \u3000]+")


def write_universal(text: str, sentence: ParsedSentence, words: Sequence[Morpheme], comments: Sequence[str]) -> str:
    """Write a parsed sentence of a text; without a tree over words, only its bunsetsu."""
    record = replace(to_record(sentence, words), comments=tuple(comments))
    shown = SURROGATES.sub("\ufffd", text[sentence.begin : sentence.end]).strip()  # as the words have them
    return format_conllu(universal_sentence(shown, record, sentence.words))


def universal_sentence(text: str, record: JapaneseSentence, words: Sequence[UniversalWord]) -> ConlluSentence:
    """Return a CoNLL-U sentence with the heads and relations of `words`."""
    plain = japanese_to_conllu(replace(record, comments=()))
    tokens = []
    place = 0
    for number, token in enumerate(plain.tokens):
        if words:
            word = words[number]
            token = replace(token, upos=word.part, head=str(word.head + 1), deprel=word.relation)
        place = text.index(token.form, place) + len(token.form)
        keys = dict(token.misc)
        if place < len(text) and not text[place].isspace():
            keys["SpaceAfter"] = "No"
        misc = sorted((key, value and value.replace("|", "\\p")) for key, value in keys.items())
        tokens.append(replace(token, misc=tuple(misc)))
    kept = [comment for comment in record.comments if not comment.startswith("# text =")]
    return ConlluSentence(tuple(tokens), (*kept, f"# text = {UNPRINTABLE_SPACE.sub(' ', text)}"))
