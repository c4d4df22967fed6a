"""Accuracy of Japanese bunsetsu and dependencies, by the definitions of the field.

Dependency accuracy is the share of bunsetsu, the last one of each sentence left out, whose head is right;
sentence accuracy the share of sentences without an error. Segmentation is F1 over character spans; end to
end, F1 and recall over (span, head span) pairs. Parentheses that the corpora cut out as sentences of their
own are left out.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from itertools import pairwise
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from kakari.corpora.records.japanese import JapaneseSentence
from kakari.parsers.japanese.calibration import Reliability
from kakari.parsers.japanese.dependency.decoders import chunk_counts
from kakari.parsers.japanese.gold import WordSource, analysed, carry_over
from kakari.parsers.japanese.model import JapaneseModel, UnfitModelError
from kakari.parsers.japanese.tagging.source import KakariWords
from kakari.parsers.japanese.words.morphemes import Morphemes

Given = Literal["text", "morphemes", "bunsetsu"]
Span = tuple[int, int]
DISTANCES = ((1, "1"), (2, "2"), (5, "3-5"), (10**9, "6+"))


@dataclass(frozen=True)
class Structure:
    """One sentence's bunsetsu as character spans, and the index of each one's head (-1: none)."""

    spans: tuple[Span, ...]
    heads: tuple[int, ...]

    def arcs(self) -> set[tuple[Span, Span]]:
        """Return the (span, head span) pairs."""
        return {
            (span, self.spans[head])
            for span, head in zip(self.spans, self.heads, strict=True)
            if 0 <= head < len(self.spans)
        }


@dataclass
class Tally:
    """Right ones out of all."""

    right: int = 0
    total: int = 0

    def add(self, right: bool) -> None:
        """Count one."""
        self.right += right
        self.total += 1

    @property
    def share(self) -> float:
        """The share of right ones; 0 if nothing was counted."""
        return self.right / self.total if self.total else 0.0


@dataclass
class JapaneseScores:
    """All measures of an evaluation; `as_dict` returns them as plain numbers.

    `has_heads` is false for a segmenter alone.
    """

    sentences: int = 0
    seconds: float = 0.0
    segmentation: list[int] = field(default_factory=lambda: [0, 0, 0])  # matched, found, gold
    arcs: list[int] = field(default_factory=lambda: [0, 0, 0])
    dependency: Tally = field(default_factory=Tally)
    sentence: Tally = field(default_factory=Tally)
    kinds: Tally = field(default_factory=Tally)
    by_distance: dict[str, Tally] = field(default_factory=dict)
    by_particle: dict[str, Tally] = field(default_factory=dict)
    has_heads: bool = True
    arc_reliability: Reliability = field(default_factory=Reliability)
    boundary_reliability: Reliability = field(default_factory=Reliability)

    @property
    def segmentation_f1(self) -> float:
        """F1 over bunsetsu spans."""
        return _f1(self.segmentation)

    @property
    def dependency_accuracy(self) -> float:
        """The share of gold bunsetsu, the last of each sentence left out, found with the right head."""
        return self.dependency.share

    @property
    def sentence_accuracy(self) -> float:
        """The share of sentences without any error."""
        return self.sentence.share

    @property
    def span_head_f1(self) -> float:
        """F1 over (span, head span) pairs."""
        return _f1(self.arcs)

    @property
    def span_head_recall(self) -> float:
        """The share of gold (span, head span) pairs that were found."""
        return self.arcs[0] / self.arcs[2] if self.arcs[2] else 0.0

    def as_dict(self) -> dict[str, Any]:
        """Return the measures as plain numbers, None for what was not measured; the breakdowns as [right, total].

        Examples
        --------
        >>> JapaneseScores().as_dict()["segmentation_f1"]
        0.0
        """
        heads = {
            "dependency_accuracy": self.dependency_accuracy,
            "sentence_accuracy": self.sentence_accuracy,
            "span_head_f1": self.span_head_f1,
            "span_head_recall": self.span_head_recall,
        }
        breakdowns = {"by_distance": self.by_distance, "by_particle": self.by_particle} if self.has_heads else {}
        return {
            "segmentation_f1": self.segmentation_f1,
            **(heads if self.has_heads else dict.fromkeys(heads)),
            "kind_accuracy": self.kinds.share if self.kinds.total else None,
            **self._calibration(),
            "sentences": self.sentences,
            "seconds": round(self.seconds, 4),
            **{
                name: {key: list(asdict(tally).values()) for key, tally in tallies.items()}
                for name, tallies in breakdowns.items()
            },
        }

    def _calibration(self) -> dict[str, Any]:
        """Return the calibration errors of arcs and boundaries, and their tables."""
        told: dict[str, Any] = {}
        for name, found in (("arc", self.arc_reliability), ("boundary", self.boundary_reliability)):
            if found.rows.any():
                told |= {f"{name}_calibration_error": found.error, f"{name}_reliability": found.as_list()}
        return told

    def add(self, gold: JapaneseSentence, found: Structure) -> None:
        """Count one sentence."""
        wanted = gold_structure(gold)
        self.sentences += 1
        _count(self.segmentation, set(found.spans), set(wanted.spans))
        found_arcs, gold_arcs = found.arcs(), wanted.arcs()
        _count(self.arcs, found_arcs, gold_arcs)
        for index in range(len(wanted.spans) - 1):
            head = wanted.heads[index]
            span = wanted.spans[index]
            right = 0 <= head < len(wanted.spans) and (span, wanted.spans[head]) in found_arcs
            self.dependency.add(right)
            distance = next(name for limit, name in DISTANCES if abs(head - index) <= limit)
            self.by_distance.setdefault(distance, Tally()).add(right)
            self.by_particle.setdefault(_particle(gold, index), Tally()).add(right)
        self.sentence.add(found_arcs == gold_arcs and found.spans == wanted.spans)


def _f1(counts: Sequence[int]) -> float:
    matched, found, gold = counts
    return 2 * matched / (found + gold) if found + gold else 0.0


def _count(counts: list[int], found: set[Any], gold: set[Any]) -> None:
    counts[0] += len(found & gold)
    counts[1] += len(found)
    counts[2] += len(gold)


def _particle(sentence: JapaneseSentence, index: int) -> str:
    """Name a bunsetsu by its last particle, else by the part of speech of its functional morpheme."""
    bunsetsu = sentence.bunsetsu[index]
    last = bunsetsu.morphemes[bunsetsu.function_index()]
    return last.surface if last.pos[:1] == ("助詞",) else f"({last.pos[0] if last.pos else '?'})"


def gold_structure(sentence: JapaneseSentence) -> Structure:
    """Return the spans and heads of a record."""
    spans, begin = [], 0
    for bunsetsu in sentence.bunsetsu:
        end = begin + len(bunsetsu.text)
        spans.append((begin, end))
        begin = end
    return Structure(tuple(spans), tuple(bunsetsu.head for bunsetsu in sentence.bunsetsu))


def structures(morphemes: Morphemes, opens: NDArray[np.uint8], heads: NDArray[np.int32]) -> Iterator[Structure]:
    """Yield the structure of each sentence of a batch."""
    begins, ends, starts = morphemes.begins.tolist(), morphemes.ends.tolist(), morphemes.starts.tolist()
    marks, arcs, place = opens.tolist(), heads.tolist(), 0
    for start, end, count in zip(starts, starts[1:], chunk_counts(morphemes, opens).tolist(), strict=False):
        firsts = [token for token in range(start, end) if marks[token] or token == start]
        spans = tuple((begins[first], ends[last - 1]) for first, last in pairwise([*firsts, end]))
        yield Structure(spans, tuple(arcs[place : place + count]))
        place += count


def evaluate(
    model: JapaneseModel,
    sentences: Iterable[JapaneseSentence],
    *,
    given: Given = "bunsetsu",
    decoder: str = "shift-reduce",
    parentheses: bool = False,
    segmenter: JapaneseModel | None = None,
    source: WordSource | None = None,
) -> JapaneseScores:
    """Score a model on records.

    Parameters
    ----------
    given : "text", "morphemes" or "bunsetsu"
        Input of the model: the text alone (analysed by Sudachi or, for a JUMAN model, by kakari's words model), the
        corpus's morphemes (for a JUMAN model), or its bunsetsu as well.
    parentheses : bool
        Whether to count parentheses that were cut out of a sentence.
    segmenter : JapaneseModel, optional
        Another model of the same morphemes, whose segmenter is used.
    source : WordSource, optional
        Word segmenter for text; by default Sudachi or the embedded words model.

    Examples
    --------
    >>> from kakari.corpora import read
    >>> from kakari.parsers.japanese.training import train
    >>> evaluate(train(read("sample-ja")), read("sample-ja")).dependency_accuracy > 0.9
    True
    """
    if given not in ("text", "morphemes", "bunsetsu"):
        raise UnfitModelError(f"a Japanese model is given text, morphemes or bunsetsu, not {given!r}")
    if given == "morphemes" and model.lexicon.tagset == "sudachi":
        raise UnfitModelError("a model of sudachi morphemes cannot be scored given morphemes: use text or bunsetsu")
    if segmenter is not None and segmenter.lexicon.tagset != model.lexicon.tagset:
        raise UnfitModelError(
            f"a segmenter of {segmenter.lexicon.tagset} morphemes does not go with a parser of"
            f" {model.lexicon.tagset} morphemes: use two models of the same kind"
        )
    if not model.parsers and given == "bunsetsu":
        raise UnfitModelError("this model has a segmenter only: it cannot be scored given bunsetsu")
    chosen = [one for one in sentences if one.bunsetsu and (parentheses or not one.is_parenthesis)]
    scores = JapaneseScores()
    began = time.process_time()
    source = source or (KakariWords() if given == "text" and model.lexicon.tagset == "juman" else None)
    morphemes = analysed(chosen, model.lexicon, source)
    gold = carry_over(chosen, morphemes) if given == "bunsetsu" else None
    if gold is not None:
        opens = gold.opens
    elif segmenter is not None:
        opens = segmenter.segment(analysed(chosen, segmenter.lexicon, source))
    else:
        opens = model.segment(morphemes)
    if model.parsers:
        heads, margins = model.parse(morphemes, opens, decoder=decoder)
    else:
        heads = np.full(int(chunk_counts(morphemes, opens).sum()), -1, dtype=np.int32)
        scores.has_heads = False
    scores.seconds = time.process_time() - began
    for sentence, found in zip(chosen, structures(morphemes, opens, heads), strict=True):
        scores.add(sentence, found)
    if gold is not None and model.parsers and decoder == "shift-reduce":
        arcs = gold.heads >= 0
        scores.arc_reliability.add(model.arc_probabilities(margins)[arcs], (heads == gold.heads)[arcs])
    if gold is not None and model.segmenter is not None:
        inside = np.ones(len(gold.opens), dtype=bool)
        inside[morphemes.starts[:-1][np.diff(morphemes.starts) > 0]] = False
        likely = model.boundary_probabilities(model.boundary_margins(morphemes)[1])
        scores.boundary_reliability.add(likely[inside], gold.opens[inside] == 1)
    if model.kinds and gold is not None:
        found_kinds = model.arc_kinds(morphemes, opens, gold.heads)
        arcs = gold.heads >= 0
        scores.kinds = Tally(int((found_kinds[arcs] == gold.kinds[arcs]).sum()), int(arcs.sum()))
    return scores
