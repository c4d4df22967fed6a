"""Parsed English in every format that `kakari parse` writes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from kakari.corpora.records.origins import Origin
from kakari.output.constituency_tree import draw_tree
from kakari.parsers.english.parser import EnglishParser, ParsedTree
from kakari.parsers.english.words.flat_trees import FlatTree, bracketed, nested
from kakari.parsers.pictures.brackets import draw_svg

if TYPE_CHECKING:
    from kakari.parsers.arguments.candidates.frames import Frame
    from kakari.parsers.arguments.model import ArgumentModel

FORMATS = ("tree", "ptb", "conll", "chunks", "json", "svg", "html")
NO_DOCUMENT = "-"
NO_SENSE = "XX"  # PropBank's mark for an unknown roleset


def write_texts(
    parser: EnglishParser,
    texts: Sequence[str],
    output: str,
    *,
    arguments: ArgumentModel | None = None,
    one_sentence: bool = False,
    nominal: bool = False,
    origins: Sequence[Origin] = (),
    document: str = NO_DOCUMENT,
    beam: int = 0,
) -> str:
    """Parse texts and write their sentences in the named format, with predicates if there is a model for them.

    Parameters
    ----------
    nominal : bool
        Whether nouns and adjectives can be predicates.
    origins : sequence of Origin
        The place of each text in the document; without them, each text is its own document.
    document : str
        Name of the document. Sentences of `conll` are numbered in sequence through all texts.
    beam : int
        Number of trees of each sentence that `ptb` and `json` show.
    """
    found = list(parser.pipe(texts, one_sentence=one_sentence, beam=beam))
    trees = [sentence.tree for sentences in found for sentence in sentences]
    wanted = arguments if output != "ptb" else None
    framed = [one.frames for one in wanted.find(trees, nominal=nominal)] if wanted else [()] * len(trees)
    frames = iter(framed)
    pieces: list[str] = []
    for text, origin, sentences in zip(texts, origins or [Origin()] * len(texts), found, strict=True):
        for sentence in sentences:
            own = next(frames)
            if output == "tree":
                pieces.append("\n".join([*draw_tree(sentence.tree), *draw_frames(sentence.tree, own)]) + "\n\n")
            elif output == "ptb" and sentence.best:
                pieces += [f"{share:.4f}\t{bracketed(tree)}\n" for share, tree in sentence.best]
            elif output == "ptb":
                pieces.append(sentence.brackets + "\n")
            elif output in ("svg", "html"):
                pieces.append(draw_svg(sentence.tree, own) + "\n")
            elif output == "conll":
                pieces.append(to_columns(sentence, own, len(pieces), document))
            else:
                pieces.append(json.dumps(to_json(text, sentence, own, origin), ensure_ascii=False) + "\n")
    return "".join(pieces)


def draw_frames(tree: FlatTree, frames: Sequence[Frame]) -> list[str]:
    r"""Draw predicates in plain text: one a line, with its arguments.

    Examples
    --------
    >>> from kakari.parsers.arguments.candidates.frames import Frame
    >>> tree = FlatTree(("Dogs", "bark"), ("NNS", "VBP"), (("S", 0, 2), ("NP", 0, 1), ("VP", 1, 2)))
    >>> draw_frames(tree, [Frame(1, "bark", ((0, 1),), ("ARG0",))])
    ['bark: ARG0 [Dogs]']
    """
    lines = []
    for frame in frames:
        told = [
            f"{role} [{' '.join(tree.words[begin:end])}]"
            for (begin, end), role in zip(frame.spans, frame.roles, strict=True)
        ]
        line = f"{tree.words[frame.token]}: {', '.join(told) or 'no arguments'}"
        lines.append("".join(c if c.isprintable() else " " for c in line))
    return lines


def to_columns(sentence: ParsedTree, frames: Sequence[Frame], number: int, document: str = NO_DOCUMENT) -> str:
    """Write a sentence as PropBank's columns; if the sense of a predicate is unknown, its roleset ends in XX."""
    from kakari.corpora.formats.propbank import LabelledSpan, Predicate, PropbankSentence, format_propbank

    predicates = []
    for frame in frames:
        spans = [LabelledSpan("V", frame.token, frame.token + 1)]
        spans += [LabelledSpan(role, *span) for span, role in zip(frame.spans, frame.roles, strict=True)]
        spans.sort(key=lambda span: (span.start, -span.end))
        roleset = frame.roleset or f"{frame.lemma}.{NO_SENSE}"
        predicates.append(Predicate(frame.token, frame.lemma, roleset, tuple(spans)))
    return format_propbank(PropbankSentence(document, str(number), nested(sentence.tree), tuple(predicates)))


def to_json(
    text: str, sentence: ParsedTree, frames: Sequence[Frame] = (), origin: Origin | None = None
) -> dict[str, Any]:
    """Describe a sentence for programs: `start` and `end` count characters of the whole document.

    `origin` is the place of the text in the document; by default the text is the document.

    Examples
    --------
    >>> from kakari.parsers.arguments.candidates.frames import Frame
    >>> text = "Dogs bark."
    >>> told = to_json(text, EnglishParser.pretrained().parse(text)[0], [Frame(1, "bark", ((0, 1),), ("ARG0",))])
    >>> told["tokens"][0], told["constituents"][1]
    ({'text': 'Dogs', 'start': 0, 'end': 4, 'tag': 'NNS'}, {'label': 'NP', 'first': 0, 'last': 0, 'start': 0, 'end': 4})
    >>> told["predicates"][0]["arguments"]
    [{'role': 'ARG0', 'first': 0, 'last': 0, 'start': 0, 'end': 4, 'text': 'Dogs'}]
    """
    spans, tree = sentence.spans, sentence.tree
    input_span = (origin or Origin()).span

    def told_span(begin: int, end: int) -> dict[str, int]:
        first, behind = input_span(begin, end)
        return {"start": first, "end": behind}

    def place(first: int, end: int) -> dict[str, int]:
        return {"first": first, "last": end - 1, **told_span(spans[first][0], spans[end - 1][1])}

    def arguments(frame: Frame) -> list[dict[str, Any]]:
        sure = argument_probabilities(frame) if sentence.best else []
        return [
            {
                "role": role,
                **place(first, end),
                "text": text[spans[first][0] : spans[end - 1][1]],
                **({"probability": round(sure[number], 4)} if sure else {}),
            }
            for number, ((first, end), role) in enumerate(zip(frame.spans, frame.roles, strict=True))
        ]

    probabilities = [{"probability": round(sure, 4)} for sure in sentence.probabilities] or [{}] * len(tree.nodes)
    shown = [{"share": round(share, 4), "tree": bracketed(one)} for share, one in sentence.best]
    return {
        "text": text[sentence.begin : sentence.end],
        **told_span(sentence.begin, sentence.end),
        "tokens": [
            {"text": word, **told_span(begin, end), "tag": tag}
            for word, tag, (begin, end) in zip(tree.words, tree.tags, spans, strict=True)
        ],
        "constituents": [
            {"label": label, **place(first, end), **sure}
            for (label, first, end), sure in zip(tree.nodes, probabilities, strict=True)
        ],
        "predicates": [
            {
                "token": frame.token,
                "lemma": frame.lemma,
                **({"roleset": frame.roleset} if frame.roleset else {}),
                "text": tree.words[frame.token],
                **told_span(*spans[frame.token]),
                "arguments": arguments(frame),
            }
            for frame in frames
        ],
        "tree": sentence.brackets,
        **({"trees": shown} if shown else {}),
    }


def argument_probabilities(frame: Frame) -> list[float]:
    """Return how sure the arguments of a predicate that a model found are."""
    from kakari.parsers.arguments.confidence import ArgumentConfidence

    both = list(zip(*frame.margins, strict=True)) or [(), ()]
    found: list[float] = ArgumentConfidence().probabilities(both[0], both[1]).tolist()
    return found
