"""Predicates and arguments in trees: resolution against brute force, small tables, lemmas, the model's file."""

from itertools import combinations

import numpy as np
import pytest
from budgets import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from kakari.models.files import ModelFileError
from kakari.parsers.arguments.candidates.conjunctions import named_conjunctions
from kakari.parsers.arguments.candidates.frames import ArgumentError, Frame, FramedSentence, read_frames
from kakari.parsers.arguments.model import ArgumentModel, pretrained_arguments
from kakari.parsers.arguments.predicates import VERBS, Lemmatiser, endings
from kakari.parsers.arguments.resolution import resolved
from kakari.parsers.arguments.scores import evaluate_arguments
from kakari.parsers.arguments.training import ArgumentSettings, best_threshold, parsed_anew, train_arguments
from kakari.parsers.english.words.flat_trees import FlatTree


@pytest.fixture(scope="module")
def sentences():
    return list(read_frames("sample-en"))


@pytest.fixture(scope="module")
def model(sentences):
    return train_arguments(sentences)


@st.composite
def trees_of_spans(draw, length=9, most=8):
    """Return spans none of which overlaps another without lying inside it, in any order, some of them twice."""
    spans = []
    for _ in range(draw(st.integers(0, most))):
        begin = draw(st.integers(0, length - 1))
        span = begin, draw(st.integers(begin + 1, length))
        if all(
            span[1] <= other[0] or other[1] <= span[0]
            or (span[0] <= other[0] and other[1] <= span[1]) or (other[0] <= span[0] and span[1] <= other[1])
            for other in spans
        ):  # fmt: skip
            spans.append(span)
    return draw(st.permutations(spans))


@given(trees_of_spans(), st.data())
@settings(max_examples=examples(150), deadline=None)
def test_resolution_is_the_best_of_all_sets_without_overlap(spans, data):
    margins = [data.draw(st.integers(-8, 16)) / 4 for _ in spans]
    allowed = [
        chosen
        for size in range(len(spans) + 1)
        for chosen in combinations(range(len(spans)), size)
        if all(spans[a][1] <= spans[b][0] or spans[b][1] <= spans[a][0] for a, b in combinations(chosen, 2))
    ]
    found = resolved([begin for begin, _ in spans], [end for _, end in spans], margins)
    assert tuple(sorted(found)) in allowed
    assert sum(margins[place] for place in found) == max(sum(margins[one] for one in chosen) for chosen in allowed)
    assert [spans[place] for place in found] == sorted(spans[place] for place in found)


def test_spans_of_no_tree_are_refused():
    with pytest.raises(ArgumentError, match="overlap"):
        resolved([0, 1], [2, 3], [1.0, 1.0])


def test_conjunctions_of_unknown_templates_are_refused():
    with pytest.raises(ValueError, match="no template 'nothing'"):
        named_conjunctions("nothing*path")


@given(st.lists(st.tuples(st.sampled_from([-2.0, -1.0, -0.5, 0.0, 0.25, 1.0]), st.booleans()), min_size=1, max_size=12))
def test_no_threshold_is_better_than_the_best(pairs):
    margins, gold = np.array([margin for margin, _ in pairs]), np.array([truth for _, truth in pairs])

    def score(threshold):
        found = margins > threshold
        return 2 * (found & gold).sum() / max(1, found.sum() + gold.sum())

    assert score(best_threshold(margins, gold)) == max(score(at) for at in [*(margins - 1e-9), margins.max()])


@given(st.lists(st.tuples(st.text("abeing", min_size=1, max_size=6), st.text("abein", min_size=1, max_size=6))))
@settings(max_examples=examples(60), deadline=None)
def test_lemmas_of_words_that_were_learned_are_right(pairs):
    known = [(word, "VB", lemma) for word, lemma in dict(pairs).items()]
    lemmas = Lemmatiser.learned(known)
    assert [lemmas.lemma(word, tag) for word, tag, _ in known] == [lemma for _, _, lemma in known]
    assert Lemmatiser(lemmas.rules).rules == lemmas.rules and endings("")[-1] == ""


def test_the_sample_is_learned(model, sentences):
    figures = evaluate_arguments(model, None, sentences, given="trees").as_dict()
    assert figures["span_f1"] > 0.98 and figures["labelled_f1"] > 0.75 and figures["predicate_f1"] > 0.95
    assert figures["candidates"] > 900 and figures["seconds"] > 0
    with pytest.raises(ValueError, match="parser is needed"):
        evaluate_arguments(model, None, sentences)


def test_arguments_do_not_overlap_and_leave_the_predicate_alone(model, sentences):
    for found in pretrained_arguments().find([one.tree for one in sentences]):
        for frame in found.frames:
            taken = [place for begin, end in frame.spans for place in range(begin, end)]
            assert len(taken) == len(set(taken)) and frame.token not in taken
            assert len(frame.roles) == len(frame.spans)


def test_files_give_the_same_model_and_training_the_same_file(model, sentences, tmp_path):
    model.save(tmp_path / "m.safetensors")
    trees = [one.tree for one in sentences]
    assert ArgumentModel.load(tmp_path / "m.safetensors").find(trees) == model.find(trees)
    assert train_arguments(sentences).to_bytes() == model.to_bytes()
    (tmp_path / "t.safetensors").write_bytes(model.to_bytes()[:-50])
    with pytest.raises(ModelFileError):
        ArgumentModel.load(tmp_path / "t.safetensors")


def test_nominal_predicates_are_found_on_request():
    words, tags = (
        ("The", "decision", "of", "the", "board", "surprised", "us"),
        ("DT", "NN", "IN", "DT", "NN", "VBD", "PRP"),
    )
    nodes = (("S", 0, 7), ("NP", 0, 5), ("NP", 0, 2), ("PP", 2, 5), ("NP", 3, 5), ("VP", 5, 7), ("NP", 6, 7))
    tree = FlatTree(words, tags, nodes)
    (verbs,) = pretrained_arguments().find([tree])
    assert [frame.token for frame in verbs.frames] == [5] and all(tags[one.token] in VERBS for one in verbs.frames)
    (both,) = pretrained_arguments().find([tree], nominal=True)
    assert [frame.lemma for frame in both.frames] == ["decide", "surprise"]  # as PropBank names the frame of "decision"


@pytest.mark.parametrize(
    "tree",
    [
        FlatTree((), (), ()),
        FlatTree(("Go",), ("VB",), ()),
        FlatTree(("the",) * 399 + ("go",), ("DT",) * 399 + ("VB",), (("S", 0, 400),)),
        FlatTree(("\ud800", "\n"), ("VB", "NN"), (("S", 0, 2),)),
    ],
)
def test_odd_trees(tree):
    (found,) = pretrained_arguments().find([tree])
    assert found.tree == tree
    assert pretrained_arguments().find([]) == []


def test_a_predicate_that_the_tree_lacks_is_refused(model):
    tree = FlatTree(("Go",), ("VB",), (("S", 0, 1),))
    with pytest.raises(ArgumentError, match="lacks the predicate"):
        model.fill([FramedSentence(tree, (Frame(3, "go"),))])


def test_training_needs_arguments(sentences):
    with pytest.raises(ArgumentError, match="no predicates with arguments"):
        train_arguments([FramedSentence(one.tree, ()) for one in sentences])


def test_sentences_are_parsed_by_parsers_of_the_others(sentences):
    few = sentences[:12]
    again = parsed_anew(few, 2, report=lambda line: None)
    assert [one.tree.words for one in again] == [one.tree.words for one in few]
    assert [one.frames for one in again] == [one.frames for one in few]
    assert any(one.tree != other.tree for one, other in zip(again, few))
    assert ArgumentSettings().boundary.most < 200_000


@pytest.mark.corpora
@pytest.mark.parametrize(("given_", "least"), [("trees", 0.94), ("text", 0.78)])
def test_the_embedded_model_is_good(given_, least):
    from kakari.parsers.english.model import pretrained_model

    dev = list(read_frames("ewt:dev"))
    assert (
        evaluate_arguments(pretrained_arguments(), pretrained_model(), dev, given=given_).as_dict()["span_f1"] >= least
    )
