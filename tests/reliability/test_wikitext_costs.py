"""Candidates of hostile wikitext: a node has few ancestors, and an item is read once."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kakari.parsers.hyponymy import candidates
from kakari.parsers.hyponymy.candidates import _EDGES, _GLOSS, _without_gloss
from kakari.parsers.hyponymy.outline import outline
from kakari.parsers.hyponymy.wikitext import LINK, LINK_END


def plain_without_gloss(text):
    """Cut a gloss off by its definition: all that stands before each mark is looked at."""
    for match in _GLOSS.finditer(text):
        before = text[: match.start()]
        opened = before.count("（") + before.count("(") > before.count("）") + before.count(")")
        if before.strip(_EDGES + LINK + LINK_END) and not opened and before.count(LINK) <= before.count(LINK_END):
            return before, text[match.end() :].strip()
    return text, ""


@given(st.text(alphabet=f"あa （）():-― 、{LINK}{LINK_END}", max_size=30))
def test_glosses_are_cut_as_defined(text):
    assert _without_gloss(text) == plain_without_gloss(text)


def depth(tree):
    """Return how many ancestors a node has at most."""
    depths = []
    for parent in tree.parents:
        depths.append(0 if parent < 0 else depths[parent] + 1)
    return max(depths)


@pytest.mark.parametrize(
    "unit",
    [
        "{|\n|-\n| あ\n",
        "{|\n|+ い\n! う\n|-\n|\n",
        "{|\n|+ い\n|+ う\n",
        ":{|\n| あ\n",
        "* あ\n{|\n| い\n* う\n",
        "*#:;" * 9 + "あ\n",
    ],
)
def test_a_node_has_few_ancestors(unit):
    """Tables in tables that never end cost the square of their number: 100,000 characters took minutes."""
    assert depth(outline("題", unit * 500)) <= 80


def test_blanks_are_read_once():
    assert candidates.names("あ" + " " * 200_000 + "い") == [("あ い", "")]
