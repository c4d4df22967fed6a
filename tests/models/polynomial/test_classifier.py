"""Finished classifiers: files, scikit-learn's SVC, explanations."""

import json
import struct

import numpy as np
import pytest
from budgets import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.svm import SVC

from kakari.kernels.sets.featuresets import FeatureSets
from kakari.models.files import ModelFileError, read_model
from kakari.models.polynomial.classifier import Classifier, Machine, from_svc
from kakari.models.vocabulary import Vocabulary

SETS = FeatureSets.from_lists([[1, 2], [2, 3], [3], [1, 4, 5], []])


def machine(degree=3, bias=0.25):
    return Machine(degree, SETS, np.array([0.5, -0.75, 1.0, -0.25, 0.125]), bias)


@pytest.fixture
def classifier():
    vocabulary = Vocabulary()
    for word in "abcdef":
        vocabulary.add(word)
    vocabulary.freeze()
    return Classifier([machine()], ["no", "yes"], "ovr", vocabulary, {"data": "ours"})


def test_files_keep_everything(classifier, tmp_path):
    classifier.save(tmp_path / "m")
    again = Classifier.load(tmp_path / "m")
    np.testing.assert_array_equal(again.margins(SETS), classifier.margins(SETS))
    assert again.classes == ["no", "yes"]
    assert again.vocabulary.id_of("c") == 2
    assert again.information == {"data": "ours"}
    classifier.save(tmp_path / "n")
    assert (tmp_path / "n").read_bytes() == (tmp_path / "m").read_bytes()


def direct():
    shared = np.random.default_rng(0).normal(size=(3, len(SETS)))
    return Classifier([Machine(3, SETS, column) for column in shared], ["a", "b", "c"], "direct")


def test_a_direct_model_stores_its_support_set_once(tmp_path):
    direct().save(tmp_path / "m")
    contents = read_model(tmp_path / "m", "classify")
    stored = {name for name, _ in contents.flat_arrays() if name.endswith(("/ids", "/offsets"))}
    assert stored == {"0/support/ids", "0/support/offsets"}
    assert [machine.settings.get("support_of") for machine in contents.numbered_parts()] == [None, 0, 0]
    again = Classifier.load(tmp_path / "m")
    np.testing.assert_array_equal(again.margins(SETS), direct().margins(SETS))
    assert again.machines[0].support is again.machines[2].support
    again.save(tmp_path / "n")
    assert (tmp_path / "n").read_bytes() == (tmp_path / "m").read_bytes()


@pytest.mark.parametrize("owner", [1, 2, 7, -1])
def test_a_support_set_that_is_not_there_cannot_be_shared(tmp_path, owner):
    direct().save(tmp_path / "m")
    rewrite(tmp_path / "m", lambda m: m["contents"]["parts"]["1"]["settings"].update(support_of=owner))
    with pytest.raises(ModelFileError, match=f"'1/support_of' is {owner}, not a whole number"):
        Classifier.load(tmp_path / "m")


@pytest.mark.parametrize("options", [{"kind": "expansion", "weights": "int8"}, {"kind": "splitting"}])
def test_frozen_files(classifier, tmp_path, options):
    small = classifier.shrunk(**options)
    small.save(tmp_path / "m")
    again = Classifier.load(tmp_path / "m")
    np.testing.assert_array_equal(again.margins(SETS), small.margins(SETS))
    assert again.machines[0].support is None
    with pytest.raises(ValueError, match="frozen already"):
        again.shrunk(kind="expansion")


def rewrite(path, change):
    content = path.read_bytes()
    (length,) = struct.unpack("<Q", content[:8])
    header = json.loads(content[8 : 8 + length])
    metadata = json.loads(header["__metadata__"]["kakari"])
    change(metadata)
    header["__metadata__"]["kakari"] = json.dumps(metadata)
    text = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + content[8 + length :])


@pytest.mark.parametrize(
    "change",
    [
        lambda m: m["parts"]["0"]["settings"].update(degree=9),
        lambda m: m["settings"].update(classes=["a", "b", "c"]),
        lambda m: m["settings"].update(unknown=1),
        lambda m: m["parts"].pop("0"),
        lambda m: m["settings"].update(scheme="all"),
    ],
)
@pytest.mark.parametrize("frozen", [False, True])
def test_damaged_models_are_refused(classifier, tmp_path, change, frozen):
    path = tmp_path / "m"
    (classifier.shrunk() if frozen else classifier).save(path)
    rewrite(path, lambda m: change(m["contents"]))
    with pytest.raises(ModelFileError):
        Classifier.load(path)


BINARY = st.lists(st.lists(st.integers(0, 1), min_size=6, max_size=6), min_size=12, max_size=24)


@settings(max_examples=examples(30))
@given(
    BINARY,
    st.integers(1, 4),
    st.integers(2, 4),
    st.integers(0, 9),
    st.sampled_from([1.0, 0.25, 2.0]),
    st.sampled_from([1.0, 0.0, 0.25, 3.0]),
)
def test_from_svc_is_the_svc(rows, degree, classes, seed, gamma, coef0):
    X = np.array(rows)
    y = np.random.default_rng(seed).permutation(np.arange(len(rows)) % classes)
    svc = SVC(kernel="poly", degree=degree, coef0=coef0, gamma=gamma, C=0.5, decision_function_shape="ovo").fit(X, y)
    ours = from_svc(svc)
    sets = FeatureSets.from_lists([np.flatnonzero(row).tolist() for row in X])
    theirs = svc.decision_function(X)
    margins = [m.model.margins(sets) for m in ours.machines]
    for column, margin in enumerate(margins):
        expected = theirs if theirs.ndim == 1 else theirs[:, column]
        np.testing.assert_allclose(margin, expected, rtol=1e-7, atol=1e-6)
    if min(np.abs(margin).min() for margin in margins) > 1e-6 and classes == 2:
        assert ours.predict(sets) == svc.predict(X).tolist()


@pytest.mark.parametrize("options", [{"kernel": "rbf"}, {"degree": 5}, {}])
def test_other_svcs_are_refused(options):
    svc = SVC(**{"kernel": "poly", "coef0": 1, "gamma": 1, **options}).fit([[0, 1], [1 if options else 2, 0]], [0, 1])
    with pytest.raises(ValueError, match="can be taken over"):
        from_svc(svc)


def test_explanations_sum_to_the_margin(classifier):
    for row in range(len(SETS)):
        told = classifier.machines[0].explain(SETS[row])
        assert sum(weight for _, weight in told.items) == pytest.approx(told.margin, abs=1e-12)
        assert told.margin == pytest.approx(classifier.margins(SETS)[row], abs=1e-12)
        assert abs(told.dropped) < 1e-12


def test_no_support_vectors():
    empty = Classifier([Machine(2, FeatureSets.from_lists([]), np.array([]))], [-1, 1], "ovr")
    assert empty.margins(SETS).tolist() == [0.0] * 5


def test_machines_of_any_polynomial_are_stored_pruned_listed_and_explained(tmp_path):
    X = np.random.default_rng(0).integers(0, 2, (40, 6))
    svc = SVC(kernel="poly", degree=3, coef0=0.5, gamma=0.3).fit(X, X[:, 0] ^ X[:, 1])
    taken = from_svc(svc)
    sets = FeatureSets.from_lists([np.flatnonzero(row).tolist() for row in X])
    taken.save(tmp_path / "model")
    again = Classifier.load(tmp_path / "model")
    np.testing.assert_allclose(again.margins(sets), svc.decision_function(X), atol=1e-9)
    np.testing.assert_allclose(taken.shrunk(weights="float64").margins(sets), svc.decision_function(X), atol=1e-9)
    for row in sets:
        parts = taken.machines[0].explain(row)
        assert abs(sum(weight for _, weight in parts.items) - parts.margin) < 1e-9
    weights = dict(taken.machines[0].heaviest(10**6))
    every = dict(taken.machines[0].explain(np.arange(6, dtype=np.int32)).items)
    assert all(abs(weights[key] - value) < 1e-9 for key, value in every.items() if key)
    with pytest.raises(ValueError, match="expansion"):
        taken.shrunk(kind="splitting")


def test_linear_svcs_and_values_other_than_one_are_taken_over():
    X = np.random.default_rng(0).integers(0, 2, (40, 6))
    sets = FeatureSets.from_lists([np.flatnonzero(row).tolist() for row in X])
    for svc in (SVC(kernel="linear"), SVC(kernel="poly", degree=2, coef0=1, gamma="scale")):
        svc.fit(0.5 * X, X[:, 0] ^ X[:, 1])
        np.testing.assert_allclose(from_svc(svc).margins(sets), svc.decision_function(0.5 * X), atol=1e-9)
