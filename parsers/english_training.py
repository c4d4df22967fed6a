"""Training of the English tagger and parser out of trees.

The parser learns from tags as it will meet them: each part of the data is tagged by a tagger that was trained on the
other parts. Everything is drawn from one seed, so that the same data gives the same model.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kakari.kernels.hashed import HashedLearner, HashedWeights
from kakari.models.files import ModelFileError, read_model, write_model
from kakari.parsers import constituency, tagging
from kakari.parsers.binarising import make_grammar
from kakari.parsers.english_model import EnglishModel, TreeParser
from kakari.parsers.english_trees import FlatTree
from kakari.parsers.english_words import EnglishWords, WordLexicon, word_hashes

Report = Callable[[str], object]
Visit = Callable[[NDArray[np.int64]], int]
PORTION = 2000  # sentences between two chances to interrupt


@dataclass(frozen=True)
class StageSettings:
    """How one of the two is trained and frozen.

    Attributes
    ----------
    passes, beam : int
    most : int
        So many weights are kept, the largest ones.
    decoding_beam : int, optional
        The beam of the finished model, if it is not that of the training.
    """

    passes: int
    beam: int
    most: int
    decoding_beam: int | None = None


@dataclass(frozen=True)
class EnglishSettings:
    """All hyper-parameters; the defaults make the embedded model.

    Attributes
    ----------
    parser : StageSettings or None
        None trains the tagger only.
    folds : int
        So many parts are tagged by taggers of the others; 1 trains the parser on the trees' own tags.
    fold_passes, fold_most : int
        Passes and weights of these taggers.
    least : int
        How often a word occurs that the lexicon holds.
    """

    tagger: StageSettings = field(default_factory=lambda: StageSettings(5, 4, 1_200_000))
    parser: StageSettings | None = field(default_factory=lambda: StageSettings(8, 8, 1_600_000, 16))
    folds: int = 4
    fold_passes: int = 2
    fold_most: int = 800_000
    least: int = 3
    seed: int = 1


def train(
    trees: Sequence[FlatTree],
    settings: EnglishSettings | None = None,
    *,
    report: Report = lambda line: None,
    checkpoint: Path | None = None,
) -> EnglishModel:
    """Train a tagger and a parser.

    Parameters
    ----------
    checkpoint : Path, optional
        A folder; finished passes are kept there, and the same call goes on from them.

    Examples
    --------
    >>> from kakari.parsers.english_trees import read_trees
    >>> model = train(list(read_trees("sample-en")))
    >>> model.parse([["Nobody", "sneezed", "."]])[0].nodes
    (('S', 0, 3), ('NP', 0, 1), ('VP', 1, 2))
    """
    chosen = settings or EnglishSettings()
    if not trees:
        raise ValueError("there are no trees to train on")
    state = None if checkpoint is None else checkpoint / "tagger.safetensors"
    model = train_tagger(trees, chosen, report=report, checkpoint=state)
    if chosen.parser is not None:
        met = None if chosen.folds == 1 else jackknifed_tags(trees, chosen, report=report)
        state = None if checkpoint is None else checkpoint / "parser.safetensors"
        model.parser = train_parser(trees, met, chosen, report=report, checkpoint=state)
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
        return tagging.learn_batch(words, gold, learner, len(tags), order, settings.tagger.beam)

    weights = _learn("tagger", visit, len(trees), settings.tagger, settings.seed, report, checkpoint)
    return EnglishModel(tags, lexicon, weights, settings.tagger.decoding_beam or settings.tagger.beam)


def train_parser(
    trees: Sequence[FlatTree],
    met_tags: Sequence[Sequence[str]] | None,
    settings: EnglishSettings,
    *,
    report: Report,
    checkpoint: Path | None = None,
) -> TreeParser:
    """Train a parser on the trees, with tags as it will meet them or else the trees' own."""
    stage = settings.parser
    if stage is None:
        raise ValueError("there are no settings for a parser")
    grammar, gold = make_grammar(trees, met_tags or ())
    numbers = {symbol: number for number, symbol in enumerate(grammar.symbols)}
    lines = met_tags or [tree.tags for tree in trees]
    symbols = np.array([numbers[tag] for line in lines for tag in line], dtype=np.uint8)
    words = EnglishWords([tree.words for tree in trees], WordLexicon([], []))

    def visit(learner: HashedLearner, order: NDArray[np.int64]) -> int:
        return constituency.learn_batch(words, symbols, gold, learner, grammar, order, stage.beam)

    weights = _learn("parser", visit, len(trees), stage, settings.seed, report, checkpoint)
    return TreeParser(grammar, weights, stage.decoding_beam or stage.beam)


def jackknifed_tags(trees: Sequence[FlatTree], settings: EnglishSettings, *, report: Report) -> list[tuple[str, ...]]:
    """Tag each part of the trees with a tagger that was trained on the other parts."""
    found: list[tuple[str, ...]] = [()] * len(trees)
    stage = replace(settings.tagger, passes=settings.fold_passes, most=settings.fold_most)
    short = replace(settings, tagger=stage)
    for fold in range(settings.folds):
        others = [tree for place, tree in enumerate(trees) if place % settings.folds != fold]
        own = range(fold, len(trees), settings.folds)
        if not others:
            others = list(trees)
        report(f"tagging part {fold + 1} of {settings.folds}")
        tagger = train_tagger(others, short, report=lambda line: None)
        for place, tags in zip(own, tagger.tag([trees[place].words for place in own]), strict=True):
            found[place] = tags
    right = sum(a == b for tree, tags in zip(trees, found, strict=True) for a, b in zip(tree.tags, tags, strict=True))
    report(f"{right / sum(len(tags) for tags in found):.4f} of these tags are right")
    return found


def make_lexicon(trees: Sequence[FlatTree], least: int, share: float = 0.02) -> WordLexicon:
    """Note which tags each word has that occurs at least `least` times, those below a share left out."""
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


def _learn(
    name: str,
    visit: Callable[[HashedLearner, NDArray[np.int64]], int],
    sentences: int,
    stage: StageSettings,
    seed: int,
    report: Report,
    checkpoint: Path | None,
) -> HashedWeights:
    """Make the passes that are left, and freeze."""
    learner, done = HashedLearner(), 0
    asked = {"name": name, "sentences": sentences, "beam": stage.beam, "seed": seed}
    if checkpoint is not None and checkpoint.exists():
        learner, done = _restored(checkpoint, asked)
    for number in range(done, stage.passes):
        order = np.random.default_rng([seed, number]).permutation(sentences)
        changed = 0
        for begin in range(0, sentences, PORTION):
            changed += visit(learner, order[begin : begin + PORTION])
            report(f"{name}: pass {number + 1} of {stage.passes}, {min(begin + PORTION, sentences)} sentences")
        report(f"{name}: pass {number + 1} of {stage.passes} done, {changed} sentences changed the weights")
        if checkpoint is not None:
            checkpoint.parent.mkdir(parents=True, exist_ok=True)
            write_model(checkpoint, "checkpoint", learner.state(), {"options": asked, "passes": number + 1})
    return learner.freeze(most=stage.most)


def _restored(path: Path, asked: dict[str, Any]) -> tuple[HashedLearner, int]:
    state, metadata = read_model(path, "checkpoint")
    if metadata.get("options") != asked:
        raise ModelFileError(str(path), "this checkpoint is of a run with other options or data: use another folder")
    return HashedLearner.from_state(state), int(metadata["passes"])
