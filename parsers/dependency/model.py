"""A trained dependency parser in one file: the tagger with its lemmas, the parser's weights, the relations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np

from kakari.kernels.hashed.scalars import PartWeights
from kakari.kernels.hashed.weights import HashedWeights
from kakari.kernels.stored import Contents
from kakari.models.files import StoredModel
from kakari.parsers.dependency.labelling import MOST_LABELS, label_batch
from kakari.parsers.dependency.lists import best_lists
from kakari.parsers.dependency.parsing import TreeSettings, best_trees, parse_batch
from kakari.parsers.dependency.reranking.reranker import Reranker
from kakari.parsers.dependency.tokens import TokenBatch
from kakari.parsers.dependency.treebank import Columns, TreeSentence
from kakari.parsers.dependency.words.tagger import WordTagger

# Goes up when templates or hashes change: a model of other ones would be misread.
TEMPLATES = 1


@dataclass(frozen=True)
class DependencyModel(StoredModel):
    """What finds tags, features, lemmas and trees.

    Attributes
    ----------
    language : str
        Whose tokenizer cuts raw text: a code that spaCy knows.
    tagger : WordTagger
    relations : tuple of str
    settings : TreeSettings
    light, full : PartWeights
        Of the first pass, and of the trees.
    labels : HashedWeights
    details : dict
        Training data, hyper-parameters and scores, for the model card.
    reranker : Reranker, optional
        What chooses among the best trees; without it, the first one is taken.
    """

    task: ClassVar[str] = "dependency"
    language: str
    tagger: WordTagger
    relations: tuple[str, ...]
    settings: TreeSettings
    light: PartWeights
    full: PartWeights
    labels: HashedWeights
    details: dict[str, Any] = field(default_factory=dict)
    reranker: Reranker | None = None

    def tag(self, sentences: Sequence[Sequence[str]]) -> list[list[Columns]]:
        """Return the columns (form, lemma, coarse tag, fine tag, features) of the words of each sentence."""
        return self.tagger.tag(sentences)

    def parse(self, sentences: Sequence[Sequence[str]]) -> list[TreeSentence]:
        """Return the tree of each sentence of words."""
        return self.parse_tagged(self.tag(sentences))

    def parse_tagged(self, sentences: Sequence[Sequence[Columns]]) -> list[TreeSentence]:
        """Return the tree of each sentence of tagged words."""
        batch = TokenBatch(sentences)
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
        chosen = reranker.choose(sentences, lists, self.full.unit)
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

    def contents(self) -> Contents:
        """Return what a file holds of the model."""
        parts = {
            "tagger": self.tagger.contents(),
            "search": self.settings.contents(),
            "light": self.light.contents(),
            "full": self.full.contents(),
            "labels": self.labels.contents(),
        }
        if self.reranker is not None:
            parts["reranker"] = self.reranker.contents()
        settings = {"language": self.language, "relations": list(self.relations), "details": self.details}
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
        return DependencyModel(
            contents.text("language"),
            WordTagger.from_contents(contents.part("tagger")),
            relations,
            TreeSettings.from_contents(contents.part("search")),
            PartWeights.from_contents(contents.part("light")),
            PartWeights.from_contents(contents.part("full")),
            HashedWeights.from_contents(contents.part("labels"), len(relations)),
            contents.table("details"),
            reranker,
        )

    @classmethod
    def schema(cls) -> str:
        """Return what names templates and hashes: a model of other ones would be misread."""
        return f"templates {TEMPLATES}"
