"""Drawing of a bunsetsu tree in plain text.

Each bunsetsu has a line; its text ends two cells further to the right than the one above it. A line runs from the
end of a bunsetsu to the column where its head ends, and down to it.
"""

from __future__ import annotations

from collections.abc import Sequence

from kakari.parsers.pictures.marks import cells

STEP = 2  # cells between the ends of two neighbours


def draw(texts: Sequence[str], heads: Sequence[int], kinds: Sequence[str] = ()) -> list[str]:
    r"""Draw a sentence, a line for each bunsetsu; arc types other than D stand at the end of their line.

    Examples
    --------
    >>> print("\n".join(draw(["本を", "読む", "人"], [1, 2, -1])))
    本を─┐
      読む─┐
          人
    """
    shown = ["".join(c if c.isprintable() else " " for c in text) for text in texts]
    first = max((cells(text) - STEP * index for index, text in enumerate(shown)), default=0)
    ends = [first + STEP * index for index in range(len(shown))]
    lines: list[str] = []
    for index, text in enumerate(shown):
        head = heads[index]
        line = " " * (ends[index] - cells(text)) + text
        if head > index:
            line += "─" * (ends[head] - 1 - ends[index])
            line += "┤" if head in heads[:index] else "┐"
        # Arcs do not cross, so arcs that pass this line are to the right of its own corner.
        for passing in sorted({h for h in heads[:index] if h > index and h != head}):
            line += " " * (ends[passing] - 1 - cells(line)) + "│"
        if kinds and kinds[index] != "D" and head > index:
            line += f" {kinds[index]}"
        lines.append(line)
    return lines
