"""The model of whole trees: its search finds what enumerating all trees finds, and it learns what can be learned."""

import itertools

import numpy as np
import pytest

from kakari.corpora import read
from kakari.kernels.hashed.weights import HashedLearner
from kakari.parsers.japanese.dependency.pairs import Sentence
from kakari.parsers.japanese.dependency.tree_search import learn_pass, score_trees, search_trees
from kakari.parsers.japanese.gold import analysed, carry_over
from kakari.parsers.japanese.model import JapaneseModel
from kakari.parsers.japanese.training import (
    JapaneseSettings,
    LearnerSettings,
    ParserSettings,
    TreeSettings,
    build_lexicon,
    train,
)

SENTENCES = list(read("sample-ja"))[:60]


def prepared(sentences):
    lexicon = build_lexicon(sentences, "juman")
    morphemes = analysed(sentences, lexicon)
    return morphemes, carry_over(sentences, morphemes), Sentence(max(256, len(lexicon.strings)), [])


def learned(sentences, passes=3, seed=1):
    morphemes, gold, sentence = prepared(sentences)
    learner = HashedLearner()
    rng = np.random.default_rng(seed)
    for _ in range(passes):
        order = rng.permutation(len(sentences))
        changed = learn_pass(morphemes, gold.opens, gold.heads, sentence, learner, order)
    return learner, changed


def all_trees(count):
    """Every tree without crossing arcs whose arcs point to the right: the definition."""
    for heads in itertools.product(*(range(place + 1, count) for place in range(count - 1))):
        arcs = list(enumerate(heads))
        if not any(a < c < b < d for a, b in arcs for c, d in arcs):
            yield [*heads, -1]


def test_a_wide_beam_finds_the_best_of_all_trees():
    weights = learned(SENTENCES)[0].freeze()
    short = [sentence for sentence in SENTENCES if 3 <= len(sentence.bunsetsu) <= 6][:12]
    for record in short:
        morphemes, gold, sentence = prepared([record])
        (found,) = search_trees(morphemes, gold.opens, weights, sentence, beam=1000)
        trees = list(all_trees(len(record.bunsetsu)))
        scores = [score_trees(morphemes, gold.opens, tree, weights, sentence)[0] for tree in trees]
        assert sorted(heads for heads, _ in found) == sorted(trees)
        assert {tuple(heads): score for heads, score in found} == dict(zip(map(tuple, trees), scores, strict=True))
        assert found[0][1] == max(scores)


def test_a_narrow_beam_gives_at_most_that_many():
    weights = learned(SENTENCES)[0].freeze()
    morphemes, gold, sentence = prepared(SENTENCES)
    found = search_trees(morphemes, gold.opens, weights, sentence, beam=3)
    assert max(len(trees) for trees in found) == 3
    for trees in found:
        assert [score for _, score in trees] == sorted((score for _, score in trees), reverse=True)


def test_what_is_learned_is_right_and_the_same_every_time():
    learner, changed = learned(SENTENCES, passes=15)
    assert changed <= 2
    again, _ = learned(SENTENCES, passes=15)
    for name, array in learner.freeze().arrays.items():
        assert np.array_equal(array, again.freeze().arrays[name])


def test_bad_arguments():
    morphemes, gold, sentence = prepared(SENTENCES[:2])
    with pytest.raises(ValueError, match="one head"):
        learn_pass(morphemes, gold.opens, gold.heads[1:], sentence, HashedLearner(), [0])
    with pytest.raises(ValueError, match="not there"):
        learn_pass(morphemes, gold.opens, gold.heads, sentence, HashedLearner(), [2])
    with pytest.raises(ValueError, match="beam"):
        learn_pass(morphemes, gold.opens, gold.heads, sentence, HashedLearner(), [0], beam=0)


def test_a_model_with_trees_is_saved_and_parses():
    quick = LearnerSettings(passes=2)
    settings = JapaneseSettings(
        segmenter=None,
        parsers=(ParserSettings(learner=quick),),
        rankers=(ParserSettings(learner=quick),),
        trees=TreeSettings(passes=2),
    )
    model = train(SENTENCES, settings)
    again = JapaneseModel.from_bytes(model.to_bytes())
    assert again.to_bytes() == model.to_bytes()
    morphemes = analysed(SENTENCES, again.lexicon)
    gold = carry_over(SENTENCES, morphemes)
    heads, _ = again.parse(morphemes, gold.opens)
    assert (heads == gold.heads).mean() > 0.9
    best = [trees[0][0] for trees in again.parse_kbest(morphemes, gold.opens, beam=settings.reranking.beam)]
    assert heads.tolist() == [head for tree in best for head in tree]
    without = train(SENTENCES[:5], JapaneseSettings(segmenter=None, parsers=(ParserSettings(learner=quick),)))
    assert without.trees is None
    assert "trees" not in without.details["settings"]
