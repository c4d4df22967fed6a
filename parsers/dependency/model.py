"""A trained dependency parser in one file: the tagger with its lemmas, the parser's weights, the relations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import resources
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from kakari.kernels.hashed.scalars import PartWeights
from kakari.kernels.hashed.weights import HashedWeights
from kakari.kernels.stored import Contents
from kakari.models.files import StoredModel
from kakari.parsers.dependency.confidence import LIST, Confidence, arc_evidence
from kakari.parsers.dependency.labelling import MOST_LABELS, label_batch
from kakari.parsers.dependency.lists import best_lists
from kakari.parsers.dependency.parsing import LONGEST_SEARCHED, TreeSettings, best_trees, parse_batch
from kakari.parsers.dependency.reranking.reranker import Reranker
from kakari.parsers.dependency.tokens import TokenBatch
from kakari.parsers.dependency.treebank import Columns, TreeSentence
from kakari.parsers.dependency.words.tagger import WordTagger
from kakari.parsers.limits import tell

if TYPE_CHECKING:  # only a corrected model needs these
    from kakari.models.correcting.part_layer import PartLayer
    from kakari.models.correcting.stored import Corrections

# Increase it when templates or hashes change: older models would be misread.
TEMPLATES = 2


@dataclass(frozen=True)
class DependencyModel(StoredModel):
    """Model of tags, features, lemmas and trees.

    Attributes
    ----------
    language : str
        Language code of the spaCy tokenizer for raw text.
    tagger : WordTagger
    relations : tuple of str
    settings : TreeSettings
    light, full : PartWeights
        Weights of the first pass, and of the trees.
    labels : HashedWeights
    confidence : Confidence
        Calibrated probabilities of arcs.
    enclitics : tuple of str
        Words that are written together with the word before them (`n't`), in lower case.
    details : dict
        Training data, hyper-parameters and scores, for the model card.
    reranker : Reranker, optional
        Chooses among the best trees; without it, the first one is taken.
    corrections : Corrections, optional
        A user's corrections, and what they add to `light` and `full`, which already include it.
    """

    task: ClassVar[str] = "dependency"
    language: str
    tagger: WordTagger
    relations: tuple[str, ...]
    settings: TreeSettings
    light: PartWeights
    full: PartWeights
    labels: HashedWeights
    confidence: Confidence = field(default_factory=Confidence)
    enclitics: tuple[str, ...] = ()
    details: dict[str, Any] = field(default_factory=dict)
    reranker: Reranker | None = None
    corrections: Corrections[PartLayer] | None = None

    def with_corrections(self, corrections: Corrections[PartLayer] | None) -> DependencyModel:
        """Return the original model with these corrections and what they add."""
        layers = {} if corrections is None else corrections.layers
        light, full = (
            PartWeights(own.arrays, own.unit) if name not in layers else layers[name].beside(own)
            for name, own in (("light", self.light), ("full", self.full))
        )
        return replace(self, light=light, full=full, corrections=corrections)

    def tag(self, sentences: Sequence[Sequence[str]]) -> list[list[Columns]]:
        """Return the columns (form, lemma, coarse tag, fine tag, features) of the words of each sentence."""
        return self.tagger.tag(sentences)

    def parse(
        self, sentences: Sequence[Sequence[str]], tags: Sequence[Sequence[str] | None] | None = None
    ) -> list[TreeSentence]:
        """Return the tree of each sentence of words, with their main tags if they are known."""
        return self.parse_tagged(self.tagger.tag(sentences, tags))

    def parse_tagged(self, sentences: Sequence[Sequence[Columns]]) -> list[TreeSentence]:
        """Return the tree of each sentence of tagged words."""
        batch = TokenBatch(sentences)
        if any(len(words) > LONGEST_SEARCHED for words in sentences):
            tell(f"dependencies of a sentence of more than {LONGEST_SEARCHED} words were found in parts of it")
        if self.reranker is None:
            heads = parse_batch(batch, self.light, self.full, self.settings)
            numbers = label_batch(batch, heads, self.labels, len(self.relations)).tolist()
        else:
            heads, numbers = self._reranked(self.reranker, batch, sentences)
        relations = [self.relations[number] for number in numbers]
        heads = heads.tolist()
        return [
            TreeSentence(tuple(words), tuple(heads[begin:end]), tuple(relations[begin:end]))
            for words, (begin, end) in zip(sentences, pairwise(batch.starts.tolist()), strict=True)
        ]

    def _reranked(self, reranker: Reranker, batch: TokenBatch, sentences: Sequence[Sequence[Columns]]) -> Any:
        """Return the heads and the numbers of the relations of the trees that the reranker prefers."""
        lists = best_lists(
            batch, reranker.trees, self.light, self.full, self.settings, self.labels, len(self.relations)
        )
        chosen = reranker.choose(sentences, lists, (self.full.unit, self.light.unit))
        lengths = np.diff(batch.starts)
        before = np.cumsum(lists["counts"] * lengths) - lists["counts"] * lengths
        firsts = np.repeat(before + chosen * lengths - batch.starts[:-1], lengths)
        places = firsts + np.arange(len(batch))
        return lists["heads"][places], lists["relations"][places].tolist()

    def best_trees(self, words: Sequence[Columns], k: int) -> list[tuple[float, TreeSentence]]:
        """Return the k best trees of one sentence of tagged words with their scores, the best first."""
        batch = TokenBatch([words])
        found = best_trees(batch, 0, k, self.light, self.full, self.settings)
        return [
            (
                score * self.full.unit,
                TreeSentence(
                    tuple(words),
                    tuple(heads),
                    tuple(
                        self.relations[n]
                        for n in label_batch(batch, np.array(heads), self.labels, len(self.relations)).tolist()
                    ),
                ),
            )
            for score, heads in found
        ]

    def best_with_probabilities(
        self, sentences: Sequence[Sequence[Columns]], trees: int
    ) -> tuple[list[list[tuple[float, TreeSentence]]], list[tuple[float, ...]]]:
        """Return the best trees of each sentence of tagged words, and the probability of each arc of the first.

        At least 8 trees are used, since probabilities were calibrated for them. The tree that a reranker prefers comes
        first, the others follow by their scores.
        """
        used = [words for words in sentences if words]
        kept = LIST if self.reranker is None else max(LIST, self.reranker.trees)
        found = [self.best_trees(words, max(trees, kept)) for words in used]
        if self.reranker is not None:
            for own, chosen in zip(found, self.parse_tagged(used), strict=True):
                own.insert(0, own.pop([tree.heads for _, tree in own].index(chosen.heads)))
        values = self.confidence.probabilities(arc_evidence(found, self.light)).tolist()
        ends = np.cumsum([0, *(len(words) for words in used)]).tolist()
        listed = iter((own[:trees], tuple(values[a:b])) for own, (a, b) in zip(found, pairwise(ends), strict=True))
        empty = [(0.0, TreeSentence((), (), ()))]
        both = [next(listed) if words else (empty, ()) for words in sentences]
        return [own for own, _ in both], [sure for _, sure in both]

    def contents(self) -> Contents:
        """Return the saved form of the model."""
        parts = {
            "tagger": self.tagger.contents(),
            "search": self.settings.contents(),
            "light": self.light.contents(),
            "full": self.full.contents(),
            "labels": self.labels.contents(),
            "confidence": self.confidence.contents(),
        }
        if self.reranker is not None:
            parts["reranker"] = self.reranker.contents()
        if self.corrections is not None:
            parts["corrections"] = self.corrections.contents()
        settings: dict[str, Any] = {
            "language": self.language,
            "relations": list(self.relations),
            "details": self.details,
        }
        settings["enclitics"] = list(self.enclitics)
        return Contents.joined(parts, settings)

    @classmethod
    def from_contents(cls, contents: Contents) -> DependencyModel:
        """Rebuild a model from its `contents()`."""
        relations = tuple(contents.texts("relations", distinct=True))
        if not 1 <= len(relations) <= MOST_LABELS:
            raise contents.refuse(f"there are {len(relations)} relations, not 1 to {MOST_LABELS}")
        reranker = Reranker.from_contents(contents.part("reranker")) if contents.has_part("reranker") else None
        if reranker is not None and reranker.relations != len(relations):
            raise contents.refuse("the reranker knows other relations")
        made = DependencyModel(
            contents.text("language"),
            WordTagger.from_contents(contents.part("tagger")),
            relations,
            TreeSettings.from_contents(contents.part("search")),
            PartWeights.from_contents(contents.part("light")),
            PartWeights.from_contents(contents.part("full")),
            HashedWeights.from_contents(contents.part("labels"), len(relations)),
            Confidence.from_contents(contents.part("confidence")),
            tuple(contents.texts("enclitics", distinct=True)),
            contents.table("details"),
            reranker,
        )
        return made.with_corrections(_corrections(contents)) if contents.has_part("corrections") else made

    @classmethod
    def schema(cls) -> str:
        """Return the name of the templates and hashes; a model with other ones is refused."""
        return f"templates {TEMPLATES}"


def _corrections(contents: Contents) -> Corrections[PartLayer]:
    from kakari.models.correcting.part_layer import PartLayer
    from kakari.models.correcting.stored import Corrections

    found = Corrections.from_contents(contents.part("corrections"), PartLayer.from_contents)
    if not found.layers.keys() <= {"light", "full"}:
        raise contents.refuse("corrections add to weights that no model has")
    return found


@cache
def pretrained_model(name: str = "en-ud") -> DependencyModel:
    """Return an embedded model: `en-ud`, English in Universal Dependencies."""
    return DependencyModel.load(str(resources.files("kakari.models") / "pretrained" / f"{name}.safetensors"))
