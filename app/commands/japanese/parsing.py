"""`kakari parse` for Japanese: texts, and files of words, with or without bunsetsu."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

from kakari.models.files import loaded_once
from kakari.reading.portions import Portion, TextChunk

if TYPE_CHECKING:
    from kakari.corpora.records.japanese import JapaneseSentence
    from kakari.output.japanese import KnpToCabocha
    from kakari.parsers.japanese.parser import JapaneseParser

EMBEDDED = ("ja", "ja-juman")
SENTENCE_ENDS = {"conllu": "", "json": None}  # the line that ends a sentence of a file, if it is not EOS


@dataclass(frozen=True)
class Analyser:
    """Sudachi's dictionaries and its split mode."""

    dictionary: str = "core"
    user: tuple[str, ...] = ()
    split: str = "A"


@dataclass(frozen=True)
class Settings:
    """Settings of a worker; with an empty `model`, the tags of the given words decide."""

    output: str
    model: str
    kinds: bool
    beam: int
    one_sentence: bool
    colours: bool
    keep_bunsetsu: bool = False
    analyser: Analyser = field(default_factory=Analyser)
    words: str | None = None
    standard: str = "kwdlc"

    def parser(self, model: str = "") -> JapaneseParser:
        """Return the parser, loaded once a process."""
        made_of = self.kinds, self.beam, self.output, self.analyser, self.words, self.standard
        return parser_of(model or self.model, *made_of)


@loaded_once
def parser_of(
    model: str, kinds: bool, beam: int, output: str, analyser: Analyser, words: str | None, standard: str
) -> JapaneseParser:
    """Load a parser once a process; Universal Dependencies need a model with Sudachi's words."""
    from kakari.parsers.japanese.model import JapaneseModel
    from kakari.parsers.japanese.parser import JapaneseParser, pretrained_model
    from kakari.parsers.japanese.words.sources import Sudachi

    loaded = pretrained_model(model) if model in EMBEDDED else JapaneseModel.load(model)
    universal = output == "conllu" and loaded.lexicon.tagset == "sudachi"
    sudachi = None if analyser == Analyser() else Sudachi(analyser.dictionary, analyser.user, analyser.split)
    boundaries = output == "json"
    return JapaneseParser(
        loaded,
        kinds=kinds,
        beam=beam,
        universal=universal,
        boundaries=boundaries,
        sudachi=sudachi,
        words=words,
        standard=standard,
    )


def parse_chunk(texts: TextChunk, settings: Settings) -> str:
    """Parse some texts and write them out."""
    from kakari.output.japanese import write_texts

    how = {"one_sentence": settings.one_sentence, "colours": settings.colours}
    return write_texts(settings.parser(), texts, settings.output, origins=texts.origins, **how)


def parse_portion(portion: Portion, settings: Settings, kind: str) -> str:
    """Parse the words of a portion of an analysed file and write them out."""
    from kakari.output.japanese import write_parsed
    from kakari.parsers.japanese.given_words import parse_given
    from kakari.reading.tagged import sentences_of

    fast = kind == "knp" and settings.output == "cabocha" and not settings.keep_bunsetsu
    fast = fast and settings.standard == "kwdlc"
    if fast and settings.model in ("", "ja-juman") and _has_bunsetsu(portion):
        return knp_writer_of(settings).write(portion.name, portion)
    records = list(sentences_of(portion, kind))
    parser = settings.parser(settings.model or model_for(portion.name, records, kind))
    parsed = parse_given(parser, records, keep_bunsetsu=settings.keep_bunsetsu)
    return write_parsed(records, parsed, settings.output, colours=settings.colours)


def _has_bunsetsu(portion: Portion) -> bool:
    return any(line.startswith("* ") for _, line in portion.lines[:50])


def model_for(name: str, records: Iterable[JapaneseSentence], kind: str) -> str:
    """Return the embedded model for given words, by the dictionary that they are from."""
    from kakari.corpora.records.errors import CorpusError
    from kakari.parsers.japanese.given_words import MODELS, UnknownWordsError, dictionary_of_sentences

    try:
        dictionary = dictionary_of_sentences(list(records))
    except UnknownWordsError as error:
        raise CorpusError(name, None, str(error)) from None
    return MODELS[dictionary] if dictionary is not None else "ja-juman" if kind in ("knp", "juman") else "ja"


@cache
def knp_writer_of(settings: Settings) -> KnpToCabocha:
    """Make a writer once a process; it caches words."""
    from kakari.output.japanese import KnpToCabocha

    return KnpToCabocha(settings.parser(settings.model or "ja-juman"))


def drawn_or_numbered(pieces: Iterable[str], output: str) -> Iterator[str]:
    """Finish the workers' output: number the sentences of CoNLL-U, draw all pictures as one."""
    if output in ("svg", "html"):
        from kakari.output.japanese import drawn

        yield drawn(pieces, output)
    elif output == "conllu":
        from kakari.output.conllu_numbers import numbered

        yield from numbered(pieces)
    else:
        yield from pieces
