"""What made an arc: names of conjunctions are those of the engine's hashes, and weights add up to scores."""

import pytest
from budgets import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from kakari.corpora.records.errors import CorpusError
from kakari.parsers.correcting import Correction, apply_corrections
from kakari.parsers.dependency.explaining.arcs import LISTED, explain_arc
from kakari.parsers.dependency.explaining.conjunction_names import tree_parts
from kakari.parsers.dependency.model import pretrained_model
from kakari.parsers.dependency.parser import DependencyParser
from kakari.parsers.dependency.parsing import conjunctions_of
from kakari.parsers.dependency.tokens import TokenBatch

TEXTS = [
    "Who wrote the letter that Mary sent to the president?",
    "The old man, who lives in New York City, said that he would not have bought the three red houses near the river.",
    "Stop!",
]
WORD = st.sampled_from(
    [
        ("Dogs", "dog", "NOUN", "NNS", "Number=Plur"),
        ("bark", "bark", "VERB", "VBP", "Mood=Ind|Tense=Pres"),
        ("The", "_", "DET", "_", "Definite=Def"),
        (",", ",", "_", ",", "_"),
        ("dogs", "dog", "NOUN", "NN", "_"),
    ]
)


@st.composite
def trees(draw):
    words = draw(st.lists(WORD, min_size=1, max_size=9))
    count = len(words)
    order = draw(st.permutations(range(1, count + 1)))
    heads = [0] * count
    for place, word in enumerate(order[1:], 1):  # each word hangs on one before it in the order: a tree
        heads[word - 1] = draw(st.sampled_from(order[:place]))
    return words, heads


def check_names(words, heads, order):
    names = [name for part in tree_parts(words, heads, order) for name in part.names]
    hashes = conjunctions_of(TokenBatch([words]), 0, heads, order).tolist()
    assert len(names) == len(hashes)
    assert len(set(zip(names, hashes, strict=True))) == len(set(names)) == len(set(hashes))


@settings(max_examples=examples(60), deadline=None)
@given(trees(), st.integers(1, 3))
def test_names_tell_conjunctions_apart_as_hashes_do(tree, order):
    check_names(*tree, order)


@pytest.mark.parametrize("text", TEXTS)
def test_names_of_real_trees(text):
    (found,) = DependencyParser.pretrained().parse(text, one_sentence=True)
    check_names(found.tree.words, found.tree.heads, 3)


@pytest.mark.parametrize("text", TEXTS)
def test_weights_add_up_to_the_parsers_scores(text):
    model = pretrained_model()
    (found,) = DependencyParser.pretrained().parse(text, one_sentence=True)
    scores = {tree.heads: score for score, tree in model.best_trees(found.tree.words, LISTED)}
    for modifier in range(1, len(found.tree.words) + 1):
        told = explain_arc(model, found.tree, modifier, 5)
        for one in told:
            assert sum(item["weight"] for item in one["items"]) == pytest.approx(one["margin"])
            assert len(one["items"]) <= 6
        others = [score for heads, score in scores.items() if heads[modifier - 1] != found.tree.heads[modifier - 1]]
        if others:
            assert told[0]["margin"] == pytest.approx(scores[found.tree.heads] - max(others))
        assert told[-1]["machine"].endswith("the arc alone")


def test_a_correction_is_in_the_sum():
    text = "He saw the man with the telescope."
    (found,) = DependencyParser.pretrained().parse(text)
    word = 6
    other = {2: 4, 4: 2}[found.tree.heads[word]]  # the man's telescope, or that of the one who saw him
    spans = found.spans
    done = apply_corrections(pretrained_model(), [Correction(text, "arc", spans[word], spans[other - 1])]).model
    tree = DependencyParser(done, DependencyParser.pretrained().tagger).parse(text)[0].tree
    assert tree.heads[word] == other
    before = explain_arc(pretrained_model(), tree, word + 1, 5)[-1]["margin"]
    now = explain_arc(done, tree, word + 1, 5)[-1]
    assert now["margin"] > before
    assert sum(item["weight"] for item in now["items"]) == pytest.approx(now["margin"])


def test_words_that_are_not_there_are_refused():
    (found,) = DependencyParser.pretrained().parse("Stop!")
    for word in (0, 3):
        with pytest.raises(CorpusError, match="there is no word"):
            explain_arc(pretrained_model(), found.tree, word, 5)
