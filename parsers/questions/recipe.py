"""The embedded question model: how it is made (`kakari.parsers.recipes`), and its card.

The English parser is the one in the workshop's folder.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from kakari.corpora import catalogue
from kakari.corpora.formats.questions import Question
from kakari.parsers.english.parser import EnglishParser
from kakari.parsers.english.words.detokenising import detokenised
from kakari.parsers.english.words.flat_trees import FlatTree
from kakari.parsers.english.words.treebank_trees import flattened, read_trees
from kakari.parsers.questions.compact_model import LinearQuestions
from kakari.parsers.questions.features import QUESTION_LABELS, is_asked, last_mark, without_mark
from kakari.parsers.questions.kernel_model import label_of
from kakari.parsers.questions.training import Sentence, parsed, train_detector, train_linear
from kakari.parsers.recipes import Workshop, rows

QUESTIONS = "qc:train"
TREEBANKS = ("ewt:train", "gum:train")
ALL_QUESTIONS = ("questionbank:train",)
DEVELOPMENT = ("ewt:dev", "gum:dev", "questionbank:dev")
HELD_BACK = 5  # one part of so many
EVERY_STATEMENT, EVERY_BARE_STATEMENT = 2, 4
CARD = """# en-questions

What an English question asks for, in 6 coarse and 50 fine classes, and whether a sentence is a question.

| | |
|---|---|
| trained on | {corpora}, parsed by the embedded model `en` |
| size | {size:.2f} MB: {fragments} fragments of trees, weights of a byte each |

| questions, from raw text | coarse | fine |
|---|---|---|
{questions}

| questions or not, from raw text | sentences | questions | precision | recall | "ends with ?": precision | recall |
|---|---|---|---|---|---|---|
{detection}

The fifth that was held back was classified by a model of the other four. A sentence of a treebank counts as a question
if it ends with a question mark or its clause is SQ or SBARQ; without the final mark, only in the second case.

Terms of the data: the questions of Li and Roth are used in research, without a stated licence; EWT CC BY-SA 4.0; GUM CC
BY 4.0, its texts under licences of their own, some of them non-commercial; QuestionBank for research; and the terms
of the parser `en` (docs/licences.md). QuestionBank's trees of the questions of `qc:test` were used for nothing,
neither here nor by the parser. The model holds hashes, weights, and the words of the
fragments.

Made by `make models-en`.
"""


def pretrain(name: str, workshop: Workshop) -> tuple[LinearQuestions, dict[str, Any]]:
    """Train the embedded model and measure it; return it with the facts of its card."""
    parser, report = EnglishParser.load(workshop.folder / "en.safetensors"), workshop.report
    questions = parsed(list(catalogue.read(QUESTIONS)), parser)
    report(f"{len(questions)} questions parsed")
    rest, held = divided(questions)
    scores = {"a fifth of qc:train, held back": accuracy(train_linear(rest), held)}
    report(f"held back: {scores}")
    model = train_linear(questions)
    scores["qc:test"] = accuracy(model, parsed(list(catalogue.read("qc:test")), parser))
    sentences = list(detection_sentences(parser, questions))
    report(f"{len(sentences)} sentences, {sum(one.asked for one in sentences)} of them questions")
    model.detector = train_detector(sentences)
    detection = measured_detection(model, parser)
    corpora = [QUESTIONS, *TREEBANKS, *ALL_QUESTIONS]
    model.details |= {"corpora": corpora, "sentences": len(sentences), "scores": scores, "detection": detection}
    return model, {
        "corpora": ", ".join(corpora),
        "fragments": len(model.fragments),
        "questions": rows({data: [f"{share:.2%}" for share in row.values()] for data, row in scores.items()}),
        "detection": rows({data: told_detection(row) for data, row in detection.items()}),
    }


def told_detection(row: dict[str, Any]) -> list[str]:
    """Return the cells of one line of the card's second table."""
    shares = ["-" if share is None else f"{share:.2%}" for share in (*row["own"], *row["mark"])]
    return [str(row["sentences"]), str(row["questions"]), *shares]


def divided(questions: Sequence[Question]) -> tuple[list[Question], list[Question]]:
    """Return most of the questions, and a part of them; the same text is always in one part."""
    numbers: dict[str, int] = {}
    texts = [numbers.setdefault(question.text.lower(), len(numbers)) for question in questions]
    part = np.random.default_rng(0).permutation(len(numbers))[texts] % HELD_BACK
    pairs = list(zip(questions, part.tolist(), strict=True))
    return [question for question, own in pairs if own], [question for question, own in pairs if not own]


def accuracy(model: LinearQuestions, questions: Sequence[Question]) -> dict[str, float]:
    """Return the share of right answers."""
    answers = model.answer([flattened(question.tree) for question in questions])
    pairs = list(zip(answers, questions, strict=True))
    coarse = sum(answer.coarse == question.coarse for answer, question in pairs)
    fine = sum(answer.fine == label_of(question, "fine") for answer, question in pairs)
    return {"accuracy": round(coarse / len(pairs), 4), "fine_accuracy": round(fine / len(pairs), 4)}


def detection_sentences(parser: EnglishParser, questions: Sequence[Question]) -> Iterator[Sentence]:
    """Yield sentences as our parser sees them, questions or not, with their final mark and without it."""
    words: list[Sequence[str]] = []
    labels: list[bool] = []
    for reference in TREEBANKS:
        for number, tree in enumerate(read_trees(reference)):
            asked = is_asked(tree)
            if asked or number % EVERY_STATEMENT == 0:
                words.append(tree.words)
                labels.append(asked)
            if without_mark(tree) and last_mark(tree) and (asked or number % EVERY_BARE_STATEMENT == 0):
                words.append(without_mark(tree))
                labels.append(bare_is_asked(tree))
    known = [flattened(question.tree) for question in questions]
    for reference in ALL_QUESTIONS:
        known += read_trees(reference)
    for tree in known:
        words += [tree.words, without_mark(tree) or tree.words]
        labels += [True, True]
    for tree, asked in zip(parser.parse_words(words), labels, strict=True):
        yield Sentence(tree, asked)


def bare_is_asked(tree: FlatTree) -> bool:
    """Return whether a gold tree is a question although its mark is gone."""
    return is_asked(tree) and not QUESTION_LABELS.isdisjoint(label for label, _, _ in tree.nodes)


def measured_detection(model: LinearQuestions, parser: EnglishParser) -> dict[str, dict[str, Any]]:
    """Score the decision on the development data, with the mark that ends a sentence and without it."""
    found: dict[str, dict[str, Any]] = {}
    for reference in DEVELOPMENT:
        trees = list(read_trees(reference))
        everyone = reference.startswith("questionbank")
        whole = [(detokenised(tree)[0], everyone or is_asked(tree)) for tree in trees]
        bare = [
            (detokenised(FlatTree(without_mark(tree), tree.tags[: len(without_mark(tree))], ()))[0], own)
            for tree in trees
            if without_mark(tree)
            for own in [everyone or bare_is_asked(tree)]
        ]
        found[reference] = detection_figures(model, parser, whole)
        found[f"{reference}, no final mark"] = detection_figures(model, parser, bare)
    return found


def detection_figures(
    model: LinearQuestions, parser: EnglishParser, sentences: Sequence[tuple[str, bool]]
) -> dict[str, Any]:
    """Return precision and recall, ours and those of the question mark alone."""
    trees = [found[0].tree for found in parser.pipe((text for text, _ in sentences), one_sentence=True)]
    truth = np.array([asked for _, asked in sentences])
    marks = np.array(["?" in last_mark(tree) for tree in trees])
    own, rule = _precision_recall(model.asked(trees) > 0, truth), _precision_recall(marks, truth)
    return {"sentences": len(trees), "questions": int(truth.sum()), "own": own, "mark": rule}


def _precision_recall(guess: Any, truth: Any) -> tuple[float | None, float]:
    right = int((guess & truth).sum())
    return round(right / int(guess.sum()), 4) if guess.any() else None, round(right / max(1, int(truth.sum())), 4)
