"""Brackets and NLTK trees to forests and back."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.tree import Tree

from kakari.models.treebank import Treebank, TreebankError

LABELS = st.sampled_from(["S", "NP", "the", "犬", "-LRB-", "a|b", "*"])
TREES = st.recursive(
    LABELS,
    lambda below: st.builds(Tree, LABELS, st.lists(below, min_size=1, max_size=3)),
    max_leaves=8,
).filter(lambda tree: not isinstance(tree, str))


@given(st.lists(TREES, max_size=4))
def test_text_and_nltk_trees_agree(trees):
    treebank = Treebank()
    forest = treebank.read(trees)
    written = [tree.pformat(margin=10**6) for tree in trees]
    assert treebank.read(written) == forest
    assert treebank.read(treebank.write(forest)) == forest
    assert Treebank().read(written) == Treebank().read(trees)
    assert pickle.loads(pickle.dumps(treebank)).read(trees) == forest


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("(A (b)(C c))", "(A (b) (C c))"),
        ("(A b (C c))", "(A (b) (C c))"),
        ("( (S (NP we)))", "(S (NP we))"),
        ("(a)", "(a)"),
        ("(NP the  old\tdog\n)", "(NP the old dog)"),
        ("(A(B b)(B b))", "(A (B b) (B b))"),
    ],
)
def test_ways_of_writing(text, written):
    treebank = Treebank()
    assert treebank.write(treebank.read([text])) == [[written]]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("(S (NP we)", "example 1, character 0: the tree that starts here is not closed"),
        ("(S we)) ", "example 1, character 6: a bracket closes that was never opened"),
        ("(S 犬) 犬", "example 1, character 6: a word stands outside of any bracket"),
        ("(S ((NP we)))", "example 1, character 11: a node has no label"),
        ("()", "character 1: a node has no label"),
        ("(S () )", "character 4: a node has no label"),
        ("((A a)(B b))", "character 11: a node has no label"),
        ("word", "outside of any bracket"),
    ],
)
def test_refuses_what_is_no_tree(text, reason):
    with pytest.raises(TreebankError, match=reason):
        Treebank().read(["(A a)", text])


def test_refuses_other_things():
    with pytest.raises(TreebankError, match="example 0: int is neither a tree nor text"):
        Treebank().read([[3]])
    with pytest.raises(TreebankError, match="example 0: the label 3 is not a string"):
        Treebank().read([Tree("S", [Tree(3, ["a"])])])
    with pytest.raises(TreebankError, match="the label 'a b' cannot be written"):
        treebank = Treebank()
        treebank.write(treebank.read([Tree("a b", ["c"])]))
    with pytest.raises(TreebankError, match=r"not ended by \|ET\|"):
        Treebank().read_svmlight_tk(["1 |BT| (A a)"])


def test_examples_of_several_trees():
    forest = Treebank().read(["(A a) (B b)", "", [], ["(A a)", Tree("B", ["b"])]])
    assert forest.tree_counts().tolist() == [2, 1, 0, 2]
    assert forest.node_counts().tolist() == [2, 2, 0, 2, 2]
    lines = ["-1 |BT| (A a) |BT| |BT| (B b) |ET| 3:1 |BV| 4:1 |EV|", "1 3:1"]
    assert Treebank().read_svmlight_tk(lines).node_counts().tolist() == [2, 0, 2]
    assert Treebank().read_svmlight_tk(lines).tree_counts().tolist() == [3, 0]


def test_unknown_labels():
    treebank = Treebank()
    treebank.read(["(S (NP we))"])
    treebank.freeze()
    forest = treebank.read(["(S (X we) (X you) (Y we))"])
    assert treebank.write(forest) == [["(S (*UNKNOWN0* we) (*UNKNOWN0* *UNKNOWN1*) (*UNKNOWN2* we))"]]
    assert len(treebank.labels) == 3
    assert treebank.read(["(Y y)"]).labels.min() >= 3


def test_labels_with_spaces_and_brackets():
    treebank = Treebank()
    forest = treebank.read([Tree("N P", ["(", "a b"])])
    assert forest.labels.tolist() == [1, 2, 0]
    assert [treebank.labels[i] for i in range(3)] == ["N P", "(", "a b"]


def test_deep_trees():
    depth = 50_000
    text = "(A " * depth + "a" + ")" * depth
    treebank = Treebank()
    forest = treebank.read([text])
    assert forest.node_counts().tolist() == [depth + 1]
    assert treebank.write(forest) == [[text]]
    chain = "a"
    for _ in range(depth):
        chain = Tree("A", [chain])
    assert treebank.read([chain]) == forest
    while not isinstance(chain, str):  # let go from the top: NLTK trees are freed by recursion
        chain = chain.pop()
