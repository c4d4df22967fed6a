"""Small models of every kind that the parsers have, and something to do with each (see model_kinds.py)."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from kakari import corpora
from kakari.kernels.sets.featuresets import FeatureSets

Use = Callable[[Any], object]
Kinds = dict[str, tuple[Any, Use]]
WORDS = [["Dogs", "bark", "."], ["The", "old", "man", "saw", "Mary", "in", "Rome", "."], []]
ROWS = [[("The", "DT"), ("dog", "NN"), ("barked", "VBD")], [("Dogs", "NNS"), ("bark", "VBP")]]
EXAMPLES = FeatureSets.from_lists([[1, 5], [2, 7, 8]])
TEXTS = ["太郎は本を読んだ。", "三番目に来た。", "", "蟋蟀 a1", "あ" * 40]


def corrected(model: Any, layers: dict[str, Any]) -> Any:
    """Return a model with layers of corrections."""
    from kakari.models.correcting.stored import Corrections

    made = Corrections(('{"text": "ab", "kind": "boundary", "at": 1, "is": true}',), layers)
    return model.with_corrections(made) if hasattr(model, "with_corrections") else replace(model, corrections=made)


def layer_of_signs(sets: FeatureSets | None = None) -> Any:
    """Return a layer of corrections beside a binary classifier."""
    from kakari.models.correcting.kernel_layer import KernelLayer

    found = EXAMPLES if sets is None else sets
    return KernelLayer.empty(3).with_examples(found, [1, -1], [0.5, 0.5], owner=0).learned()


def layer_of_classes(classes: int, sets: FeatureSets | None = None) -> Any:
    """Return a layer of corrections beside a classifier of several classes."""
    from kakari.models.correcting.class_layer import ClassLayer

    found = EXAMPLES if sets is None else sets
    return ClassLayer.empty(3, classes).with_examples(found, [0, 1], np.ones((2, classes)), owner=0).learned()


def japanese() -> Kinds:
    """Return models of Japanese: bunsetsu and dependencies, with and without ranking; Universal Dependencies; words."""
    from kakari.parsers.japanese.parser import JapaneseParser
    from kakari.parsers.japanese.tagging.settings import WordsSettings
    from kakari.parsers.japanese.tagging.training import train as train_words
    from kakari.parsers.japanese.training import (
        JapaneseSettings,
        LearnerSettings,
        ParserSettings,
        Reranking,
        TreeSettings,
        train,
    )
    from kakari.parsers.japanese.universal.model import Converter, pretrained_universal
    from kakari.parsers.japanese.words.sources import record_morphemes

    sentences = list(corpora.read("sample-ja"))[:12]
    learner = LearnerSettings(cutoff=1, passes=3)
    one = (ParserSettings(learner=learner),)
    plain = train(sentences, JapaneseSettings(segmenter=learner, parsers=one))
    everything = JapaneseSettings(
        segmenter=learner, parsers=one, rankers=one, kinds=learner, trees=TreeSettings(passes=1), reranking=Reranking(4)
    )

    ranking = train(sentences, everything)

    def use_parser(model: Any) -> object:
        from kakari.parsers.japanese.scores import evaluate

        return evaluate(model, sentences[:3], given="morphemes")

    def use_universal(model: Any) -> object:
        lexicon = JapaneseParser.pretrained().model.lexicon
        batch = record_morphemes(sentences[:3], lexicon)
        opens = np.ones(len(batch.begins), dtype=np.uint8)
        heads = np.concatenate([[*range(1, size), -1] for size in np.diff(batch.starts)]).astype(np.int32)
        return Converter(model, lexicon.strings).convert(batch, opens, heads)

    return {
        "ja": (plain, use_parser),
        "ja-corrected": (
            corrected(ranking, {name: layer_of_signs() for name in ("segmenter", "parser", "ranker")}),
            use_parser,
        ),
        "ja-ranking": (ranking, use_parser),
        "ja-universal": (pretrained_universal(), use_universal),
        "ja-words": (train_words(sentences, (), WordsSettings(folds=2)), lambda m: list(m.pipe(TEXTS))),
    }


def trees() -> Kinds:
    """Return parsers of constituents and of dependencies, one of them with a reranker."""
    from kakari.models.correcting.part_layer import PartLayer
    from kakari.parsers.dependency.lists import best_lists
    from kakari.parsers.dependency.parsing import conjunctions_of
    from kakari.parsers.dependency.reranking.training import RerankSettings, train_reranker
    from kakari.parsers.dependency.tokens import TokenBatch
    from kakari.parsers.dependency.training import DependencySettings
    from kakari.parsers.dependency.training import train as train_dependency
    from kakari.parsers.dependency.treebank import TreeSentence
    from kakari.parsers.english.parser import EnglishParser
    from kakari.parsers.english.passes import StageSettings
    from kakari.parsers.english.training import EnglishSettings
    from kakari.parsers.english.training import train as train_english
    from kakari.parsers.english.words.treebank_trees import flattened

    stage = StageSettings(2, 4, 3000)
    settings = EnglishSettings(tagger=stage, parser=stage, folds=2, fold_tagger=stage)
    english = train_english([flattened(one.tree) for one in corpora.read("sample-questions")], settings)
    words = [tuple((form, form, "X", form, "_") for form in ("a", "b", "c"))]
    gold = [TreeSentence(one, (3, 1, 0), ("x", "y", "root")) for one in words * 20]
    quick = {"passes": 1, "light_passes": 1, "label_passes": 1, "folds": 2}

    base = train_dependency(gold, DependencySettings(**quick, reach=1000.0))
    batch = TokenBatch([one.words for one in gold])
    lists = best_lists(batch, 4, base.light, base.full, base.settings, base.labels, len(base.relations))
    lists["scores"] = lists["scores"] * base.full.unit
    relations = [[base.relations.index(name) for name in one.relations] for one in gold]
    asked = RerankSettings(trees=4, features=64, least=1, C=1.0, passes=3)
    other = [(2, 0, 2)] * len(gold)  # trees that the base does not find, so that there is something to learn
    both = train_reranker([one.words for one in gold], lists, other, relations, len(base.relations), asked)

    def use_english(model: Any) -> object:
        model.tag(WORDS)
        return model.parser and EnglishParser(model).parse("Dogs bark. The old man saw Mary in Rome.")

    def use_dependency(model: Any) -> object:
        model.best_trees(model.tag(WORDS[:1])[0], 3)
        model.best_with_probabilities(model.tag(WORDS), 2)
        return model.parse(WORDS)

    good, bad = (conjunctions_of(batch, 0, heads, 2) for heads in ((3, 1, 0), (2, 0, 2)))
    layer = PartLayer.empty().stepped(bad, good, 500)
    return {
        "en": (english, use_english),
        "en-tagger": (replace(english, parser=None), use_english),
        "dependency-corrected": (corrected(base, {"light": layer, "full": layer}), use_dependency),
        "dependency": (train_dependency(gold, DependencySettings(**quick)), use_dependency),
        "dependency-reranked": (replace(base, reranker=both.reranker), use_dependency),
        "dependency-crossing": (
            train_dependency(gold, DependencySettings(**quick, order=1, projective=False)),
            use_dependency,
        ),
    }


def labellers() -> Kinds:
    """Return sequence labellers of both sorts."""
    from kakari.parsers.english.chunks.settings import chunk_settings
    from kakari.parsers.sequences.training import SequenceSettings, train

    labels = [["B-NP", "I-NP", "O"], ["B-NP", "O"]]
    fields = ("word", "tag")
    made = {
        "sequence-linear": SequenceSettings(fields=fields),
        "sequence-pairs": SequenceSettings(fields=fields, scheme="pairs"),
        "sequence-direct": SequenceSettings(fields=fields, scheme="direct"),
        "sequence-chunks": chunk_settings(),
    }
    return {name: (train(ROWS * 2, labels * 2, one), lambda m: m.predict(ROWS)) for name, one in made.items()}


@dataclass
class StateFile:
    """A file that is no model: what is kept of unfinished work."""

    content: bytes

    def save(self, path: Path) -> None:
        """Write the file."""
        Path(path).write_bytes(self.content)

    def to_bytes(self) -> bytes:
        """Return the file."""
        return self.content

    @classmethod
    def from_bytes(cls, data: bytes) -> StateFile:
        """Take any bytes: they are refused when work goes on from them."""
        return StateFile(data)


def pairs_and_states() -> Kinds:
    """Return judges of hyponymy, and the checkpoints of trainings."""
    from kakari.corpora.formats.pairs import Pair, PairCount
    from kakari.kernels.learning.binary_learner import KernelLearner
    from kakari.kernels.learning.multiclass import MulticlassLearner
    from kakari.models.polynomial.checkpoints import train_with_checkpoints
    from kakari.parsers.english.passes import StageSettings, learned
    from kakari.parsers.hyponymy.evidence import Evidence
    from kakari.parsers.hyponymy.training import HyponymyOptions, train_hyponymy

    pairs = [Pair("県", f"{name}県", True, article=name) for name in ("青森", "千葉", "大分", "岩手")]
    pairs += [Pair("歴史", f"{pair.article}年", False, article=pair.article) for pair in pairs]
    english = [Pair("city", "paris", True), Pair("city", "rome", True), Pair("place", "city", True)]
    english += [Pair("paris", "city", False), Pair("rome", "paris", False), Pair("paris", "rome", False)]
    counts = [PairCount("paris", "city", 7), PairCount("rome", "city", 9), PairCount("city", "place", 4)]
    options = HyponymyOptions(folds=2, passes=2)

    def use(model: Any) -> object:
        asked = pairs if model.language == "ja" else english
        model.explain(asked[0])
        return model.probabilities(asked)

    sets = FeatureSets.from_lists([[1, 2], [2, 3], [3], [1, 4, 5], []] * 4)
    labels = np.array([1, -1] * 10, dtype=np.int8)
    classes = np.array([0, 1, 2, 1] * 5, dtype=np.int32)

    def visit(learner: Any, order: Any) -> int:
        for place in order.tolist():
            learner.update([5, place], place % 3, 1, at=place)
        return len(order)

    def learn_english(path: Path) -> None:
        stage = StageSettings(passes=3, beam=1, most=10)
        learned("toy", visit, 4, stage, 1, report=lambda line: None, checkpoint=path)

    def from_checkpoint(train: Callable[[Path], object]) -> tuple[StateFile, Use]:
        def go_on(state: StateFile) -> bytes:
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder, "checkpoint.safetensors")
                if state.content:
                    path.write_bytes(state.content)
                train(path)
                return path.read_bytes()

        return StateFile(go_on(StateFile(b""))), go_on

    return {
        "hyponymy-ja": (train_hyponymy(pairs, options), use),
        "hyponymy-en": (train_hyponymy(english, options, evidence=Evidence(counts)), use),
        "checkpoint": from_checkpoint(
            lambda path: train_with_checkpoints(KernelLearner(degree=2), sets, labels, passes=3, path=path)
        ),
        "checkpoint-classes": from_checkpoint(
            lambda path: train_with_checkpoints(MulticlassLearner(3, degree=2), sets, classes, passes=3, path=path)
        ),
        "checkpoint-english": from_checkpoint(learn_english),
    }
