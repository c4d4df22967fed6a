"""A reader of plain command lines without typer, which takes longer to import than a sentence to parse.

The declarations are the same: it reads a command's signature as typer does. Anything that is not plain (an option
that is unknown or glued to its value, a value out of range, `--help`) is left to typer, which then reports errors. A
test compares the two on random command lines; benchmarks/cold_start.py measures the time that it saves.
"""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Sequence
from enum import Enum
from pathlib import Path
from typing import Any, Union, get_args, get_origin, get_type_hints

from typer.models import ArgumentInfo, OptionInfo


class Unusual(Exception):  # noqa: N818 (not an error: typer takes over)
    """A command line that must be left to typer."""


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
    texts = ""
    for name in values:
        kind, declared = get_args(hints[name])[:2]
        if isinstance(declared, OptionInfo):
            options |= dict.fromkeys(flags_of(name, declared), (name, kind, declared, True))
            if kind is bool and not declared_flags(declared):
                options[f"--no-{name.replace('_', '-')}"] = (name, kind, declared, False)
        elif isinstance(declared, ArgumentInfo) and list[str] in (kind, *get_args(kind)) and not texts:
            texts = name
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
        if kind is bool:
            values[name] = on if not equals else unusual()
        else:
            values[name] = converted(value if equals else next(rest, None), kind, declared)
    if left:
        values[texts] = left
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
    if text is None or text.startswith("-") or declared.callback or declared.parser:
        raise Unusual
    if kind is str:
        return text
    if isinstance(kind, type) and issubclass(kind, Enum):
        return kind(text) if text in {one.value for one in kind} else unusual()
    if kind is int and text.isdecimal() and text.isascii():
        low, high = declared.min, declared.max
        number = int(text)
        return number if (low is None or number >= low) and (high is None or number <= high) else unusual()
    if kind is Path and not (declared.exists or declared.resolve_path):
        return Path(text)
    raise Unusual


def unusual() -> Any:
    """Leave the words to typer."""
    raise Unusual
