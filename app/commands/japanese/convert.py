"""Conversion of analysed Japanese from one format to another, without parsing again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate

import typer

from kakari.commands.japanese.parsing import SENTENCE_ENDS, drawn_or_numbered
from kakari.corpora.records.errors import CorpusError
from kakari.corpora.records.japanese import Bunsetsu, JapaneseSentence
from kakari.output.japanese import write_parsed
from kakari.parsers.japanese.parser import ParsedBunsetsu, ParsedSentence
from kakari.reading.portions import Portion, file_portions
from kakari.reading.tagged import sentences_of
from kakari.reading.tagged_names import kind_of

WRITTEN = ("cabocha", "knp", "conllu", "json", "tree", "svg", "html")


def converted(files: Sequence[str], source: str | None, output: str) -> Iterator[str]:
    """Yield the output for analysed files, piece by piece."""
    yield from drawn_or_numbered(_pieces(files, source, output), output)


def _pieces(files: Sequence[str], source: str | None, output: str) -> Iterator[str]:
    for file in files:
        kind = source or kind_of(file)
        if kind is None:
            raise typer.BadParameter(f"say what is in {file}", param_hint="--input")
        for portion in file_portions(file, SENTENCE_ENDS.get(kind, "EOS")):
            yield convert_portion(portion, kind, output)


def convert_portion(portion: Portion, kind: str, output: str) -> str:
    """Write the sentences of a portion in another format; words without bunsetsu are refused."""
    records = list(sentences_of(portion, kind))
    for record in records:
        if record.origin == "tagged":
            raise CorpusError(portion.name, None, "these are words without bunsetsu: kakari parse finds them")
        for _, reason in record.faults():
            raise CorpusError(portion.name, None, f"in the sentence '{record.text[:30]}', {reason}")
    if output == kind and output in ("cabocha", "knp"):
        return "".join(map(_same_format(output), records))
    return write_parsed(records, map(as_parsed, records), output)


def _same_format(output: str) -> Callable[[JapaneseSentence], str]:
    from kakari.corpora.formats.cabocha import format_cabocha
    from kakari.corpora.formats.knp import format_knp

    return format_cabocha if output == "cabocha" else format_knp


def as_parsed(record: JapaneseSentence) -> ParsedSentence:
    """Return a record as the parser's own sentence."""
    sizes = [len(bunsetsu.morphemes) for bunsetsu in record.bunsetsu]
    firsts = [0, *accumulate(sizes)]
    ends = [0, *accumulate(len(bunsetsu.text) for bunsetsu in record.bunsetsu)]
    found = tuple(
        ParsedBunsetsu(
            ends[number],
            ends[number + 1],
            firsts[number],
            firsts[number + 1],
            bunsetsu.head,
            score_of(bunsetsu, record.origin),
            bunsetsu.kind,
        )
        for number, bunsetsu in enumerate(record.bunsetsu)
    )
    return ParsedSentence(0, ends[-1], found)


def score_of(bunsetsu: Bunsetsu, origin: str) -> float:
    """Return the score of an arc in the file; 0 if it has none."""
    told = bunsetsu.features.split(" ")[-1] if origin in ("cabocha", "json") else ""
    try:
        return float(told)
    except ValueError:
        return 0.0
