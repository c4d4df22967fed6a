"""Training of the Japanese classifiers: strings, features, learner, frozen model.

The same input gives the same bytes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from kakari.corpora.records.japanese import JapaneseSentence
from kakari.kernels.frozen.freezing import freeze
from kakari.kernels.frozen.model import FrozenModel
from kakari.kernels.hashed.weights import HashedLearner
from kakari.kernels.learning.binary_learner import KernelLearner
from kakari.kernels.sets.featuresets import FeatureSets
from kakari.models.reporting import Report, silent
from kakari.models.vocabulary import Vocabulary
from kakari.parsers.japanese.bunsetsu.segmentation import (
    SEGMENT_GROUPS,
    Segmenter,
    SegmentSlot,
    segment_slots_of,
    training_tokens,
)
from kakari.parsers.japanese.bunsetsu.sure_boundaries import certain_pairs
from kakari.parsers.japanese.dependency.decoders import arc_examples, training_pairs
from kakari.parsers.japanese.dependency.feature_groups import slots_of
from kakari.parsers.japanese.dependency.pairs import Sentence
from kakari.parsers.japanese.dependency.tree_search import learn_pass
from kakari.parsers.japanese.domain_marks import first_sentences, marked, unmarked
from kakari.parsers.japanese.gold import Gold, WordSource, analysed, carry_over
from kakari.parsers.japanese.model import JapaneseModel, Reranking, TreeWeights
from kakari.parsers.japanese.words.morphemes import Lexicon, Morphemes, word_strings
from kakari.parsers.japanese.words.sources import Sudachi

FEWEST_ARCS = 20  # a type with fewer arcs has no classifier


@dataclass(frozen=True)
class LearnerSettings:
    """Training settings of one classifier.

    `cutoff` drops features seen less often; `keep` bounds the conjunctions of the frozen model (None: all).
    """

    degree: int = 2
    cost: float = 5e-4
    step: str = "features"
    passes: int = 20
    seed: int = 1
    cutoff: int = 5
    frozen: Literal["inverted", "splitting", "expansion"] = "splitting"
    weights: Literal["float64", "float32", "int16", "int8"] = "float32"
    keep: int | None = None


@dataclass(frozen=True)
class ParserSettings:
    """One classifier of pairs: its feature groups (`dependency.feature_groups.GROUPS`) and its training.

    `pairs` is the decoder whose pairs it is trained on, if that is not the model's.
    """

    groups: tuple[str, ...] = ("base", "function", "coordination")
    learner: LearnerSettings = LearnerSettings()
    pairs: str | None = None


@dataclass(frozen=True)
class TreeSettings:
    """Training settings of a model of whole trees (see `dependency/tree_search`), and the terms of its score."""

    passes: int = 7
    beam: int = 8
    bonus: int = 10
    seed: int = 1
    weight: float = 0.045


@dataclass(frozen=True)
class JapaneseSettings:
    """Training settings of a Japanese model.

    `parsers` are classifiers whose margins are added, usually one; `rankers` judge the best of their analyses, with a
    model of whole `trees` beside them if there is one. `foreign_marks` is how many marks the segmenter's examples from
    data of another standard get (see `kakari.parsers.japanese.domain_marks`).
    """

    tagset: str = "juman"
    decoder: str = "shift-reduce"
    string_cutoff: int = 1
    segment_groups: tuple[str, ...] = tuple(SEGMENT_GROUPS)
    segmenter: LearnerSettings | None = LearnerSettings()
    parsers: tuple[ParserSettings, ...] = (ParserSettings(),)
    rankers: tuple[ParserSettings, ...] = ()
    reranking: Reranking = field(default_factory=Reranking)
    kinds: LearnerSettings | None = None
    trees: TreeSettings | None = None
    foreign_marks: int = 0

    def told(self) -> dict[str, Any]:
        """Describe the settings for the model's file; newer settings are left out if they are not used."""
        return {name: value for name, value in asdict(self).items() if value or name not in ("trees", "foreign_marks")}


# The most accurate setting: different classifiers whose margins are added, and two models that rerank their analyses.
_BASE = ("base", "function", "coordination")
_QUICK = LearnerSettings(cost=1e-3, passes=10)
_CUBIC = LearnerSettings(degree=3, cost=6e-5, cutoff=2, passes=10)
ACCURATE = JapaneseSettings(
    segmenter=LearnerSettings(),
    parsers=(
        ParserSettings(_BASE, _QUICK),
        ParserSettings((*_BASE, "attached", "stack", "conjugation"), _QUICK),
        ParserSettings(("base",), _CUBIC),
        ParserSettings(("base", "coordination"), _CUBIC, pairs="cascade"),
        ParserSettings((*_BASE, "content"), _QUICK, pairs="cascade"),
        ParserSettings((*_BASE, "stack"), replace(_CUBIC, seed=2)),
    ),
    rankers=(ParserSettings((*_BASE, "attached", "chain"), _QUICK),),
    reranking=Reranking(beam=8, weight=0.9, scale=1.4),
    trees=TreeSettings(),
)


def build_lexicon(
    sentences: Sequence[JapaneseSentence], tagset: str, cutoff: int = 1, source: WordSource | None = None
) -> Lexicon:
    """Collect the training sentences' strings that occur at least `cutoff` times, in order of appearance.

    Examples
    --------
    >>> from kakari.corpora import read
    >>> lexicon = build_lexicon(list(read("sample-ja")), "juman")
    >>> lexicon.strings.id_of("名詞") is not None
    True
    """
    counts: Counter[str] = Counter()
    for words in _words(sentences, tagset, source):
        for word in words:
            # First characters are looked up, not collected: nearly all are words or last characters somewhere.
            counts.update(dict.fromkeys(word_strings(*word)[:-1], 1))
    strings = Vocabulary()
    for text, count in counts.items():
        if text and count >= cutoff:
            strings.add(text)
    strings.freeze()
    return Lexicon(strings, tagset)


def _words(
    sentences: Sequence[JapaneseSentence], tagset: str, source: WordSource | None
) -> Iterable[list[tuple[str, str, tuple[str, ...], str, str]]]:
    given = tagset == "juman" and source is None
    finder = source or Sudachi()
    for sentence in sentences:
        records = sentence.morphemes if given else finder.records(sentence.text)
        yield [(m.surface, m.base or m.surface, m.pos, m.conj_type, m.conj_form) for m in records]


def train(
    sentences: Iterable[JapaneseSentence],
    settings: JapaneseSettings | None = None,
    *,
    foreign: Iterable[JapaneseSentence] = (),
    source: WordSource | None = None,
    report: Report = silent,
) -> JapaneseModel:
    """Train a model; sentences with faulty heads are left out.

    Parameters
    ----------
    sentences : iterable of JapaneseSentence
    settings : JapaneseSettings, optional
    foreign : iterable of JapaneseSentence
        More training data, which cuts bunsetsu by another standard.
    source : WordSource, optional
        Word segmenter for the sentences' texts. By default the words are the sentences' own for JUMAN's tags,
        Sudachi's otherwise.
    report : callable
        Called with a line of text after each step.

    Examples
    --------
    >>> from kakari.corpora import read
    >>> model = train(read("sample-ja"), JapaneseSettings(segmenter=LearnerSettings(degree=2, passes=2)))
    >>> model.segmenter.degree, len(model.parsers)
    (2, 1)
    """
    settings = settings or JapaneseSettings()
    others, own = (
        [sentence for sentence in part if not any(True for _ in sentence.faults())] for part in (foreign, sentences)
    )
    usable = others + own
    lexicon = build_lexicon(usable, settings.tagset, settings.string_cutoff, source)
    morphemes = analysed(usable, lexicon, source)
    gold = carry_over(usable, morphemes)
    report(f"{morphemes!r}, {gold.moved} boundaries moved, {gold.joined} bunsetsu joined")
    model = JapaneseModel(
        lexicon,
        tuple(segment_slots_of(settings.segment_groups)),
        tuple(slots_of({group for parser in settings.parsers + settings.rankers for group in parser.groups})),
        details={
            "settings": settings.told(),
            "sentences": len(usable),
            "moved_boundaries": gold.moved,
            "joined_bunsetsu": gold.joined,
        },
        reranking=settings.reranking,
    )
    if settings.segmenter is not None:
        theirs = len(others) if settings.foreign_marks else 0
        learn_segmenter(model, morphemes, gold, settings.segmenter, theirs, settings.foreign_marks, report)

    def pair_classifiers(wanted: Sequence[ParserSettings], decoder: str, name: str) -> Iterator[FrozenModel]:
        for one in wanted:
            sentence = Sentence(model.width, slots_of(one.groups))
            sets, labels = training_pairs(morphemes, gold.opens, gold.heads, sentence, one.pairs or decoder)
            yield learn(sets, labels, one.learner, name, report)

    model.parsers = tuple(pair_classifiers(settings.parsers, settings.decoder, "parser"))
    model.rankers = tuple(pair_classifiers(settings.rankers, "backward", "ranker"))
    if settings.trees is not None:
        model.trees = learn_trees(model, morphemes, gold, settings.trees, report)
    if settings.kinds is not None:
        model.kinds = learn_kinds(model, morphemes, gold, settings.kinds, report)
    return model


def learn_segmenter(
    model: JapaneseModel,
    morphemes: Morphemes,
    gold: Gold,
    settings: LearnerSettings,
    foreign: int,
    marks: int,
    report: Report,
) -> None:
    """Train the segmenter, and find the certain decisions; examples of the first sentences get marks."""
    model.certain = certain_pairs(morphemes, gold.opens)
    asked = Segmenter(model.width, model.segment_slots, model.certain)
    sets, labels = training_tokens(morphemes, gold.opens, asked)
    first_mark = model.width * int(SegmentSlot.SEGMENT_SLOTS)
    if foreign:
        part = first_sentences(morphemes, foreign)
        _, theirs = training_tokens(part, gold.opens[: len(part.begins)], asked)
        sets = marked(sets, len(theirs), range(first_mark, first_mark + marks))
    model.segmenter = learn(sets, labels, settings, "segmenter", report, first_mark)


def learn_trees(
    model: JapaneseModel, morphemes: Morphemes, gold: Gold, settings: TreeSettings, report: Report
) -> TreeWeights:
    """Train a model of whole trees."""
    learner = HashedLearner()
    sentence = Sentence(model.width, model.pair_slots)
    for number in range(settings.passes):
        order = np.random.default_rng([settings.seed, number]).permutation(len(morphemes))
        wrong = learn_pass(
            morphemes, gold.opens, gold.heads, sentence, learner, order, beam=settings.beam, bonus=settings.bonus
        )
    report(f"trees: {len(morphemes)} examples, {len(learner)} conjunctions, {wrong} wrong")
    return TreeWeights(learner.freeze(), learner.unit(), settings.weight)


def learn_kinds(
    model: JapaneseModel, morphemes: Morphemes, gold: Gold, settings: LearnerSettings, report: Report
) -> dict[str, FrozenModel]:
    """Train one classifier against the rest for each arc type that is frequent enough, D left out."""
    sets = arc_examples(morphemes, gold.opens, gold.heads, Sentence(model.width, model.pair_slots))
    kinds = gold.kinds[gold.heads >= 0]
    names = [str(name) for name in np.unique(kinds) if name != "D" and (kinds == name).sum() >= FEWEST_ARCS]
    return {
        name: learn(sets, np.where(kinds == name, 1, -1).astype(np.int8), settings, f"kind {name}", report)
        for name in names
    }


def learn(
    sets: FeatureSets,
    labels: NDArray[np.int8],
    settings: LearnerSettings,
    name: str,
    report: Report,
    first_mark: int | None = None,
) -> FrozenModel:
    """Train one classifier and freeze its averaged weights; features from `first_mark` on are for training alone."""
    learner = KernelLearner(settings.degree, cost=settings.cost, step=settings.step, seed=settings.seed, common="auto")
    learner.fit(without_rare(sets, settings.cutoff), labels, passes=settings.passes)
    support = learner.support()
    report(f"{name}: {len(labels)} examples, {len(support)} support vectors, {learner.mistakes[-1]} wrong")
    return freeze(
        support if first_mark is None else unmarked(support, first_mark),
        learner.coefficients(averaged=True),
        settings.degree,
        kind=settings.frozen,
        weights=settings.weights,
        keep=settings.keep,
    )


def without_rare(sets: FeatureSets, cutoff: int) -> FeatureSets:
    """Leave out the features that occur in fewer than `cutoff` sets.

    Examples
    --------
    >>> without_rare(FeatureSets.from_lists([[1, 2], [1], [3]]), 2).tolist()
    [[1], [1], []]
    """
    if cutoff <= 1 or not len(sets.ids):
        return sets
    kept = np.bincount(sets.ids)[sets.ids] >= cutoff
    before = np.concatenate(([0], np.cumsum(kept)))
    return FeatureSets.from_arrays(before[sets.offsets], sets.ids[kept])
