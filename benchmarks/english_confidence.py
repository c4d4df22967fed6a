"""How well the probabilities of English constituents fit: fitted on two development sets, measured on a third.

    python benchmarks/english_confidence.py [--fit]

Prints the expected calibration error (ten bins of equal size) of the embedded model's defaults on each development
set; with `--fit`, first the settings that fit gum:dev and questionbank:dev best.
"""

import argparse

import numpy as np
from sklearn.linear_model import LogisticRegression

from kakari.parsers.english.confidence import TreeConfidence, evidence
from kakari.parsers.english.model import pretrained_model
from kakari.parsers.english.words.treebank_trees import read_trees

FITTED, MEASURED = ("gum:dev", "questionbank:dev"), ("gum:dev", "questionbank:dev", "ewt:dev")
SCALES = (0.002, 0.005, 0.01, 0.02, 0.03, 0.05)
BINS = 10


def parsed(reference):
    """Return the gold trees of a corpus and the best trees of the embedded model, with their scores."""
    model, gold = pretrained_model(), list(read_trees(reference))
    return list(zip(gold, model.best([tree.words for tree in gold], model.parser.beam), strict=True))


def decisions(found, confidence):
    """Return the shares of all constituents of the best trees, and which of them are right."""
    shares, right = [], []
    for gold, best in found:
        own = set(gold.nodes)
        weights = confidence.tree_shares([score for score, _ in best]).tolist()
        shares.append(confidence.constituent_shares([tree for _, tree in best], weights))
        right += [node in own for node in best[0][1].nodes]
    return np.concatenate(shares), np.array(right)


def calibration_error(probabilities, right):
    """Return the mean distance of probability and share of right ones over bins of equal size."""
    order = np.argsort(probabilities, kind="stable")
    bins = [own for own in np.array_split(order, BINS) if len(own)]
    return sum(len(own) * abs(probabilities[own].mean() - right[own].mean()) for own in bins) / len(order)


def fitted(found):
    """Return the settings with the smallest log loss."""
    best, least = None, np.inf
    for scale in SCALES:
        shares, right = decisions(found, TreeConfidence(scale))
        fit = LogisticRegression(C=1e6).fit(evidence(shares)[:, None], right)
        own = TreeConfidence(scale, float(fit.intercept_[0]), float(fit.coef_[0, 0]))
        probabilities = own.probabilities(shares)
        loss = -np.log(np.where(right, probabilities, 1 - probabilities)).mean()
        print(f"scale {scale}: log loss {loss:.4f} {own}", flush=True)
        if loss < least:
            best, least = own, loss
    return best


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--fit", action="store_true")
    chosen = arguments.parse_args()
    found = {reference: parsed(reference) for reference in MEASURED}
    confidence = fitted([one for reference in FITTED for one in found[reference]]) if chosen.fit else TreeConfidence()
    print(f"{'data':20} {'constituents':>12} {'right':>7} {'mean probability':>17} {'ECE':>7}")
    for reference, own in found.items():
        shares, right = decisions(own, confidence)
        told = confidence.probabilities(shares)
        error = calibration_error(told, right)
        print(f"{reference:20} {len(right):12,} {right.mean():7.4f} {told.mean():17.4f} {error:7.4f}")


if __name__ == "__main__":
    main()
