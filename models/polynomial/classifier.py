"""A finished classifier over feature sets: binary machines, class names, and maybe a vocabulary.

A machine is a support set with its coefficients (exact; frozen in memory on first use), or a frozen model alone
(small, mapped from its file). A classifier is made by training, by `from_svc` from scikit-learn, or by `load`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import comb
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from kakari.kernels.frozen.checks import ModelError
from kakari.kernels.frozen.conjunction_mining import Conjunctions, mine, subset_weights
from kakari.kernels.frozen.explaining import Contributions, contributions
from kakari.kernels.frozen.freezing import freeze
from kakari.kernels.frozen.model import FrozenModel
from kakari.kernels.frozen.refitting import refit as refit_conjunctions
from kakari.kernels.sets.featuresets import FeatureSets
from kakari.kernels.stored import Contents
from kakari.models.files import StoredModel
from kakari.models.vocabulary import Vocabulary
from kakari.models.voting import SCHEMES, binary_problems, decide, machines_needed, multiclass_margins

Trainer = Callable[[Conjunctions], Conjunctions]
HIGHEST_DEGREE = 4


@dataclass
class Machine:
    """One binary decision: bias + Σ coefficient (constant + gamma |s & x|)**degree, exact or frozen.

    `support` and `coefficients` are None in a machine that was stored frozen. Training makes machines with gamma and
    constant 1; those of other programs may have others, and are then computed by their conjunctions.

    Examples
    --------
    >>> machine = Machine(2, FeatureSets.from_lists([[1, 2]]), np.array([1.0]), gamma=0.5, constant=0.0)
    >>> machine.model.margins(FeatureSets.from_lists([[1, 2], [1], []])).tolist()
    [1.0, 0.25, 0.0]
    """

    degree: int
    support: FeatureSets | None = None
    coefficients: NDArray[np.float64] | None = None
    bias: float = 0.0
    _frozen: list[FrozenModel] = field(default_factory=list)
    gamma: float = 1.0
    constant: float = 1.0

    @property
    def model(self) -> FrozenModel:
        """The model that computes margins: the stored frozen one, or an exact one made on first use."""
        if not self._frozen:
            self._frozen.append(self.frozen(weights="float64"))
        return self._frozen[0]

    def frozen(self, **options: Any) -> FrozenModel:
        """Freeze the support set; options as in `kakari.kernels.frozen.freezing.freeze`."""
        if self.support is None or self.coefficients is None:
            raise ModelError("this machine is frozen already; freeze the model it was made from")
        if self.gamma == self.constant:
            coefficients = self.coefficients * self.gamma**self.degree
            return freeze(self.support, coefficients, self.degree, bias=self.bias, **options)
        if options.get("kind", "expansion") != "expansion":
            raise ModelError(
                "a kernel whose gamma is not its constant is computed by its conjunctions: kind 'expansion'"
            )
        given = options.pop("refit", None)
        refit = self._weighed_anew if given is None else lambda mined: given(self._weighed_anew(mined))
        own = {**options, "kind": "expansion", "refit": refit}
        return freeze(self.support, self.coefficients, self.degree, bias=self.bias, **own)

    def _weighed_anew(self, mined: Conjunctions) -> Conjunctions:
        """Return mined conjunctions with the weights that they have under this machine's kernel.

        In a conjunction's weight the kernel is a factor that depends on its size alone.
        """
        usual = subset_weights(self.degree)
        ours = [
            sum(
                (-1) ** (size - m) * comb(size, m) * (self.constant + self.gamma * m) ** self.degree
                for m in range(size + 1)
            )
            for size in range(self.degree + 1)
        ]
        ratios = [own / one for own, one in zip(ours, usual, strict=True)]
        levels = [
            (features, weights * ratio, ends)
            for (features, weights, ends), ratio in zip(mined.levels, ratios[1:], strict=True)
        ]
        thresholds = mined.threshold_positive, mined.threshold_negative
        return Conjunctions(mined.ids, levels, mined.constant * ratios[0], *thresholds)

    def shift(self, by: int) -> None:
        """Add a number to all feature ids.

        Examples
        --------
        >>> machine = Machine(2, FeatureSets.from_lists([[1, 3]]), np.array([1.0]))
        >>> machine.shift(-1)
        >>> machine.support.tolist()
        [[0, 2]]
        """
        if self.support is None:
            raise ModelError("the features of a frozen machine cannot be numbered again")
        if self.support.ids.size and int(self.support.ids.min()) + by < 0:
            raise ModelError(f"there is a feature {int(self.support.ids.min())}: features begin at 0, not at {-by}")
        self.support = FeatureSets.from_arrays(self.support.offsets, self.support.ids + by)
        self._frozen.clear()

    def heaviest(self, most: int) -> list[tuple[tuple[int, ...], float]]:
        """Return up to `most` conjunctions with the largest weights, whatever their sign, the heaviest first.

        Examples
        --------
        >>> Machine(2, FeatureSets.from_lists([[1, 2], [1, 3]]), np.array([1.0, -0.25])).heaviest(2)
        [((2,), 3.0), ((1,), 2.25)]
        """
        if self.support is None or self.coefficients is None:
            raise ModelError("a frozen model cannot list its conjunctions: ask the model it was made from")
        found = self._weighed_anew(mine(self.support, self.coefficients, self.degree))
        return sorted(found.items(), key=lambda item: (-abs(item[1]), item[0]))[:most]

    def contents(self, owner: int | None = None) -> Contents:
        """Return the saved form of the machine; the support set may be that of an earlier one, the `owner`."""
        settings: dict[str, Any] = {"degree": self.degree, "bias": self.bias}
        if (self.gamma, self.constant) != (1.0, 1.0):
            settings |= {"gamma": self.gamma, "constant": self.constant}
        if self.support is None or self.coefficients is None:
            return Contents.joined({"frozen": self.model.contents()}, settings)
        if owner is not None:
            return Contents({"coefficients": self.coefficients}, settings | {"support_of": owner})
        return Contents({"coefficients": self.coefficients}, settings, {"support": self.support.contents()})

    @staticmethod
    def from_contents(contents: Contents, earlier: Sequence[Machine] = ()) -> Machine:
        """Rebuild a machine from its `contents()` and the machines before it, whose support set it may share."""
        degree, bias = contents.integer("degree", 1, 4), contents.number("bias")
        if contents.has_part("frozen"):
            frozen = FrozenModel.from_contents(contents.part("frozen"))
            if frozen.degree != degree:
                raise contents.refuse(f"its degree is {degree}, but that of the frozen model {frozen.degree}")
            return Machine(degree, bias=bias, _frozen=[frozen])
        if contents.has_part("support"):
            support = FeatureSets.from_contents(contents.part("support"))
        else:
            shared = earlier[contents.integer("support_of", 0, len(earlier) - 1)].support
            if shared is None:
                raise contents.refuse("the machine whose support set it shares has none")
            support = shared
        coefficients = contents.array("coefficients", np.float64, shape=(len(support),))
        gamma = contents.number("gamma") if "gamma" in contents.settings else 1.0
        constant = contents.number("constant") if "constant" in contents.settings else 1.0
        return Machine(degree, support, coefficients, bias, gamma=gamma, constant=constant)

    def explain(self, ids: NDArray[np.int32]) -> Contributions:
        """Return the conjunctions of an example that add up to its margin."""
        exact = None
        if self.support is not None and self.coefficients is not None and self.gamma == self.constant:
            exact = (self.support, self.coefficients * self.gamma**self.degree, self.bias)
        return contributions(self.model, ids, support=exact)


@dataclass(frozen=True)
class Refit:
    """Settings for refitting a pruned model: examples with the numbers of their classes, cost, passes."""

    sets: FeatureSets
    numbers: NDArray[np.int64]
    cost: float
    passes: int = 10


@dataclass
class Classifier(StoredModel):
    """Binary machines for two classes (one), each class ("ovr", "direct") or all pairs ("ovo").

    The machines of a direct model share one support set, which is stored once.

    Examples
    --------
    >>> sets = FeatureSets.from_lists([[1], [2]])
    >>> machine = Machine(2, sets, np.array([1.0, -1.0]))
    >>> classifier = Classifier([machine], ["no", "yes"], "ovr")
    >>> classifier.predict(sets), classifier.margins(sets).tolist()
    (['yes', 'no'], [3.0, -3.0])
    """

    task: ClassVar[str] = "classify"
    machines: list[Machine]
    classes: list[Any]
    scheme: str
    vocabulary: Vocabulary | None = None
    information: dict[str, Any] = field(default_factory=dict)

    def margins(self, sets: FeatureSets, *, threads: int = 1) -> NDArray[np.float64]:
        """Return the margins: one a row for two classes, else one a row and class."""
        each = [machine.model.margins(sets, threads=threads) for machine in self.machines]
        return multiclass_margins(each, len(self.classes), self.scheme)

    def predict(self, sets: FeatureSets, *, threads: int = 1) -> list[Any]:
        """Return the class of each set."""
        return [self.classes[number] for number in decide(self.margins(sets, threads=threads))]

    def shrunk(self, *, refit: Refit | None = None, **options: Any) -> Classifier:
        """Return the same classifier with frozen machines only; options as in `freeze`."""
        told = {key: value for key, value in options.items() if value is not None}
        trainers: list[Trainer | None] = [None] * len(self.machines)
        if refit is not None:
            trainers = list(self._trainers(refit))
            told["refit"] = {"cost": refit.cost, "passes": refit.passes, "examples": len(refit.sets)}
        machines = [
            Machine(machine.degree, bias=machine.bias, _frozen=[machine.frozen(refit=trainer, **options)])
            for machine, trainer in zip(self.machines, trainers, strict=True)
        ]
        return Classifier(machines, self.classes, self.scheme, self.vocabulary, {**self.information, "frozen": told})

    def _trainers(self, refit: Refit) -> Iterator[Trainer]:
        for rows, signs in binary_problems(refit.numbers, len(self.classes), self.scheme):
            sets = refit.sets if rows is None else refit.sets.take(rows)
            yield partial(refit_conjunctions, sets=sets, labels=signs, cost=refit.cost, passes=refit.passes)

    def contents(self) -> Contents:
        """Return the saved form of the classifier."""
        parts: dict[str, Contents] = {}
        owners: dict[int, int] = {}  # of each support set, the first machine that has it
        for number, machine in enumerate(self.machines):
            owner = owners.setdefault(id(machine.support), number)
            parts[str(number)] = machine.contents(None if machine.support is None or owner == number else owner)
        if self.vocabulary is not None:
            parts["vocabulary"] = self.vocabulary.contents()
        settings = {"classes": self.classes, "scheme": self.scheme, "information": self.information}
        return Contents.joined(parts, settings)

    @classmethod
    def from_contents(cls, contents: Contents) -> Classifier:
        """Rebuild a classifier from its `contents()`."""
        classes, scheme = contents.scalars("classes"), contents.choice("scheme", SCHEMES)
        machines: list[Machine] = []
        for stored in contents.numbered_parts():
            machines.append(Machine.from_contents(stored, machines))
        if len(classes) < 2 or len(machines) != machines_needed(len(classes), scheme):
            raise contents.refuse(f"there are {len(machines)} machines for {len(classes)} classes")
        if len({machine.degree for machine in machines}) > 1:
            raise contents.refuse("the machines are of several degrees")
        vocabulary = None
        if contents.has_part("vocabulary"):
            vocabulary = Vocabulary.from_contents(contents.part("vocabulary"))
        return Classifier(machines, classes, scheme, vocabulary, contents.table("information"))


def from_svc(svc: Any) -> Classifier:
    """Convert a scikit-learn `SVC` with a polynomial or linear kernel that was trained on binary features.

    Any gamma and coef0 and a degree up to 4 will do, and features may have any single value besides 0. The features of
    the classifier are the columns of X, from 0 on. `load_svmlight_file` counts from 0 where the file counts from 1;
    `kakari predict` takes care of that (with `--first-id`).

    Examples
    --------
    >>> from sklearn.svm import SVC
    >>> X = [[1, 1], [1, 0], [0, 1], [0, 0]]
    >>> svc = SVC(kernel="poly", degree=2, coef0=0.5, gamma=2, C=100).fit(X, [1, 0, 0, 1])
    >>> from_svc(svc).predict(FeatureSets.from_lists([[0, 1], [0], [1], []]))
    [1, 0, 0, 1]
    """
    if svc.kernel not in ("poly", "linear"):
        raise ValueError(
            f"only SVC(kernel='poly') and SVC(kernel='linear') can be taken over; this one has {svc.kernel!r}"
        )
    linear = svc.kernel == "linear"
    degree = 1 if linear else int(svc.degree)
    if not 1 <= degree <= HIGHEST_DEGREE:
        raise ValueError(f"only degrees up to {HIGHEST_DEGREE} can be taken over; this one has {degree}")
    from scipy import sparse  # slow to import, and few need this

    rows = sparse.csr_array(svc.support_vectors_)
    rows.eliminate_zeros()
    value = float(rows.data[0]) if rows.data.size else 1.0
    if (rows.data != value).any():
        raise ValueError("only an SVC over binary features can be taken over; this one has several values besides 0")
    support = FeatureSets.from_arrays(rows.indptr, rows.indices)
    classes = [label.item() if hasattr(label, "item") else label for label in svc.classes_]
    dual = svc.dual_coef_.toarray() if hasattr(svc.dual_coef_, "toarray") else np.asarray(svc.dual_coef_)
    gamma = value**2 * (1.0 if linear else float(getattr(svc, "_gamma", svc.gamma)))
    constant = 0.0 if linear else float(svc.coef0)
    machines = [
        Machine(degree, support.take(chosen), coefficients, float(bias), gamma=gamma, constant=constant)
        for (chosen, coefficients), bias in zip(_pairs(dual, svc.n_support_), svc.intercept_, strict=True)
    ]
    told = {"source": "sklearn.svm.SVC", "columns": int(rows.shape[1])}
    return Classifier(machines, classes, "ovo", information=told)


def _pairs(dual: NDArray[np.float64], sizes: Any) -> Iterable[tuple[NDArray[np.int64], NDArray[np.float64]]]:
    """Yield rows and coefficients of each pair of classes, as libsvm lays them out."""
    starts = np.concatenate([[0], np.cumsum(sizes)])
    if len(sizes) == 2:
        yield np.arange(starts[-1]), dual[0]
        return
    for i in range(len(sizes)):
        for j in range(i + 1, len(sizes)):
            first, second = np.arange(starts[i], starts[i + 1]), np.arange(starts[j], starts[j + 1])
            yield np.concatenate([first, second]), np.concatenate([dual[j - 1, first], dual[i, second]])
