"""Model files of SVM-light and SVM-Light-TK: a version, options one a line, then one support vector a line.

The lines of options are told apart by their comments, since versions differ in which they have: `0.4 # kernel
parameter -L`. A support vector is a line of the data format with alpha·y in the place of the label.
`kakari.models.machines.svmlight_tk` turns it into a classifier.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import IO

from kakari.corpora.formats.vectors import TreesAndVectors, example_of_line, format_svmlight_tk
from kakari.corpora.records.errors import CorpusError
from kakari.corpora.records.textfiles import Source, numbered_lines, source_name, write_text

FIRST_LINE = re.compile(r"SVM-light Version (\S+)")
OPTION = re.compile(r"kernel param\w*ter -(\w)", re.IGNORECASE)  # some write "paramater"
VOTES = re.compile(r"[0-9]{1,15}( [0-9]{1,15})*")
LAYOUTS = {  # options in the order in which each version reads them, by number of line
    "V5.01-TK-1.2": "tdgsruLTCFSDNVW",
    "V5.01-TK-1.5": "tdgsruLTCFSMNVWU",
}
DEFAULTS = dict(zip("tdgsruLTCFSDMNVWU", "0 3 1 1 1 empty 0.4 1 T 1 1 1 0.4 3 S S 0".split(), strict=True))


@dataclass(frozen=True, slots=True)
class SvmLightModel:
    """A model: options by letter (`t` is the type of kernel), threshold b, support vectors with alpha·y as label.

    Voted perceptrons have `votes`: a line of whole numbers at the end, how long the model lasted that each support
    vector made. (The thesis says that such a list is there, not how it is laid out: one line is our reading.)
    """

    options: Mapping[str, str]
    threshold: float
    support: tuple[TreesAndVectors, ...]
    version: str = "V5.01-TK-1.5"
    highest_feature: int = 0
    documents: int = 0
    votes: tuple[int, ...] = ()


def read_svmlight_model(source: Source) -> SvmLightModel:
    r"""Read a model file.

    Examples
    --------
    >>> import io
    >>> head = "SVM-light Version V5.01-TK-1.2\n5 # kernel type\n0.4 # kernel parameter -L \n"
    >>> tail = "2 # number of training documents \n2 # number of support vectors plus 1 \n-0.5 # threshold b, each …\n"
    >>> model = read_svmlight_model(io.StringIO(head + tail + "0.25  |BT| (A a) |ET| 3:1 |EV| \n"))
    >>> model.options, model.threshold, model.support[0].label, model.support[0].trees
    ({'t': '5', 'L': '0.4'}, -0.5, 0.25, ('(A a)',))
    """
    name = source_name(source)
    lines = numbered_lines(source)
    number, first = next(lines, (1, ""))
    version = FIRST_LINE.match(first.strip())
    if version is None:
        raise CorpusError(name, number, "this is no SVM-light model: it does not start with 'SVM-light Version …'")
    options, numbers = _head(name, lines)
    support: list[TreesAndVectors] = []
    last = number
    wanted = int(numbers["support"]) - 1
    votes: tuple[int, ...] = ()
    for last, line in lines:
        if len(support) == wanted and not votes and VOTES.fullmatch(line.strip()):
            votes = tuple(map(int, line.split()))
            if len(votes) != wanted:
                raise CorpusError(name, last, f"there are {len(votes)} votes for {wanted} support vectors")
        elif line.strip():
            support.append(example_of_line(name, last, line))
    if len(support) != wanted:
        raise CorpusError(name, last, f"the model has {len(support)} support vectors, but its head says {wanted}")
    return SvmLightModel(
        options,
        numbers["threshold"],
        tuple(support),
        version[1],
        int(numbers.get("highest", 0)),
        int(numbers.get("documents", 0)),
        votes,
    )


def _head(name: str, lines: Iterator[tuple[int, str]]) -> tuple[dict[str, str], dict[str, float]]:
    options: dict[str, str] = {}
    numbers: dict[str, float] = {}
    number = 1
    for number, line in lines:
        value, mark, comment = (part.strip() for part in line.partition("#"))
        option = OPTION.match(comment)
        if not mark:
            raise CorpusError(name, number, "a line of the head should look like '0.4 # kernel parameter -L'")
        if comment.startswith("kernel type"):
            options["t"] = value
        elif option is not None:
            options[option[1]] = value
        else:
            key = _number_named(comment)
            if key is None:
                raise CorpusError(name, number, f"the head has a line that is not known: '{comment[:40]}'")
            try:
                numbers[key] = float(value)
            except ValueError:
                raise CorpusError(name, number, f"'{value[:40]}' is not a number") from None
            if not math.isfinite(numbers[key]):
                raise CorpusError(name, number, f"'{value[:40]}' is not a number that a model can have")
            if key == "threshold":
                break
    if "threshold" not in numbers or "support" not in numbers:
        raise CorpusError(name, number, "the head ends before number of support vectors and threshold")
    return options, numbers


def _number_named(comment: str) -> str | None:
    for start, key in (
        ("highest feature", "highest"),
        ("number of training", "documents"),
        ("number of support", "support"),
        ("threshold b", "threshold"),
    ):
        if comment.startswith(start):
            return key
    return None


def format_svmlight_model(model: SvmLightModel) -> Iterator[str]:
    """Yield the lines of a model file, laid out for the version that it names."""
    layout = LAYOUTS.get(model.version)
    if layout is None:
        raise ValueError(f"the layout of version {model.version!r} is not known: take one of {', '.join(LAYOUTS)}")
    left_out = [
        letter for letter in model.options if letter not in layout and model.options[letter] != DEFAULTS[letter]
    ]
    if left_out:
        raise ValueError(f"models of version {model.version} have no option -{left_out[0]}")
    yield f"SVM-light Version {model.version}\n"
    for letter in layout:
        value = model.options.get(letter, DEFAULTS[letter])
        comment = "kernel type" if letter == "t" else f"kernel parameter -{letter} "
        yield f"{value}# {comment}\n" if letter == "u" else f"{value} # {comment}\n"
    yield f"{model.highest_feature} # highest feature index \n"
    yield f"{model.documents} # number of training documents \n"
    yield f"{len(model.support) + 1} # number of support vectors plus 1 \n"
    yield f"{model.threshold!r} # threshold b, each following line is a SV (starting with alpha*y)\n"
    for vector in model.support:
        body = format_svmlight_tk(vector).partition("\t")[2]
        yield f"{vector.label!r}  {body}"
    if model.votes:
        yield f"{' '.join(map(str, model.votes))}\n"


def write_svmlight_model(model: SvmLightModel, target: str | os.PathLike[str] | IO[str]) -> None:
    """Write a model file."""
    write_text(format_svmlight_model(model), target)
