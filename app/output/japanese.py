"""Parsed Japanese in every format that `kakari parse` writes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from hashlib import sha256

from kakari.corpora.formats.cabocha import format_cabocha, format_morpheme
from kakari.corpora.formats.conllu import format_conllu, japanese_to_conllu
from kakari.corpora.formats.knp import format_knp
from kakari.corpora.records.japanese import FUNCTIONAL, PUNCTUATION, JapaneseSentence, Morpheme
from kakari.output.bunsetsu_tree import draw
from kakari.output.japanese_records import to_json, to_record
from kakari.parsers.japanese.parser import JapaneseParser, ParsedSentence
from kakari.parsers.japanese.words.from_knp import KnpRows

MOST_LINES = 100_000
RANDOM_NAME = re.compile(r'id="([0-9a-f]{32})-0"')
WRITERS: dict[str, Callable[[JapaneseSentence], str]] = {
    "cabocha": format_cabocha,
    "knp": format_knp,
    "conllu": lambda record: format_conllu(japanese_to_conllu(record)),
}


def write_texts(
    parser: JapaneseParser, texts: Sequence[str], output: str, *, one_sentence: bool = False, colours: bool = False
) -> str:
    """Parse texts and write their sentences in the named format."""
    pieces: list[str] = []
    for text, sentences in zip(texts, parser.pipe_words(texts, one_sentence=one_sentence), strict=True):
        for sentence, morphemes in sentences:
            if text[sentence.begin : sentence.end].isspace():
                continue
            if output in ("tree", "svg", "html"):
                words = [text[b.begin : b.end].strip() for b in sentence.bunsetsu]
                pieces.append(_picture(sentence, words, output, colours))
                continue
            if output == "cabocha":
                pieces.append(_LATTICES.write(sentence, morphemes))
                continue
            record = to_record(sentence, morphemes)
            if output == "json":
                pieces.append(json.dumps(to_json(text, sentence, record), ensure_ascii=False) + "\n")
            else:
                pieces.append(WRITERS[output](record))
    return "".join(pieces)


def write_sentences(
    parser: JapaneseParser, records: Sequence[JapaneseSentence], output: str, *, colours: bool = False
) -> str:
    """Parse the morphemes of records anew and write them; comments are kept."""
    pieces: list[str] = []
    for record, sentence in zip(records, parser.parse_records(records), strict=True):
        if output in ("tree", "svg", "html"):
            pieces.append(
                _picture(sentence, [record.text[b.begin : b.end] for b in sentence.bunsetsu], output, colours)
            )
            continue
        parsed = replace(to_record(sentence, record.morphemes), comments=record.comments)
        if output == "json":
            pieces.append(json.dumps(to_json(record.text, sentence, parsed), ensure_ascii=False) + "\n")
        else:
            pieces.append(WRITERS[output](parsed))
    return "".join(pieces)


class KnpToCabocha:
    r"""Parses the morphemes of KNP text anew and writes CaboCha's, as `write_sentences` does, but without records.

    Examples
    --------
    >>> lines = ["* -1D", "はい はい はい 感動詞 12 * 0 * 0 * 0 NIL", "EOS"]
    >>> KnpToCabocha(JapaneseParser.pretrained()).write("x.knp", enumerate(lines, 1))
    '* 0 -1D 0/0 0.000000\nはい\t感動詞,*,*,*,*,*,はい,はい\nEOS\n'
    """

    def __init__(self, parser: JapaneseParser) -> None:
        self.parser = parser
        self.reader = KnpRows(parser.model.lexicon, _line_and_rank)

    def write(self, name: str, lines: Iterable[tuple[int, str]]) -> str:
        """Parse the sentences of numbered lines of a file."""
        morphemes, comments, words = self.reader.read(name, lines)
        parsed = self.parser.parse_arrays(morphemes)
        written: list[str] = []
        place = 0
        for own, count in zip(comments, parsed.counts, strict=True):
            written += own
            for number in range(count):
                begin, end = parsed.firsts[place : place + 2]
                written += _bunsetsu_lines(number, parsed.heads[place], parsed.kinds[place], words[begin:end])
                place += 1
            written.append("EOS")
        written.append("")
        return "\n".join(written)


def _line_and_rank(morpheme: Morpheme) -> tuple[str, int]:
    """Return a morpheme's line, and 0 for a content word, 1 for a function word, 2 for a mark."""
    pos = morpheme.pos[0] if morpheme.pos else ""
    return format_morpheme(morpheme), (pos in FUNCTIONAL) + (pos in PUNCTUATION)


def _bunsetsu_lines(number: int, head: int, kind: str, words: Sequence[tuple[str, int]]) -> Iterator[str]:
    """Yield the lines of a bunsetsu in CaboCha's lattice; see `format_cabocha`, which this must agree with."""
    content = function = len(words) - 1
    for place, (_, rank) in enumerate(words):
        if rank == 0:
            content = place
        if rank < 2:
            function = place
    yield f"* {number} {head}{kind} {content}/{function} 0.000000"
    for line, _ in words:
        yield line


class _Lattices:
    """Parsed text as CaboCha's lattices; the lines of a word that the parser remembers are remembered with it."""

    def __init__(self) -> None:
        self.lines: dict[int, tuple[Morpheme, tuple[str, int]]] = {}

    def write(self, sentence: ParsedSentence, morphemes: Sequence[Morpheme]) -> str:
        words = [self.line_and_rank(morpheme) for morpheme in morphemes]
        written: list[str] = []
        for number, b in enumerate(sentence.bunsetsu):
            written += _bunsetsu_lines(number, b.head, b.kind, words[b.first : b.last])
        return "\n".join([*written, "EOS\n"])

    def line_and_rank(self, morpheme: Morpheme) -> tuple[str, int]:
        known = self.lines.get(id(morpheme))
        if known is None or known[0] is not morpheme:
            if len(self.lines) >= MOST_LINES:
                self.lines.clear()
            known = self.lines[id(morpheme)] = morpheme, _line_and_rank(morpheme)
        return known[1]


_LATTICES = _Lattices()


def _picture(sentence: ParsedSentence, words: Sequence[str], output: str, colours: bool) -> str:
    kinds = [bunsetsu.kind for bunsetsu in sentence.bunsetsu]
    if output == "tree":
        lines = draw(words, sentence.heads, kinds)
        return "\n".join(_coloured(line) if colours else line for line in lines) + "\n\n"
    from spacy import displacy

    arcs = [
        {"start": number, "end": head, "label": kinds[number], "dir": "left"}
        for number, head in enumerate(sentence.heads)
        if head >= 0
    ]
    drawing = {"words": [{"text": word, "tag": ""} for word in words], "arcs": arcs}
    options = {"compact": True, "distance": 140}
    drawn = str(displacy.render(drawing, style="dep", manual=True, page=output == "html", options=options))
    return _with_own_name(drawn, json.dumps(drawing)) + "\n"


def _with_own_name(drawn: str, drawing: str) -> str:
    """Name a drawing by what it shows, instead of the random name that displaCy gives it: the bytes stay the same."""
    found = RANDOM_NAME.search(drawn)
    return drawn if found is None else drawn.replace(found[1], sha256(drawing.encode()).hexdigest()[:32])


def _coloured(line: str) -> str:
    """Dim the lines of a drawing, so that the words stand out."""
    place = next((index for index, character in enumerate(line) if character in "─┐┤│"), len(line))
    return f"{line[:place]}\x1b[36m{line[place:]}\x1b[0m" if place < len(line) else f"\x1b[1m{line}\x1b[0m"
