"""Hyponymy models: trained the same each time, stored whole, refused when damaged, explained to the margin."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score, f1_score

from kakari.corpora import read
from kakari.corpora.formats.pairs import Pair, PairCount
from kakari.kernels.sets.checks import TrainingError
from kakari.models.files import ModelFileError, write_model
from kakari.parsers.hyponymy.evidence import Evidence
from kakari.parsers.hyponymy.model import HyponymyModel, pretrained_hyponymy
from kakari.parsers.hyponymy.scores import scores
from kakari.parsers.hyponymy.training import HyponymyOptions, fold_numbers, train_hyponymy

COUNTS = [PairCount("paris", "city", 7), PairCount("rome", "city", 9), PairCount("city", "place", 4)]
ENGLISH = [
    Pair("city", "paris", True),
    Pair("city", "rome", True),
    Pair("place", "city", True),
    Pair("paris", "city", False),
    Pair("rome", "paris", False),
    Pair("paris", "rome", False),
]


@pytest.fixture(scope="module")
def train():
    return list(read("sample-hyponymy:train"))


@pytest.fixture(scope="module")
def model(train):
    return train_hyponymy(train, HyponymyOptions(folds=5))


def test_articles_of_dev_are_judged_well(model):
    dev = list(read("sample-hyponymy:dev"))
    told = scores(np.array([bool(pair.label) for pair in dev]), model.margins(dev))
    assert told["f1"] > 0.8
    assert told["average_precision"] > 0.9
    assert model.information["cross_validated"]["f1"] > 0.8


def test_the_same_pairs_give_the_same_file(model, train, tmp_path):
    model.save(tmp_path / "a")
    train_hyponymy(train, HyponymyOptions(folds=5)).save(tmp_path / "b")
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    loaded = HyponymyModel.load(tmp_path / "a")
    assert loaded.probabilities(train[:50]).tolist() == model.probabilities(train[:50]).tolist()


def test_an_explanation_sums_to_the_margin(model, train):
    for pair in train[:5]:
        parts = model.explain(pair)
        assert sum(weight for _, weight in parts.items) == pytest.approx(parts.margin, abs=1e-5)
        assert parts.margin == pytest.approx(model.margins([pair])[0], abs=1e-5)


def test_an_english_model_holds_its_counts(tmp_path):
    model = train_hyponymy(ENGLISH, HyponymyOptions(folds=2), evidence=Evidence(COUNTS))
    model.save(tmp_path / "en")
    loaded = HyponymyModel.load(tmp_path / "en")
    assert loaded.language == "en"
    assert loaded.evidence.called == model.evidence.called
    assert loaded.margins(ENGLISH).tolist() == model.margins(ENGLISH).tolist()
    assert ((loaded.margins(ENGLISH) > 0) == [pair.label for pair in ENGLISH]).all()


@pytest.mark.parametrize(
    ("change", "reason"),
    [({"language": "fr"}, "language"), ({"language": "en"}, "needs counts"), ({"slope": "x"}, "slope")],
)
def test_a_damaged_file_is_refused(model, tmp_path, change, reason):
    contents = model.contents()
    contents.settings |= change
    write_model(tmp_path / "a", "hyponymy", contents, schema=HyponymyModel.schema())
    with pytest.raises(ModelFileError, match=reason):
        HyponymyModel.load(tmp_path / "a")


@pytest.mark.parametrize(
    ("name", "changed"),
    [("edges", lambda array: array + 1), ("counts", lambda array: array[1:]), ("counts", lambda array: -array)],
)
def test_counts_that_do_not_fit_are_refused(name, changed):
    contents = Evidence(COUNTS).contents()
    contents.arrays[name] = changed(contents.arrays[name])
    with pytest.raises(ValueError, match=name):
        Evidence.from_contents(contents)


def test_training_needs_both_kinds_of_pairs():
    with pytest.raises(TrainingError, match="that are not"):
        train_hyponymy([Pair("a", "b", True)])
    with pytest.raises(TrainingError, match="pair 2 has no label"):
        train_hyponymy([Pair("a", "b", True), Pair("a", "c")])


def test_folds_keep_articles_together(train):
    fold = fold_numbers(train, 10)
    seen = {}
    for pair, number in zip(train, fold, strict=True):
        assert seen.setdefault(pair.article, number) == number


@given(st.lists(st.tuples(st.booleans(), st.integers(-5, 5)), min_size=1, max_size=30))
def test_scores_are_those_of_scikit_learn(rows):
    truth, margins = np.array([row[0] for row in rows]), np.array([float(row[1]) for row in rows])
    told = scores(truth, margins)
    assert told["f1"] == pytest.approx(f1_score(truth, margins > 0, zero_division=0.0))
    if truth.any():
        assert told["average_precision"] == pytest.approx(average_precision_score(truth, margins))


def test_the_embedded_model_knows_cities_from_sections():
    model = pretrained_hyponymy()
    place = {"path": ("title", "heading", "bullet"), "distance": 1, "siblings": 12, "form": "link"}
    good, bad = model.probabilities([Pair("都市", "札幌", **place), Pair("関連項目", "札幌", **place)])
    assert good > 0.8
    assert bad < 0.2
