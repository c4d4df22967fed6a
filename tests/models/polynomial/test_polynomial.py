"""The estimator: scikit-learn's contract, and its margins against the definition."""

import pickle

import numpy as np
import pytest
from budgets import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.utils.estimator_checks import parametrize_with_checks

from kakari.kernels.sets.featuresets import FeatureSetError, FeatureSets
from kakari.models.polynomial.estimator import PolynomialClassifier

NOT_REPEATS = "a weight scales the step of an online learner; it does not repeat the visit"


@parametrize_with_checks(
    [
        PolynomialClassifier(binarize=0.0),
        PolynomialClassifier(binarize=0.0, multiclass="ovo", learner="perceptron"),
        PolynomialClassifier(binarize=0.0, multiclass="direct"),
    ],
    expected_failed_checks=lambda _: {
        "check_sample_weight_equivalence_on_dense_data": NOT_REPEATS,
        "check_sample_weight_equivalence_on_sparse_data": NOT_REPEATS,
    },
)
def test_scikit_learn_contract(estimator, check):
    check(estimator)


def data(rows=60, columns=12, classes=2, seed=0):
    random = np.random.default_rng(seed)
    X = random.random((rows, columns)) < 0.4
    y = (X[:, 0] ^ X[:, 1]).astype(int) + (classes > 2) * X[:, 2].astype(int)
    return X.astype(float), y


def definition(classifier, learner, X, column=0):
    """Σ α (1 + |s ∩ x|)^d, written out."""
    coefficients = np.atleast_2d(learner.coefficients(averaged=classifier.averaged, after=classifier.average_after).T)[
        column
    ]
    support = [set(row) for row in learner.support().tolist()]
    return [
        sum(a * (1 + len(s & set(np.flatnonzero(x)))) ** classifier.degree for a, s in zip(coefficients, support))
        for x in X
    ]


@settings(max_examples=examples(25))
@given(st.integers(1, 4), st.sampled_from(["pa1", "pa2", "pa", "perceptron"]), st.booleans(), st.integers(0, 99))
def test_margins_are_the_definition(degree, learner, averaged, seed):
    X, y = data(seed=seed)
    classifier = PolynomialClassifier(degree, learner=learner, averaged=averaged, average_after=seed % 3, passes=2)
    classifier.fit(X, y)
    expected = definition(classifier, classifier.learners_[0], X)
    np.testing.assert_allclose(classifier.decision_function(X), expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("multiclass", ["ovr", "ovo", "direct"])
def test_three_classes(multiclass):
    X, y = data(classes=3, rows=200)
    classifier = PolynomialClassifier(3, step="kernel", multiclass=multiclass, passes=30).fit(X, y)
    assert classifier.score(X, y) == 1.0
    assert classifier.decision_function(X).shape == (200, 3)
    if multiclass == "ovr":
        expected = np.column_stack([definition(classifier, learner, X) for learner in classifier.learners_])
        np.testing.assert_allclose(classifier.decision_function(X), expected, rtol=1e-9, atol=1e-9)
    if multiclass == "direct":
        (learner,) = classifier.learners_
        expected = np.column_stack([definition(classifier, learner, X, column) for column in range(3)])
        np.testing.assert_allclose(classifier.decision_function(X), expected, rtol=1e-9, atol=1e-9)


def test_direct_is_for_three_classes_and_one_method():
    X, y = data()
    direct, binary = (PolynomialClassifier(3, multiclass=scheme).fit(X, y) for scheme in ("direct", "ovr"))
    np.testing.assert_array_equal(direct.decision_function(X), binary.decision_function(X))
    X, y = data(classes=3)
    with pytest.raises(ValueError, match="'slicing' only, not by 'naive'"):
        PolynomialClassifier(multiclass="direct", method="naive").fit(X, y)
    with pytest.raises(ValueError, match="multiclass is one of ovr, ovo, direct, not 'all'"):
        PolynomialClassifier(multiclass="all").fit(X, y)


def test_inputs_agree():
    X, y = data()
    sets = FeatureSets.from_sparse(sparse.csr_array(X))
    dense = PolynomialClassifier(3).fit(X, y)
    for other in (sparse.csr_array(X), sparse.csc_matrix(X), X.astype(bool), X.tolist()):
        np.testing.assert_array_equal(
            PolynomialClassifier(3).fit(other, y).decision_function(other), dense.decision_function(X)
        )
    np.testing.assert_array_equal(
        PolynomialClassifier(3).fit(sets, y).decision_function(sets), dense.decision_function(X)
    )


def test_values_are_refused_with_their_place_unless_binarised():
    X, y = data()
    X[3, 5] = 0.5
    with pytest.raises(FeatureSetError, match=r"row 3, column 5: the value 0\.5"):
        PolynomialClassifier().fit(X, y)
    PolynomialClassifier(binarize=0.4).fit(X, y)


def test_one_class():
    with pytest.raises(ValueError, match="1 class"):
        PolynomialClassifier().fit([[1, 0], [0, 1]], [7, 7])


@pytest.mark.parametrize("multiclass", ["ovr", "direct"])
def test_partial_fit_goes_on_with_three_classes(multiclass):
    X, y = data(classes=3)
    whole = PolynomialClassifier(2, multiclass=multiclass, passes=2, shuffle=False).fit(X, y)
    parts = PolynomialClassifier(2, multiclass=multiclass, shuffle=False)
    for _ in range(2):
        parts.partial_fit(X, y, classes=[0, 1, 2])
    np.testing.assert_allclose(parts.decision_function(X), whole.decision_function(X), rtol=1e-9, atol=1e-12)


def test_partial_fit_goes_on():
    X, y = data()
    whole = PolynomialClassifier(2, passes=2, shuffle=False).fit(X, y)
    parts = PolynomialClassifier(2, shuffle=False)
    for _ in range(2):
        parts.partial_fit(X, y, classes=[0, 1])
    np.testing.assert_allclose(parts.decision_function(X), whole.decision_function(X), rtol=1e-12)
    with pytest.raises(ValueError, match="none of the classes"):
        parts.partial_fit(X, y + 5)
    with pytest.raises(ValueError, match="first call"):
        parts.partial_fit(X, y, classes=[0, 1, 2])


def test_weights():
    X, y = data()
    heavy = PolynomialClassifier(2, cost=0.01, step="features", class_weight={0: 1.0, 1: 50.0}).fit(X, y)
    same = PolynomialClassifier(2, cost=0.01, step="features").fit(X, y, sample_weight=np.where(y == 1, 50.0, 1.0))
    np.testing.assert_array_equal(heavy.decision_function(X), same.decision_function(X))
    plain = PolynomialClassifier(2, cost=0.01, step="features").fit(X, y)
    assert heavy.predict(X).sum() > plain.predict(X).sum() or heavy.predict(X).all()
    with pytest.raises(ValueError, match="sample_weight"):
        plain.fit(X, y, sample_weight=[1.0])


@pytest.mark.parametrize("multiclass", ["ovr", "ovo", "direct"])
def test_pickling_and_cloning(multiclass):
    X, y = data(classes=3)
    classifier = PolynomialClassifier(3, multiclass=multiclass).fit(X, y)
    again = pickle.loads(pickle.dumps(classifier))
    np.testing.assert_array_equal(again.decision_function(X), classifier.decision_function(X))
    again.partial_fit(X, y)
    assert clone(classifier).get_params() == classifier.get_params()


def test_grid_search_and_pipelines():
    X, y = data(rows=90)
    search = GridSearchCV(PolynomialClassifier(cost=0.1), {"degree": [1, 2]}, cv=3).fit(X, y)
    assert search.best_params_ == {"degree": 2}
    words = np.array([["a", "x"], ["a", "y"], ["b", "x"], ["b", "y"]])
    pipeline = make_pipeline(OneHotEncoder(), PolynomialClassifier(2, passes=30))
    assert pipeline.fit(words, [0, 1, 1, 0]).predict(words).tolist() == [0, 1, 1, 0]


@pytest.mark.parametrize("options", [{}, {"kind": "expansion"}, {"kind": "inverted"}])
def test_freezing_keeps_the_margins(options):
    X, y = data()
    classifier = PolynomialClassifier(3).fit(X, y)
    (frozen,) = classifier.freeze(weights="float64", **options)
    sets = FeatureSets.from_sparse(sparse.csr_array(X))
    np.testing.assert_allclose(frozen.margins(sets), classifier.decision_function(X), rtol=1e-9, atol=1e-9)


def test_random_state_is_that_of_scikit_learn():
    X, y = data(rows=200)
    fitted = [PolynomialClassifier(random_state=state).fit(X, y) for state in (7, 7, np.random.RandomState(1), None)]
    assert fitted[0].decision_function(X).tobytes() == fitted[1].decision_function(X).tobytes()
    assert fitted[2].predict(X).shape == fitted[3].predict(X).shape


def test_a_value_that_is_no_bit_names_the_way_out():
    with pytest.raises(FeatureSetError, match=r"binarize=0\.0"):
        PolynomialClassifier().fit([[0.5, 1.0], [1.0, 0.0]], [0, 1])


def test_models_are_ready_when_fit_ends(monkeypatch):
    X, y = data()
    classifier = PolynomialClassifier().fit(X, y)
    monkeypatch.setattr(PolynomialClassifier, "freeze", None)
    assert classifier.predict(X).shape == y.shape


@pytest.mark.parametrize("multiclass", ["ovr", "ovo", "direct"])
def test_saved_models_decide_alike(tmp_path, multiclass):
    X, y = data(classes=3, rows=100)
    names = np.array(["a", "b", "c"])[y]
    classifier = PolynomialClassifier(multiclass=multiclass).fit(X, names)
    classifier.save(tmp_path / "model")
    loaded = PolynomialClassifier.load(tmp_path / "model")
    for again in (loaded, pickle.loads(pickle.dumps(loaded))):
        assert again.decision_function(X).tobytes() == classifier.decision_function(X).tobytes()
        assert again.predict(X).tolist() == classifier.predict(X).tolist()
    with pytest.raises(ValueError, match="cannot learn on"):
        loaded.partial_fit(X, names)
    with pytest.raises(ValueError, match="11 features"):
        loaded.predict(X[:, :11])


def test_the_first_prediction_need_not_freeze(monkeypatch):
    """Point 8 of "the engine in other people's hands": that took 7 s after a million examples."""
    X, y = np.eye(4), [0, 1, 0, 1]
    classifier = PolynomialClassifier().fit(X, y)
    monkeypatch.setattr(PolynomialClassifier, "freeze", None)
    assert classifier.predict(X).shape == (4,)


def test_several_labels_an_example_by_one_against_the_rest():
    X, _ = data(rows=200, columns=10)
    labels = np.column_stack([X[:, 0], X[:, 1] * X[:, 2], 1 - X[:, 3]]).astype(int)  # an example has 0 to 3 of them
    several = OneVsRestClassifier(PolynomialClassifier(step="kernel")).fit(sparse.csr_array(X), labels)
    assert several.multilabel_
    alone = [PolynomialClassifier(step="kernel").fit(X, labels[:, column]) for column in range(3)]
    assert several.predict(X).tolist() == np.column_stack([one.predict(X) for one in alone]).tolist()
    assert (several.predict(X) == labels).mean() > 0.95
    margins = np.column_stack([one.decision_function(X) for one in alone])
    assert (several.decision_function(X) == margins).all()
