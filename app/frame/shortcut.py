"""A reader of plain command lines without typer, which takes longer to import than a sentence to parse.

The declarations are the same: it reads a command's signature as typer does. Anything that is not plain (an option
that is unknown or glued to its value, a value out of range, `--help`) is left to typer, which then reports errors. A
test compares the two on random command lines; benchmarks/cold_start.py measures the time that it saves.
"""

from __future__ import annotations

import inspect
import re
import types
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any, Union, get_args, get_origin, get_type_hints

from typer import BadParameter, Context
from typer.models import ArgumentInfo, OptionInfo

PLAIN_NUMBER = re.compile(r"[0-9]+(\.[0-9]*)?(e-?[0-9]+)?")


class Unusual(Exception):  # noqa: N818 (not an error: typer takes over)
    """A command line that must be left to typer."""


class Source(Enum):
    """Where a value comes from, by typer's name."""

    COMMANDLINE = 1


@dataclass(frozen=True, slots=True)
class PlainParameter:
    """An option that was given, as `refuse_other_options` looks at it."""

    name: str
    opts: list[str]


@dataclass
class PlainContext:
    """The part of typer's context that commands ask: which options were given."""

    params: list[PlainParameter] = field(default_factory=list)

    @property
    def command(self) -> PlainContext:
        """The command, whose `params` are those of its options that were given."""
        return self

    def get_parameter_source(self, name: str) -> Source | None:
        """Return where the value of a parameter comes from."""
        return Source.COMMANDLINE if any(one.name == name for one in self.params) else None


def plain_call(function: Callable[..., object], words: Sequence[str]) -> dict[str, Any] | None:
    """Return the values for a command's function, or None if typer must read the words.

    Examples
    --------
    >>> from kakari.commands.ask import ask_cli
    >>> plain_call(ask_cli, ["--json", "Who?"])["texts"], plain_call(ask_cli, ["--jsno", "Who?"])
    (['Who?'], None)
    """
    try:
        return read_words(function, words)
    except Unusual:
        return None


def read_words(function: Callable[..., object], words: Sequence[str]) -> dict[str, Any]:
    """Read options and texts in any order, as typer does; raise `Unusual` where anything is not plain."""
    hints = get_type_hints(function, include_extras=True)
    values = {name: given.default for name, given in inspect.signature(function).parameters.items()}
    options: dict[str, tuple[str, Any, OptionInfo, bool]] = {}
    texts, several, context = "", True, PlainContext()
    for name in values:
        if hints[name] is Context:
            values[name] = context
            continue
        kind, declared = get_args(hints[name])[:2]
        if isinstance(declared, OptionInfo):
            options |= dict.fromkeys(flags_of(name, declared), (name, kind, declared, True))
            if kind is bool and not declared_flags(declared):
                options[f"--no-{name.replace('_', '-')}"] = (name, kind, declared, False)
        elif isinstance(declared, ArgumentInfo) and list[str] in (kind, *get_args(kind)) and not texts:
            texts = name
        elif isinstance(declared, ArgumentInfo) and kind is str and not texts and not declared.callback:
            texts, several = name, False
        else:
            raise Unusual
    left, rest = list[str](), iter(words)
    for word in rest:
        if not word.startswith("-") or word == "-":
            left.append(word)
            continue
        flag, equals, value = word.partition("=") if word.startswith("--") else (word, "", "")
        if flag not in options:
            raise Unusual
        name, kind, declared, on = options[flag]
        context.params.append(PlainParameter(name, [flag]))
        if kind is bool:
            values[name] = on if not equals else unusual()
        else:
            values[name] = converted(value if equals else next(rest, None), kind, declared)
    if left:
        values[texts] = left if several else left.pop()
    if (left and not several) or inspect.Parameter.empty in values.values():
        raise Unusual
    return values


def flags_of(name: str, declared: OptionInfo) -> Sequence[str]:
    """Return the flags of an option: those declared, else one made from the parameter's name."""
    flags = declared_flags(declared) or [f"--{name.replace('_', '-')}"]
    return flags if not any("/" in flag for flag in flags) else unusual()


def declared_flags(declared: OptionInfo) -> list[str]:
    """Return the flags of a declaration; inside `Annotated`, the first one is in the place of the default."""
    return [flag for flag in (declared.default, *(declared.param_decls or ())) if isinstance(flag, str)]


def converted(text: str | None, kind: Any, declared: OptionInfo) -> Any:
    """Return an option's value in its type, if typer would accept it unchanged."""
    if get_origin(kind) in (Union, types.UnionType):
        (kind,) = (one for one in get_args(kind) if one is not type(None))
    if text is None or text.startswith("-") or declared.parser:
        raise Unusual
    if declared.callback:
        return checked(converted_plainly(text, kind, declared), declared.callback)
    return converted_plainly(text, kind, declared)


def checked(value: Any, check: Callable[..., Any]) -> Any:
    """Return what a callback makes of a value alone; typer tells what it refuses."""
    if len(inspect.signature(check).parameters) != 1 or any(
        not isinstance(value, kind) for name, kind in get_type_hints(check).items() if name != "return"
    ):
        raise Unusual
    try:
        return check(value)
    except BadParameter:
        raise Unusual from None


def converted_plainly(text: str, kind: Any, declared: OptionInfo) -> Any:
    """Return an option's value in its type."""
    if kind is str:
        return text
    if isinstance(kind, type) and issubclass(kind, Enum):
        return kind(text) if text in {one.value for one in kind} else unusual()
    if (kind is int and text.isdecimal() and text.isascii()) or (kind is float and PLAIN_NUMBER.fullmatch(text)):
        low, high = declared.min, declared.max
        number = kind(text)
        return number if (low is None or number >= low) and (high is None or number <= high) else unusual()
    if kind is Path and not (declared.exists or declared.resolve_path):
        return Path(text)
    raise Unusual


def unusual() -> Any:
    """Leave the words to typer."""
    raise Unusual
