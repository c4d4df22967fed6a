"""The tagger's templates beside the polynomial kernel over the same atoms.

    python benchmarks/english_kernels.py [--share N]

Each token of every N-th sentence of ewt:train is an example: its atoms are the words, affixes, shapes and kinds of the
tagger's window and the two tags before. The kernel of degree d weighs all conjunctions of up to d atoms, and learns
from single decisions after gold tags; the templates name the conjunctions that the embedded tagger has, and learn as it
does, with one hypothesis. Then each tags every second sentence of ewt:dev, from left to right, after its own tags.
"""

import argparse
import itertools
import time
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from kakari.kernels.hashed.weights import HashedLearner, HashedWeights
from kakari.kernels.sets.featuresets import FeatureSets
from kakari.models.polynomial.estimator import PolynomialClassifier
from kakari.parsers.english.constituency import tagging
from kakari.parsers.english.training import make_lexicon
from kakari.parsers.english.words.flat_trees import FlatTree
from kakari.parsers.english.words.treebank_trees import read_trees
from kakari.parsers.english.words.words import EnglishWords

TEMPLATES, PASSES = 72, 5
COSTS = (0.1, 0.01, 0.001)


def atoms_of(forms: Sequence[str], tags: Sequence[str], place: int, kinds: dict[str, int]) -> list[str]:
    """Name the atoms of a decision, which sees the tags before it only."""
    window = [forms[i] if 0 <= i < len(forms) else "" for i in range(place - 2, place + 3)]
    words = [form.lower() for form in window]
    word = forms[place]
    atoms = [f"form {word}", f"first {place == 0}"]
    atoms += [f"word {k} {words[2 + k]}" for k in range(-2, 3)]
    atoms += [f"suffix {k} {words[2 + k][-3:]}" for k in (-1, 1)]
    atoms += [f"prefix {word.lower()[:k]}" for k in range(1, 5) if k <= len(word)]
    atoms += [f"suffix {word.lower()[-k:]}" for k in range(1, 6) if k <= len(word)]
    atoms += [f"shape {k} {shape(window[2 + k])}" for k in (-1, 0, 1)]
    atoms += [f"kind {k} {kinds.get(words[2 + k], 0)}" for k in range(3)]
    return [*atoms, *(f"tag {k} {tags[place - k] if place >= k else ''}" for k in (1, 2))]


def shape(word: str) -> str:
    """Write letters and digits by their kinds, no more than two of a kind in a row."""
    kinds = "".join("X" if c.isupper() else "x" if c.islower() else "0" if c.isdigit() else c for c in word)
    return "".join(c for i, c in enumerate(kinds) if kinds[i - 2 : i] != c + c)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--share", type=int, default=10)
    share = arguments.parse_args().share
    trees, held = list(read_trees("ewt:train"))[::share], list(read_trees("ewt:dev"))[::2]
    tags = sorted({tag for tree in trees for tag in tree.tags})
    kinds = kinds_of(trees)
    ids: dict[str, int] = {}
    examples = [
        sorted({ids.setdefault(atom, len(ids) + 1) for atom in atoms_of(tree.words, tree.tags, place, kinds)})
        for tree in trees
        for place in range(len(tree.words))
    ]
    gold = np.array([tags.index(tag) for tree in trees for tag in tree.tags], dtype=np.uint8)
    print(f"{len(gold)} decisions to learn from, {sum(len(tree.words) for tree in held)} to make, {len(tags)} tags")
    print(f"{'way':24} {'conjunctions':>13} {'training, s':>12} {'right':>7}", flush=True)
    size = round(np.mean([len(example) for example in examples]))
    ways = ((1, size), (2, size * (size + 1) // 2))
    for (degree, count), cost in itertools.product(ways, COSTS):
        began = time.process_time()
        learner = PolynomialClassifier(degree=degree, cost=cost, step="features", passes=PASSES, multiclass="direct")
        learner.fit(FeatureSets.from_lists(examples), gold)
        trained = time.process_time() - began
        found = tagged(learner, [tree.words for tree in held], tags, kinds, ids)
        show(f"degree {degree}, C = {cost}", count, trained, found, held)
    began = time.process_time()
    lexicon = make_lexicon(trees, 3)
    weights = learned_templates(EnglishWords([tree.words for tree in trees], lexicon), gold, len(tags), len(trees))
    trained = time.process_time() - began
    words = EnglishWords([tree.words for tree in held], lexicon)
    numbers = iter(tagging.tag_batch(words, weights, len(tags), 1).tolist())
    show("templates", TEMPLATES, trained, [[tags[next(numbers)] for _ in tree.words] for tree in held], held)


def tagged(
    learner: PolynomialClassifier,
    sentences: list[tuple[str, ...]],
    tags: list[str],
    kinds: dict[str, int],
    ids: dict[str, int],
) -> list[list[str]]:
    """Tag from left to right, the first words of all sentences, then the second ones, and so on."""
    found: list[list[str]] = [[] for _ in sentences]
    for place in range(max(map(len, sentences))):
        still = [number for number, words in enumerate(sentences) if place < len(words)]
        atoms = [atoms_of(sentences[number], found[number], place, kinds) for number in still]
        sets = FeatureSets.from_lists([sorted({ids[atom] for atom in own if atom in ids}) for own in atoms])
        for number, tag in zip(still, learner.predict(sets), strict=True):
            found[number].append(tags[tag])
    return found


def learned_templates(words: EnglishWords, gold: NDArray[np.uint8], tags: int, sentences: int) -> HashedWeights:
    """Learn the embedded tagger's own conjunctions with one hypothesis."""
    learner = HashedLearner()
    for number in range(PASSES):
        order = np.random.default_rng([1, number]).permutation(sentences)
        tagging.learn_batch(words, gold, learner, tags, order, 1)
    return learner.freeze()


def kinds_of(trees: list[FlatTree]) -> dict[str, int]:
    """Return frequent words the number of their set of tags, as the tagger's lexicon does."""
    counts: dict[str, dict[str, int]] = {}
    for tree in trees:
        for word, tag in zip(tree.words, tree.tags, strict=True):
            own = counts.setdefault(word.lower(), {})
            own[tag] = own.get(tag, 0) + 1
    sets = {
        word: tuple(sorted(tag for tag, count in own.items() if count >= 0.02 * sum(own.values())))
        for word, own in counts.items()
        if sum(own.values()) >= 3
    }
    order = {one: number + 1 for number, one in enumerate(sorted(set(sets.values())))}
    return {word: order[one] for word, one in sets.items()}


def show(way: str, conjunctions: int, training: float, found: list[list[str]], held: list[FlatTree]) -> None:
    right = [a == b for own, tree in zip(found, held, strict=True) for a, b in zip(own, tree.tags, strict=True)]
    print(f"{way:24} {conjunctions:13,} {training:12.1f} {100 * np.mean(right):7.2f}", flush=True)


if __name__ == "__main__":
    main()
