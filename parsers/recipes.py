"""Embedded models: one command that trains them again, measures them, and writes each with its card.

    python -m kakari.parsers.recipes models/pretrained en-questions ja …

The same corpora give the same files. A recipe is a module with `pretrain`, which trains and measures a model and
returns it with the facts of its card, and `CARD`, the text that these facts and the model's name and size go into.
With `--checkpoints FOLDER`, recipes that take hours keep finished passes there; the same command continues from them.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from kakari.models.files import write_bytes
from kakari.models.reporting import Report, silent

RECIPES = {  # by name of the model: the module below `kakari.parsers`; a model needs those above it
    "ja": "japanese.recipes",
    "ja-juman": "japanese.recipes",
    "ja-universal": "japanese.universal_recipe",
    "ja-words": "japanese.tagging.recipe",
    "ja-hyponymy": "hyponymy.recipe",
    "en": "english.recipe",
    "en-questions": "questions.recipe",
    "en-chunks": "english.chunks.recipe",
    "en-ud": "dependency.english.recipe",
    "en-arguments": "arguments.recipe",
}
# Small ones that are stored as they are: reading them takes less time than unpacking them.
PLAIN = frozenset({"en-questions", "en-arguments"})


class Workshop(NamedTuple):
    """Surroundings of a recipe: the folder with the models made before, its reporter, and what may be kept."""

    folder: Path
    report: Report = silent
    checkpoints: Path | None = None


def make(name: str, workshop: Workshop) -> str:
    """Train a model, write it and its card into the workshop's folder, and return the card."""
    recipe: Any = import_module(f"kakari.parsers.{RECIPES[name]}")
    model, facts = recipe.pretrain(name, workshop)
    content = model.to_bytes(compressed=name not in PLAIN)
    card: str = recipe.CARD.format(name=name, size=len(content) / 1e6, **facts)
    write_bytes(workshop.folder / f"{name}.safetensors", content)
    write_bytes(workshop.folder / f"{name}.md", card.encode())
    return card


def rows(cells: Mapping[str, Iterable[str]]) -> str:
    """Write the rows of a card's table.

    Examples
    --------
    >>> print(rows({"ewt:dev": ["95.00%", "7"], "gum:dev": ["94.00%", "8"]}))
    | ewt:dev | 95.00% | 7 |
    | gum:dev | 94.00% | 8 |
    """
    return "\n".join(f"| {name} | {' | '.join(own)} |" for name, own in cells.items())


def main(arguments: Sequence[str] | None = None) -> None:
    """Make the named models, or all of them."""
    parser = argparse.ArgumentParser(prog="kakari.parsers.recipes", description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*", metavar="name", help=f"of {', '.join(RECIPES)}; all of them without one")
    parser.add_argument("--checkpoints", type=Path)
    chosen = parser.parse_args(arguments)
    if unknown := [name for name in chosen.names if name not in RECIPES]:
        parser.error(f"there is no recipe of {unknown[0]}")
    began = time.process_time()

    def tell(what: str, done: float = 0, total: float | None = None, /) -> None:
        share = "" if total is None else f" {done}/{total}"
        sys.stderr.write(f"{time.process_time() - began:8.1f} s  {what}{share}\n")

    for name in chosen.names or RECIPES:
        tell(make(name, Workshop(chosen.folder, tell, chosen.checkpoints)))


if __name__ == "__main__":
    main()
