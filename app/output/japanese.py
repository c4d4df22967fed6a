"""Parsed Japanese in every format that `kakari parse` writes.

Sentences keep their place in the input (`Origin`): JSON has line numbers and offsets of the whole input. With one
sentence a line, an empty line is written as an empty sentence, so that output maps back to input.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from kakari.corpora.records.content_words import content_place, function_place
from kakari.corpora.records.origins import Origin
from kakari.output.bunsetsu_tree import draw
from kakari.output.places import Place
from kakari.parsers.japanese.parser import JapaneseParser, ParsedSentence

if TYPE_CHECKING:
    from kakari.corpora.records.japanese import JapaneseSentence, Morpheme

PICTURES = ("tree", "svg", "html")
EMPTY = {"cabocha": "EOS\n", "knp": "EOS\n", "tree": "\n", "conllu": "", "svg": "", "html": ""}


Writer = Callable[[Place, ParsedSentence, "Sequence[Morpheme]"], str]


def write_texts(
    parser: JapaneseParser,
    texts: Sequence[str],
    output: str,
    *,
    one_sentence: bool = False,
    colours: bool = False,
    origins: Sequence[Origin] = (),
) -> str:
    """Parse texts and write their sentences in the named format; svg and html as JSON lines of `Drawing`."""
    if output == "cabocha":
        return _write_lattices(parser, texts, one_sentence)
    write = _writer(output, colours)
    places = origins or [Origin()] * len(texts)
    if output in PICTURES:
        found: Iterable[list[tuple[ParsedSentence, list[Morpheme]]]] = (
            [(sentence, []) for sentence in sentences] for sentences in parser.pipe(texts, one_sentence=one_sentence)
        )
    else:
        found = parser.pipe_words(texts, one_sentence=one_sentence)
    written = []
    for text, origin, sentences in zip(texts, places, found, strict=True):
        number = 0
        for sentence, morphemes in sentences:
            if not text[sentence.begin : sentence.end].isspace():
                number += 1
                written.append(write(Place(text, origin, (), number), sentence, morphemes))
        if one_sentence and not number:
            written.append(_empty(output, origin))
    return "".join(written)


def _empty(output: str, origin: Origin) -> str:
    """Write an empty line as an empty sentence."""
    if output != "json":
        return EMPTY[output]
    begin = origin.source(0)
    told = {"text": "", "line": origin.line(0), "start": begin, "end": begin, "bunsetsu": []}
    return json.dumps(told) + "\n"


def write_sentences(
    parser: JapaneseParser, records: Sequence[JapaneseSentence], output: str, *, colours: bool = False
) -> str:
    """Parse the morphemes of records again and write them; comments are kept."""
    return write_parsed(records, parser.parse_records(records), output, colours=colours)


def write_parsed(
    records: Sequence[JapaneseSentence], parsed: Iterable[ParsedSentence], output: str, *, colours: bool = False
) -> str:
    """Write the parses of records' morphemes; comments are kept."""
    write = _writer(output, colours)
    written = []
    for number, (record, sentence) in enumerate(zip(records, parsed, strict=True), 1):
        place = Place(record.text, comments=record.comments, number=number)
        if record.bunsetsu:
            written.append(write(place, sentence, record.morphemes))
        else:
            comments = record.comments if output in ("cabocha", "knp") else ()
            written.append("".join(f"{comment}\n" for comment in comments) + EMPTY.get(output, ""))
    return "".join(written)


def _writer(output: str, colours: bool) -> Writer:
    """Return the function that writes a sentence; only the module of its format is imported."""
    if output == "tree":
        return _write_coloured_tree if colours else _write_tree
    if output in PICTURES:
        return _write_drawing
    if output == "conllu":
        from kakari.output.universal import write_universal

        return lambda place, sentence, words: write_universal(place.text, sentence, words, place.comments)
    from kakari.output.japanese_records import to_json, to_record

    if output == "json":
        return lambda place, sentence, words: (
            json.dumps(to_json(place, sentence, to_record(sentence, words)), ensure_ascii=False) + "\n"
        )
    if output == "knp":
        from kakari.corpora.formats.knp import format_knp
        from kakari.output.knp_features import with_features

        def write_knp(place: Place, sentence: ParsedSentence, words: Sequence[Morpheme]) -> str:
            record = replace(to_record(sentence, words), comments=tuple(place.comments))
            return format_knp(with_features(record, place.sid(sentence)))

        return write_knp
    from kakari.corpora.formats.cabocha import format_cabocha

    def write_cabocha(place: Place, sentence: ParsedSentence, words: Sequence[Morpheme]) -> str:
        scores = [bunsetsu.score for bunsetsu in sentence.bunsetsu]
        return format_cabocha(replace(to_record(sentence, words), comments=tuple(place.comments)), scores)

    return write_cabocha


class KnpToCabocha:
    r"""Parses the morphemes of KNP text again and writes CaboCha's format; like `write_sentences`, without records.

    Examples
    --------
    >>> lines = ["* -1D", "はい はい はい 感動詞 12 * 0 * 0 * 0 NIL", "EOS"]
    >>> KnpToCabocha(JapaneseParser.pretrained()).write("x.knp", enumerate(lines, 1))
    '* 0 -1D 0/0 1.000000\nはい\t感動詞,*,*,*,*,*,はい,はい\nEOS\n'
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
                arc = parsed.heads[place], parsed.kinds[place], parsed.scores[place]
                written += _bunsetsu_lines(number, *arc, words[begin:end])
                place += 1
            written.append("EOS")
        written.append("")
        return "\n".join(written)


def _line_and_class(morpheme: Morpheme) -> tuple[str, int]:
    """Return a morpheme's line, and its class in a bunsetsu (`WordClass`)."""
    from kakari.corpora.formats.cabocha import format_morpheme
    from kakari.corpora.records.content_words import word_class

    return format_morpheme(morpheme), int(word_class(morpheme.pos, morpheme.base))


def _bunsetsu_lines(number: int, head: int, kind: str, score: float, words: Sequence[tuple[str, int]]) -> list[str]:
    """Return the lines of a bunsetsu in CaboCha's lattice; see `format_cabocha`, which this must agree with."""
    lines, classes = zip(*words, strict=True)
    return [f"* {number} {head}{kind} {_places(classes)} {score:.6f}", *lines]


@lru_cache(1 << 14)
def _places(classes: tuple[int, ...]) -> str:
    """Write the places of content and function word; bunsetsu of the same classes of words have the same."""
    return f"{content_place(classes)}/{function_place(classes)}"


def _write_lattices(parser: JapaneseParser, texts: Sequence[str], one_sentence: bool) -> str:
    """Parse texts and write CaboCha's lattices, without objects for bunsetsu and sentences."""
    written: list[str] = []
    for batch in parser.pipe_arrays(texts, _line_and_class, one_sentence=one_sentence):
        parsed, starts, ends = batch.parsed, batch.morphemes.starts.tolist(), batch.morphemes.ends.tolist()
        sentence = place = 0
        for number, text in enumerate(batch.texts):
            size = len(written)
            while sentence < len(batch.spans) and batch.spans[sentence][0] == number:
                begin, start, stop = batch.spans[sentence][1], starts[sentence], starts[sentence + 1]
                first, place = place, place + parsed.counts[sentence]
                if not text[begin : begin + (ends[stop - 1] if stop > start else 0)].isspace():
                    own = batch.notes[sentence]
                    for at in range(first, place):
                        words = own[parsed.firsts[at] - start : parsed.firsts[at + 1] - start]
                        arc = parsed.heads[at], parsed.kinds[at], parsed.scores[at]
                        written += _bunsetsu_lines(at - first, *arc, words)
                    written.append("EOS")
                sentence += 1
            if one_sentence and len(written) == size:
                written.append("EOS")
    return "\n".join([*written, ""])


def _shown(place: Place, sentence: ParsedSentence) -> list[str]:
    return [place.text[b.begin : b.end].strip() for b in sentence.bunsetsu]


def _write_tree(place: Place, sentence: ParsedSentence, words: Sequence[Morpheme]) -> str:
    kinds = [bunsetsu.kind for bunsetsu in sentence.bunsetsu]
    return "\n".join(draw(_shown(place, sentence), sentence.heads, kinds)) + "\n\n"


def _write_coloured_tree(place: Place, sentence: ParsedSentence, words: Sequence[Morpheme]) -> str:
    lines = _write_tree(place, sentence, words).splitlines()[:-1]
    return "\n".join(map(_coloured, lines)) + "\n\n"


def _write_drawing(place: Place, sentence: ParsedSentence, words: Sequence[Morpheme]) -> str:
    kinds = [bunsetsu.kind for bunsetsu in sentence.bunsetsu]
    return json.dumps([_shown(place, sentence), sentence.heads, kinds], ensure_ascii=False) + "\n"


def drawn(lines: Iterable[str], output: str) -> str:
    """Draw what `write_texts` wrote for svg or html: all sentences in one drawing or page."""
    from kakari.parsers.pictures.arcs import Drawing, draw_html, draw_svg

    drawings = [Drawing(*json.loads(line)) for piece in lines for line in piece.split("\n") if line]
    return draw_svg(drawings) if output == "svg" else draw_html(drawings)


def _coloured(line: str) -> str:
    """Dim the lines of a drawing, so that the words stand out."""
    place = next((index for index, character in enumerate(line) if character in "─┐┤│"), len(line))
    return f"{line[:place]}\x1b[36m{line[place:]}\x1b[0m" if place < len(line) else f"\x1b[1m{line}\x1b[0m"
