"""Dependencies as trees for kernels."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kakari import TreeKernel, dependency_brackets, gram
from kakari.models.treebank import Treebank
from kakari.parsers.dependency.shapes import SHAPES, ShapeError


@st.composite
def sentences(draw):
    """Draw words with a head each that comes before them in some order: always trees."""
    count = draw(st.integers(1, 8))
    order = draw(st.permutations(range(count)))
    heads = [0] * count
    for place, word in enumerate(order):
        heads[word] = word if place == 0 else order[draw(st.integers(0, place - 1))]
    words = draw(st.lists(st.sampled_from(["a", "(", "b c", ")x", ""]), min_size=count, max_size=count))
    return words, [f"T{i}" for i in range(count)], heads, [f"r{i}" for i in range(count)]


@pytest.mark.parametrize("shape", SHAPES)
@given(sentence=sentences())
def test_each_word_is_there_once_and_the_tree_is_read(shape, sentence):
    text = dependency_brackets(*sentence, shape=shape)
    forest = Treebank().read([text])
    count = len(sentence[0])
    assert forest.node_counts().tolist() == [count * (1 if shape == "loct" else 3)]
    for tag, relation in zip(sentence[1], sentence[3], strict=True):
        assert text.count(f"({tag}") == (shape != "loct")
        assert (f"({relation}" in text) == (shape != "loct")


def test_what_is_no_tree_is_refused():
    for heads, reason in (([1, 0], "circle"), ([0, 5], "none of 2 words"), ([0], "1 heads")):
        with pytest.raises(ShapeError, match=reason):
            dependency_brackets(["a", "b"], ["A", "B"], heads, ["r", "r"])
    with pytest.raises(ShapeError, match="no shape 'x'"):
        dependency_brackets([], [], [], [], shape="x")


def test_several_roots_share_one():
    text = dependency_brackets(["a", "b"], ["A", "B"], [0, 1], ["root", "root"])
    assert text == "(ROOT (root (A a)) (root (B b)))"
    assert gram(TreeKernel("ptk"), [text]).tolist() == [[1.0]]
