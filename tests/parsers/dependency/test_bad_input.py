"""What treebanks and texts do wrong: refused with a reason, or parsed all the same."""

import pytest

from kakari.corpora.records.errors import CorpusError
from kakari.parsers.dependency import (
    DependencyModel,
    DependencySettings,
    TreeSentence,
    read_treebank,
    score_trees,
    train,
)
from kakari.parsers.dependency.parser import DependencyParser, evaluated
from kakari.parsers.dependency.treebank import enclitics_of
from kakari.parsers.limits import TextWarning

SMALL = DependencySettings(passes=2, light_passes=2, label_passes=2, folds=2)


def conllu(rows):
    return "".join(
        f"{place}\t{form}\t{form}\t{tag}\t{tag}\t_\t{head}\t{relation}\t_\t_\n"
        for place, (form, tag, head, relation) in enumerate(rows, 1)
    )


def written(tmp_path, *sentences):
    path = tmp_path / "x.conllu"
    path.write_text("\n".join(sentences) + "\n")
    return str(path)


SIMPLE = [("dogs", "NOUN", 2, "nsubj"), ("bark", "VERB", 0, "root")]


@pytest.fixture(scope="module")
def model():
    words = (("dogs", "dog", "NOUN", "NNS", "_"), ("bark", "bark", "VERB", "VBP", "_"))
    range_words = (*words, ("n't", "not", "PART", "RB", "_"))
    plain = TreeSentence(words, (2, 0), ("nsubj", "root"), (), (True, True))
    joined = TreeSentence(
        range_words, (2, 0, 2), ("nsubj", "root", "advmod"), ((1, 3, "barkn't"),), (True, False, True)
    )
    return train([plain, joined] * 8, SMALL)


def test_a_head_that_is_out_of_range_is_refused(tmp_path):
    path = written(tmp_path, conllu([("a", "X", 7, "dep"), ("b", "X", 0, "root")]))
    with pytest.raises(CorpusError, match=r"the head .7. is no token of this sentence"):
        list(read_treebank(path))


@pytest.mark.parametrize(("heads", "reason"), [((2, 1), "cycle"), ((1, 0), "itself|cycle")])
def test_cycles_are_refused(tmp_path, heads, reason):
    path = written(tmp_path, conllu([("a", "X", heads[0], "dep"), ("b", "X", heads[1], "dep")]))
    with pytest.raises(CorpusError, match=reason):
        list(read_treebank(path))


def test_several_roots_are_learned(tmp_path):
    path = written(tmp_path, *[conllu([("a", "X", 0, "root"), ("b", "Y", 0, "root")])] * 6)
    trained = train(list(read_treebank(path)), SMALL)
    assert trained.parse([["a", "b"]])[0].heads == (0, 0)


@pytest.mark.slow
def test_sentences_of_500_words_and_of_none(model):
    with pytest.warns(TextWarning, match="found in parts"):
        (tree,) = model.parse([["dogs", "bark"] * 250])
    assert len(tree.heads) == 500
    assert tree.heads.count(0) == 1
    assert [len(found.words) for found in model.parse([[], ["dogs"], []])] == [0, 1, 0]
    scored, sure = model.best_with_probabilities(model.tag([[], ["dogs", "bark"]]), 2)
    assert (len(scored[0]), sure[0], len(sure[1])) == (1, (), 2)
    with pytest.warns(TextWarning, match="found in parts"), pytest.warns(TextWarning, match="cut"):
        parsed = DependencyParser(model).parse("dogs bark " * 700)
    assert max(len(sentence.tree.words) for sentence in parsed) == 500
    assert sum(len(sentence.tree.words) for sentence in parsed) == 1400


def test_relations_and_tags_never_seen_count_as_wrong(model):
    words = (("dogs", "dog", "QQ", "QQ", "Odd=Yes"), ("bark", "bark", "VERB", "VBP", "_"))
    gold = [TreeSentence(words, (2, 0), ("strange:label", "root"))]
    figures = score_trees(gold, evaluated(model, gold, "tags"))
    assert (figures["uas"], figures["las"]) == (1.0, 0.5)


def test_a_written_word_of_several_at_the_end_of_a_sentence(model):
    assert model.enclitics == ("n't",)
    (sentence,) = DependencyParser(model).parse("dogs don't", one_sentence=True)
    assert [token.id for token in sentence.to_conllu("7").tokens] == ["1", "2-3", "2", "3"]
    gold = [TreeSentence(sentence.tree.words, sentence.tree.heads, sentence.tree.relations, sentence.tree.ranges)]
    assert score_trees(gold, [sentence.tree])["las"] == 1.0


def test_enclitics_are_those_of_written_words_only():
    words = tuple((form, form, "X", "X", "_") for form in ("do", "n't", "-", "up"))
    ranged = TreeSentence(words, (0, 1, 1, 1), ("root", "a", "b", "c"), ((0, 2, "don't"),), (False, False, False, True))
    assert enclitics_of([ranged] * 3) == ("n't",)
    assert enclitics_of([ranged] * 2) == ()
    assert enclitics_of([]) == ()


def test_crossing_gold_trees_are_lifted_counted_and_told():
    words = tuple((form, form, "X", form, "_") for form in "abcd")
    told = []
    trained = train([TreeSentence(words, (3, 4, 0, 3), ("x", "y", "root", "z"))] * 6, SMALL, report=told.append)
    assert trained.details["lifted"] == 6
    assert "6 trees were not projective and have been lifted" in told


def test_given_tags_are_kept_and_unknown_ones_replaced(model):
    (line,) = model.tagger.tag([["dogs", "bark"]], [["VBP", "NNS"]])
    assert [word[3] for word in line] == ["VBP", "NNS"]
    (line,) = model.tagger.tag([["dogs", "bark"]], [["??", "NNS"]])
    assert [word[3] for word in line] == ["NNS", "NNS"]
    with pytest.raises(ValueError, match="one tag"):
        model.tagger.tag([["dogs", "bark"]], [["NNS"]])


def test_probabilities_come_back_from_a_file(model):
    again = DependencyModel.from_bytes(model.to_bytes())
    columns = model.tag([["dogs", "bark"]])
    assert again.best_with_probabilities(columns, 3) == model.best_with_probabilities(columns, 3)
