"""How a Japanese model learns from simulated corrections: what a user would say first of each wrong sentence.

Two models are trained by the recipe of the embedded one, each without what it is then corrected on: one without a fifth
of KWDLC's documents, one without WAC, which is another genre (encyclopedia). A simulated user looks at sentences of
these documents one after another and corrects the first wrong boundary of each, or, where all are right, its first
wrong arc: one correction a sentence, the rest of its errors is left. Half of the documents are corrected, accuracy is
measured on the other half.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from zlib import crc32

import numpy as np

from kakari.corpora.records.japanese import JapaneseSentence
from kakari.models.reporting import Report, silent
from kakari.parsers.correcting.learning import corrector_of, history
from kakari.parsers.correcting.records import Correction
from kakari.parsers.japanese.gold import analysed, carry_over
from kakari.parsers.japanese.model import JapaneseModel
from kakari.parsers.japanese.recipes import RECIPES, is_held_out, training_sentences
from kakari.parsers.japanese.scores import evaluate, structures
from kakari.parsers.japanese.training import train

GENRE = "wac:train"


@dataclass(frozen=True)
class Corrections:
    """A model after some corrections.

    Attributes
    ----------
    data : str
        Whose sentences were corrected.
    count : int
        How many corrections were learned, one after another.
    at_once : int
        How many were right as soon as they were learned.
    still : int
        How many are right now.
    boundaries, arcs, heads : float
        Of other sentences, in percent: F1 of bunsetsu and of (span, head) from text; accuracy of heads, bunsetsu given.
    seconds : float
        CPU seconds of the slowest correction so far, from the loaded model to the written file.
    """

    data: str
    count: int
    at_once: int
    still: int
    boundaries: float
    arcs: float
    heads: float
    seconds: float


@dataclass(frozen=True)
class Alone:
    """Corrections of which each was learned by the original model, alone: how many were right, and the CPU seconds."""

    data: str
    count: int
    right: int
    median: float
    slowest: float


def first_error(model: JapaneseModel, sentence: JapaneseSentence) -> Correction | None:
    """Return what a user would correct first; None if the model is right.

    Examples
    --------
    >>> from kakari.corpora import read
    >>> from kakari.parsers.japanese.parser import pretrained_model
    >>> found = (first_error(pretrained_model(), sentence) for sentence in read("sample-ja"))
    >>> {one.kind for one in found if one} <= {"arc", "boundary"}
    True
    """
    morphemes = analysed([sentence], model.lexicon)
    gold = carry_over([sentence], morphemes)
    opens = model.segment(morphemes)
    wrong = np.flatnonzero(opens != gold.opens).tolist()
    if wrong:
        return Correction(sentence.text, "boundary", int(morphemes.begins[wrong[0]]), bool(gold.opens[wrong[0]]))
    heads, _ = model.parse(morphemes, opens)
    wrong = np.flatnonzero(heads != gold.heads).tolist()
    if not wrong:
        return None
    spans = next(structures(morphemes, opens, gold.heads)).spans
    return Correction(sentence.text, "arc", spans[wrong[0]], spans[int(gold.heads[wrong[0]])])


def halves(sentences: Iterable[JapaneseSentence], seed: int) -> tuple[list[JapaneseSentence], list[JapaneseSentence]]:
    """Return the sentences of one half of the documents in an order drawn from a seed, and those of the other half."""
    sound = [s for s in sentences if not s.is_parenthesis and not any(True for _ in s.faults())]
    first = [s for s in sound if crc32(s.document.encode()) % 2]
    second = [s for s in sound if not crc32(s.document.encode()) % 2]
    order = np.random.default_rng(seed).permutation(len(first)).tolist()
    return [first[place] for place in order], second


def models(report: Report = silent) -> tuple[tuple[JapaneseModel, list[Any]], tuple[JapaneseModel, list[Any]]]:
    """Train the two models; return each with the sentences that it has not seen."""
    recipe = RECIPES["ja"]
    settings = replace(recipe.settings, kinds=None)
    own = list(training_sentences(recipe.corpora))
    genre = list(training_sentences([GENRE]))
    fold = train([s for s in own if not is_held_out(s)], settings, foreign=genre, report=report)
    return (fold, [s for s in own if is_held_out(s)]), (train(own, settings, report=report), genre)


def learn_alone(data: str, model: JapaneseModel, sentences: Iterable[JapaneseSentence], count: int) -> Alone:
    """Let the original model learn each correction alone."""
    right, seconds = 0, []
    with TemporaryDirectory() as folder:
        for sentence in sentences:
            found = first_error(model, sentence)
            if found is None:
                continue
            began = time.process_time()
            done = corrector_of(model).learned([found])
            done.save(Path(folder, "corrected.safetensors"))
            seconds.append(time.process_time() - began)
            right += corrector_of(done).holds(found)
            if len(seconds) == count:
                break
    return Alone(data, len(seconds), right, float(np.median(seconds)), max(seconds, default=0.0))


def learn_in_turn(
    data: str,
    model: JapaneseModel,
    sentences: Iterable[JapaneseSentence],
    others: Sequence[JapaneseSentence],
    counts: Sequence[int],
    report: Report = silent,
) -> Iterator[Corrections]:
    """Let the model learn one correction after another; yield what it is worth after each of `counts`."""
    current, at_once, slowest = model, 0, 0.0
    yield _measured(data, current, 0, 0.0, others)
    with TemporaryDirectory() as folder:
        for sentence in sentences:
            known = history(current)
            if len(known) >= max(counts):
                break
            found = first_error(current, sentence)
            if found is None:
                continue
            began = time.process_time()
            current = corrector_of(current).learned([found])
            current.save(Path(folder, "corrected.safetensors"))
            slowest = max(slowest, time.process_time() - began)
            at_once += corrector_of(current).holds(found)
            if len(known) + 1 in counts:
                report(f"{data}: {len(known) + 1} corrections")
                yield _measured(data, current, at_once, slowest, others)


def _measured(
    data: str, model: JapaneseModel, at_once: int, slowest: float, others: Sequence[JapaneseSentence]
) -> Corrections:
    known = history(model)
    judge = corrector_of(model)
    text = evaluate(model, others, given="text")
    given = evaluate(model, others, given="bunsetsu")
    still = sum(judge.holds(one) for one in known)
    boundaries, arcs = 100 * text.segmentation_f1, 100 * text.span_head_f1
    heads = 100 * given.dependency_accuracy
    return Corrections(data, len(known), at_once, still, boundaries, arcs, heads, slowest)
