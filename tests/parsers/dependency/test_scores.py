"""The CoNLL-2018 scores on cases made by hand, and what a treebank's sentences become."""

import pytest

from kakari.corpora import CorpusError
from kakari.corpora.records.arcs import crossing_arcs, reaches_root
from kakari.parsers.dependency.scores import score_trees
from kakari.parsers.dependency.treebank import TreeSentence, lifted, read_treebank


def sentence(words, heads, relations=None, ranges=()):
    columns = tuple((form, form.lower(), "X", "x", "_") for form in words.split())
    relations = relations.split() if relations else ["dep"] * len(heads)
    return TreeSentence(columns, tuple(heads), tuple(relations), tuple(ranges))


def test_all_is_right():
    gold = sentence("the dog barks", [2, 3, 0], "det nsubj root")
    assert set(score_trees([gold], [gold]).values()) == {1.0}


def test_heads_and_relations_are_counted():
    gold = sentence("the dog barks .", [2, 3, 0, 3], "det nsubj:pass root punct")
    found = sentence("the dog barks .", [2, 3, 0, 2], "det nsubj root punct")
    figures = score_trees([gold], [found])
    assert figures["uas"] == figures["las"] == 0.75  # a subtype does not count
    assert figures["clas"] == 1.0  # det and punct are no content words


def test_words_that_are_cut_otherwise_are_not_the_same():
    gold = sentence("can not go", [3, 3, 0])
    found = sentence("cannot go", [2, 0])
    figures = score_trees([gold], [found])
    assert figures["words"] == pytest.approx(2 * 1 / (3 + 2))
    assert figures["uas"] == pytest.approx(2 * 1 / 5)
    assert figures["sentences"] == 1.0


def test_a_head_that_is_not_aligned_is_wrong():
    gold = sentence("ab c", [2, 0])
    found = sentence("a b c", [2, 3, 0])
    assert score_trees([gold], [found])["uas"] == pytest.approx(2 * 1 / 5)


def test_written_words_of_several_words_are_aligned_by_their_forms():
    gold = sentence("vamos a el mar", [0, 4, 4, 1], ranges=[(1, 3, "al")])
    same = sentence("vamos a el mar", [0, 4, 4, 1], ranges=[(1, 3, "al")])
    other = sentence("vamos al mar", [0, 3, 1])
    half = sentence("vamos a l mar", [0, 4, 4, 1])
    assert score_trees([gold], [same])["uas"] == 1.0
    assert score_trees([gold], [other])["words"] == pytest.approx(2 * 2 / (4 + 3))
    assert score_trees([gold], [half])["words"] == pytest.approx(2 * 3 / 8)
    assert score_trees([half], [gold])["words"] == pytest.approx(2 * 3 / 8)


def test_a_range_at_the_end_of_a_sentence():
    gold = [sentence("voy a el", [0, 1, 2], ranges=[(1, 3, "al")]), sentence("mar", [0])]
    assert set(score_trees(gold, gold).values()) == {1.0}
    one = score_trees(gold, [sentence("voy a el mar", [0, 1, 2, 1], ranges=[(1, 3, "al")])])
    assert one["sentences"] == 0.0
    assert one["uas"] == pytest.approx(3 / 4)


def test_other_text_is_refused():
    with pytest.raises(ValueError, match="same text"):
        score_trees([sentence("a b", [0, 1])], [sentence("a c", [0, 1])])


def test_lemmas_that_nobody_knows_count_as_right():
    gold = TreeSentence((("a", "_", "X", "x", "_"),), (0,), ("root",))
    assert score_trees([gold], [sentence("a", [0])])["lemma"] == 1.0


@pytest.mark.parametrize("heads", [(3, 4, 0, 3), (0, 5, 1, 1, 4, 2), (4, 0, 5, 2, 2), (0, 1, 2)])
def test_lifted_trees_are_projective_trees(heads):
    found = lifted(heads)
    assert reaches_root(found)
    assert not crossing_arcs(found)
    assert found.count(0) == heads.count(0)
    if not crossing_arcs(heads):
        assert found == heads


ROW = "{}\t{}\t_\tX\t_\t_\t{}\tdep\t_\t_\n"


@pytest.mark.parametrize(
    ("heads", "reason"), [("21", "the heads make a cycle"), ("_0", "a word has no head"), ("11", "make a cycle")]
)
def test_what_is_no_tree_is_refused(heads, reason, tmp_path):
    path = tmp_path / "x.conllu"
    path.write_text("".join(ROW.format(place, "ab"[place - 1], head) for place, head in enumerate(heads, 1)))
    with pytest.raises(CorpusError, match=rf"sentence 1 \('a b'\) is no tree: .*{reason}"):
        list(read_treebank(str(path)))
    assert len(list(read_treebank(str(path), need_heads=False))) == 1


def test_the_text_of_ranges(tmp_path):
    path = tmp_path / "x.conllu"
    rows = "1\tvoy\t_\t_\t_\t_\t0\troot\t_\t_\n2-3\tal\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n"
    rows += "2\ta\t_\t_\t_\t_\t1\tcase\t_\t_\n3\tel\t_\t_\t_\t_\t1\tdet\t_\t_\n4\t.\t_\t_\t_\t_\t1\tpunct\t_\t_\n"
    path.write_text("# newpar\n" + rows)
    (found,) = read_treebank(str(path))
    assert found.text == "voy al."
    assert found.ranges == ((1, 3, "al"),)
    assert found.begins_paragraph
