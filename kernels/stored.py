"""Contents of a file: flat arrays, settings and nested parts, checked as they are read.

An object that can be saved has `contents()`, which returns a `Contents`, and `from_contents(contents)`, which rebuilds
it. The engine follows indices without checks, so everything from a file is read through an accessor that states the
type, shape, range and order it must have. Types are compared as they are stored: nothing is cast before it is
checked. Each check is one pass over an array. What was not read in the end is refused too.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

Array = NDArray[Any]
SEPARATOR = "/"  # between the names of nested parts
LARGEST = 2**31 - 1


class StoredError(ValueError):
    """Contents that do not fit the object that is rebuilt from them; the text says what is wrong."""


class Settings:
    """JSON values by name; `place` is the name of their part, for error messages."""

    def __init__(self, settings: Mapping[str, Any], place: str) -> None:
        self.settings: dict[str, Any] = dict(settings)
        self._place = place
        self._read: set[str] = set()

    def integer(self, name: str, low: int, high: int = LARGEST) -> int:
        """Return a whole number between two others, both included."""
        return self._whole(name, self._setting(name), low, high)

    def optional_integer(self, name: str, low: int, high: int = LARGEST) -> int | None:
        """Return a whole number between two others, or None."""
        value = self._setting(name)
        return None if value is None else self._whole(name, value, low, high)

    def integers(self, name: str, low: int, high: int = LARGEST, *, distinct: bool = False) -> list[int]:
        """Return a list of whole numbers between two others.

        Examples
        --------
        >>> Settings({"slots": [4, 100]}, "").integers("slots", 0, 63)
        Traceback (most recent call last):
        ...
        kakari.kernels.stored.StoredError: 'slots' is 100, not a whole number between 0 and 63
        """
        found = [self._whole(name, value, low, high) for value in self._list(name)]
        if distinct and len(set(found)) < len(found):
            raise StoredError(f"'{self._place}{name}' has a number twice")
        return found

    def number(self, name: str, low: float = -math.inf, high: float = math.inf) -> float:
        """Return a finite number between two others, both included."""
        return self._finite(name, self._setting(name), low, high)

    def numbers(
        self, name: str, count: int | None = None, *, low: float = -math.inf, high: float = math.inf
    ) -> list[float]:
        """Return a list of finite numbers, exactly `count` of them if it is given."""
        found = [self._finite(name, value, low, high) for value in self._list(name)]
        if count not in (None, len(found)):
            raise StoredError(f"'{self._place}{name}' has {len(found)} numbers, not {count}")
        return found

    def flag(self, name: str) -> bool:
        """Return a truth value."""
        value = self._setting(name)
        if not isinstance(value, bool):
            raise StoredError(f"'{self._place}{name}' is {_short(value)}, neither true nor false")
        return value

    def text(self, name: str) -> str:
        """Return a string."""
        value = self._setting(name)
        if not isinstance(value, str):
            raise StoredError(f"'{self._place}{name}' is {_short(value)}, not a text")
        return value

    def texts(self, name: str, *, distinct: bool = False) -> list[str]:
        """Return a list of strings."""
        found = self._list(name)
        if not all(isinstance(value, str) for value in found):
            raise StoredError(f"'{self._place}{name}' is not a list of texts")
        if distinct and len(set(found)) < len(found):
            raise StoredError(f"'{self._place}{name}' has a text twice")
        return found

    def choice(self, name: str, choices: Sequence[str]) -> str:
        """Return a string that is one of the choices.

        Examples
        --------
        >>> Settings({"scheme": "all"}, "").choice("scheme", ("ovr", "ovo"))
        Traceback (most recent call last):
        ...
        kakari.kernels.stored.StoredError: 'scheme' is 'all', none of ovr, ovo
        """
        value = self._setting(name)
        if not isinstance(value, str) or value not in choices:
            raise StoredError(f"'{self._place}{name}' is {_short(value)}, none of {', '.join(choices)}")
        return value

    def scalars(self, name: str) -> list[Any]:
        """Return a list of strings, numbers and truth values, as names of classes are."""
        found = self._list(name)
        if not all(isinstance(value, (str, bool, int, float)) for value in found):
            raise StoredError(f"'{self._place}{name}' is not a list of texts and numbers")
        return found

    def lists(self, name: str) -> list[list[Any]]:
        """Return a list of lists."""
        found = self._list(name)
        if not all(isinstance(value, list) for value in found):
            raise StoredError(f"'{self._place}{name}' is not a list of lists")
        return found

    def table(self, name: str) -> dict[str, Any]:
        """Return a JSON object unchecked: a description of a model, which nothing is computed from."""
        value = self._setting(name)
        if not isinstance(value, dict):
            raise StoredError(f"'{self._place}{name}' is {_short(value)}, not a table")
        return dict(value)

    def _setting(self, name: str) -> Any:
        if name not in self.settings:
            raise StoredError(f"there is no setting '{self._place}{name}'")
        self._read.add(name)
        return self.settings[name]

    def _list(self, name: str) -> list[Any]:
        value = self._setting(name)
        if not isinstance(value, (list, tuple)):
            raise StoredError(f"'{self._place}{name}' is {_short(value)}, not a list")
        return list(value)

    def _whole(self, name: str, value: Any, low: int, high: int) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            reason = f"is {_short(value)}, not a whole number between {low} and {high}"
            raise StoredError(f"'{self._place}{name}' {reason}")
        return value

    def _finite(self, name: str, value: Any, low: float, high: float) -> float:
        number = isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) <= 1e308
        if not number or not low <= value <= high:
            within = "" if (low, high) == (-math.inf, math.inf) else f" between {low} and {high}"
            raise StoredError(f"'{self._place}{name}' is {_short(value)}, not a finite number{within}")
        return float(value)


class Contents(Settings):
    """The saved form of an object.

    Parameters
    ----------
    arrays : mapping of str to array
    settings : mapping of str to JSON values
    parts : mapping of str to Contents
        Parts of the object, saved in turn.
    place : str
        The name of this part, for error messages.

    Examples
    --------
    >>> contents = Contents({"weights": np.array([1.5, 2.0])}, {"degree": 2})
    >>> contents.array("weights", np.float64), contents.integer("degree", 1, 4)
    (array([1.5, 2. ]), 2)
    >>> contents.array("weights", np.float64, shape=(3,))
    Traceback (most recent call last):
    ...
    kakari.kernels.stored.StoredError: the array 'weights' is float64 (2,), not float64 (3,)
    """

    def __init__(
        self,
        arrays: Mapping[str, Array] | None = None,
        settings: Mapping[str, Any] | None = None,
        parts: Mapping[str, Contents] | None = None,
        *,
        place: str = "",
    ) -> None:
        super().__init__(settings or {}, place)
        self.arrays: dict[str, Array] = dict(arrays or {})
        self.parts: dict[str, Contents] = dict(parts or {})

    @staticmethod
    def joined(parts: Mapping[str, Contents], settings: Mapping[str, Any] | None = None) -> Contents:
        """Return contents made of parts.

        Examples
        --------
        >>> both = Contents.joined({"tagger": Contents({"x": np.zeros(1)}), "lexicon": Contents()}, {"beam": 4})
        >>> both.part("tagger").array("x", np.float64).tolist(), both.integer("beam", 1, 9)
        ([0.0], 4)
        """
        return Contents(None, settings, parts)

    def __repr__(self) -> str:
        return f"<contents: arrays {sorted(self.arrays)}, settings {sorted(self.settings)}, parts {sorted(self.parts)}>"

    def flat_arrays(self, prefix: str = "") -> Iterator[tuple[str, Array]]:
        """Yield the arrays of all parts with the names that a file gives them."""
        for name, array in self.arrays.items():
            yield prefix + name, array
        for name, part in self.parts.items():
            yield from part.flat_arrays(f"{prefix}{name}{SEPARATOR}")

    def outline(self) -> dict[str, Any]:
        """Return the settings of all parts as one JSON value; `from_flat` takes it."""
        return {"settings": self.settings, "parts": {name: part.outline() for name, part in self.parts.items()}}

    @staticmethod
    def from_flat(arrays: Mapping[str, Array], outline: Any, place: str = "") -> Contents:
        """Return the contents that `flat_arrays` and `outline` were made from.

        Examples
        --------
        >>> both = Contents.joined({"a": Contents({"x": np.zeros(1)}, {"n": 1})}, {"m": 2})
        >>> arrays, outline = dict(both.flat_arrays()), both.outline()
        >>> arrays, outline
        ({'a/x': array([0.])}, {'settings': {'m': 2}, 'parts': {'a': {'settings': {'n': 1}, 'parts': {}}}})
        >>> Contents.from_flat(arrays, outline).part("a").array("x", np.float64)
        array([0.])
        """
        nested: dict[str, dict[str, Array]] = {}
        own: dict[str, Array] = {}
        for name, array in arrays.items():
            part, separator, rest = name.partition(SEPARATOR)
            if separator:
                nested.setdefault(part, {})[rest] = array
            else:
                own[name] = array
        settings, parts = _outlined(outline, place)
        if not nested.keys() <= parts.keys():
            raise StoredError(f"there are arrays of the unknown part '{place}{min(nested.keys() - parts.keys())}'")
        made = {
            name: Contents.from_flat(nested.get(name, {}), below, f"{place}{name}{SEPARATOR}")
            for name, below in parts.items()
        }
        return Contents(own, settings, made, place=place)

    def part(self, name: str) -> Contents:
        """Return a part."""
        if name not in self.parts:
            raise StoredError(f"there is no part '{self._place}{name}'")
        self._read.add(name)
        return self.parts[name]

    def has_part(self, name: str) -> bool:
        """Return whether there is a part of this name."""
        return name in self.parts

    def numbered_parts(self, name: str = "") -> list[Contents]:
        """Return the parts whose names are `name` with 0, 1, 2 … behind it, in this order."""
        found: list[Contents] = []
        while f"{name}{len(found)}" in self.parts:
            found.append(self.part(f"{name}{len(found)}"))
        return found

    def array(
        self,
        name: str,
        dtype: DTypeLike | Sequence[DTypeLike],
        *,
        shape: Sequence[int | None] = (None,),
        minimum: int | None = None,
        below: int | None = None,
        ascending: bool = False,
        distinct: bool = False,
        finite: bool = True,
    ) -> Array:
        """Return an array, read-only, after checking it.

        Parameters
        ----------
        dtype : type, or list of types
            The types that the array may be stored as.
        shape : sequence
            The size of each dimension, None for any size.
        minimum, below : int, optional
            The smallest allowed value, and the first one that is too large.
        ascending : bool
            Whether values must not decrease.
        distinct : bool
            Whether all values must differ; with `ascending` this costs one pass, else a sort.
        finite : bool
            Whether floats must be finite.

        Examples
        --------
        >>> Contents({"places": np.array([0, 7])}).array("places", np.int64, minimum=0, below=7)
        Traceback (most recent call last):
        ...
        kakari.kernels.stored.StoredError: the array 'places' has values that are not between 0 and 6
        """
        array = self._array(name)
        given: list[Any] = list(dtype) if isinstance(dtype, (list, tuple)) else [dtype]
        allowed = [np.dtype(one) for one in given]
        fits = len(shape) == array.ndim and all(
            wanted in (None, size) for wanted, size in zip(shape, array.shape, strict=True)
        )
        if array.dtype not in allowed or not fits:
            sizes = ", ".join("any" if size is None else str(size) for size in shape)
            wanted = f"{' or '.join(map(str, allowed))} ({sizes}{',' * (len(shape) == 1)})"
            raise StoredError(f"the array '{self._place}{name}' is {array.dtype} {array.shape}, not {wanted}")
        self._check_values(name, array, minimum, below, finite)
        if ascending or distinct:
            self._check_order(name, array, ascending, distinct)
        return array

    def offsets(self, name: str, end: int, *, rows: int | None = None, dtype: DTypeLike = np.int64) -> Array:
        """Return where each of some rows begins and, last, where all end: rising from 0 to `end`.

        Examples
        --------
        >>> Contents({"starts": np.array([0, 2, 2])}).offsets("starts", 2, rows=2).tolist()
        [0, 2, 2]
        """
        found = self.array(name, dtype, shape=(None if rows is None else rows + 1,))
        if not found.size or found[0] != 0 or found[-1] != end or (found[1:] < found[:-1]).any():
            raise StoredError(f"the offsets '{self._place}{name}' do not rise from 0 to {end}")
        return found

    def has_array(self, name: str) -> bool:
        """Return whether there is an array of this name."""
        return name in self.arrays

    def refuse(self, reason: str) -> StoredError:
        """Return an error for contents that do not fit together; the message has the part's name and the reason."""
        return StoredError(f"{self._place.removesuffix(SEPARATOR)}: {reason}" if self._place else reason)

    def refuse_leftovers(self) -> None:
        """Refuse arrays, settings and parts that were not read.

        Examples
        --------
        >>> Contents(settings={"beam": 4}).refuse_leftovers()
        Traceback (most recent call last):
        ...
        kakari.kernels.stored.StoredError: nothing is known of 'beam'
        """
        for names in (self.arrays, self.settings, self.parts):
            for name in names:
                if name not in self._read:
                    raise StoredError(f"nothing is known of '{self._place}{name}'")
        for part in self.parts.values():
            part.refuse_leftovers()

    def _array(self, name: str) -> Array:
        if name not in self.arrays:
            raise StoredError(f"there is no array '{self._place}{name}'")
        self._read.add(name)
        array: Array = np.asarray(self.arrays[name])
        if not (array.flags.c_contiguous and array.flags.aligned and array.dtype.isnative):
            array = np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("="))
        view: Array = array.view()
        view.flags.writeable = False
        return view

    def _check_values(self, name: str, array: Array, minimum: int | None, below: int | None, finite: bool) -> None:
        if not array.size:
            return
        if array.dtype.kind == "f" and finite and not np.isfinite(array).all():
            raise StoredError(f"the array '{self._place}{name}' has values that are not finite")
        low = minimum is not None and int(array.min()) < minimum
        if low or (below is not None and int(array.max()) >= below):
            least = "…" if minimum is None else minimum
            most = "…" if below is None else below - 1
            raise StoredError(f"the array '{self._place}{name}' has values that are not between {least} and {most}")

    def _check_order(self, name: str, array: Array, ascending: bool, distinct: bool) -> None:
        ordered = array if ascending else np.sort(array, axis=None)
        if (ordered[1:] < ordered[:-1]).any():
            raise StoredError(f"the array '{self._place}{name}' is not in order")
        if distinct and (ordered[1:] == ordered[:-1]).any():
            raise StoredError(f"the array '{self._place}{name}' has a value twice")


def _outlined(outline: Any, place: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the settings and the outlines of the parts."""
    if isinstance(outline, dict) and outline.keys() == {"settings", "parts"}:
        settings, parts = outline["settings"], outline["parts"]
        if isinstance(settings, dict) and isinstance(parts, dict):
            return settings, parts
    raise StoredError(f"the outline of {repr(place) if place else 'the contents'} is damaged")


def _short(value: Any) -> str:
    """Return a value as an error message shows it."""
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > 10**30:
        return "a number of more than 30 digits"
    text = repr(value) if isinstance(value, (str, bool, int, float, type(None))) else f"a {type(value).__name__}"
    return text if len(text) <= 60 else f"{text[:57]}..."
