"""How fast frozen models classify, how large they are, and what they lose, on the dependency examples.

    python benchmarks/polynomial_classification.py                trains the models, then measures
    python benchmarks/polynomial_classification.py --support F2 F3    support sets of degree 2 and 3 from text
                                  files instead, a line each: coefficient, then feature ids

Times are CPU microseconds an example on one core, the best of many rounds that go through all models in turn;
beside them stands the ratio to the linear pass (degree 1 over the same features) in the same rounds, which is
what can be compared between machines. Loss is in points of accuracy on dev against the exact model.
"""

import argparse
import gzip
import os
import time
from pathlib import Path

import numpy as np

from kakari.kernels.featuresets import FeatureSets
from kakari.kernels.freezing import freeze

ROOT = Path(__file__).resolve().parents[2] / "shared" / "corpora"
FOLDER = Path(os.environ.get("KAKARI_CORPORA", ROOT)) / "dep_examples"
COSTS = {2: 5e-4, 3: 1e-4}
ROUNDS = 25


def read(lines):
    """Give the feature sets and the first numbers of svmlight lines (or of lines of plain ids)."""
    numbers, offsets, ids = [], [0], []
    for line in lines:
        number, *features = line.split()
        numbers.append(float(number))
        ids.extend(int(feature.partition(":")[0]) for feature in features)
        offsets.append(len(ids))
    return FeatureSets.from_arrays(offsets, np.array(ids, dtype=np.int32)), np.array(numbers)


def read_split(name):
    """Give a split of the corpus."""
    with gzip.open(FOLDER / f"{name}.svm.gz", "rt") as lines:
        return read(lines)


def train(degree):
    """Give the support set and averaged coefficients of 20 passes over train."""
    from kakari.kernels.training import KernelLearner

    sets, labels = read_split("train")
    learner = KernelLearner(degree, cost=COSTS[degree], step="features").fit(sets, labels, passes=20)
    return learner.support(), learner.coefficients(averaged=True)


def models(square, cubic):
    """Yield the name, the degree, and the frozen model of each row."""
    yield "linear", 1, freeze(*square, 1, kind="expansion")
    yield "d=2 exact, splitting", 2, freeze(*square, 2)
    yield "d=2 exact, inverted", 2, freeze(*square, 2, kind="inverted")
    for weights in ("float32", "int16", "int8"):
        yield f"d=3 exact, splitting, {weights}", 3, freeze(*cubic, 3, weights=weights)
    yield "d=3 exact, splitting 192, int8", 3, freeze(*cubic, 3, common=192, weights="int8")
    yield "d=3 exact, inverted", 3, freeze(*cubic, 3, kind="inverted")
    for keep in (500_000, 1_000_000, 2_000_000, 3_000_000):
        for least in (1, 2):
            options = {"keep": keep, "minimum_support": least, "weights": "int8"}
            yield f"d=3 PKE, {keep:,}, xi={least}, int8", 3, freeze(*cubic, 3, kind="expansion", **options)


def measure(rows, dev):
    """Give each model's best CPU seconds, all of them taking turns."""
    best = [np.inf] * len(rows)
    for _ in range(ROUNDS):
        for number, (name, _, model) in enumerate(rows):
            part = dev if "inverted" not in name else dev.take(np.arange(500))
            start = time.process_time()
            model.margins(part)
            best[number] = min(best[number], (time.process_time() - start) / len(part))
    return best


def table(rows, seconds, dev, labels):
    """Print the main table."""
    exact = {}
    print(f"{'model':34} {'us':>7} {'x linear':>8} {'MB':>7} {'accuracy':>8} {'loss':>6}")
    for (name, degree, model), time_each in zip(rows, seconds, strict=True):
        accuracy = np.mean((model.margins(dev) > 0) == (labels > 0))
        exact.setdefault(degree, accuracy)
        ratio, loss = time_each / seconds[0], 100 * (exact[degree] - accuracy)
        size = model.nbytes / 1e6
        print(f"{name:34} {time_each * 1e6:7.2f} {ratio:8.1f} {size:7.2f} {accuracy:8.4f} {loss:6.2f}")


def options_table(model, dev, sample):
    """Print what early stopping, prefix tables and threads bring to one model."""
    prefixed = model.with_prefixes(sample)
    ways = {
        "margins": lambda: model.margins(dev),
        "signs, early stop": lambda: model.signs(dev),
        "static prefixes": lambda: prefixed.margins(dev),
        "adaptive prefixes": lambda: model.margins(dev, prefixes="adaptive"),
    }
    best = dict.fromkeys(ways, np.inf)
    for _ in range(ROUNDS):
        for name, way in ways.items():
            start = time.process_time()
            way()
            best[name] = min(best[name], time.process_time() - start)
    for name, seconds in best.items():
        print(f"{name:34} {seconds / len(dev) * 1e6:7.2f} {seconds / best['margins']:8.2f}")


def main():
    """Read or train, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--support", nargs=2, type=Path, metavar=("SQUARE", "CUBIC"))
    chosen = parser.parse_args()
    if chosen.support:
        square, cubic = (read(path.read_text().splitlines()) for path in chosen.support)
    else:
        square, cubic = train(2), train(3)
    dev, labels = read_split("dev")
    rows = list(models(square, cubic))
    table(rows, measure(rows, dev), dev, labels)
    print("\noptions of the exact d=3 model (us, ratio)")
    options_table(freeze(*cubic, 3), dev, read_split("train")[0])


if __name__ == "__main__":
    main()
