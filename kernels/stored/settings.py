"""Settings of a thing that can be saved: JSON values, read through accessors that check type and range."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

LARGEST = 2**31 - 1


class StoredError(ValueError):
    """Contents that are not those of the thing that is read from them; the text says what is wrong."""


class Settings:
    """JSON values by name; `place` is where they stand, for error messages."""

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
        kakari.kernels.stored.settings.StoredError: 'slots' is 100, not a whole number between 0 and 63
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
        """Return a list of finite numbers, so many if `count` says so."""
        found = [self._finite(name, value, low, high) for value in self._list(name)]
        if count not in (None, len(found)):
            raise StoredError(f"'{self._place}{name}' has {len(found)} numbers, not {count}")
        return found

    def flag(self, name: str) -> bool:
        """Return whether something is so."""
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
        """Return one of some strings.

        Examples
        --------
        >>> Settings({"scheme": "all"}, "").choice("scheme", ("ovr", "ovo"))
        Traceback (most recent call last):
        ...
        kakari.kernels.stored.settings.StoredError: 'scheme' is 'all', none of ovr, ovo
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
        """Return a JSON object as it is: what is told of a model and never computed with."""
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


def _short(value: Any) -> str:
    """Return a value as an error message shows it."""
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > 10**30:
        return "a number of more than 30 digits"
    text = repr(value) if isinstance(value, (str, bool, int, float, type(None))) else f"a {type(value).__name__}"
    return text if len(text) <= 60 else f"{text[:57]}..."
