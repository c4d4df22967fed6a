"""Parsed English in every format that `kakari parse` writes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from kakari.parsers.english import EnglishParser, ParsedTree
from kakari.tree_drawing import draw_tree

FORMATS = ("tree", "ptb", "json")


def write_texts(parser: EnglishParser, texts: Sequence[str], output: str, *, one_sentence: bool = False) -> str:
    """Parse texts and write their sentences in the named format."""
    pieces: list[str] = []
    for text, sentences in zip(texts, parser.pipe(texts, one_sentence=one_sentence), strict=True):
        for sentence in sentences:
            if output == "tree":
                pieces.append("\n".join(draw_tree(sentence.tree)) + "\n\n")
            elif output == "ptb":
                pieces.append(sentence.brackets + "\n")
            else:
                pieces.append(json.dumps(to_json(text, sentence), ensure_ascii=False) + "\n")
    return "".join(pieces)


def to_json(text: str, sentence: ParsedTree) -> dict[str, Any]:
    """Describe a sentence for programs: `start` and `end` count characters of the whole text.

    Examples
    --------
    >>> text = "Dogs bark."
    >>> told = to_json(text, EnglishParser.pretrained().parse(text)[0])
    >>> told["tokens"][0], told["constituents"][1]
    ({'text': 'Dogs', 'start': 0, 'end': 4, 'tag': 'NNS'}, {'label': 'NP', 'first': 0, 'last': 0, 'start': 0, 'end': 4})
    """
    spans, tree = sentence.spans, sentence.tree
    return {
        "text": text[sentence.begin : sentence.end],
        "start": sentence.begin,
        "end": sentence.end,
        "tokens": [
            {"text": word, "start": begin, "end": end, "tag": tag}
            for word, tag, (begin, end) in zip(tree.words, tree.tags, spans, strict=True)
        ],
        "constituents": [
            {"label": label, "first": first, "last": end - 1, "start": spans[first][0], "end": spans[end - 1][1]}
            for label, first, end in tree.nodes
        ],
        "tree": sentence.brackets,
    }
