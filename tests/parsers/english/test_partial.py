"""Trees that are annotated in part, filled and learned."""

import pytest
from budgets import examples
from command_line import run_here
from hypothesis import given, settings
from hypothesis import strategies as st

from kakari.corpora.formats.brackets import parse_brackets
from kakari.parsers.english.partial import filled, fits, is_partial
from kakari.parsers.english.words.flat_trees import FlatTree
from kakari.parsers.english.words.treebank_trees import flattened, read_trees

TREES = [tree for tree in read_trees("sample-en") if tree.nodes]


@settings(max_examples=examples(60))
@given(st.sampled_from(TREES), st.data())
def test_a_tree_fits_what_is_left_of_it(tree, data):
    """Open any constituent, with or without what is inside: the tree fits; one with another label outside does not."""
    begin, end = data.draw(st.sampled_from([(begin, end) for _, begin, end in tree.nodes]))
    outside = [node for node in tree.nodes if not (begin <= node[1] and node[2] <= end)]
    kept = [node for node in tree.nodes if node not in outside and data.draw(st.booleans())]
    partial = FlatTree(tree.words, tree.tags, (("?", begin, end), *outside, *kept))
    assert is_partial(partial) and fits(tree, partial) and not is_partial(tree)
    for place, (label, first, last) in enumerate(outside):
        other = [*outside[:place], (label + "X", first, last), *outside[place + 1 :]]
        assert not fits(tree, FlatTree(tree.words, tree.tags, (("?", begin, end), *other)))


def test_partial_trees_are_filled_and_learned(tmp_path):
    partial = "(TOP (S (NP (NNP Mary)) (? (VBD saw) (DT the) (NN man)) (. .)))"
    (tree,) = filled([flattened(parse_brackets(partial))])
    assert ("NP", 2, 4) in tree.nodes and not is_partial(tree)
    wrong = "(TOP (X (X (NNP Mary) (VBD saw)) (? (DT the) (NN man)) (. .)))"
    with pytest.raises(ValueError, match=r"best trees of 'Mary saw the man \.' fits what is annotated"):
        filled([flattened(parse_brackets(wrong))])
    (tmp_path / "mine.mrg").write_text((partial + "\n") * 3, encoding="utf-8")
    told = run_here("train", "en-constituency", str(tmp_path / "mine.mrg"), "-o", str(tmp_path / "model"))
    assert told.returncode == 0, told.stderr
    parsed = run_here("parse", "--model", str(tmp_path / "model"), "-f", "ptb", "Mary saw the man.").stdout
    assert "(VP (VBD saw) (NP (DT the) (NN man)))" in parsed
    (tmp_path / "bad.mrg").write_text(wrong + "\n", encoding="utf-8")
    told = run_here("train", "en-constituency", str(tmp_path / "bad.mrg"), "-o", str(tmp_path / "model2"))
    assert told.returncode == 1 and "fits what is annotated" in told.stderr
