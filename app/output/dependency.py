"""Dependency trees in the formats that `kakari parse` writes: CoNLL-U, a drawing, JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from kakari.corpora.formats.conllu import format_conllu
from kakari.parsers.dependency.parser import DependencyParser, ParsedSentence
from kakari.parsers.dependency.treebank import TreeSentence

FORMATS = ("conllu", "tree", "json")


def write_texts(
    parser: DependencyParser, texts: Sequence[str], output: str, *, one_sentence: bool = False, beam: int = 0
) -> str:
    """Parse texts and write their sentences in the named format; CoNLL-U has no `sent_id` yet."""
    pieces: list[str] = []
    for text, sentences in zip(texts, parser.pipe(texts, one_sentence=one_sentence, beam=beam), strict=True):
        for sentence in sentences:
            if output == "conllu":
                pieces.append(format_conllu(sentence.to_conllu()))
            elif output == "tree":
                pieces.append("\n".join(draw_tree(sentence.tree)) + "\n\n")
            else:
                pieces.append(json.dumps(to_json(text, sentence), ensure_ascii=False) + "\n")
    return "".join(pieces)


def draw_tree(tree: TreeSentence) -> list[str]:
    r"""Draw a tree, a line for each word: its modifiers below it, in the order of the text.

    Examples
    --------
    >>> words = (("Dogs", "dog", "NOUN", "NNS", "_"), ("bark", "bark", "VERB", "VBP", "_"))
    >>> print("\n".join(draw_tree(TreeSentence(words, (2, 0), ("nsubj", "root")))))
    bark VERB root
    └─Dogs NOUN nsubj
    """
    modifiers: list[list[int]] = [[] for _ in range(len(tree.words) + 1)]
    for place, head in enumerate(tree.heads, 1):
        modifiers[head].append(place)
    lines: list[str] = []
    # A stack, since a tree may be as deep as a sentence is long: a word, its prefix, and that of its modifiers.
    waiting = [(place, "", "") for place in reversed(modifiers[0])]
    while waiting:
        place, start, below = waiting.pop()
        form, _, coarse, *_ = tree.words[place - 1]
        shown = "".join(c if c.isprintable() else " " for c in form)
        lines.append(f"{start}{shown} {coarse} {tree.relations[place - 1]}")
        own = modifiers[place]
        for modifier in reversed(own):
            last = modifier == own[-1]
            waiting.append((modifier, below + ("└─" if last else "├─"), below + ("  " if last else "│ ")))
    return lines


def to_json(text: str, sentence: ParsedSentence) -> dict[str, Any]:
    """Describe a sentence for programs: `start` and `end` count characters of the whole text, `head` counts from 1.

    If several trees were requested, `trees` has them with their scores, and tokens have the probability of their arcs.
    """
    tokens = []
    for place, ((begin, end), columns, head, relation) in enumerate(
        zip(sentence.spans, sentence.tree.words, sentence.tree.heads, sentence.tree.relations, strict=True)
    ):
        _, lemma, upos, xpos, features = columns
        token: dict[str, Any] = {"text": text[begin:end], "start": begin, "end": end, "lemma": lemma, "upos": upos,
                                 "xpos": xpos, "feats": features, "head": head, "deprel": relation}  # fmt: skip
        if sentence.probabilities is not None:
            token["probability"] = round(sentence.probabilities[place], 6)
        tokens.append(token)
    told: dict[str, Any] = {"text": sentence.text, "start": sentence.spans[0][0], "end": sentence.spans[-1][1]}
    told["tokens"] = tokens
    if sentence.best:
        told["trees"] = [
            {"score": round(score, 6), "heads": list(tree.heads), "deprels": list(tree.relations)}
            for score, tree in sentence.best
        ]
    return told
