"""English sentences as the API describes them: what `kakari parse -f json` writes, and what was asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from kakari.output.dependency import to_json as dependencies_to_json
from kakari.output.english import to_json
from kakari.parsers.dependency.parser import DependencyParser
from kakari.parsers.dependency.parser import ParsedSentence as DependencySentence
from kakari.parsers.english.chunks.chunker import Chunker
from kakari.parsers.english.parser import EnglishParser, ParsedTree
from kakari.parsers.pictures.arcs import Drawing
from kakari.parsers.pictures.arcs import draw_svg as draw_arcs
from kakari.parsers.pictures.brackets import draw_svg as draw_brackets
from kakari.parsers.questions.compact_model import answered
from kakari.parsers.sequences.chunk_tags import chunks_of

if TYPE_CHECKING:
    from kakari.parsers.arguments.candidates.frames import Frame
    from kakari.parsers.english.words.flat_trees import FlatTree
    from kakari.web.store import Store

TREES, ARGUMENTS, DEPENDENCIES, QUESTIONS, CHUNKS = (
    "en-constituency",
    "en-arguments",
    "dependency",
    "en-questions",
    "sequence",
)
MOST_CLASSES = 6  # of a question, that are told


def described(
    store: Store,
    texts: Sequence[str],
    *,
    alternatives: int = 0,
    pictures: int = 0,
    dependencies: bool = False,
    chunks: bool = False,
    question: bool = False,
) -> Iterator[list[dict[str, Any]]]:
    """Yield the sentences of each text; the first `pictures` sentences of all texts with their pictures."""
    found = list(EnglishParser(store.model(TREES)).pipe(texts, beam=alternatives))
    trees = [sentence.tree for sentences in found for sentence in sentences]
    framed = iter(store.model(ARGUMENTS).find(trees))
    arcs = arcs_of(store, texts, alternatives) if dependencies else {}
    classes = iter(classes_of(store, trees) if question else [None] * len(trees))
    spans = iter(chunks_in(store, trees) if chunks else [None] * len(trees))
    drawn = 0
    for number, (text, sentences) in enumerate(zip(texts, found, strict=True)):
        told = []
        for sentence in sentences:
            frames = next(framed).frames
            one = {"language": "en", **to_json(text, sentence, frames)}
            own_chunks, own_class = next(spans), next(classes)
            if own_chunks is not None:
                one["chunks"] = own_chunks
            if question:
                one["question"] = own_class
            tree = arcs.get((number, sentence.begin))
            if tree is not None:
                one["dependencies"] = dependencies_to_json(text, tree)["tokens"]
            draw = drawn < pictures
            drawn += 1
            if tree is not None and alternatives:
                one["dependency_alternatives"] = other_trees(tree, draw)
            if draw and sentence.best:
                one["constituent_alternatives"] = other_brackets(sentence)
            if draw:
                one["pictures"] = pictures_of(sentence, frames)
                if tree is not None:
                    one["pictures"]["dependencies"] = dependency_picture(tree, 0)
            told.append(one)
        yield told


def arcs_of(store: Store, texts: Sequence[str], alternatives: int) -> dict[tuple[int, int], DependencySentence]:
    """Parse texts into dependency trees, named by the text and the first character of each."""
    parser = DependencyParser(store.model(DEPENDENCIES), store.model(TREES))
    return {
        (number, sentence.spans[0][0]): sentence
        for number, sentences in enumerate(parser.pipe(texts, beam=max(1, alternatives)))
        for sentence in sentences
    }


def classes_of(store: Store, trees: Sequence[FlatTree]) -> list[dict[str, Any] | None]:
    """Describe what each sentence asks for; None where it is no question."""
    model = store.model(QUESTIONS)
    told: list[dict[str, Any] | None] = []
    for tree, answer in zip(trees, answered(model, trees), strict=True):
        if answer is None:
            told.append(None)
            continue
        shares = model.shares(model.scores([tree])[0])
        fine = sorted(((share, name) for name, share in shares.items() if ":" in name), reverse=True)
        told.append(
            {
                "coarse": answer.coarse,
                "fine": answer.fine,
                "margin": answer.margin,
                "second": answer.second,
                "classes": [{"class": name, "share": round(share, 6)} for share, name in fine[:MOST_CLASSES]],
            }
        )
    return told


def chunks_in(store: Store, trees: Sequence[FlatTree]) -> list[list[dict[str, Any]]]:
    """Describe the chunks of each sentence by their first and last words."""
    chunker = Chunker(store.model(CHUNKS), store.model(TREES))
    labels = chunker.labels([tree.words for tree in trees], [tree.tags for tree in trees])
    return [
        [{"type": kind, "first": begin, "last": end - 1} for begin, end, kind in chunks_of(line)] for line in labels
    ]


def other_trees(sentence: DependencySentence, draw: bool) -> list[dict[str, Any]]:
    """Describe the best dependency trees, the one that was chosen first."""
    told = []
    for place, (score, tree) in enumerate(sentence.best):
        one: dict[str, Any] = {"score": score, "heads": list(tree.heads), "deprels": list(tree.relations)}
        if draw and place:
            one["pictures"] = {"dependencies": dependency_picture(sentence, place)}
        told.append(one)
    return told


def other_brackets(sentence: ParsedTree) -> list[dict[str, Any]]:
    """Draw the best constituency trees, the one that was chosen first; each with its share of those found."""
    told: list[dict[str, Any]] = []
    for place, (share, tree) in enumerate(sentence.best):
        one: dict[str, Any] = {"probability": round(share, 6)}
        if place:
            one["pictures"] = {"constituents": draw_brackets(tree, styled=False)}
        told.append(one)
    return told


def dependency_picture(sentence: DependencySentence, place: int) -> str:
    """Draw one of the trees of a sentence; probabilities are those of the first."""
    tree = sentence.best[place][1] if sentence.best else sentence.tree
    drawing = Drawing(
        [columns[0] for columns in tree.words],
        [head - 1 for head in tree.heads],
        tree.relations,
        sure=sentence.probabilities or () if place == 0 else (),
        tags=[columns[2] for columns in tree.words],
        universal=True,
    )
    return draw_arcs([drawing], styled=False, language="en")


def pictures_of(sentence: ParsedTree, frames: Sequence[Frame]) -> dict[str, str]:
    """Draw constituents, and predicates with their arguments."""
    return {
        "constituents": draw_brackets(sentence.tree, sure=sentence.probabilities, styled=False),
        "predicates": draw_brackets(sentence.tree, frames, styled=False, constituents=False),
    }
