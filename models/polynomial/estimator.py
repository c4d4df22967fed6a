"""Classifiers with a polynomial kernel over binary features, with scikit-learn's interface.

An example is the set of its features that are 1; the kernel is `(1 + |s & x|)**degree`, so the model weighs every
conjunction of up to `degree` features. Training is online (perceptron, passive-aggressive) and runs in the engine;
`freeze` turns the result into something smaller and faster for prediction.
"""

from __future__ import annotations

import numbers
import os
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils import check_array, check_random_state
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from kakari.kernels.frozen.model import FrozenModel
from kakari.kernels.learning.binary_learner import KernelLearner
from kakari.kernels.learning.multiclass import MulticlassLearner
from kakari.kernels.sets.featuresets import FeatureSets
from kakari.models.calibration import fitted_sigmoids, held_out_margins, probabilities
from kakari.models.polynomial.classifier import Classifier, Machine
from kakari.models.polynomial.defaults import DEGREE, PASSES, STEP, default_cost
from kakari.models.polynomial.matrices import to_sets
from kakari.models.polynomial.multiclass import expansions, is_direct
from kakari.models.voting import binary_problems, decide, multiclass_margins

Weights = NDArray[np.float64]


class PolynomialClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Online classifier with a polynomial kernel over binary features.

    Parameters
    ----------
    degree : int
        Degree of the kernel, 1 to 4: the most features in a conjunction that has a weight.
    learner : {"pa1", "pa2", "pa", "perceptron"}
        The update rule.
    cost : float or None
        The aggressiveness C of pa1 and pa2; None: a default for `step` and `degree` (models/polynomial/defaults.py).
    step : {"features", "kernel"}
        What a step is divided by: the number of features of x, or k(x, x).
    passes : int
        Passes over the training data.
    averaged : bool
        Average the model over all visits, instead of taking the last one.
    average_after : int
        Leave the models of the first `average_after` passes out of the average: with small steps, they are still poor.
    shuffle : bool
        Visit the examples in a new random order each pass, from `random_state`.
    random_state : int, RandomState or None
        Random seed; None draws a new one for every fit.
    multiclass : {"ovr", "ovo", "direct"}
        For three and more classes: each against the rest, votes over all pairs, or one learner that sets the
        right class apart from the strongest wrong one (`kakari.kernels.learning.multiclass.MulticlassLearner`).
    method, common, memory_limit
        How margins are computed in training; see `kakari.kernels.learning.binary_learner.KernelLearner`. They change
        time and memory, not the model. "direct" knows the method "slicing" only.
    class_weight : dict, "balanced" or None
        Weights of the classes.
    probability : bool
        Whether `fit` also learns probabilities (`predict_proba`), from margins of five folds: six times as long.
    n_jobs : int or None
        Threads that train the machines of "ovr" and "ovo", -1 for one a processor; the model is the same.
    binarize : float or None
        Values above it count as 1, the others as 0. None refuses values other than 0 and 1.

    Attributes
    ----------
    classes_ : array
    n_features_in_ : int
    learners_ : list of KernelLearner or MulticlassLearner
        One for two classes, one a class for "ovr", one a pair for "ovo"; for "direct" a MulticlassLearner.

    Examples
    --------
    >>> X = [[1, 1, 0], [1, 0, 0], [0, 1, 0], [0, 0, 0]]
    >>> y = ["same", "differ", "differ", "same"]
    >>> PolynomialClassifier(degree=2, step="kernel").fit(X, y).predict(X).tolist()
    ['same', 'differ', 'differ', 'same']
    """

    def __init__(
        self,
        degree: int = DEGREE,
        *,
        learner: str = "pa1",
        cost: float | None = None,
        step: str = STEP,
        passes: int = PASSES,
        averaged: bool = True,
        average_after: int = 0,
        shuffle: bool = True,
        random_state: int | np.random.RandomState | None = 0,
        multiclass: str = "ovr",
        method: str = "slicing",
        common: int | str = "auto",
        memory_limit: int | None = None,
        class_weight: Mapping[Any, float] | str | None = None,
        binarize: float | None = None,
        probability: bool = False,
        n_jobs: int | None = None,
    ) -> None:
        self.degree = degree
        self.learner = learner
        self.cost = cost
        self.step = step
        self.passes = passes
        self.averaged = averaged
        self.average_after = average_after
        self.shuffle = shuffle
        self.random_state = random_state
        self.multiclass = multiclass
        self.method = method
        self.common = common
        self.memory_limit = memory_limit
        self.class_weight = class_weight
        self.binarize = binarize
        self.probability = probability
        self.n_jobs = n_jobs

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.classifier_tags.poor_score = True  # on the checks' real-valued blobs, reduced to one bit a feature
        return tags

    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> PolynomialClassifier:
        """Train a new model.

        Parameters
        ----------
        X : array, sparse matrix or FeatureSets
        y : array of labels
        sample_weight : array of float, optional
            Scales the cost of each example (a perceptron's update).
        """
        sets, labels = self._examples(X, y)
        self.classes_ = np.unique(labels)
        self._sigmoids: Weights | None = None
        self._train(sets, labels, sample_weight, self.passes, fresh=True)
        if self.probability:
            self._calibrate(sets, labels, sample_weight)
        return self

    def _calibrate(self, sets: FeatureSets, labels: NDArray[Any], sample_weight: ArrayLike | None) -> None:
        weights = None if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)

        def train(learnt: NDArray[np.int64]) -> Any:
            own = clone(self).set_params(probability=False)
            own.fit(sets.take(learnt), labels[learnt], None if weights is None else weights[learnt])
            return lambda held_out: own.decision_function(sets.take(held_out))

        margins = held_out_margins(labels, train)
        self._sigmoids = fitted_sigmoids(margins, np.searchsorted(self.classes_, labels))

    def partial_fit(
        self,
        X: Any,
        y: ArrayLike,
        classes: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> PolynomialClassifier:
        """Continue training with more examples, in one pass; the first call must name all classes if `y` lacks some."""
        if getattr(self, "_loaded", None) is not None:
            raise ValueError("a model from a file or from another program cannot learn on: fit a new one")
        fresh = not hasattr(self, "learners_")
        sets, labels = self._examples(X, y, reset=fresh)
        if fresh:
            self.classes_ = np.unique(labels if classes is None else np.asarray(classes))
        elif classes is not None and not np.array_equal(np.unique(np.asarray(classes)), self.classes_):
            raise ValueError(f"classes={classes!r} are not those of the first call")
        unknown = np.setdiff1d(labels, self.classes_)
        if unknown.size:
            raise ValueError(f"y has the label {unknown[0]!r}, which is none of the classes")
        return self._train(sets, labels, sample_weight, 1, fresh=fresh)

    def decision_function(self, X: Any) -> Weights:
        """Return the margins: one a row for two classes, one a row and class else."""
        check_is_fitted(self)
        sets = self._sets(X, reset=False)
        return multiclass_margins([model.margins(sets) for model in self._exact()], self.classes_.size, self.multiclass)

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class of each row."""
        check_is_fitted(self)
        return self.classes_[decide(self.decision_function(X))]

    @available_if(lambda self: self.probability or getattr(self, "_sigmoids", None) is not None)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> Weights:
        """Return the probability of each class for each row, if the model was fitted with `probability=True`.

        Examples
        --------
        >>> X, y = [[1, 0], [0, 1]] * 10, ["left", "right"] * 10
        >>> PolynomialClassifier(probability=True).fit(X, y).predict_proba([[1, 0]])[0].argmax()
        np.int64(0)
        """
        check_is_fitted(self)
        sigmoids: Weights | None = getattr(self, "_sigmoids", None)
        if sigmoids is None:
            raise AttributeError("this model has no probabilities: fit with probability=True")
        return probabilities(self.decision_function(X), sigmoids)

    def freeze(self, **options: Any) -> list[FrozenModel]:
        """Return the binary models of this classifier, frozen; options as in `kakari.kernels.frozen.freezing.freeze`.

        Examples
        --------
        >>> classifier = PolynomialClassifier(passes=5).fit([[1, 0], [0, 1]], [0, 1])
        >>> [model] = classifier.freeze(kind="expansion", weights="int8")
        >>> model.settings["weights"]
        'int8'
        """
        return [machine.frozen(**options) for machine in self.finished().machines]

    def finished(self) -> Classifier:
        """Return the binary machines with their support sets, as a model that predicts, explains and can be saved."""
        check_is_fitted(self)
        if self._loaded is not None:
            return self._loaded
        pairs = [
            pair
            for learner in self.learners_
            for pair in expansions(learner, averaged=self.averaged, after=self.average_after)
        ]
        classes = [label.item() if hasattr(label, "item") else label for label in self.classes_]
        information: dict[str, Any] = {"columns": int(self.n_features_in_)}
        sigmoids: Weights | None = getattr(self, "_sigmoids", None)
        if sigmoids is not None:
            information["sigmoids"] = sigmoids.tolist()
        machines = [Machine(self.degree, support, coefficients) for support, coefficients in pairs]
        return Classifier(machines, classes, self.multiclass, information=information)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model to a file, as `kakari train classify` does; the command line and `load` read it."""
        self.finished().save(path)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> PolynomialClassifier:
        """Read a model from a file of `save`, `kakari train classify` or `kakari freeze`."""
        return cls.from_classifier(Classifier.load(path))

    @classmethod
    def from_classifier(cls, classifier: Classifier) -> PolynomialClassifier:
        """Return an estimator that predicts like a finished classifier (of `from_svc`, say); it cannot learn more.

        Examples
        --------
        >>> from sklearn.svm import SVC
        >>> from kakari.models.polynomial.classifier import from_svc
        >>> X = np.array([[1, 1], [1, 0], [0, 1], [0, 0]])
        >>> svc = SVC(kernel="poly", degree=2, coef0=1, gamma=1, C=100).fit(X, [1, 0, 0, 1])
        >>> PolynomialClassifier.from_classifier(from_svc(svc)).predict(X).tolist()
        [1, 0, 0, 1]
        """
        made = cls(classifier.machines[0].degree, multiclass=classifier.scheme)
        made.classes_ = np.array(classifier.classes)
        columns = classifier.information.get("columns")
        if isinstance(columns, int):
            made.n_features_in_ = columns
        sigmoids = classifier.information.get("sigmoids")
        made._sigmoids = None if sigmoids is None else np.array(sigmoids, dtype=np.float64)
        made.binarize = classifier.information.get("binarize")
        made._loaded, made._frozen = classifier, [machine.model for machine in classifier.machines]
        return made

    def _exact(self) -> list[FrozenModel]:
        if not self._frozen:  # of a pickle, which holds none; in place: predicting leaves the attributes as they are
            self._frozen.extend(self.freeze(weights="float64"))
        return self._frozen

    def _examples(self, X: Any, y: ArrayLike, *, reset: bool = True) -> tuple[FeatureSets, NDArray[Any]]:
        if isinstance(X, FeatureSets):
            labels = np.asarray(y)
            if labels.shape != (len(X),):
                raise ValueError(f"there are {len(X)} examples, but labels of shape {labels.shape}")
            sets = self._sets(X, reset=reset)
        else:
            X, labels = validate_data(self, X, y, accept_sparse="csr", reset=reset)
            sets = to_sets(X, self.binarize)
        check_classification_targets(labels)
        return sets, labels

    def _sets(self, X: Any, *, reset: bool) -> FeatureSets:
        if isinstance(X, FeatureSets):
            if reset:
                self.n_features_in_ = int(X.ids.max()) + 1 if X.ids.size else 0
            return X
        return to_sets(validate_data(self, X, accept_sparse="csr", reset=reset), self.binarize)

    def _train(
        self,
        sets: FeatureSets,
        labels: NDArray[Any],
        sample_weight: ArrayLike | None,
        passes: int,
        *,
        fresh: bool,
    ) -> PolynomialClassifier:
        if self.classes_.size < 2:
            raise ValueError(f"there is only 1 class in y, {self.classes_[0]!r}; a classifier needs two")
        weights = example_weights(labels, self.classes_, sample_weight, self.class_weight)
        numbers = np.searchsorted(self.classes_, labels)
        if self._is_direct():
            if fresh:
                self.learners_: list[Any] = [MulticlassLearner(self.classes_.size, **self._options())]
            self.learners_[0].partial_fit(sets, numbers, passes=passes, weights=weights)
        else:
            problems = binary_problems(numbers, self.classes_.size, self.multiclass)
            if fresh:
                self.learners_ = [KernelLearner(method=self.method, **self._options()) for _ in problems]

            def learn(learner: Any, rows: Any, signs: NDArray[Any]) -> None:
                own = weights if rows is None or weights is None else weights[rows]
                learner.partial_fit(sets if rows is None else sets.take(rows), signs, passes=passes, weights=own)

            pairs = zip(self.learners_, problems, strict=True)
            with ThreadPoolExecutor(thread_count(self.n_jobs)) as threads:
                list(threads.map(lambda pair: learn(pair[0], *pair[1]), pairs))
        self._loaded: Classifier | None = None
        self._frozen: list[FrozenModel] = []
        if fresh:  # freeze now, so that the first prediction is fast; not after each part of a stream
            self._exact()
        self.n_iter_ = max((len(learner.mistakes) for learner in self.learners_), default=0)
        return self

    def _is_direct(self) -> bool:
        return is_direct(self.classes_.size, self.multiclass, self.method)

    def _options(self) -> dict[str, Any]:
        return {
            "degree": self.degree,
            "learner": self.learner,
            "cost": default_cost(self.step, self.degree) if self.cost is None else self.cost,
            "step": self.step,
            "common": self.common,
            "memory_limit": self.memory_limit,
            "seed": seed_of(self.random_state) if self.shuffle else None,
        }

    def __getstate__(self) -> dict[str, Any]:
        state = dict(super().__getstate__())
        state.pop("_frozen", None)
        if state.get("_loaded") is not None:
            state["_loaded"] = state["_loaded"].contents()
        if "learners_" in state:
            state["learners_"] = [learner.contents() for learner in state["learners_"]]
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        if state.get("_loaded") is not None:
            self._loaded = Classifier.from_contents(state["_loaded"])
            self._frozen = [machine.model for machine in self._loaded.machines]
        if hasattr(self, "learners_"):
            kind = MulticlassLearner if self._is_direct() else KernelLearner
            self.learners_ = [kind.from_contents(learner) for learner in self.learners_]
            self._frozen = []


def thread_count(n_jobs: int | None) -> int:
    """Return how many threads scikit-learn's `n_jobs` means.

    Examples
    --------
    >>> thread_count(None), thread_count(3), thread_count(-1) >= 1
    (1, 3, True)
    """
    if n_jobs is None:
        return 1
    if n_jobs == 0:
        raise ValueError("n_jobs is a number of threads, or -1 for one a processor, not 0")
    return n_jobs if n_jobs > 0 else max(1, (os.cpu_count() or 1) + 1 + n_jobs)


def seed_of(random_state: int | np.random.RandomState | None) -> int:
    """Return a seed for the engine, as scikit-learn's `random_state` says.

    Examples
    --------
    >>> seed_of(7), seed_of(np.random.RandomState(1)) == seed_of(np.random.RandomState(1))
    (7, True)
    """
    if isinstance(random_state, numbers.Integral):
        return int(random_state)
    return int(check_random_state(random_state).randint(2**31 - 1))


def example_weights(
    labels: NDArray[Any],
    classes: NDArray[Any],
    sample_weight: ArrayLike | None,
    class_weight: Mapping[Any, float] | str | None,
) -> Weights | None:
    """Multiply the weights of examples and classes; None if all are 1."""
    if sample_weight is None and class_weight is None:
        return None
    weights = np.ones(labels.size)
    if sample_weight is not None:
        given = check_array(np.asarray(sample_weight, dtype=np.float64), ensure_2d=False, ensure_min_samples=0)
        if given.shape != (labels.size,):
            raise ValueError(f"sample_weight has shape {given.shape}, not ({labels.size},)")
        if labels.size and not given.any():
            raise ValueError("all weights in sample_weight are zero")
        weights *= given
    if class_weight is not None:
        from sklearn.utils.class_weight import compute_class_weight

        present = np.unique(labels)
        table = dict(zip(present, compute_class_weight(class_weight, classes=present, y=labels), strict=True))
        weights *= np.array([table[label] for label in labels])
    return weights
