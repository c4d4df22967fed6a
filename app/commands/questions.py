"""`evaluate`, `predict` and `explain` for question classifiers."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from kakari.corpora import catalogue
from kakari.corpora.formats.questions import Question
from kakari.corpora.records.errors import CorpusError
from kakari.models.machines.kernel_classifier import KernelClassifier
from kakari.models.machines.supports import KernelSum
from kakari.parsers.english.words.treebank_trees import flattened
from kakari.parsers.questions.compact_model import LinearQuestions, pretrained_questions
from kakari.parsers.questions.kernel_model import QuestionClassifier, label_of


def read_questions(corpus: str) -> list[Question]:
    """Read the questions of a corpus or a file."""
    return list(stream_questions(corpus, plain=False))


def stream_questions(corpus: str, *, plain: bool = True) -> Iterator[Question]:
    """Yield the questions of a corpus or a file, one in memory at a time; `plain` trees need no NLTK."""
    options: dict[str, Any] = {"plain": True} if plain and catalogue.format_in(corpus).name == "question-trees" else {}
    for question in catalogue.read(corpus, **options):
        if not isinstance(question, Question):
            raise CorpusError(corpus, None, "there are no questions in it")
        yield question


def evaluate_question_model(
    kind: str, model: str, corpus: str, *, given: str | None = None, labels: str | None = None, threads: int = 1
) -> dict[str, Any]:
    """Score a question classifier: a kernel machine ("questions") or a compact model ("en-questions").

    The input is the corpus's trees or raw text; by default, text if the corpus has no trees.
    """
    questions = read_questions(corpus)
    treeless = any(question.tree is None for question in questions)
    if given not in (None, "text", "trees"):
        raise CorpusError("--given", None, f"questions are given as text or with their trees, not as {given}")
    loaded = loaded_model(model, kind)
    as_text = given == "text" or (given is None and treeless and needs_trees(loaded))
    told = {"task": "questions", "given": "text" if as_text else "trees"}
    return told | evaluate_questions(loaded, questions, labels=labels, threads=threads, as_text=as_text)


def loaded_model(path: str, task: str) -> QuestionClassifier | CompactModel:
    """Load a question model of either kind, by its task."""
    return QuestionClassifier.load(path) if task == QuestionClassifier.task else CompactModel.load(path)


def needs_trees(model: QuestionClassifier | CompactModel) -> bool:
    """Return whether a model looks at trees."""
    return isinstance(model, CompactModel) or model.options.tree != "none" or model.options.features == "full"


def with_trees(model: QuestionClassifier | CompactModel, questions: list[Question]) -> list[Question]:
    """Return questions as a model needs them: those without trees are parsed."""
    if not needs_trees(model) or all(question.tree is not None for question in questions):
        return questions
    from kakari.parsers.questions.training import parsed

    return [own if own.tree is not None else other for own, other in zip(questions, parsed(questions), strict=True)]


class CompactModel:
    """A compact model with the interface of a kernel machine."""

    def __init__(self, model: LinearQuestions) -> None:
        self.model = model

    @staticmethod
    def load(name: str) -> CompactModel:
        """Return the embedded model, or that of a file."""
        embedded = name in ("en", "en-questions")
        return CompactModel(pretrained_questions() if embedded else LinearQuestions.load(name))

    def predict(self, questions: list[Question], *, threads: int = 1) -> list[tuple[str, str | None]]:
        """Return the coarse and the fine class of each question."""
        if any(question.tree is None for question in questions):
            raise CorpusError("questions", None, "there are questions without trees: take --given text")
        answers = self.model.answer([flattened(question.tree) for question in questions])
        return [(answer.coarse, answer.fine) for answer in answers]


def evaluate_questions(
    model: QuestionClassifier | CompactModel,
    questions: list[Question],
    *,
    labels: str | None = None,
    threads: int = 1,
    as_text: bool = False,
) -> dict[str, Any]:
    """Return accuracy, macro F1, F1 of each class and the time, for the coarse classes or those of `labels`.

    Classes that occur neither in the questions nor in the answers do not count for macro F1. With `as_text`, our parser
    makes the trees, and its time counts.
    """
    if as_text:
        from kakari.parsers.english.parser import EnglishParser
        from kakari.parsers.questions.training import parsed

        EnglishParser.pretrained().parse("Warm up.")  # work of the first call is not timed
        start = time.process_time()
        questions = parsed(questions)
    else:
        start = time.process_time()
    answers = model.predict(questions, threads=threads)
    seconds = time.process_time() - start
    fine = all(answer[1] is not None for answer in answers)
    if labels == "fine" and not fine:
        raise CorpusError("labels", None, "this model has no fine classes")
    guesses = {"coarse": [answer[0] for answer in answers], "fine": [str(answer[1]) for answer in answers]}
    truths = {name: [label_of(question, name) for question in questions] for name in guesses}
    figures = class_figures(truths[labels or "coarse"], guesses[labels or "coarse"])
    right = {name: _accuracy(truths[name], guesses[name]) for name in guesses}
    return {
        "labels": labels or "coarse",
        **figures,
        "coarse_accuracy": right["coarse"],
        **({"fine_accuracy": right["fine"]} if fine else {}),
        **({"support_vectors": model.support_vectors} if isinstance(model, QuestionClassifier) else {}),
        "examples": len(questions),
        "sentences": len(questions),
        "seconds": round(seconds, 4),
    }


def class_figures(truth: list[str], guess: list[str]) -> dict[str, Any]:
    """Return accuracy, macro F1, and F1 of each class.

    Examples
    --------
    >>> class_figures(["A", "A", "B"], ["A", "B", "B"])["f1"]
    {'A': 0.6666666666666666, 'B': 0.6666666666666666}
    """
    true, guessed = np.array(truth), np.array(guess)
    f1 = {}
    for name in sorted({*truth, *guess}):
        right = int(((true == name) & (guessed == name)).sum())
        f1[name] = 2 * right / int((true == name).sum() + (guessed == name).sum())
    macro = float(np.mean(list(f1.values()))) if f1 else 0.0
    return {"accuracy": _accuracy(truth, guess), "macro_f1": macro, "f1": f1}


def _accuracy(truth: list[str], guess: list[str]) -> float:
    return sum(a == b for a, b in zip(truth, guess, strict=True)) / len(truth) if truth else 0.0


def answer_lines(model: QuestionClassifier | CompactModel, questions: list[Question], *, threads: int = 1) -> list[str]:
    """Return a line for each question: its class and its text, between tabs."""
    answers = model.predict(with_trees(model, questions), threads=threads)
    return [f"{fine or coarse}\t{question.text}" for (coarse, fine), question in zip(answers, questions, strict=True)]


def explain_question(model: QuestionClassifier | CompactModel, question: Question, top: int) -> list[dict[str, Any]]:
    """Explain the answer: features with their weights, and the tree kernel as a whole.

    For each set of classes the weights add up to the margin of the chosen class. A compact model lists its fragments
    one by one, and its margin is the distance to the second class.
    """
    (question,) = with_trees(model, [question])
    if isinstance(model, CompactModel):
        best, weights = model.model.explain(flattened(question.tree))
        return [{"machine": best.fine, "margin": best.margin, "items": summed_up(weights, top)}]
    if model.information.get("learner", {}).get("multiclass") == "ovo":
        raise CorpusError("explain", None, "this model votes over pairs of classes: there is no one margin to explain")
    coarse, fine = model.predict([question])[0]
    examples = model.examples([question])
    told = []
    for labelling, machine in model.machines.items():
        answer = coarse if labelling == "coarse" else fine
        column = machine.classes.tolist().index(answer)
        sign = 1.0
        if len(machine.classes) == 2:
            sign, column = (1.0 if column else -1.0), 0
        margin = sign * float(machine.machine_values(examples)[0, column])
        parts = _contributions(model, machine, examples, column, sign)
        parts["(bias)"] = sign * float(machine.intercepts[column])
        if model.options.tree != "none" or len(parts) == 1:
            parts["(tree kernel)" if len(parts) > 1 else "(kernel)"] = margin - sum(parts.values())
        ranked = sorted(parts.items(), key=lambda item: -abs(item[1]))
        told.append({"machine": answer, "margin": margin, "items": summed_up(ranked, top)})
    return told


def summed_up(ranked: list[tuple[str, float]], top: int) -> list[dict[str, Any]]:
    """Return the first weights by name, and the others together.

    Examples
    --------
    >>> summed_up([("a", 2.0), ("b", 1.0), ("c", 0.5)], 1)
    [{'conjunction': 'a', 'weight': 2.0}, {'conjunction': '(2 others)', 'weight': 1.5}]
    """
    items: list[dict[str, Any]] = [{"conjunction": name, "weight": weight} for name, weight in ranked[:top]]
    if ranked[top:]:
        rest = sum(weight for _, weight in ranked[top:])
        items.append({"conjunction": f"({len(ranked) - top} others)", "weight": rest})
    return items


def _contributions(
    model: QuestionClassifier, machine: KernelClassifier, examples: Any, column: int, sign: float
) -> dict[str, float]:
    """Return what each feature adds to a margin; empty if features do not simply add up."""
    total = machine.sum
    if not isinstance(total, KernelSum) or model.options.features == "none" or model.options.vector != "linear":
        return {}
    vectors = examples
    if isinstance(examples, tuple):
        if total.parts is None:
            return {}
        total, vectors = total.parts[1], examples[1]
    from scipy import sparse

    row = sparse.csr_array(vectors)
    alone = sparse.csr_array((row.data, row.indices, np.arange(row.nnz + 1)), shape=(row.nnz, row.shape[1]))
    weights = sign * total.evaluate(alone)[:, column]
    return {model.vocabulary[int(number)]: float(weight) for number, weight in zip(row.indices, weights, strict=True)}
