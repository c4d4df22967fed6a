"""Explanations: a decision with weights that add up to its margin, shown as bars in notebooks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

FOR, AGAINST = "#2a7a66", "#b0432f"
ROW = (
    "<tr><td style='text-align:left'>{name}</td><td style='width:16em;padding:0'><div style='position:relative;"
    "height:1em'><div style='position:absolute;left:{left:.1f}%;width:{width:.1f}%;height:100%;background:{colour}'>"
    "</div></div></td><td style='text-align:right'>{weight:+.3f}</td></tr>"
)


class Explanation(dict[str, Any]):
    """A decision: `machine` (its name), `margin`, and `items`, each a `conjunction` with its `weight`.

    Examples
    --------
    >>> told = Explanation.of("dog: noun", 1.5, [("word=dog", 2.0), ("first", -0.25), ("(bias)", -0.25)], top=1)
    >>> told["items"]
    [{'conjunction': 'word=dog', 'weight': 2.0}, {'conjunction': '(2 others)', 'weight': -0.5}]
    >>> told._repr_html_().count("<tr>")
    3
    """

    @classmethod
    def of(cls, machine: str, margin: float, ranked: Sequence[tuple[str, float]], top: int) -> Explanation:
        """Make an explanation of weights by name, the greatest first; those after the first `top` are one item."""
        items: list[dict[str, Any]] = [{"conjunction": name, "weight": weight} for name, weight in ranked[:top]]
        if ranked[top:]:
            rest = float(sum(weight for _, weight in ranked[top:]))
            items.append({"conjunction": f"({len(ranked) - top} others)", "weight": rest})
        return cls(machine=machine, margin=margin, items=items)

    def _repr_html_(self) -> str:
        """Return the decision as a table with bars around a middle line."""
        rows = [(item["conjunction"], float(item["weight"])) for item in self["items"]]
        rows.append(("sum", float(self["margin"])))
        largest = max((abs(weight) for _, weight in rows), default=0.0) or 1.0
        shown = "".join(_rows(rows, largest))
        return f"<div><b>{escape(self['machine'])}</b><table>{shown}</table></div>"


def _rows(rows: Iterable[tuple[str, float]], largest: float) -> Iterable[str]:
    for name, weight in rows:
        width = 50 * abs(weight) / largest
        colour = FOR if weight >= 0 else AGAINST
        left = 50 if weight >= 0 else 50 - width
        yield ROW.format(name=escape(name), left=left, width=width, colour=colour, weight=weight)
