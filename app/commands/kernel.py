"""`kakari kernel`: the tree kernel of two trees."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from enum import Enum
from typing import Annotated

import typer

from kakari.corpora.records.errors import CorpusError
from kakari.corpora.records.textfiles import numbered_lines, source_name
from kakari.kernels.trees.tree_kernel import TreeKernel
from kakari.models.treebank import Treebank, TreebankError


class TreeKind(str, Enum):
    """Kinds of tree kernels, by the fragments that they count."""

    stk = "stk"
    st = "st"
    sst_bow = "sst-bow"
    ptk = "ptk"
    kelp_st = "kelp-st"


Kind = Annotated[
    TreeKind,
    typer.Option(
        help="stk: nodes with all or no children; sst-bow: the same, and leaves; st: whole subtrees; ptk: any children;"
        " kelp-st: KeLP's subtrees."
    ),
]
Decay = Annotated[float, typer.Option(help="Decay λ, above 0 and at most 1.")]
Mu = Annotated[float, typer.Option(help="ptk: decay μ of depth, above 0 and at most 1.", rich_help_panel="Tree kernel")]
MaxChildren = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        help="ptk: longest sequence of children (SVM-Light-TK: 5). [default: any]",
        rich_help_panel="Tree kernel",
    ),
]


TerminalFactor = Annotated[
    float,
    typer.Option(help="ptk: factor of pairs with a leaf, as in KeLP.", rich_help_panel="Tree kernel"),
]


def kernel_cli(
    trees: Annotated[
        list[str] | None,
        typer.Argument(metavar="TREE TREE | [FILE]", help="Two trees in brackets, or pairs between tabs, one a line."),
    ] = None,
    kind: Kind = TreeKind.stk,
    decay: Decay = 0.4,
    mu: Mu = 0.4,
    normalize: Annotated[
        bool, typer.Option("--normalize", help="Normalise the kernel: K(a,b) / √(K(a,a) K(b,b)).")
    ] = False,
    max_children: MaxChildren = None,
    terminal_factor: TerminalFactor = 1.0,
) -> None:
    """Print the tree kernel of two trees, or of each pair of a file or pipe, at full precision."""
    given = trees or ["-"]
    if len(given) > 2:
        raise typer.BadParameter("give two trees (each in quotes), or one file of pairs", param_hint="TREE TREE")
    if len(given) == 1 and given[0].lstrip().startswith("("):
        raise typer.BadParameter("there is only one tree: give two, each in quotes", param_hint="TREE TREE")
    kernel = TreeKernel(
        kind.value,
        decay=decay,
        mu=mu,
        normalize=normalize,
        max_children=max_children,
        terminal_factor=terminal_factor,
    )
    if len(given) == 2:
        sys.stdout.write(f"{kernel_of(kernel, *given)!r}\n")
        return
    name = source_name(given[0])
    for number, first, second in read_pairs(given[0]):
        try:
            sys.stdout.write(f"{kernel_of(kernel, first, second)!r}\n")
        except TreebankError as error:
            raise CorpusError(name, number, str(error)) from None


def kernel_of(kernel: TreeKernel, first: str, second: str) -> float:
    """Return the kernel of two trees in brackets.

    Examples
    --------
    >>> round(kernel_of(TreeKernel("stk", decay=1.0), "(A (b)(C c))", "(A (b)(C d))"), 12)
    0.333333333333
    >>> kernel_of(TreeKernel("stk"), "(A a)", "(A (b)")
    Traceback (most recent call last):
    ...
    kakari.models.treebank.TreebankError: second tree, character 0: the tree that starts here is not closed
    """
    treebank = Treebank()
    forests = []
    for place, text in (("first", first), ("second", second)):
        try:
            forests.append(treebank.read([text]))
        except TreebankError as error:
            raise TreebankError(f"{place} tree, {str(error).removeprefix('example 0, ')}") from None
    return float(kernel.gram(*forests)[0, 0])


def read_pairs(source: str) -> Iterator[tuple[int, str, str]]:
    """Yield the line number and both trees of each pair of a file; blank lines are left out."""
    for number, line in numbered_lines(source):
        if not line.strip():
            continue
        columns = line.split("\t")
        if len(columns) != 2:
            found = f"the line has {len(columns)} columns between tabs"
            raise CorpusError(source_name(source), number, f"{found}; there should be 2 trees")
        yield number, columns[0], columns[1]
