"""How well the probabilities of English arguments and question classes fit.

    python benchmarks/argument_confidence.py [--fit]

Arguments with their roles, from the text of ewt:dev with given predicates: with `--fit`, the settings that fit the
sentences with even numbers best; then the expected calibration error (ten bins of equal size) of the defaults on both
halves.
Question classes: the same of the shares of coarse and fine classes on qc:test, whose temperature was chosen on folds of
qc:train.
"""

import argparse

import numpy as np
from english_confidence import calibration_error
from sklearn.linear_model import LogisticRegression

from kakari.corpora import read
from kakari.parsers.arguments import scores as argument_scores
from kakari.parsers.arguments.candidates.frames import read_frames
from kakari.parsers.arguments.confidence import ArgumentConfidence, clipped
from kakari.parsers.arguments.model import pretrained_arguments
from kakari.parsers.english.model import pretrained_model
from kakari.parsers.english.parser import EnglishParser
from kakari.parsers.english.words.detokenising import detokenised
from kakari.parsers.questions.compact_model import pretrained_questions

ROW = "{:<34} {:>8} {:>8.4f} {:>10.4f} {:>12.4f}"


def arguments():
    """Return margin, lead of the role, whether both are right, and the sentence's number, of each argument found."""
    model, sentences = pretrained_arguments(), list(read_frames("ewt:dev"))
    texts = [detokenised(one.tree) for one in sentences]
    trees, places = argument_scores._met(pretrained_model(), sentences, texts, "text")
    asked = [argument_scores._asked(model, *both) for both in zip(sentences, trees, texts, places, strict=True)]
    rows = []
    for number, (gold, found) in enumerate(zip(sentences, model.fill(asked), strict=True)):
        for wanted, have in zip(gold.frames, found.frames, strict=True):
            right = {
                (argument_scores._characters(span, texts[number][1]), role)
                for span, role in argument_scores._gold_spans(wanted)
            }
            for span, role, margins in zip(have.spans, have.roles, have.margins, strict=True):
                own = argument_scores._characters(span, places[number]), role
                rows.append((*margins, own in right, number))
    return np.array(rows, dtype=float)


def questions():
    """Yield, for coarse and fine classes, the best share of each question of qc:test and whether it is right."""
    model, parser = pretrained_questions(), EnglishParser.pretrained()
    asked = list(read("qc:test"))
    trees = [parser.model.parse([one.text.split()])[0] for one in asked]
    shares = [model.shares(row) for row in model.scores(trees)]
    for name in ("coarse", "fine"):
        best, right = [], []
        for one, own in zip(asked, shares, strict=True):
            kept = {key: share for key, share in own.items() if (":" in key) == (name == "fine")}
            answer = max(kept, key=kept.get)
            best.append(kept[answer])
            right.append(answer == (one.coarse if name == "coarse" else f"{one.coarse}:{one.fine}"))
        yield name, np.array(best), np.array(right)


def main():
    """Print the table."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--fit", action="store_true", help="fit the settings of arguments first")
    fit = options.parse_args().fit
    margins, leads, right, numbers = arguments().T
    if fit:
        half = numbers % 2 == 0
        both = np.stack([clipped(margins), clipped(leads)], axis=1)
        found = LogisticRegression(C=1e6).fit(both[half], right[half])
        print(ArgumentConfidence(float(found.intercept_[0]), *map(float, found.coef_[0])))
    print("data                                  number    right  mean prob.  calibr. error")
    sure = ArgumentConfidence().probabilities(margins, leads)
    for name, own in (("arguments, even (fitted)", numbers % 2 == 0), ("arguments, odd", numbers % 2 == 1)):
        error = calibration_error(sure[own], right[own])
        print(ROW.format(f"ewt:dev, {name}", own.sum(), right[own].mean(), sure[own].mean(), error))
    for name, best, good in questions():
        error = calibration_error(best, good)
        print(ROW.format(f"qc:test, {name} classes", len(best), good.mean(), best.mean(), error))


if __name__ == "__main__":
    main()
