"""The embedded Japanese models: how they are made (`kakari.parsers.recipes`), and their card.

`ja` reads Sudachi's morphemes, `ja-juman` JUMAN's: those that `ja-words` finds in text, or those of KNP files. Both are
trained on KWDLC, and on WAC as data of another standard, `ja` also on sentences of our own for what users complained
about; the words of `ja-juman`'s training data are found by models of words that have not seen them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any
from zlib import crc32

from kakari.corpora import read
from kakari.corpora.records.japanese import JapaneseSentence
from kakari.models.reporting import Report
from kakari.parsers.japanese.calibration import calibrate
from kakari.parsers.japanese.model import JapaneseModel, Reranking, SecondOpinion
from kakari.parsers.japanese.scores import Given, evaluate
from kakari.parsers.japanese.tagging.entries import JUMANDIC, read_dictionary
from kakari.parsers.japanese.tagging.jackknife import HeldWords, jackknifed_words
from kakari.parsers.japanese.training import (
    JapaneseSettings,
    LearnerSettings,
    ParserSettings,
    train,
)
from kakari.parsers.recipes import Workshop


@dataclass(frozen=True)
class Recipe:
    """Recipe of a model: training data, input for scoring, and additional data of another standard.

    With `jackknifed`, the words of the training data are found as `ja-words` finds them. A model with a `second` opinion
    asks `ja-juman`, which must have been made before.
    """

    corpora: tuple[str, ...]
    settings: JapaneseSettings
    given: Given
    foreign: tuple[str, ...] = ()
    jackknifed: bool = False
    second: SecondOpinion | None = None


_BASE = ("base", "function", "coordination")
COMPACT = LearnerSettings(cutoff=5, frozen="expansion", weights="int8", keep=1_000_000)
QUICK = replace(COMPACT, cost=1e-3, passes=10, seed=4)
SMALL = replace(COMPACT, keep=500_000)
KINDS = replace(COMPACT, keep=60_000)
RECIPES = {
    "ja": Recipe(
        ("kwdlc:train", *["sample-ja-complaints"] * 3),  # they are few
        JapaneseSettings(
            tagset="sudachi",
            string_cutoff=3,
            segmenter=SMALL,
            parsers=(ParserSettings((*_BASE, "content", "between"), QUICK),),
            rankers=(ParserSettings((*_BASE, "attached", "chain", "content"), replace(QUICK, seed=2)),),
            reranking=Reranking(beam=4, weight=0.9, scale=1.4, sure=0.7),
            kinds=KINDS,
            foreign_marks=8,
        ),
        "text",
        foreign=("wac:train",),
        second=SecondOpinion(weight=0.7, sure=0.3, elsewhere=-1.0),
    ),
    "ja-juman": Recipe(
        ("kwdlc:train",),
        JapaneseSettings(
            string_cutoff=2,
            segmenter=SMALL,
            parsers=(ParserSettings(learner=COMPACT),),
            kinds=KINDS,
            foreign_marks=8,
        ),
        "text",
        foreign=("wac:train",),
        jackknifed=True,
    ),
}
TERMS = {
    "kwdlc": "KWDLC for research on natural language processing, without a licence file, its authors not asked",
    "wac": "WAC CC BY-SA 4.0",
    "sample-ja-complaints": "sentences of our own, MIT",
}
CARD = """# {name}

Bunsetsu and dependencies of Japanese from {source}.

| | |
|---|---|
| trained on | {corpora} ({sentences} sentences) |
| boundaries inside a morpheme, moved to its edge | {moved} |
| size | {size:.2f} MB |
| kwdlc:dev, given {given}: segmentation F1 | {segmentation_f1:.2%} |
| (span, head) recall | {span_head_recall:.2%} |
| (span, head) F1 | {span_head_f1:.2%} |
| sentences without error | {sentence_accuracy:.2%} |
{gold_rows}| kwdlc:dev, given bunsetsu: dependency accuracy | {dependency_accuracy:.2%} |
| arc types | {kind_accuracy:.2%} |
| expected calibration error of arcs; of boundaries | {arc_calibration_error:.3f}; {boundary_calibration_error:.3f} |

Terms of the data: {terms} (docs/licences.md). The model holds words and weights,
no text.

Made by `make models-ja`.
"""
GOLD_ROWS = """| kwdlc:dev, given morphemes: segmentation F1 | {segmentation_f1:.2%} |
| (span, head) recall | {span_head_recall:.2%} |
"""


def training_sentences(references: Sequence[str]) -> Iterator[JapaneseSentence]:
    """Yield the sentences of several corpora, annotation errors included (`train` leaves them out)."""
    for reference in references:
        yield from read(reference)


def is_held_out(sentence: JapaneseSentence) -> bool:
    """Return whether a sentence is in the fifth of KWDLC's documents on which probabilities are calibrated."""
    chosen = sentence.origin == "knp" and crc32(sentence.document.encode()) % 5 == 0
    return chosen and not any(True for _ in sentence.faults())


def automatic_words(references: Sequence[str], *, report: Report) -> HeldWords:
    """Find the words of corpora by models that have not seen the sentences."""
    sentences = list(training_sentences(references))
    found = jackknifed_words(sentences, read_dictionary(JUMANDIC), report=report)
    return HeldWords({one.text: words for one, words in zip(sentences, found, strict=True)})


def held_out_adviser(*, report: Report) -> tuple[JapaneseModel, HeldWords]:
    """Train `ja-juman`'s segmenter without the held-out fifth; return it with words of models that had not seen them."""
    recipe = RECIPES["ja-juman"]
    source = automatic_words([*recipe.corpora, *recipe.foreign], report=report)
    foreign = training_sentences(recipe.foreign)
    own = [sentence for sentence in training_sentences(recipe.corpora) if not is_held_out(sentence)]
    settings = replace(recipe.settings, parsers=(), kinds=None)
    return train(own, settings, foreign=foreign, source=source, report=report), source


def pretrain(name: str, workshop: Workshop) -> tuple[JapaneseModel, dict[str, Any]]:
    """Train an embedded model and measure it; return it with the facts of its card."""
    recipe = RECIPES[name]
    everything = [*recipe.corpora, *recipe.foreign]
    source = automatic_words(everything, report=workshop.report) if recipe.jackknifed else None
    foreign, own = list(training_sentences(recipe.foreign)), list(training_sentences(recipe.corpora))
    model = train(own, recipe.settings, foreign=foreign, source=source, report=workshop.report)
    others = [sentence for sentence in own if not is_held_out(sentence)]
    settings = replace(recipe.settings, kinds=None)
    alike = train(others, settings, foreign=foreign, source=source, report=workshop.report)
    if recipe.second is not None:
        model.second = recipe.second
        alike.second = replace(recipe.second, adviser=held_out_adviser(report=workshop.report))
    calibrate(model, alike, [sentence for sentence in own if is_held_out(sentence)], source)
    dev = list(read("kwdlc:dev"))
    whole = evaluate(model, dev, given=recipe.given).as_dict()
    arcs = evaluate(model, dev, given="bunsetsu").as_dict()
    scores = {key: whole[key] for key in ("segmentation_f1", "span_head_recall", "span_head_f1", "sentence_accuracy")}
    told = ("dependency_accuracy", "kind_accuracy", "arc_calibration_error", "boundary_calibration_error")
    scores |= {key: arcs[key] for key in told}
    corpora = list(dict.fromkeys([*recipe.foreign, *recipe.corpora]))
    model.details |= {"corpora": corpora, "scores": scores}
    return model, {
        "source": "text, or from the morphemes of KNP files" if model.lexicon.tagset == "juman" else "text",
        "corpora": ", ".join(corpora),
        "sentences": model.details["sentences"],
        "moved": model.details["moved_boundaries"],
        "given": recipe.given,
        "gold_rows": GOLD_ROWS.format(**evaluate(model, dev, given="morphemes").as_dict()) if recipe.jackknifed else "",
        "terms": "; ".join(TERMS[reference.partition(":")[0]] for reference in corpora),
        **scores,
    }
