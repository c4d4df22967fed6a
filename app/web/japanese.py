"""Japanese sentences as the API describes them: what `kakari parse -f json` writes, and what was asked for."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from kakari.output.japanese_records import to_json, to_record
from kakari.output.places import Place
from kakari.parsers.japanese.parser import JapaneseParser, ParsedSentence
from kakari.parsers.pictures.arcs import Drawing, draw_svg
from kakari.parsers.pictures.stairs import draw_stairs

if TYPE_CHECKING:
    from kakari.corpora.records.japanese import Morpheme
    from kakari.web.store import Store

TASK = "ja-bunsetsu-dependency"


def parser_of(
    store: Store, *, alternatives: int = 0, universal: bool = False, boundaries: bool = True
) -> JapaneseParser:
    """Return a parser of the model that is served."""
    model = store.model(TASK)
    universal = universal and model.lexicon.tagset == "sudachi"
    options: dict[str, Any] = {"beam": alternatives, "universal": universal, "boundaries": boundaries}
    key = (TASK, *options.values())
    parser: JapaneseParser = store.made(key, model, lambda one: JapaneseParser(one, kinds=True, **options))
    return parser


def described(
    store: Store, texts: Iterable[str], *, alternatives: int = 0, universal: bool = False, pictures: int = 0
) -> Iterator[list[dict[str, Any]]]:
    """Yield the sentences of each text; the first `pictures` sentences of all texts with their pictures."""
    parser = parser_of(store, alternatives=alternatives, universal=universal)
    drawn = 0
    texts = list(texts)
    for text, found in zip(texts, parser.pipe_words(texts), strict=True):
        sentences = []
        for sentence, words in found:
            if text[sentence.begin : sentence.end].isspace():
                continue
            told = to_json(Place(text), sentence, to_record(sentence, words))
            told["language"] = "ja"
            shown = [text[b.begin : b.end].strip() for b in sentence.bunsetsu]
            if sentence.words:
                told["universal"] = [
                    {"text": word.surface, "upos": own.part, "head": own.head + 1, "deprel": own.relation}
                    for word, own in zip(words, sentence.words, strict=True)
                ]
            draw = drawn < pictures
            drawn += 1
            if sentence.alternatives:
                told["alternatives"] = other_analyses(sentence, shown, draw)
            if draw:
                told["pictures"] = {**pictures_of(shown, sentence), **universal_picture(words, sentence)}
            sentences.append(told)
        yield sentences


def other_analyses(sentence: ParsedSentence, shown: Sequence[str], draw: bool) -> list[dict[str, Any]]:
    """Describe the analysis that was chosen and the others, each with its log probability among those searched."""
    scores = dict(sentence.alternatives)
    own = sentence.heads
    ranked = [own, *(heads for heads, _ in sentence.alternatives if heads != own)]
    told = []
    for heads in ranked:
        score = scores.get(heads)
        one: dict[str, Any] = {"heads": list(heads), "score": score}
        if score is not None:
            one["probability"] = round(math.exp(min(0.0, score)), 6)
        if draw and heads != own:
            drawing = Drawing(shown, heads, [b.kind for b in sentence.bunsetsu])
            one["pictures"] = {"stairs": draw_stairs(drawing, styled=False), "arcs": draw_svg([drawing], styled=False)}
        told.append(one)
    return told


def pictures_of(shown: Sequence[str], sentence: ParsedSentence) -> dict[str, str]:
    """Draw bunsetsu as stairs and with arcs."""
    kinds, sure = [b.kind for b in sentence.bunsetsu], [b.score for b in sentence.bunsetsu]
    drawing = Drawing(shown, sentence.heads, kinds, sure)
    return {"stairs": draw_stairs(drawing, styled=False), "arcs": draw_svg([drawing], styled=False)}


def universal_picture(words: Sequence[Morpheme], sentence: ParsedSentence) -> dict[str, str]:
    """Draw the tree over words, if there is one."""
    if not sentence.words:
        return {}
    drawing = Drawing(
        [word.surface for word in words],
        [own.head for own in sentence.words],
        [own.relation for own in sentence.words],
        tags=[own.part for own in sentence.words],
        universal=True,
    )
    return {"universal": draw_svg([drawing], styled=False)}
