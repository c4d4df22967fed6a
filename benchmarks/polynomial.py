"""The conjunctive-feature engine against its targets: one run, one core, one table.

    python benchmarks/polynomial.py                      all rows (about ten minutes on a busy machine)
    python benchmarks/polynomial.py --skip-inverted      without the inverted index, which takes minutes
    python benchmarks/polynomial.py --skip-choice        with the constants below instead of choosing on folds
    python benchmarks/polynomial.py --details            also every model and method that was measured

Data: dep_examples, 20 passes, averaged. Times are CPU seconds of training alone, the best of some rounds in which
all take turns; Y is scikit-learn's LinearSVC on the raw features, one of those who take turns, before and after.
Nothing is chosen on dev: the cost and the size of the pruned model come from folds of train.
"""

import argparse
import gc
import tempfile
import time
import warnings
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path

import numpy as np
from scipy.sparse import csr_array

from kakari.experiments.problems import Problem, accuracy, cpu_seconds, load_problem, train
from kakari.kernels.frozen.freezing import freeze
from kakari.kernels.frozen.refitting import refit
from kakari.kernels.sets.featuresets import FeatureSets
from kakari.models.polynomial.classifier import Classifier, Machine

PASSES = 20
TRAINING_ROUNDS, CLASSIFYING_ROUNDS = 3, 25
# C, and after which pass the average begins: candidates, and what folds chose (for --skip-choice).
COSTS = {2: (1e-4, 2e-4, 5e-4, 1e-3), 3: (5e-6, 7e-6, 1e-5, 2e-5, 5e-5, 1e-4)}
AVERAGE_AFTER = (0, 2, 5)
CHOSEN = {2: (2e-4, 5), 3: (1e-5, 2)}
KEEPS = (700_000, 1_000_000, 1_500_000, 2_000_000)  # conjunctions of the pruned model: candidates
CHOSEN_KEEP = 2_000_000
PRUNING = {"kind": "expansion", "minimum_support": 2, "weights": "int8"}
FOLDS = 10  # of train, to choose a cost
PRUNING_FOLDS = (2, 3, 8, 9)  # those of them on which pruned models are compared
TOLERATED = 0.001  # loss of accuracy


@dataclass
class Target:
    """A row of the table: the value must not pass `must`, and should not pass `aim`."""

    what: str
    unit: str
    must: float
    aim: float | None = None
    more_is_better: bool = False
    value: float | None = None

    def verdict(self):
        """Say which of the two bars is met."""
        if self.value is None:
            return "skipped"
        passed = [
            bar is not None and (self.value >= bar if self.more_is_better else self.value <= bar)
            for bar in (self.must, self.aim)
        ]
        return "aim met" if passed[1] else "met" if passed[0] else "MISSED"

    def line(self):
        """Return the row as text."""
        sign = "≥" if self.more_is_better else "≤"
        aim = "" if self.aim is None else f"{sign} {self.aim:g}"
        value = "-" if self.value is None else f"{self.value:.4f}" if self.unit == "" else f"{self.value:.2f}"
        return f"{self.what:<52}{f'{sign} {self.must:g}':>9}{aim:>9}{value:>10} {self.unit:<6}{self.verdict()}"


TARGETS = {
    "train 3": Target("train d=3, PA-I, C=1e-4, step features", "Y", 2.4, 1.5),
    "train 2": Target("train d=2, C=5e-4", "Y", 1.2, 0.8),
    "inverted": Target("inverted takes longer, d=3, same accuracy", "times", 30, 60, more_is_better=True),
    "memory": Target("memory above the loaded data, d=3", "MB", 130, 80),
    "accuracy 2": Target("accuracy on dev, d=2, C from folds", "", 0.912, None, more_is_better=True),
    "accuracy 3": Target("accuracy on dev, d=3, C from folds", "", 0.914, 0.917, more_is_better=True),
    "growth data": Target("growth, 1/8 to all of the data: n^", "", 1.15),
    "growth copies": Target("growth, all to 4 copies with noise: n^", "", 1.15),
    "classify 3": Target("classify, d=3 exact", "µs", 12, 6),
    "classify pruned": Target("classify, d=3 PKE (loss below)", "µs", 5, 2.5),
    "classify 2": Target("classify, d=2 exact", "µs", 2, 1),
    "loss": Target("loss of the PKE model on dev", "points", 100 * TOLERATED),
    "disk": Target("the PKE model on disk, to be mapped", "MB", 8, 3),
    "compressed": Target("the PKE model on disk, compressed", "MB", 8, 3),
}


def note(text):
    print(text, flush=True)


def yardstick(problem):
    """Return the CPU seconds of the linear learner that all times are divided by."""
    from sklearn.svm import LinearSVC

    sets = problem.sets
    matrix = csr_array((np.ones(sets.ids.size), sets.ids, sets.offsets.astype(np.int32)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        learner = LinearSVC(loss="hinge", C=0.1, max_iter=1000, random_state=0)
        return cpu_seconds(lambda: learner.fit(matrix, problem.signs))[1]


def own_memory(key):
    """Return a figure of this process in bytes: VmRSS now, or VmHWM at its highest."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(f"{key}:"):
            return int(line.split()[1]) * 1024
    raise SystemExit("this system does not tell how much memory a process has")


def measure_memory(problem):
    """Return the MB that training adds: what the engine counts or what the process grows, whichever is more."""
    gc.collect()
    Path("/proc/self/clear_refs").write_text("5")  # the highest mark starts anew
    before = own_memory("VmRSS")
    learner, _ = train(problem, 3, PASSES)
    return max(learner.peak_bytes, own_memory("VmHWM") - before) / 1e6


def measure_training(problem):
    """Return the best seconds of the yardstick, d=3 and d=2, and the yardstick's times one after another."""
    units, best = [yardstick(problem)], {3: np.inf, 2: np.inf}
    for _ in range(TRAINING_ROUNDS):
        for degree in best:
            best[degree] = min(best[degree], train(problem, degree, PASSES)[1])
        units.append(yardstick(problem))
    return best, units


def halves(problem, fold):
    """Return train without a fold of it, and that fold: neighbours stay together, as in a new text."""
    rows = np.arange(len(problem))
    held = (rows >= len(problem) * fold // FOLDS) & (rows < len(problem) * (fold + 1) // FOLDS)
    return tuple(
        Problem(f"{problem.name}, fold {fold}", problem.sets.take(np.flatnonzero(part)), problem.signs[part])
        for part in (~held, held)
    )


def exact_model(problem, degree, cost, after):
    """Return the support set and averaged coefficients."""
    learner, _ = train(problem, degree, PASSES, cost=cost)
    return learner.support(), learner.coefficients(averaged=True, after=after)


def pruned_model(support, problem, cost, keep):
    """Mine the heaviest conjunctions of a d=3 model and train their weights anew."""
    again = partial(refit, sets=problem.sets, labels=problem.signs, cost=cost / 2)
    return freeze(*support, 3, keep=keep, refit=again, **PRUNING)


def right(model, problem):
    return accuracy(model.margins(problem.sets), problem.signs)


def choose_settings(problem, degree):
    """Return the cost and the beginning of the average with the best accuracy on held-out folds of train."""
    scores = {}
    for cost in COSTS[degree]:
        each = []
        for fold in range(FOLDS):
            rest, held = halves(problem, fold)
            learner, _ = train(rest, degree, PASSES, cost=cost)
            support = learner.support()
            averages = (learner.coefficients(averaged=True, after=after) for after in AVERAGE_AFTER)
            each.append([len(held) * right(freeze(support, average, degree), held) for average in averages])
        shares = np.sum(each, axis=0) / len(problem)
        scores |= {(cost, after): share for after, share in zip(AVERAGE_AFTER, shares, strict=True)}
        told = ", ".join(f"{share:.4f} after {after}" for after, share in zip(AVERAGE_AFTER, shares, strict=True))
        note(f"  d={degree} C={cost:g}: {told}")
    return max(scores, key=scores.get)


def choose_keep(problem, cost, after):
    """Return the smallest number of conjunctions whose mean loss on folds is tolerated, else the largest."""
    splits = [halves(problem, fold) for fold in PRUNING_FOLDS]
    supports = [exact_model(rest, 3, cost, after) for rest, _ in splits]
    exact = [right(freeze(*support, 3), held) for support, (_, held) in zip(supports, splits, strict=True)]
    for keep in KEEPS:
        pruned = [
            right(pruned_model(support, rest, cost, keep), held)
            for support, (rest, held) in zip(supports, splits, strict=True)
        ]
        loss = float(np.mean(np.subtract(exact, pruned)))
        note(f"  {keep:,} conjunctions: loss {100 * loss:.2f} points on folds")
        if loss <= TOLERATED:
            break
    return keep


def measure_classifying(models, dev):
    """Return each model's best CPU microseconds an example, all of them taking turns."""
    best = dict.fromkeys(models, np.inf)
    for _ in range(CLASSIFYING_ROUNDS):
        for name, model in models.items():
            part = dev.sets[:500] if "inverted" in name else dev.sets
            start = time.process_time()
            model.margins(part)
            best[name] = min(best[name], 1e6 * (time.process_time() - start) / len(part))
    return best


def size_on_disk(model, *, compressed=False):
    """Return the megabytes of a model file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "model")
        Classifier([Machine(model.degree, _frozen=[model])], [-1, 1], "ovr").save(path, compressed=compressed)
        return path.stat().st_size / 1e6


def noisy_copies(problem, copies, share=0.05, seed=0):
    """Return copies of the examples in which a share of the features is drawn anew from all of them."""
    random = np.random.default_rng(seed)
    sets = problem.sets
    ids = np.tile(sets.ids, copies)
    drawn = random.random(ids.size) < share
    drawn[: sets.ids.size] = False
    ids[drawn] = random.choice(sets.ids, drawn.sum())
    offsets = np.concatenate([[0], np.cumsum(np.tile(sets.row_lengths(), copies))])
    return Problem(f"{copies} copies", FeatureSets.from_arrays(offsets, ids), np.tile(problem.signs, copies))


def measure_growth(problem):
    """Return the exponents of time against examples: 1/8 to all, all to 4 copies. Best of two runs each."""
    order = np.random.default_rng(0).permutation(len(problem))
    rows = np.sort(order[: len(problem) // 8])
    eighth = Problem("1/8", problem.sets.take(rows), problem.signs[rows])
    measured = []
    for part in (eighth, problem, noisy_copies(problem, 4)):
        measured.append((len(part), min(train(part, 3, PASSES)[1] for _ in range(2))))
        note(f"  {measured[-1][0]:,} examples: {measured[-1][1]:.2f} s")
    logs = np.log(measured)
    return [float((after[1] - before[1]) / (after[0] - before[0])) for before, after in pairwise(logs)]


def print_details(models, micros, problem, dev):
    """Print every model, what options bring, and one short run of every method."""
    print(f"\n{'model':<34}{'µs':>8}{'MB':>8}{'accuracy':>10}")
    for name, model in models.items():
        print(f"{name:<34}{micros[name]:>8.2f}{model.nbytes / 1e6:>8.2f}{right(model, dev):>10.4f}")
    exact = models["d=3 exact"]
    ways = {
        "signs, early stop": lambda: exact.signs(dev.sets),
        "signs, adaptive prefixes": lambda: exact.signs(dev.sets, adaptive=True),
        "adaptive prefixes": lambda: exact.margins(dev.sets, adaptive=True),
    }
    for name, way in ways.items():
        best = min(cpu_seconds(way)[1] for _ in range(5))
        print(f"{'d=3 exact, ' + name:<34}{1e6 * best / len(dev):>8.2f}")
    part = Problem("part", problem.sets[:10000], problem.signs[:10000])
    print("\nd=3, 10,000 examples, 2 passes, each method")
    for method, reuse in (("slicing", True), ("slicing", False), *((m, True) for m in ("splitting", "expansion"))):
        learner, seconds = train(part, 3, 2, method=method, reuse=reuse)
        name = method + ("" if reuse else "*")
        print(f"{name:<12}{seconds:>9.2f} s {learner.peak_bytes / 1e6:7.0f} MB")


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--skip-inverted", action="store_true")
    parser.add_argument("--skip-choice", action="store_true")
    parser.add_argument("--details", action="store_true")
    chosen = parser.parse_args()
    problem, dev = load_problem("dep-examples:train"), load_problem("dep-examples:dev")
    found = {"memory": measure_memory(problem)}

    note("training")
    seconds, units = measure_training(problem)
    note(f"  d=3 {seconds[3]:.2f} s, d=2 {seconds[2]:.2f} s")
    if not chosen.skip_inverted:
        slow, taken = train(problem, 3, PASSES, method="inverted")
        units.append(yardstick(problem))
        fast, _ = train(problem, 3, PASSES)
        found["inverted"] = taken / seconds[3]
        same = [
            right(freeze(learner.support(), learner.coefficients(averaged=True), 3), dev) for learner in (slow, fast)
        ]
        note(f"  inverted {taken:.1f} s; accuracy {same[0]:.4f}, by slicing {same[1]:.4f}")

    note("growth")
    found["growth data"], found["growth copies"] = measure_growth(problem)

    note("choosing on folds of train")
    best = CHOSEN if chosen.skip_choice else {degree: choose_settings(problem, degree) for degree in COSTS}
    keep = CHOSEN_KEEP if chosen.skip_choice else choose_keep(problem, *best[3])

    note("classifying")
    square, cubic = (exact_model(problem, degree, *best[degree]) for degree in (2, 3))
    models = {
        "d=2 exact": freeze(*square, 2),
        "d=3 exact": freeze(*cubic, 3),
        "d=3 PKE": pruned_model(cubic, problem, best[3][0], keep),
    }
    if chosen.details:
        models |= {
            "linear": freeze(*square, 1, kind="expansion"),
            "d=3 exact, int8": freeze(*cubic, 3, weights="int8"),
            "d=3 inverted": freeze(*cubic, 3, kind="inverted"),
            "d=3 PKE as mined": freeze(*cubic, 3, keep=keep, **PRUNING),
        }
    micros = measure_classifying(models, dev)
    units.append(yardstick(problem))
    found["accuracy 2"], found["accuracy 3"] = right(models["d=2 exact"], dev), right(models["d=3 exact"], dev)
    found["loss"] = 100 * (found["accuracy 3"] - right(models["d=3 PKE"], dev))
    found["classify 2"], found["classify 3"] = micros["d=2 exact"], micros["d=3 exact"]
    found["classify pruned"] = micros["d=3 PKE"]
    found["disk"] = size_on_disk(models["d=3 PKE"])
    found["compressed"] = size_on_disk(models["d=3 PKE"], compressed=True)
    found |= {f"train {degree}": value / min(units) for degree, value in seconds.items()}

    each = " ".join(f"{unit:.2f}" for unit in units)
    told = "; ".join(f"d={degree}: C={cost:g}, averaged after {after} passes" for degree, (cost, after) in best.items())
    print(f"\nY = {min(units):.2f} s (in turn: {each}); {told}; PKE keeps {keep:,} conjunctions")
    print(f"{'what':<52}{'must':>9}{'aim':>9}{'measured':>10}")
    for name, target in TARGETS.items():
        target.value = found.get(name)
        print(target.line())
    if chosen.details:
        print_details(models, micros, problem, dev)


if __name__ == "__main__":
    main()
