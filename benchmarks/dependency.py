"""How good and how fast dependency parsing is, with spaCy's CPU pipeline and UDPipe 1 trained on the same treebank.

    python benchmarks/dependency.py [--model FILE] [--peers DIR] [--steps 20000] [--udpipe-passes 10]
        [--udpipe-tagger-passes 20] [--udpipe-plain] [--skip-peers] [--skip-udpipe]

Scores of ud-english:dev given words (CoNLL-2018, relations without subtypes) and sentences a second of one core (CPU
time), words in, trees out. Peers are trained on ud-english:train and kept in a folder; both may choose their iteration
by ud-english:dev, which favours them. Then sentences of growing length, the way through `nlp.pipe`, and how often arcs
with a probability are right.
"""

import argparse
import itertools
import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import spacy
from dependency_peers import add_options, chosen_peers

from kakari.parsers.dependency.model import DependencyModel, pretrained_model
from kakari.parsers.dependency.parser import DependencyParser
from kakari.parsers.dependency.scores import score_trees
from kakari.parsers.dependency.treebank import TreeSentence, read_treebank

TRAIN, DEV = "ud-english:train", "ud-english:dev"
FIGURES = ("uas", "las", "clas", "upos", "xpos", "lemma")
LENGTHS = (10, 20, 50, 100, 200, 400)


def seconds_of(work: Callable[[], object], turns: int = 3) -> float:
    """Return CPU seconds, the best of some turns."""
    best = float("inf")
    for _ in range(turns):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


def row(name: str, gold: list[TreeSentence], parse: Callable[[list[TreeSentence]], list[TreeSentence]]) -> None:
    """Print the scores and the speed of one parser."""
    scores = score_trees(gold, [
        TreeSentence(own.words, own.heads, own.relations, one.ranges)
        for own, one in zip(parse(gold), gold, strict=True)
    ])  # fmt: skip
    shown = " ".join(f"{100 * scores[figure]:6.2f}" for figure in FIGURES)
    print(f"{name:34} {shown} {len(gold) / seconds_of(lambda: parse(gold)):11,.0f}", flush=True)


def by_length(model: DependencyModel, gold: list[TreeSentence]) -> None:
    """Print the time of sentences that are made of several, one behind the other."""
    stream = itertools.cycle([form for sentence in gold for form in sentence.forms])
    for length in LENGTHS:
        words = [list(itertools.islice(stream, length)) for _ in range(5)]
        print(f"{length:4} words: {1000 * seconds_of(lambda w=words: model.parse(w)) / 5:8.1f} ms")  # type: ignore[misc]


def through_spacy(texts: list[str]) -> None:
    """Print sentences a second from text to trees on tokens."""
    nlp = spacy.blank("en")
    nlp.add_pipe("kakari_parser")
    list(nlp.pipe(texts[:20]))
    seconds = seconds_of(lambda: list(nlp.pipe(texts, batch_size=256)), 2)
    print(f"nlp.pipe, tokenizer and kakari_parser: {len(texts) / seconds:,.0f} sentences/s")
    parser = DependencyParser(pretrained_model())
    seconds = seconds_of(lambda: list(parser.pipe(texts)), 2)
    print(f"DependencyParser.pipe: {len(texts) / seconds:,.0f} sentences/s")


def reliability(model: DependencyModel, gold: list[TreeSentence]) -> None:
    """Print how often arcs are right, by their probability, and the expected calibration error."""
    scored, sure = model.best_with_probabilities(model.tag([s.forms for s in gold]), 8)
    told = np.array([p for own in sure for p in own])
    found = np.array([head for own in scored for head in own[0][1].heads])
    right = found == np.array([head for sentence in gold for head in sentence.heads])
    error = 0.0
    print("| probability | arcs | mean | right |\n|---|---|---|---|")
    for low, high in itertools.pairwise((0, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 1.0)):
        own = (told >= low) & (told < high if high < 1 else told <= 1)
        if own.any():
            error += own.mean() * abs(told[own].mean() - right[own].mean())
            print(f"| {low:.2f} to {high:.2f} | {own.sum()} | {told[own].mean():.3f} | {right[own].mean():.3f} |")
    print(f"expected calibration error {error:.4f}")


def main() -> None:
    """Print all tables."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--model", help="a model file instead of the embedded one")
    add_options(arguments)
    arguments.add_argument("--skip-peers", action="store_true")
    arguments.add_argument("--skip-udpipe", action="store_true")
    chosen = arguments.parse_args()
    model = DependencyModel.load(chosen.model) if chosen.model else pretrained_model()
    gold = list(read_treebank(DEV))
    print(f"{'given words':34} {' '.join(f'{figure:>6}' for figure in FIGURES)} {'sentences/s':>11}")
    row("kakari", gold, lambda sentences: model.parse([s.forms for s in sentences]))
    if model.reranker is not None:
        base = replace(model, reranker=None)
        row("kakari, base parser alone", gold, lambda sentences: base.parse([s.forms for s in sentences]))
    if not chosen.skip_peers:
        train = list(read_treebank(TRAIN))
        for name, peer in chosen_peers(chosen).items():
            if name == "udpipe" and chosen.skip_udpipe:
                continue
            peer.train(train, gold)
            peer.load()
            row(f"{peer.name} ({peer.note})", gold, peer.parse)
    by_length(model, gold)
    through_spacy([sentence.text for sentence in gold])
    reliability(model, gold)


if __name__ == "__main__":
    main()
