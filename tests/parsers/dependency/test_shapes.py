"""Dependencies as trees for kernels."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.tree import Tree
from spacy.tokens import Doc
from spacy.vocab import Vocab

from kakari import KernelSVC, TreeKernel, dependency_brackets, document_brackets, gram, read
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


def defined(shape, words, tags, heads, relations, place):
    """GRCT, LCT and LOCT of the word at a place and all below it, as Croce, Moschitti and Basili (2011) draw them."""
    below = [child for child, head in enumerate(heads) if head == place and child != place]
    trees = {child: defined(shape, words, tags, heads, relations, child) for child in below}
    if shape == "grct":
        own = {place: Tree(tags[place], [words[place]]), **trees}
        return Tree(relations[place], [own[child] for child in sorted(own)])
    ends = [Tree(tags[place], []), Tree(relations[place], [])] if shape == "lct" else []
    return Tree(words[place], [*(trees[child] for child in below), *ends])


SENTENCE = (
    ["what", "is", "the", "width", "of", "a", "field"],
    ["WP", "VBZ", "DT", "NN", "IN", "DT", "NN"],
    [1, 1, 3, 1, 3, 6, 4],
    ["PRD", "ROOT", "NMOD", "SBJ", "NMOD", "NMOD", "PMOD"],
)


@pytest.mark.parametrize("shape", SHAPES)
def test_shapes_are_those_of_the_paper(shape):
    """Its example, "What is the width of a field", is compared with a definition by recursion."""
    written = Treebank().read([dependency_brackets(*SENTENCE, shape=shape)])
    expected = Treebank().read([defined(shape, *SENTENCE, 1)])
    for name, array in expected.contents().arrays.items():
        assert array.tolist() == written.contents().arrays[name].tolist()


def documents():
    """Yield the sentences of the sample treebank as spaCy would hold them, with any parser's relations."""
    vocab = Vocab()
    for sentence in read("sample-ud"):
        words = sentence.words
        heads = [place if word.head == "0" else int(word.head) - 1 for place, word in enumerate(words)]
        yield Doc(
            vocab,
            [word.form for word in words],
            pos=[word.upos for word in words],
            heads=heads,
            deps=[word.deprel for word in words],
        )


@pytest.mark.parametrize("shape", SHAPES)
def test_documents_of_any_spacy_parser_feed_a_machine(shape):
    found = [document_brackets(doc, shape=shape, lemmas=False) for doc in documents()]
    trees = [" ".join(own) for own in found]
    assert all(len(own) == 1 for own in found)
    asked = ["?" if tree.find("?") >= 0 else "." for tree in trees]
    machine = KernelSVC(TreeKernel("ptk", decay=0.4), C=10).fit(trees, asked)
    assert (machine.predict(trees) == asked).mean() > 0.95
