"""Base of all kernels: options by name, sums and products, as in `TreeKernel("stk") + 0.5 * VectorKernel("rbf")`."""

from __future__ import annotations

import inspect
import math
import numbers
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from kakari.kernels.stored import Contents

PARTS = {"trees": 0, "vectors": 1}  # of an example that is a pair


class KernelError(ValueError):
    """Kernels that cannot be combined, or an object that is not a kernel; the text says why."""


class Parameters:
    """A kernel's options: `get_params` and `set_params` for a class that stores its constructor's arguments by name.

    A kernel is a sum of `summands()`. `sums_as` is the form in which weighted sums of examples are held under each:
    "subtrees" (of a forest DAG), "columns" (of a vector), or "examples" (all of them). `takes` is the type of examples:
    trees, vectors, pairs of both, kernel values, or anything. `+` adds kernels, `*` multiplies them with each other and
    with numbers.

    Examples
    --------
    >>> from kakari.kernels.trees.tree_kernel import TreeKernel
    >>> TreeKernel("st").get_params()["kind"], TreeKernel("st").set_params(decay=1.0).decay
    ('st', 1.0)
    """

    type_name: ClassVar[str]
    takes = "anything"

    @property
    def sums_as(self) -> str:
        """The form in which weighted sums of examples are held."""
        return "examples"

    def __add__(self, other: Any) -> SumKernel:
        if not isinstance(other, Parameters):
            return NotImplemented
        terms = [*terms_of(self), *terms_of(other)]
        return SumKernel([kernel for kernel, _ in terms], [weight for _, weight in terms])

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, numbers.Real):
            terms = terms_of(self)
            return SumKernel([kernel for kernel, _ in terms], [weight * float(other) for _, weight in terms])
        return ProductKernel([self, other]) if isinstance(other, Parameters) else NotImplemented

    __rmul__ = __mul__

    def summands(self) -> list[tuple[str, int | None, float, Any]]:
        """Return the kernels whose sum this one is: name, part of an example (None: all of it), factor, kernel."""
        return [("", None, 1.0, self)]

    def contents(self) -> Contents:
        """Return the saved form of the kernel: its options."""
        options = self.get_params(deep=False)
        parts = {name: part.contents() for name, part in options.items() if isinstance(part, Parameters)}
        settings = {name: value for name, value in options.items() if name not in parts}
        return Contents.joined(parts, {"type": self.type_name, **settings})

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the options by name, those of parts as `part__option` if `deep`."""
        names = [name for name in inspect.signature(type(self)).parameters if name != "self"]
        options = {name: getattr(self, name) for name in names}
        if deep:
            parts = [(name, part) for name, part in options.items() if hasattr(part, "get_params")]
            for name, part in parts:
                options.update({f"{name}__{option}": value for option, value in part.get_params().items()})
        return options

    def set_params(self, **options: Any) -> Any:
        """Change options, checked as by the constructor."""
        known = self.get_params(deep=False)
        for name, value in options.items():
            part, divided, option = name.partition("__")
            if part not in known:
                raise ValueError(f"{type(self).__name__} has no option {part!r}: take one of {', '.join(known)}")
            known[part] = type(known[part])(**{**known[part].get_params(False), option: value}) if divided else value
        type(self).__init__(self, **known)
        return self


class SeveralKernels(Parameters):
    """Several kernels as one.

    Tree kernels look at the trees of an example, vector kernels at its vector: where there are both, examples are
    pairs, as for `CombinedKernel`. User-defined kernels can be combined with each other only: they take whole examples.
    """

    kernels: Sequence[Any]

    def _check(self) -> None:
        if not self.kernels:
            raise KernelError(f"a {self.type_name} needs at least one kernel")
        if not all(isinstance(kernel, Parameters) for kernel in self.kernels):
            raise KernelError("only kakari's kernels can be combined: wrap a kernel of your own in CustomKernel")
        kinds = {kernel.takes for kernel in self.kernels}
        if len(kinds) > 1 and not kinds <= {*PARTS, "pairs"}:
            raise KernelError(f"kernels over {' and '.join(sorted(kinds))} have no {self.type_name}")

    @property
    def takes(self) -> str:  # type: ignore[override]
        """What examples are: trees, vectors or pairs."""
        kinds = {kernel.takes for kernel in self.kernels}
        return kinds.pop() if len(kinds) == 1 else "pairs"

    def part_of(self, kernel: Any) -> int | None:
        """Return the part of an example that one of the kernels looks at; None for all of it."""
        return PARTS.get(kernel.takes) if self.takes == "pairs" else None

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the options by name, those of the kernels as `number__option` if `deep`."""
        options = super().get_params(deep=False)
        if deep:
            for place, kernel in enumerate(self.kernels):
                options |= {f"{place}__{name}": value for name, value in kernel.get_params().items()}
        return options

    def set_params(self, **options: Any) -> Any:
        """Change options; `0__decay` is that of the first kernel."""
        known = super().get_params(deep=False)
        known |= {name: options.pop(name) for name in list(options) if name in known}
        kernels = list(known["kernels"])
        for name, value in options.items():
            place, _, option = name.partition("__")
            if not place.isdecimal() or int(place) >= len(kernels) or not option:
                raise ValueError(f"{type(self).__name__} has no option {name!r}: take NUMBER__OPTION")
            own = kernels[int(place)]
            kernels[int(place)] = type(own)(**own.get_params(deep=False)).set_params(**{option: value})
        type(self).__init__(self, **{**known, "kernels": kernels})
        return self

    def _each(self, a: Any, b: Any, threads: int) -> list[NDArray[np.float64]]:
        parts = [(kernel, self.part_of(kernel)) for kernel in self.kernels]
        return [kernel.gram(of(a, part), of(b, part), threads=threads) for kernel, part in parts]

    def _diagonals(self, a: Any, threads: int) -> list[NDArray[np.float64]]:
        return [kernel.diagonal(of(a, self.part_of(kernel)), threads=threads) for kernel in self.kernels]

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and repr(self) == repr(other)

    __hash__ = None  # type: ignore[assignment]


class SumKernel(SeveralKernels):
    """Σ weight · kernel.

    Parameters
    ----------
    kernels : sequence of kernels
    weights : sequence of float, optional
        One for each kernel, above 0; 1 without them.

    Examples
    --------
    >>> from kakari.kernels.trees.forest import Forest
    >>> from kakari.kernels.trees.tree_kernel import TreeKernel
    >>> kernel = TreeKernel("stk") + 2 * TreeKernel("st")
    >>> kernel.gram(Forest.from_arrays([1, 2, 1, 3], [0, 1, 0, 1], [0, 2, 4])).round(12).tolist()
    [[3.0, 0.0], [0.0, 3.0]]
    >>> kernel.set_params(**{"0__decay": 0.5}).kernels[0].decay, kernel.weights
    (0.5, [1.0, 2.0])
    """

    type_name = "sum"

    def __init__(self, kernels: Sequence[Any], weights: Sequence[float] | None = None) -> None:
        self.kernels, self.weights = kernels, weights
        self._check()
        if weights is not None and len(weights) != len(kernels):
            raise KernelError(f"{len(kernels)} kernels, but {len(weights)} weights")
        for weight in weights or []:
            if not isinstance(weight, numbers.Real) or not 0 < weight < math.inf:
                raise KernelError(f"the weight of a kernel must be above 0, not {weight!r}")

    def contents(self) -> Contents:
        """Return the saved form of the kernel: those that are summed, and their weights."""
        parts = {str(place): kernel.contents() for place, kernel in enumerate(self.kernels)}
        return Contents({"weights": np.array(self.factors())}, {"type": self.type_name}, parts)

    def factors(self) -> list[float]:
        """Return the weight of each kernel."""
        return [1.0] * len(self.kernels) if self.weights is None else [float(weight) for weight in self.weights]

    def summands(self) -> list[tuple[str, int | None, float, Any]]:
        """Return the kernels whose sum this one is, each with its part of an example and its factor."""
        found: list[tuple[str, int | None, float, Any]] = []
        for place, (kernel, weight) in enumerate(zip(self.kernels, self.factors(), strict=True)):
            own = self.part_of(kernel)
            for name, part, factor, summand in kernel.summands():
                found.append((f"{place}{name}", own if part is None else part, weight * factor, summand))
        return found

    def gram(self, a: Any, b: Any = None, *, threads: int = 1) -> NDArray[np.float64]:
        """Return the kernel of every example of `a` with every example of `b` (of `a` itself without it)."""
        return weighted(self._each(a, b, threads), self.factors())

    def diagonal(self, a: Any, *, threads: int = 1) -> NDArray[np.float64]:
        """Return the kernel of every example with itself."""
        return weighted(self._diagonals(a, threads), self.factors())

    def __repr__(self) -> str:
        return f"SumKernel({list(self.kernels)!r}, {self.factors()!r})"


class ProductKernel(SeveralKernels):
    """Π kernel.

    Examples
    --------
    >>> from kakari.kernels.trees.vector_kernel import VectorKernel
    >>> (VectorKernel("linear") * VectorKernel("linear")).gram([[1.0], [3.0]]).tolist()
    [[1.0, 9.0], [9.0, 81.0]]
    """

    type_name = "product"

    def __init__(self, kernels: Sequence[Any]) -> None:
        self.kernels = kernels
        self._check()

    def contents(self) -> Contents:
        """Return the saved form of the kernel: those that are multiplied."""
        parts = {str(place): kernel.contents() for place, kernel in enumerate(self.kernels)}
        return Contents.joined(parts, {"type": self.type_name})

    def gram(self, a: Any, b: Any = None, *, threads: int = 1) -> NDArray[np.float64]:
        """Return the kernel of every example of `a` with every example of `b` (of `a` itself without it)."""
        return np.asarray(math.prod(self._each(a, b, threads)))

    def diagonal(self, a: Any, *, threads: int = 1) -> NDArray[np.float64]:
        """Return the kernel of every example with itself."""
        return np.asarray(math.prod(self._diagonals(a, threads)))

    def __repr__(self) -> str:
        return f"ProductKernel({list(self.kernels)!r})"


def of(examples: Any, part: int | None) -> Any:
    """Return a part of examples that are pairs; all of them for None."""
    return examples if part is None or examples is None else examples[part]


def weighted(values: Sequence[NDArray[np.float64]], factors: Sequence[float]) -> NDArray[np.float64]:
    """Return the sum of arrays, each times its factor.

    Examples
    --------
    >>> weighted([np.array([1.0]), np.array([2.0])], [3.0, 1.0]).tolist()
    [5.0]
    """
    return np.asarray(sum(factor * own for own, factor in zip(values, factors, strict=True)))


def terms_of(kernel: Any) -> list[tuple[Any, float]]:
    """Return the kernels of a sum with their weights; any other kernel is a sum of one."""
    if isinstance(kernel, SumKernel):
        return list(zip(kernel.kernels, kernel.factors(), strict=True))
    return [(kernel, 1.0)]
