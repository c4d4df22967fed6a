"""Probabilities: as scikit-learn's sigmoid calibration, the same from Python, files and the command line."""

import numpy as np
import pytest
from budgets import examples
from command_line import run_here
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression

from kakari import PolynomialClassifier
from kakari.models.calibration import sigmoid


@settings(max_examples=examples(30))
@given(st.integers(0, 10_000), st.floats(0.1, 5))
def test_a_sigmoid_is_the_likeliest(seed, noise):
    """The definition: logistic regression on Platt's targets, here as weighted examples of both classes."""
    random = np.random.default_rng(seed)
    margins = random.standard_normal(60) * 3
    positive = margins + noise * random.standard_normal(60) > 0
    if positive.all() or not positive.any():
        return
    slope, offset = sigmoid(margins, positive)
    right = positive.sum()
    target = np.where(positive, (right + 1) / (right + 2), 1 / (60 - right + 2))
    twice = np.concatenate([margins, margins])[:, None]
    truth, weights = np.repeat([1, 0], 60), np.concatenate([target, 1 - target])
    exact = LogisticRegression(C=np.inf, tol=1e-10, max_iter=10_000).fit(twice, truth, sample_weight=weights)
    ours = 1 / (1 + np.exp(-slope * margins - offset))
    assert np.allclose(ours, exact.predict_proba(margins[:, None])[:, 1], atol=1e-3)


@pytest.mark.parametrize("classes", [2, 3])
def test_probabilities_are_kept_by_files_and_pickles(classes, tmp_path):
    random = np.random.default_rng(0)
    X = random.integers(0, 2, (200, 8))
    y = np.where(random.random(200) < 0.8, X[:, 0] + (X[:, 1] if classes == 3 else 0), 0)
    model = PolynomialClassifier(probability=True, n_jobs=2).fit(X, y)
    chances = model.predict_proba(X)
    assert chances.shape == (200, classes)
    assert np.allclose(chances.sum(axis=1), 1)
    assert (chances.argmax(axis=1) == y).mean() > 0.7
    model.save(tmp_path / "model")
    assert np.allclose(PolynomialClassifier.load(tmp_path / "model").predict_proba(X), chances)
    alone = PolynomialClassifier().fit(X, y)
    assert np.array_equal(alone.decision_function(X), model.decision_function(X))  # whatever the number of threads
    with pytest.raises(AttributeError, match="predict_proba"):
        alone.predict_proba(X)


def test_the_command_line_prints_probabilities(tmp_path):
    (tmp_path / "data").write_text("+1 1:1 2:1\n-1 1:1\n-1 2:1\n+1 3:1\n" * 10)
    for options, code in (([], 1), (["--probability"], 0)):
        run_here("train", "classify", f"{tmp_path}/data", "-o", f"{tmp_path}/model", "--step", "kernel", *options)
        done = run_here("predict", f"{tmp_path}/model", f"{tmp_path}/data", "--output", "probabilities", "--header")
        assert done.returncode == code, done.stderr
    header, first, second, *_ = done.stdout.splitlines()
    assert header == "-1\t1"
    assert float(first.split("\t")[1]) > 0.5 > float(second.split("\t")[1])
