"""The papers, in the order in which a report has them."""

from __future__ import annotations

from typing import NamedTuple


class Paper(NamedTuple):
    """A paper: its key in the books, its title, and what a reader should know before the tables."""

    key: str
    title: str
    remark: str


PAPERS = (
    Paper(
        "2003",
        "Fast methods for kernel-based text analysis (Kudo and Matsumoto, 2003)",
        "The paper's three tasks with exact SVMs, on corpora that can be had: BaseNP chunks of conll2000, words and "
        "bunsetsu dependencies of KWDLC. Accuracy is that of single decisions.",
    ),
    Paper(
        "2010",
        "Kernel slicing: scalable online training with conjunctive features (Yoshinaga and Kitsuregawa, 2010)",
        "Dependency: pairs of bunsetsu of KWDLC; the paper has the Kyoto corpus and scores a parser, here single "
        "decisions are scored. Hyponymy: English pairs with counts of Hearst patterns; the paper has candidates of the "
        "Japanese Wikipedia. The paper's numbers stand in columns of their own. Megabytes are those of the model.",
    ),
    Paper(
        "2011",
        "Online learning for structural kernels (McKenna, 2011)",
        "One pass over several orders. Adult, the Gaussians and the questions are the thesis's own data; the argument "
        "boundaries are of WSJ with gold trees instead of Charniak's.",
    ),
    Paper(
        "2013",
        "Fast linearization of tree kernels over large-scale data (Severyn and Moschitti, 2013)",
        "Argument boundaries of WSJ with gold trees instead of Charniak's, F1 of nodes; section 24 is the development "
        "set here, section 23 is never opened.",
    ),
    Paper(
        "2015",
        "Template kernels for dependency parsing (2015)",
        "Only an excerpt of the paper is at hand, so that there are no published numbers to stand beside ours.",
    ),
    Paper("hyponymy", "Hyponymy", "An application of our own, with the features of Sumida et al. (2008)."),
)
