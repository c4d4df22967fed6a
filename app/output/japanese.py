"""Parsed Japanese in every format that `kakari parse` writes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import TYPE_CHECKING

from kakari.corpora.records.content_words import content_place, function_place
from kakari.output.bunsetsu_tree import draw
from kakari.parsers.japanese.parser import JapaneseParser, ParsedSentence

if TYPE_CHECKING:
    from kakari.corpora.records.japanese import JapaneseSentence, Morpheme

MOST_LINES = 100_000
RANDOM_NAME = re.compile(r'id="([0-9a-f]{32})-0"')
PICTURES = ("tree", "svg", "html")


def write_texts(
    parser: JapaneseParser, texts: Sequence[str], output: str, *, one_sentence: bool = False, colours: bool = False
) -> str:
    """Parse texts and write their sentences in the named format."""
    if output in PICTURES:
        return "".join(
            _picture(sentence, [text[b.begin : b.end].strip() for b in sentence.bunsetsu], output, colours)
            for text, sentences in zip(texts, parser.pipe(texts, one_sentence=one_sentence), strict=True)
            for sentence in sentences
            if not text[sentence.begin : sentence.end].isspace()
        )
    write = _LATTICES.write if output == "cabocha" else _writer(output)
    return "".join(
        write(text, sentence, morphemes, ())
        for text, sentences in zip(texts, parser.pipe_words(texts, one_sentence=one_sentence), strict=True)
        for sentence, morphemes in sentences
        if not text[sentence.begin : sentence.end].isspace()
    )


def write_sentences(
    parser: JapaneseParser, records: Sequence[JapaneseSentence], output: str, *, colours: bool = False
) -> str:
    """Parse the morphemes of records anew and write them; comments are kept."""
    parsed = zip(records, parser.parse_records(records), strict=True)
    if output in PICTURES:
        return "".join(
            _picture(sentence, [record.text[b.begin : b.end] for b in sentence.bunsetsu], output, colours)
            for record, sentence in parsed
        )
    write = _writer(output)
    return "".join(write(record.text, sentence, record.morphemes, record.comments) for record, sentence in parsed)


Writer = Callable[[str, ParsedSentence, "Sequence[Morpheme]", Sequence[str]], str]


def _writer(output: str) -> Writer:
    """Return what writes a sentence of a text, with its morphemes and comments; only its own format is imported."""
    from kakari.output.japanese_records import to_json, to_record

    def write_json(text: str, sentence: ParsedSentence, words: Sequence[Morpheme], comments: Sequence[str]) -> str:
        return json.dumps(to_json(text, sentence, to_record(sentence, words)), ensure_ascii=False) + "\n"

    def write_record(text: str, sentence: ParsedSentence, words: Sequence[Morpheme], comments: Sequence[str]) -> str:
        return format_record(replace(to_record(sentence, words), comments=tuple(comments)))

    if output == "json":
        return write_json
    if output == "conllu":
        from kakari.output.universal import write_universal

        return write_universal
    format_record = record_format(output)
    return write_record


def record_format(output: str) -> Callable[[JapaneseSentence], str]:
    """Return what writes a record in the named format."""
    if output == "cabocha":
        from kakari.corpora.formats.cabocha import format_cabocha

        return format_cabocha
    if output == "knp":
        from kakari.corpora.formats.knp import format_knp

        return format_knp
    from kakari.corpora.formats.conllu import format_conllu, japanese_to_conllu

    return lambda record: format_conllu(japanese_to_conllu(record))


class KnpToCabocha:
    r"""Parses the morphemes of KNP text anew and writes CaboCha's, as `write_sentences` does, but without records.

    Examples
    --------
    >>> lines = ["* -1D", "はい はい はい 感動詞 12 * 0 * 0 * 0 NIL", "EOS"]
    >>> KnpToCabocha(JapaneseParser.pretrained()).write("x.knp", enumerate(lines, 1))
    '* 0 -1D 0/0 0.000000\nはい\t感動詞,*,*,*,*,*,はい,はい\nEOS\n'
    """

    def __init__(self, parser: JapaneseParser) -> None:
        from kakari.parsers.japanese.words.from_knp import KnpRows

        self.parser = parser
        self.reader = KnpRows(parser.model.lexicon, _line_and_class)

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


def _line_and_class(morpheme: Morpheme) -> tuple[str, int]:
    """Return a morpheme's line, and what it can be in its bunsetsu (`WordClass`)."""
    from kakari.corpora.formats.cabocha import format_morpheme
    from kakari.corpora.records.content_words import word_class

    return format_morpheme(morpheme), int(word_class(morpheme.pos, morpheme.base))


def _bunsetsu_lines(number: int, head: int, kind: str, words: Sequence[tuple[str, int]]) -> Iterator[str]:
    """Yield the lines of a bunsetsu in CaboCha's lattice; see `format_cabocha`, which this must agree with."""
    classes = [kind_of_word for _, kind_of_word in words]
    yield f"* {number} {head}{kind} {content_place(classes)}/{function_place(classes)} 0.000000"
    for line, _ in words:
        yield line


class _Lattices:
    """Parsed text as CaboCha's lattices; the lines of a word that the parser remembers are remembered with it."""

    def __init__(self) -> None:
        self.lines: dict[int, tuple[Morpheme, tuple[str, int]]] = {}

    def write(self, text: str, sentence: ParsedSentence, morphemes: Sequence[Morpheme], comments: Sequence[str]) -> str:
        words = [self.line_and_class(morpheme) for morpheme in morphemes]
        written = list(comments)
        for number, b in enumerate(sentence.bunsetsu):
            written += _bunsetsu_lines(number, b.head, b.kind, words[b.first : b.last])
        return "\n".join([*written, "EOS\n"])

    def line_and_class(self, morpheme: Morpheme) -> tuple[str, int]:
        known = self.lines.get(id(morpheme))
        if known is None or known[0] is not morpheme:
            if len(self.lines) >= MOST_LINES:
                self.lines.clear()
            known = self.lines[id(morpheme)] = morpheme, _line_and_class(morpheme)
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
