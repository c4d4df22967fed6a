"""Feature templates as they are declared: `word[0]`, `word[-1]/tag[0]`, `suffix3(word)[0]`, `label[-1]`.

A template is one or more atoms between slashes; an atom is a column at an offset. Users name the columns; `lower(x)`,
`prefix2(x)`, `suffix3(x)` and `shape(x)` are derived from the column x. `label[-1]` is the decision
before this one, or `label[1]` if the sentence is read from right to left.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

ATOM = re.compile(
    r"(?:(?P<kind>lower|shape|prefix|suffix)(?P<size>[1-9]?)\((?P<inner>\w+)\)|(?P<name>\w+))\[(?P<at>-?\d+)\]"
)
LABEL = "label"
DECISION = -1
MOST_TEMPLATES = 250
FARTHEST = 100


class TemplateError(ValueError):
    """A template that cannot be used; the text says why.

    Examples
    --------
    >>> str(TemplateError("word[0", "it is not a column at an offset"))
    "the template 'word[0': it is not a column at an offset"
    """

    def __init__(self, template: str, reason: str) -> None:
        super().__init__(template, reason)
        self.template, self.reason = template, reason

    def __str__(self) -> str:
        return f"the template '{self.template}': {self.reason}"


@dataclass(frozen=True)
class Derived:
    """A derived column: the name of the original column, and the kind of value."""

    name: str
    kind: str = "whole"
    size: int = 0


Atom = tuple[Derived | None, int]  # None is a decision


class TemplateSet:
    """Templates ready for the engine.

    Parameters
    ----------
    templates : sequence of str
    backwards : bool
        Whether sentences are read from right to left: decisions are then to the right.

    Attributes
    ----------
    derived : list of Derived
        The columns that a token table must have, in order.
    starts, columns, offsets : arrays of int32
        The atoms of each template.
    fixed : int
        Number of templates without decisions; they come first.

    Examples
    --------
    >>> templates = TemplateSet(["label[-1]", "word[0]", "suffix3(word)[-1]/word[0]"])
    >>> templates.derived
    [Derived(name='word', kind='whole', size=0), Derived(name='word', kind='suffix', size=3)]
    >>> templates.fixed, templates.starts.tolist(), templates.columns.tolist(), templates.offsets.tolist()
    (2, [0, 1, 3, 4], [0, 1, 0, -1], [0, -1, 0, -1])
    """

    def __init__(self, templates: Sequence[str], *, backwards: bool = False) -> None:
        if not templates:
            raise TemplateError("", "there is none, and a labeller needs at least one")
        if len(templates) > MOST_TEMPLATES:
            raise TemplateError(templates[MOST_TEMPLATES], f"it is one more than {MOST_TEMPLATES}")
        self.texts = tuple(templates)
        self.backwards = backwards
        parsed = [parse_template(text, backwards=backwards) for text in templates]
        ordered = sorted(parsed, key=lambda atoms: any(column is None for column, _ in atoms))
        self.fixed = sum(all(column is not None for column, _ in atoms) for atoms in parsed)
        self.derived = list(dict.fromkeys(column for atoms in ordered for column, _ in atoms if column is not None))
        places = {column: place for place, column in enumerate(self.derived)}
        self.starts = _integers([0, *np.cumsum([len(atoms) for atoms in ordered])])
        self.columns = _integers(
            [DECISION if column is None else places[column] for atoms in ordered for column, _ in atoms]
        )
        self.offsets = _integers([offset for atoms in ordered for _, offset in atoms])


def _integers(values: Sequence[int]) -> NDArray[np.int32]:
    return np.array(values, dtype=np.int32)


def parse_template(text: str, *, backwards: bool = False) -> list[Atom]:
    """Return the atoms of a template.

    Examples
    --------
    >>> parse_template("label[-2]/label[-1]")
    [(None, -2), (None, -1)]
    """
    return [_parse_atom(text, atom, backwards) for atom in text.split("/")]


def _parse_atom(template: str, atom: str, backwards: bool) -> Atom:
    found = ATOM.fullmatch(atom)
    if found is None:
        raise TemplateError(template, f"'{atom}' is not a column at an offset, as in word[-1] or suffix3(word)[0]")
    offset = int(found["at"])
    if abs(offset) > FARTHEST:
        raise TemplateError(template, f"'{atom}' is more than {FARTHEST} tokens away")
    if found["name"] == LABEL:
        if offset == 0 or (offset > 0) != backwards:
            side = "right (label[1])" if backwards else "left (label[-1])"
            raise TemplateError(template, f"'{atom}' is not decided yet: decisions stand to the {side}")
        return None, offset
    if found["kind"] is None:
        return Derived(found["name"]), offset
    sized = found["kind"] in ("prefix", "suffix")
    if sized != bool(found["size"]):
        wanted = "needs a number of characters" if sized else "has no number of characters"
        raise TemplateError(template, f"'{atom}': {found['kind']} {wanted}")
    return Derived(found["inner"], found["kind"], int(found["size"] or 0)), offset
