"""Corrections of Japanese: whether a bunsetsu begins at a character, and which bunsetsu another one depends on.

All corrections of a text are learned together, with the rest of its analysis as the model sees it: the boundaries that
were corrected are set, the others stay; among the best trees the first one is taken that has the corrected arcs, or the
best one is bent until it has them. What the decoders ask on the way to that tree are the examples, all of the sentence:
those that were right before hold the rest in its place. Of boundaries, those are that were corrected, and where that is
not enough, all of the sentence.

An arc says where its two bunsetsu begin and end, too: where the model cuts otherwise, that is learned as well.

What is learned must hold for the corrected sentence and for those like it, and leave all others alone. The features
that nearly all examples share (a noun, a particle, a distance of one) would carry each correction into every sentence,
so the most frequent ones of the classifiers are left out of the examples, and the kernels are of degree 3 (boundaries)
and 4 (arcs). With all features and the classifier's own quadratic kernel a hundred corrections cost 16 points of
accuracy on other sentences; this way they cost none (docs/correct.md).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from kakari.corpora import read
from kakari.kernels.frozen.model import FrozenModel
from kakari.kernels.sets.featuresets import FeatureSets
from kakari.models.correcting.kernel_layer import KernelLayer
from kakari.models.correcting.stored import Corrections
from kakari.parsers.correcting.records import Correction, CorrectionError
from kakari.parsers.correcting.sentences import Owners
from kakari.parsers.japanese.bunsetsu.segmentation import SURE_MARGIN, Segmenter, boundary_examples
from kakari.parsers.japanese.dependency.decoders import training_pairs
from kakari.parsers.japanese.dependency.pairs import Sentence
from kakari.parsers.japanese.model import JapaneseModel
from kakari.parsers.japanese.parser import word_source
from kakari.parsers.japanese.scores import gold_structure, structures
from kakari.parsers.japanese.second_opinion import boundary_advice
from kakari.parsers.japanese.words.morphemes import Morphemes
from kakari.parsers.japanese.words.sentences import sentence_spans

ROUNDS = 6
SEARCHED = 16  # trees among which one with the corrected arcs is looked for
# The margin of a corrected decision; with 1.0 other sentences lose a little (folds of kwdlc:train).
TARGETS = {"segmenter": 0.6, "parser": 0.6, "ranker": 0.6}
# Of what is learned from corrections. An arc teaches less about others than a boundary does: with 3, heads of other
# sentences of a genre get worse (docs/correct.md).
DEGREES = {"segmenter": 3, "parser": 4, "ranker": 4}
COMMON = 200  # features that are left out of examples, at most a twentieth of those that the classifier knows
FEWEST = 3  # features of an example; one that would have fewer keeps all


@dataclass(frozen=True)
class Wanted:
    """What corrections say of one sentence, by its morphemes."""

    morphemes: Morphemes
    opens: Mapping[int, bool]  # whether a morpheme opens a bunsetsu
    arcs: Mapping[int, int]  # the first morpheme of a bunsetsu, and that of its head


class JapaneseCorrector:
    """Teaches a Japanese model what a user corrected.

    Examples
    --------
    >>> from kakari.parsers.japanese.parser import JapaneseParser, pretrained_model
    >>> one = Correction("昨日買った本を読む。", "arc", (0, 2), (7, 10))
    >>> corrected = JapaneseCorrector(pretrained_model()).learned([one])
    >>> (found,) = JapaneseParser(corrected).parse(one.text)
    >>> found.heads[0]
    3
    """

    kinds: ClassVar[tuple[str, ...]] = ("boundary", "arc")

    def __init__(self, model: JapaneseModel) -> None:
        self.model = model
        self.source = word_source(model)

    def learned(self, corrections: Sequence[Correction]) -> JapaneseModel:
        """Return the model after it has learned corrections, one after another, beside those that it had."""
        before = _corrections(self.model)
        known = [Correction.from_line(line) for line in before.history]
        layers = {name: before.layers.get(name) or KernelLayer.empty(DEGREES[name]) for name in self._layers()}
        model = replace(self.model, corrections=Corrections(before.history, layers))
        owners = Owners(lambda each: (each.text, _sentence_of(each)[0]), known)
        for one in corrections:
            owner, own = owners.add(one)
            had = _corrections(model)
            layers = {name: layer.without_owner(owner) for name, layer in had.layers.items()}
            model = replace(model, corrections=Corrections((*had.history, one.line()), layers))
            model = self._taught(model, self.wanted(own), owner)
        return model

    def holds(self, correction: Correction) -> bool:
        """Return whether the model analyses a text as a correction says."""
        wanted = self.wanted([correction])
        opens = self.model.segment(wanted.morphemes)
        if any(opens[place] != value for place, value in wanted.opens.items()):
            return False
        if not wanted.arcs:
            return True
        heads, _ = self.model.parse(wanted.morphemes, opens)
        return all(heads[dependent] == head for dependent, head in _by_bunsetsu(wanted, opens).items())

    def shown(self, texts: Sequence[str]) -> list[str]:
        """Return the analyses of texts in the form of quality tables: each bunsetsu and the number of its head.

        Examples
        --------
        >>> from kakari.parsers.japanese.parser import pretrained_model
        >>> JapaneseCorrector(pretrained_model()).shown(["本を読む。"])
        ['本を:1 読む。:-1']
        """
        morphemes = self.source.morphemes(texts, self.model.lexicon)
        opens = self.model.segment(morphemes)
        heads = self.model.parse(morphemes, opens)[0] if self.model.parsers else np.full(int(opens.sum()), -1)
        return [
            " ".join(f"{text[a:b]}:{head}" for (a, b), head in zip(found.spans, found.heads, strict=True))
            for text, found in zip(texts, structures(morphemes, opens, heads.astype(np.int32)), strict=True)
        ]

    @staticmethod
    def sample() -> list[tuple[str, str]]:
        """Return the texts of the embedded sample with their analyses in the form of `shown`."""
        found = []
        for record in read("sample-ja"):
            gold = gold_structure(record)
            spans = zip(gold.spans, gold.heads, strict=True)
            found.append((record.text, " ".join(f"{record.text[a:b]}:{head}" for (a, b), head in spans)))
        return found

    def _layers(self) -> Iterator[str]:
        if self.model.segmenter is not None:
            yield "segmenter"
        if self.model.parsers:
            yield "parser"
        if self.model.rankers:
            yield "ranker"

    def _taught(self, model: JapaneseModel, wanted: Wanted, owner: int) -> JapaneseModel:
        """Return the model after rounds of learning, until it analyses the sentence as it is wanted."""
        for number in range(ROUNDS):
            opens = model.segment(wanted.morphemes)
            if any(opens[place] != value for place, value in wanted.opens.items()):
                model = self._teach_boundaries(model, wanted, opens, owner, everything=number > 1)
                continue
            if not wanted.arcs:
                return model
            heads, _ = model.parse(wanted.morphemes, opens)
            fixed = _by_bunsetsu(wanted, opens)
            if all(heads[dependent] == head for dependent, head in fixed.items()):
                return model
            model = self._teach_arcs(model, wanted, opens, heads, fixed, owner)
        return model

    def _teach_boundaries(
        self, model: JapaneseModel, wanted: Wanted, opens: NDArray[np.uint8], owner: int, *, everything: bool
    ) -> JapaneseModel:
        if model.segmenter is None:  # `wanted` has refused boundaries
            return model
        marks, seen = opens.copy(), replace(model, second=None).segment(wanted.morphemes)
        for place, value in wanted.opens.items():
            marks[place] = seen[place] = value
        segmenter = Segmenter(model.width, model.segment_slots, model.certain)
        sets, places, known = boundary_examples(wanted.morphemes, seen, segmenter)
        rows = [row for row, place in enumerate(places.tolist()) if everything or place in wanted.opens]
        labels = np.where(marks[places[rows]], 1, -1)
        layer = _corrections(model).layers["segmenter"].without_owner(owner)
        asked = model.segmenter.margins(sets)
        base = np.where(known < 0, asked, np.where(known > 0, SURE_MARGIN, -SURE_MARGIN))
        # A second opinion that is against a correction must be outweighed; one for it may not be asked next time.
        advice = boundary_advice(model, wanted.morphemes)[places]
        against = base[rows] + np.where(advice[rows] * labels < 0, advice[rows], 0.0)
        telling = without_common(sets.take(rows), [model.segmenter])
        return _relearned(model, {"segmenter": layer.with_examples(telling, labels, against, owner=owner)})

    def _teach_arcs(
        self,
        model: JapaneseModel,
        wanted: Wanted,
        opens: NDArray[np.uint8],
        found: NDArray[np.int32],
        fixed: Mapping[int, int],
        owner: int,
    ) -> JapaneseModel:
        learned = _corrections(model).layers
        heads = self._tree(model, wanted.morphemes, opens, found, fixed)
        sentence = Sentence(model.width, model.pair_slots)
        layers = {}
        for name, decoder, classifiers in (
            ("parser", "shift-reduce", model.parsers),
            ("ranker", "backward", model.rankers),
        ):
            if name not in learned:
                continue
            sets, labels = training_pairs(wanted.morphemes, opens, heads, sentence, decoder)
            layer = learned[name].without_owner(owner)
            base = np.sum([classifier.margins(sets) for classifier in classifiers], axis=0)
            telling = without_common(sets, model.parsers + model.rankers)
            layers[name] = layer.with_examples(telling, labels, base, owner=owner)
        return _relearned(model, layers)

    def _tree(
        self,
        model: JapaneseModel,
        morphemes: Morphemes,
        opens: NDArray[np.uint8],
        found: NDArray[np.int32],
        fixed: Mapping[int, int],
    ) -> list[int]:
        """Return the best tree that has the fixed arcs."""
        for heads, _ in model.parse_kbest(morphemes, opens, beam=SEARCHED)[0]:
            if all(heads[dependent] == head for dependent, head in fixed.items()):
                return heads
        return bent(found.tolist(), fixed)

    def wanted(self, corrections: Sequence[Correction]) -> Wanted:
        """Return what corrections of one sentence say together; what cannot be is a `CorrectionError`."""
        begin, end = _sentence_of(corrections[0])
        text = corrections[0].text
        morphemes = self.source.morphemes([text[begin:end]], self.model.lexicon)
        words = _Words(text, begin, morphemes)
        opens: dict[int, bool] = {}
        arcs: dict[int, int] = {}
        for one in corrections:
            for place, value in words.boundaries(one):
                if opens.setdefault(place, value) != value:
                    raise CorrectionError(f"{one.told()}: other corrections of this text cut bunsetsu otherwise")
            if one.kind == "arc":
                dependent, head = words.arc(one)
                if any(_cross((dependent, head), other) for other in arcs.items()):
                    raise CorrectionError(f"{one.told()}: this arc crosses another corrected one of this text")
                if arcs.setdefault(dependent, head) != head:
                    raise CorrectionError(f"{one.told()}: another correction gives this bunsetsu another head")
        if opens and self.model.segmenter is None:
            raise CorrectionError("this model has no segmenter: it cannot learn boundaries")
        if arcs and not self.model.parsers:
            raise CorrectionError("this model has no dependency parser: it cannot learn arcs")
        return Wanted(morphemes, opens, arcs)


class _Words:
    """The words of a sentence by the characters of the text that it is from."""

    def __init__(self, text: str, begin: int, morphemes: Morphemes) -> None:
        self.text = text
        self.begins = [begin + place for place in morphemes.begins.tolist()]
        self.ends = [begin + place for place in morphemes.ends.tolist()]

    def boundaries(self, one: Correction) -> Iterator[tuple[int, bool]]:
        """Yield the words of which a correction says whether they open a bunsetsu."""
        if isinstance(one.at, int):
            place = self._word_at(one.at)
            if place == 0 and not one.value:
                raise CorrectionError(f"{one.told()}: a sentence begins there, and so does a bunsetsu")
            if place:
                yield place, bool(one.value)
            return
        for span in (one.at, one.value):
            first, last = self._bunsetsu(span)
            for place in range(max(first, 1), min(last + 1, len(self.begins))):
                yield place, place in (first, last)

    def arc(self, one: Correction) -> tuple[int, int]:
        """Return the first words of the two bunsetsu of an arc."""
        dependent, head = self._bunsetsu(one.at)[0], self._bunsetsu(one.value)[0]
        if head <= dependent:
            raise CorrectionError(f"{one.told()}: a bunsetsu depends on a later one")
        return dependent, head

    def _word_at(self, place: int) -> int:
        """Return the word that begins at a character, white space before it not counted."""
        for number, (begin, end) in enumerate(zip(self.begins, self.ends, strict=True)):
            if begin <= place < end and not self.text[begin:place].strip():
                return number
            if place <= end and not self.text[place:end].strip() and number + 1 < len(self.begins):
                return number + 1
        raise CorrectionError(f"no word begins at character {place} ({self._around(place)})")

    def _bunsetsu(self, span: Any) -> tuple[int, int]:
        """Return the first word of a span, and the first one behind it."""
        if span is None:
            raise CorrectionError("a bunsetsu depends on another one: only the last one of a sentence has no head")
        begin, end = span
        if not self.begins or not self.begins[0] <= begin < end <= self.ends[-1]:
            shown = self.text[begin:end]
            raise CorrectionError(f"{shown!r} is not in the sentence of the other bunsetsu")
        rest = self.text[end : self.ends[-1]]
        return self._word_at(begin), len(self.begins) if not rest.strip() else self._word_at(end)

    def _around(self, place: int) -> str:
        return f"{self.text[max(0, place - 4) : place]}|{self.text[place : place + 4]}"


def _sentence_of(one: Correction) -> tuple[int, int]:
    """Return the characters of the sentence that a correction is about."""
    if one.kind not in JapaneseCorrector.kinds:
        raise CorrectionError(f"a Japanese model learns boundaries and arcs, not what a {one.kind!r} is")
    place = one.at if isinstance(one.at, int) else one.at[0] if one.at else 0
    for begin, end in sentence_spans(one.text):
        if begin <= place < end:
            return begin, end
    raise CorrectionError(f"character {place} is in no sentence of the text")


def _corrections(model: JapaneseModel) -> Corrections[KernelLayer]:
    return Corrections() if model.corrections is None else model.corrections


def without_common(sets: FeatureSets, classifiers: Sequence[FrozenModel]) -> FeatureSets:
    """Return examples without the features that are most frequent in one of some classifiers."""
    ranked = [classifier.arrays["ids"] for classifier in classifiers]
    common = np.concatenate([ids[: min(COMMON, len(ids) // 20)] for ids in ranked])
    rare = ~np.isin(sets.ids, common)
    counts = np.diff(np.concatenate(([0], np.cumsum(rare)))[sets.offsets])
    rare |= np.repeat(counts < FEWEST, sets.row_lengths())
    before = np.concatenate(([0], np.cumsum(rare)))
    return FeatureSets.from_arrays(before[sets.offsets], sets.ids[rare])


def _relearned(model: JapaneseModel, layers: Mapping[str, KernelLayer]) -> JapaneseModel:
    """Return the model with layers in the place of its own, after their passes."""
    had = _corrections(model)
    learned = {name: layer.learned(target=TARGETS[name]) for name, layer in layers.items()}
    return replace(model, corrections=replace(had, layers={**had.layers, **learned}))


def _by_bunsetsu(wanted: Wanted, opens: NDArray[np.uint8]) -> dict[int, int]:
    """Return the wanted arcs in numbers of bunsetsu."""
    numbers = np.cumsum(opens) - 1
    return {int(numbers[dependent]): int(numbers[head]) for dependent, head in wanted.arcs.items()}


def _cross(one: tuple[int, int], other: tuple[int, int]) -> bool:
    (left, _), (right, _) = sorted((one, other))
    first, second = (one, other) if one[0] == left else (other, one)
    return left < right < first[1] < second[1]


def bent(heads: Sequence[int], fixed: Mapping[int, int]) -> list[int]:
    """Return a tree without crossing arcs that has the fixed ones, and else as many of the given arcs as it can keep.

    From right to left each bunsetsu takes its head among those that no arc forbids: its own if it can, else the
    nearest one before that.

    Examples
    --------
    >>> bent([1, 2, 3, -1], {0: 2}), bent([3, 2, 3, -1], {0: 1}), bent([4, 3, 4, 4, -1], {0: 2})
    ([2, 2, 3, -1], [1, 2, 3, -1], [2, 2, 4, 4, -1])
    """
    found = list(heads)
    for dependent in range(len(heads) - 2, -1, -1):
        limit = min((head for other, head in fixed.items() if other < dependent < head), default=len(heads) - 1)
        candidates, candidate = [], dependent + 1
        while 0 <= candidate <= limit:
            candidates.append(candidate)
            candidate = found[candidate]
        own = fixed.get(dependent, heads[dependent])
        found[dependent] = own if own in candidates else max((c for c in candidates if c <= own), default=candidates[0])
    return found
