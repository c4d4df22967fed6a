"""`train classify` on more data than memory holds: blocks, budgets, hashed features; and what an error costs."""

import json
import tracemalloc

import numpy as np
import pytest
from command_line import run_here

from kakari import Classifier, FeatureSets
from kakari.models.streaming.blocks import train_in_blocks
from kakari.reading.blocks import example_blocks


def lines_of(count, seed=0, width=30):
    random = np.random.default_rng(seed)
    for _ in range(count):
        features = np.flatnonzero(random.random(width) < 0.2) + 1
        label = 1 if (1 in features) == (2 in features) else -1
        yield f"{label:+d} {' '.join(f'{i}:1' for i in features)}".rstrip()


@pytest.fixture
def data(tmp_path):
    (tmp_path / "train.svm").write_text("\n".join(lines_of(2000)) + "\n")
    (tmp_path / "test.svm").write_text("\n".join(lines_of(500, seed=1)) + "\n")
    return tmp_path


def trained(data, *options, name="train.svm"):
    done = run_here("train", "classify", str(data / name), "-o", str(data / "model"), "--json", *options)
    assert done.returncode == 0, done.stderr
    told = run_here("evaluate", str(data / "model"), str(data / name.replace("train", "test")), "--json")
    return json.loads(done.stdout), json.loads(told.stdout)["accuracy"]


def test_one_block_is_the_whole_file(data):
    figures, accuracy = trained(data, "--passes", "3", "--no-shuffle", "--step", "kernel")
    whole = run_here("predict", str(data / "model"), str(data / "test.svm")).stdout
    in_blocks, again = trained(data, "--passes", "3", "--no-shuffle", "--step", "kernel", "--block-size", "10000")
    assert again == accuracy > 0.9
    assert in_blocks["updates"] == figures["updates"]  # but an example counts as a new one in each pass
    assert np.allclose(
        [float(x) for x in run_here("predict", str(data / "model"), str(data / "test.svm")).stdout.split()],
        [float(x) for x in whole.split()],
    )


@pytest.mark.parametrize(
    "options",
    [
        ["--step", "kernel"],
        ["--hash-bits", "20", "--step", "kernel"],
        ["--budget", "100"],
        ["--budget", "100", "--degree", "3"],
    ],
)
def test_blocks_learn(data, options):
    figures, accuracy = trained(data, "--passes", "3", "--block-size", "150", *options)
    assert accuracy > 0.9
    assert figures["examples"] == 2000
    if "--budget" in options:
        assert figures["support_vectors"] <= 100
    assert run_here("explain", str(data / "model"), str(data / "test.svm"), "--line", "1").returncode == 0


@pytest.mark.parametrize("options", [[], ["--hash-bits", "22"]])
def test_named_features_and_three_classes(tmp_path, options):
    random = np.random.default_rng(0)
    for part, count in (("train", 600), ("test", 100)):
        rows = [(name, f"is-{name}", f"w{random.integers(50)}") for name in random.choice(["a", "b", "c"], count)]
        (tmp_path / f"{part}.tsv").write_text("".join("\t".join(row) + "\n" for row in rows))
    for more in ([], ["--multiclass", "ovo"], ["--multiclass", "direct"], ["--budget", "50"]):
        _, accuracy = trained(tmp_path, "--passes", "3", "--block-size", "70", *options, *more, name="train.tsv")
        assert accuracy > 0.95
    model = Classifier.load(tmp_path / "model")
    assert (model.vocabulary is None) == bool(options)


def test_only_a_block_is_held(data, tmp_path):
    """Ten times as many examples need no more memory than before, but for the support set."""
    peaks = []
    for times in (1, 10):
        path = tmp_path / f"{times}.svm"
        path.write_text((data / "train.svm").read_text() * times)
        tracemalloc.start()
        for block in example_blocks(str(path), 100):
            assert len(block.labels) == 100
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.5 * peaks[0]


def test_blocks_are_visited_in_order_and_weighted():
    sets = FeatureSets.from_lists([[1], [1], [2]])
    numbers, weights = np.array([0, 1, 1]), np.array([0.0, 1.0, 1.0])
    options = {"degree": 1, "cost": 1.0, "method": "slicing"}
    free, _ = train_in_blocks(
        lambda: [(sets[:2], numbers[:2], weights[:2]), (sets[2:], numbers[2:], None)], ["a", "b"], options
    )
    assert free.predict(sets[:1]) == ["b"]  # the first example costs nothing


def test_costs_in_the_file_and_beside_it(tmp_path):
    plain = "+1 1:1\n-1 1:1\n" * 20
    for name, text in (
        ("up.svm", plain.replace("+1 ", "+1 cost:9 ")),
        ("down.svm", plain.replace("-1 ", "-1 cost:9 ")),
        ("plain.svm", plain),
    ):
        (tmp_path / name).write_text(text)
    (tmp_path / "weights").write_text("9\n1\n" * 20)
    margins = {}
    for name, options in (("up", []), ("down", []), ("plain", ["--weights", str(tmp_path / "weights")])):
        file = str(tmp_path / f"{name}.svm")
        assert run_here("train", "classify", file, "-o", str(tmp_path / "m"), *options).returncode == 0
        margins[name] = run_here("predict", str(tmp_path / "m"), file).stdout
    assert float(margins["up"].split()[0]) > 0 > float(margins["down"].split()[0])
    assert margins["plain"] == margins["up"]
    assert (
        run_here(
            "train", "classify", str(tmp_path / "up.svm"), "-o", str(tmp_path / "m"), "--block-size", "5"
        ).returncode
        == 0
    )
    assert float(run_here("predict", str(tmp_path / "m"), str(tmp_path / "plain.svm")).stdout.split()[0]) > 0


@pytest.mark.parametrize(
    ("text", "options", "reason"),
    [
        ("1 cost:-1 2:1\n-1 3:1\n", [], "negative"),
        ("1 cost:x 2:1\n-1 3:1\n", [], "not a number"),
        ("1 2:1\n-1 3:1\n" * 5 + "1 2:x\n", ["--block-size", "3"], ":11:"),
        ("1 2:1\n1 3:1\n", ["--block-size", "3"], "only 1 class"),
        ("1 2:1\n1 3:1\n", ["--block-size", "3", "--budget", "3"], "only 1 class"),
        ("", ["--block-size", "3"], "no example"),
        ("1 cost:2 2:1\n-1 3:1\n", ["--block-size", "3", "--budget", "3"], "takes no costs"),
        ("1 2:1\n-1 3:1\n", ["--weights", "{folder}/few"], "1 weights, but 2 examples"),
    ],
)
def test_what_is_refused(tmp_path, text, options, reason):
    (tmp_path / "x.svm").write_text(text)
    (tmp_path / "few").write_text("1\n")
    told = [option.format(folder=tmp_path) for option in options]
    done = run_here("train", "classify", str(tmp_path / "x.svm"), "-o", str(tmp_path / "m"), *told)
    assert done.returncode == 1
    assert reason in done.stderr
    assert not (tmp_path / "m").exists()


@pytest.mark.parametrize(
    "options",
    [["--budget", "5"], ["--block-size", "5", "--probability"], ["--block-size", "5", "--budget", "5", "--cost", "1"]],
)
def test_options_that_do_nothing_are_refused(data, options):
    assert run_here("train", "classify", str(data / "train.svm"), "-o", str(data / "m"), *options).returncode == 2
