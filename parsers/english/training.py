"""Training of the English tagger and parser on trees.

The parser learns from predicted tags: each part of the data is tagged by a tagger that was trained on the
other parts. Before that it sees trees without words (words/skeletons.py), if there are any. Everything is drawn from
one seed, so that the same data gives the same model.
"""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from kakari.kernels.hashed.weights import HashedLearner
from kakari.models.reporting import Report, silent
from kakari.parsers.english.constituency import shift_reduce as constituency
from kakari.parsers.english.constituency import tagging
from kakari.parsers.english.constituency.binarising import actions_of, make_grammar
from kakari.parsers.english.model import EnglishModel, TreeParser
from kakari.parsers.english.partial import filled
from kakari.parsers.english.passes import PORTION, StageSettings, learned
from kakari.parsers.english.words.flat_trees import FlatTree
from kakari.parsers.english.words.words import EnglishWords, WordLexicon, word_hashes


@dataclass(frozen=True)
class EnglishSettings:
    """All hyper-parameters; the defaults make the embedded model.

    Attributes
    ----------
    parser : StageSettings or None
        None trains the tagger only.
    folds : int
        Number of parts for jack-knifed tags; 1 trains the parser on the trees' own tags.
    fold_tagger : StageSettings
        Of these taggers.
    least : int
        The lexicon holds words that occur at least this often.
    skeleton_passes, skeleton_beam : int
        Passes and beam for trees without words.
    """

    tagger: StageSettings = field(default_factory=lambda: StageSettings(5, 4, 1_200_000, 8, learners=4, cost=60))
    parser: StageSettings | None = field(default_factory=lambda: StageSettings(4, 8, 2_000_000, 16, learners=4))
    folds: int = 4
    fold_tagger: StageSettings = field(default_factory=lambda: StageSettings(2, 4, 800_000))
    least: int = 3
    skeleton_passes: int = 1
    skeleton_beam: int = 4
    seed: int = 1


def train(
    trees: Sequence[FlatTree],
    settings: EnglishSettings | None = None,
    *,
    skeletons: Sequence[FlatTree] = (),
    report: Report = silent,
    checkpoint: Path | None = None,
) -> EnglishModel:
    """Train a tagger and a parser.

    Parameters
    ----------
    trees : sequence of FlatTree
        Partial ones are filled by the embedded model (partial.py).
    skeletons : sequence of FlatTree
        Trees whose words are mostly empty, for the parser to begin with.
    checkpoint : Path, optional
        Folder for finished passes; the same call continues from them.

    Examples
    --------
    >>> from kakari.parsers.english.words.treebank_trees import read_trees
    >>> model = train(list(read_trees("sample-en")))
    >>> model.parse([["Nobody", "sneezed", "."]])[0].nodes
    (('S', 0, 3), ('NP', 0, 1), ('VP', 1, 2))
    """
    chosen = settings or EnglishSettings()
    if not trees:
        raise ValueError("there are no trees to train on")
    if chosen.parser is not None:
        trees = filled(trees)
    state = None if checkpoint is None else checkpoint / "tagger.safetensors"
    model = train_tagger(trees, chosen, report=report, checkpoint=state)
    if chosen.parser is not None:
        met = None if chosen.folds == 1 else jackknifed_tags(trees, chosen, report=report)
        state = None if checkpoint is None else checkpoint / "parser.safetensors"
        model.parser = train_parser(trees, met, chosen, skeletons=skeletons, report=report, checkpoint=state)
    model.details = {"sentences": len(trees), "settings": asdict(chosen)}
    return model


def train_tagger(
    trees: Sequence[FlatTree], settings: EnglishSettings, *, report: Report, checkpoint: Path | None = None
) -> EnglishModel:
    """Train a tagger alone."""
    tags = tuple(sorted({tag for tree in trees for tag in tree.tags}))
    numbers = {tag: number for number, tag in enumerate(tags)}
    lexicon = make_lexicon(trees, settings.least)
    words = EnglishWords([tree.words for tree in trees], lexicon)
    gold = np.array([numbers[tag] for tree in trees for tag in tree.tags], dtype=np.uint8)

    def visit(learner: HashedLearner, order: NDArray[np.int64]) -> int:
        return tagging.learn_batch(words, gold, learner, len(tags), order, settings.tagger.beam, settings.tagger.cost)

    weights = learned("tagger", visit, len(trees), settings.tagger, settings.seed, report=report, checkpoint=checkpoint)
    return EnglishModel(tags, lexicon, weights, settings.tagger.decoding_beam or settings.tagger.beam)


def train_parser(
    trees: Sequence[FlatTree],
    met_tags: Sequence[Sequence[str]] | None,
    settings: EnglishSettings,
    *,
    skeletons: Sequence[FlatTree] = (),
    report: Report,
    checkpoint: Path | None = None,
) -> TreeParser:
    """Train a parser on the trees, with jack-knifed tags or the trees' own."""
    stage = settings.parser
    if stage is None:
        raise ValueError("there are no settings for a parser")
    grammar, gold = make_grammar(trees, met_tags or ())
    symbols = symbols_of(grammar, met_tags or [tree.tags for tree in trees])
    words = EnglishWords([tree.words for tree in trees], WordLexicon([], []))

    def visit(learner: HashedLearner, order: NDArray[np.int64]) -> int:
        return constituency.learn_batch(words, symbols, gold, learner, grammar, order, stage.beam)

    def begin(learner: HashedLearner, number: int) -> None:
        own = replace(settings, seed=settings.seed + number)
        _learn_skeletons(learner, grammar, skeletons[number :: stage.learners], own, report)

    name = f"parser, {len(skeletons)} skeletons" if skeletons else "parser"
    weights = learned(name, visit, len(trees), stage, settings.seed, begin=begin, report=report, checkpoint=checkpoint)
    return TreeParser(grammar, weights, stage.decoding_beam or stage.beam)


def _learn_skeletons(
    learner: HashedLearner,
    grammar: constituency.TreeGrammar,
    skeletons: Sequence[FlatTree],
    settings: EnglishSettings,
    report: Report,
) -> None:
    """Visit those trees without words that the grammar can build; the average is taken over later visits only.

    Each learner has a share of its own.
    """
    numbers = {action: number for number, action in enumerate(grammar.actions)}
    tags = frozenset(grammar.tags)
    fitting = [
        (tree, actions)
        for tree, actions in ((tree, actions_of(tree)) for tree in skeletons)
        if tags.issuperset(tree.tags) and all(action in numbers for action in actions)
    ]
    if not fitting:
        return
    words = EnglishWords([tree.words for tree, _ in fitting], WordLexicon([], []))
    symbols = symbols_of(grammar, [tree.tags for tree, _ in fitting])
    gold = np.array([numbers[action] for _, actions in fitting for action in actions], dtype=np.uint8)
    for number in range(settings.skeleton_passes):
        order = np.random.default_rng([settings.seed, 1000 + number]).permutation(len(fitting))
        for begin in range(0, len(fitting), PORTION):
            portion = order[begin : begin + PORTION]
            constituency.learn_batch(
                words, symbols, gold, learner, grammar, portion, settings.skeleton_beam, averaged=False
            )
        report(f"parser: pass {number + 1} over {len(fitting)} of {len(skeletons)} skeletons done")


def symbols_of(grammar: constituency.TreeGrammar, lines: Iterable[Sequence[str]]) -> NDArray[np.uint8]:
    """Return the numbers of tags in a grammar."""
    numbers = {symbol: number for number, symbol in enumerate(grammar.symbols)}
    return np.array([numbers.get(tag, 0) for line in lines for tag in line], dtype=np.uint8)


def jackknifed_tags(trees: Sequence[FlatTree], settings: EnglishSettings, *, report: Report) -> list[tuple[str, ...]]:
    """Tag each part of the trees with a tagger that was trained on the other parts, several parts at a time."""
    found: list[tuple[str, ...]] = [()] * len(trees)
    short = replace(settings, tagger=settings.fold_tagger)

    def tag_part(fold: int) -> list[tuple[str, ...]]:
        others = [tree for place, tree in enumerate(trees) if place % settings.folds != fold] or trees
        tagger = train_tagger(others, short, report=silent)
        return tagger.tag([tree.words for tree in trees[fold :: settings.folds]])

    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        for fold, part in enumerate(pool.map(tag_part, range(settings.folds))):
            report(f"tagged part {fold + 1} of {settings.folds}")
            found[fold :: settings.folds] = part
    right = sum(a == b for tree, tags in zip(trees, found, strict=True) for a, b in zip(tree.tags, tags, strict=True))
    report(f"{right / sum(len(tags) for tags in found):.4f} of these tags are right")
    return found


def make_lexicon(trees: Sequence[FlatTree], least: int, share: float = 0.02) -> WordLexicon:
    """Make a lexicon of the tags of words that occur at least `least` times; tags below a share are left out."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for tree in trees:
        for word, tag in zip(tree.words, tree.tags, strict=True):
            counts[word][tag] += 1
    words = sorted(word for word, tags in counts.items() if tags.total() >= least)
    sets = [
        tuple(sorted(tag for tag, count in counts[word].items() if count >= share * counts[word].total()))
        for word in words
    ]
    numbers = {one: number + 1 for number, one in enumerate(sorted(set(sets)))}
    # Words that differ in digits only have one hash, and the kind of the first of them.
    hashes, first = np.unique(word_hashes(words), return_index=True)
    kinds = np.array([numbers[one] for one in sets], dtype=np.uint16)
    return WordLexicon(hashes, kinds[first] if len(words) else kinds)
