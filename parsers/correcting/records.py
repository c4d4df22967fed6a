"""A correction: one thing in one text that should be otherwise. One line of JSON each, for people to read and edit.

    {"text": "太郎は本を読む。", "kind": "arc", "at": [0, 3], "is": [5, 8], "when": "2026-11-18T05:10:00Z"}

| kind | at | is | what it says |
|---|---|---|---|
| boundary | a character | true or false | whether a bunsetsu begins there |
| arc | a span | a span | which bunsetsu this one depends on; the word that this one depends on, null for a root |
| class | a span, or none: all of the text | a class | what a question asks for |
| argument | a span, and `of`: the predicate's | a role, or null | what this is to the predicate; null: nothing |

Spans are characters of the text, begin and end. `when` is told in the history and never looked at; `note` is the
user's.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Span = tuple[int, int]
KINDS = ("boundary", "arc", "class", "argument")
FIELDS = ("text", "kind", "at", "of", "is", "when", "note")


class CorrectionError(ValueError):
    """A correction that says nothing, or what cannot be.

    Examples
    --------
    >>> str(CorrectionError("a correction needs a text"))
    'a correction needs a text'
    """


@dataclass(frozen=True)
class Correction:
    """One thing in one text that should be otherwise; see the table above.

    Attributes
    ----------
    text : str
    kind : str
    at : int, span or None
        Where: a character for boundaries, else characters from begin to end.
    value : bool, str, span or None
        What it should be; `is` in files.
    of : span, optional
        The predicate of an argument.
    when : str, optional
        When it was made, in the user's words.
    note : str, optional

    Examples
    --------
    >>> one = Correction("太郎は本を読む。", "arc", (0, 3), (5, 8))
    >>> one.line()
    '{"text": "太郎は本を読む。", "kind": "arc", "at": [0, 3], "is": [5, 8]}'
    >>> one.told()
    '太郎は → 読む。'
    >>> Correction.from_line(one.line()) == one
    True
    """

    text: str
    kind: str
    at: int | Span | None
    value: bool | str | Span | None
    of: Span | None = None
    when: str | None = None
    note: str | None = None

    def __post_init__(self) -> None:
        """Refuse what has not the form of its kind."""
        if not isinstance(self.text, str) or not self.text.strip():
            raise CorrectionError("a correction needs a text")
        if any("\ud800" <= character <= "\udfff" for character in self.text):
            raise CorrectionError("the text has half a character (a lone surrogate)")
        if self.kind not in KINDS:
            raise CorrectionError(f"the kind of a correction is one of {', '.join(KINDS)}, not {self.kind!r}")
        for name, value in (("when", self.when), ("note", self.note)):
            if value is not None and not isinstance(value, str):
                raise CorrectionError(f"'{name}' is a text, not {value!r}")
        if self.kind == "boundary":
            self._check_boundary()
        elif self.kind != "class" or self.at is not None:
            self._check_span("at", self.at)
        if (self.kind == "argument") != (self.of is not None):
            raise CorrectionError("'of', the span of the predicate, belongs to an argument, and to nothing else")
        if self.of is not None:
            self._check_span("of", self.of)
        self._check_value()

    def _check_boundary(self) -> None:
        if type(self.at) is not int or not 0 < self.at < len(self.text):
            inside = f"a character between 1 and {len(self.text) - 1}"
            raise CorrectionError(f"'at' of a boundary is {inside}, not {self.at!r}")
        if type(self.value) is not bool:
            raise CorrectionError(f"'is' of a boundary is true or false, not {self.value!r}")

    def _check_value(self) -> None:
        if self.kind == "arc" and self.value is not None:
            self._check_span("is", self.value)
            if self.value == self.at:
                raise CorrectionError("nothing depends on itself")
        named = isinstance(self.value, str) and self.value.strip()
        if self.kind == "class" and not named:
            raise CorrectionError(f"'is' of a {self.kind} is a name, not {self.value!r}")
        if self.kind == "argument" and self.value is not None and not named:
            raise CorrectionError(f"'is' of an argument is a role or null, not {self.value!r}")

    def _check_span(self, name: str, span: Any) -> None:
        pair = isinstance(span, tuple) and len(span) == 2 and all(type(place) is int for place in span)
        if not pair or not 0 <= span[0] < span[1] <= len(self.text):
            shown = list(span) if isinstance(span, tuple) else span
            raise CorrectionError(f"'{name}' is no span of the text's {len(self.text)} characters: {shown!r}")

    @property
    def place(self) -> tuple[Any, ...]:
        """What is corrected: two corrections of the same place with different values contradict each other."""
        return self.text, self.kind, self.at, self.of

    def line(self) -> str:
        """Return the correction as a line of its file, without the line end; the same one gives the same bytes."""
        told: dict[str, Any] = {"text": self.text, "kind": self.kind}
        if self.at is not None:
            told["at"] = self.at
        if self.of is not None:
            told["of"] = self.of
        told["is"] = self.value
        told |= {name: value for name, value in (("when", self.when), ("note", self.note)) if value is not None}
        return json.dumps(told, ensure_ascii=False)

    @staticmethod
    def from_line(line: str) -> Correction:
        """Read a line of a file; what is wrong is a `CorrectionError`."""
        try:
            told = json.loads(line, object_pairs_hook=_named_once)
        except CorrectionError:
            raise
        except (ValueError, RecursionError):
            raise CorrectionError("this is not a line of JSON") from None
        if not isinstance(told, dict):
            raise CorrectionError("a correction is a JSON object")
        return Correction.from_dict(told)

    @staticmethod
    def from_dict(told: Mapping[str, Any]) -> Correction:
        """Make a correction from what a line says, by the names of the file.

        Examples
        --------
        >>> Correction.from_dict({"text": "Who?", "kind": "class", "is": "HUM:ind"}).value
        'HUM:ind'
        """
        unknown = [name for name in told if name not in FIELDS]
        if unknown:
            raise CorrectionError(f"nothing is known of {unknown[0]!r}; a correction has {', '.join(FIELDS)}")
        for name in ("text", "kind", "is"):
            if name not in told:
                raise CorrectionError(f"a correction needs '{name}'")
        at, of, value = (_as_span(told.get(name)) for name in ("at", "of", "is"))
        return Correction(told["text"], told["kind"], at, value, of, told.get("when"), told.get("note"))

    def told(self) -> str:
        """Return in words of the text what the correction says."""
        if isinstance(self.at, int):
            mark = "|" if self.value else "+"
            return f"{self.text[max(0, self.at - 6) : self.at]}{mark}{self.text[self.at : self.at + 6]}"
        where = self.text.strip() if self.at is None else self._words(self.at)
        if self.kind == "arc":
            return f"{where} → {'(root)' if self.value is None else self._words(self.value)}"
        predicate = "" if self.of is None else f" of {self._words(self.of)}"
        return f"{where}{predicate}: {'(none)' if self.value is None else self.value}"

    def _words(self, span: Any) -> str:
        return self.text[span[0] : span[1]].strip()


def _as_span(value: Any) -> Any:
    """Return lists of JSON as tuples."""
    return tuple(value) if isinstance(value, list) else value


def _named_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Refuse an object that says one thing twice: JSON readers disagree on which one counts."""
    told = dict(pairs)
    if len(told) < len(pairs):
        raise CorrectionError("a name stands there twice")
    return told
