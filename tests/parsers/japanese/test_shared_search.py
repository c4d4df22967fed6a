"""What the search shares between analyses changes nothing: neither trees nor a bit of a score."""

from dataclasses import replace

import numpy as np
import pytest
from budgets import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from kakari.corpora import read
from kakari.parsers.japanese.dependency.decoders import chunk_counts, first_askings
from kakari.parsers.japanese.gold import analysed, carry_over
from kakari.parsers.japanese.model import Reranking
from kakari.parsers.japanese.training import JapaneseSettings, LearnerSettings, ParserSettings, TreeSettings, train

RECORDS = list(read("sample-ja"))
QUICK = LearnerSettings(cutoff=1, passes=3)
GROUPS = ("base", "attached", "chain")


def trained(**more):
    parsers = (ParserSettings(GROUPS[:2], QUICK), ParserSettings(("base",), QUICK, pairs="cascade"))
    return train(
        RECORDS[:80],
        JapaneseSettings(segmenter=None, parsers=parsers, rankers=(ParserSettings(GROUPS, QUICK),), **more),
    )


@pytest.fixture(scope="module")
def model():
    return trained()


@pytest.fixture(scope="module")
def model_with_trees():
    return trained(trees=TreeSettings(passes=2))


ids = st.lists(st.integers(0, 3), max_size=9)


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2), ids), max_size=40))
@settings(deadline=None, max_examples=examples(200))
def test_a_question_is_known_by_all_that_it_says(questions):
    first = {}
    expected = [first.setdefault((d, h, tuple(own)), place) for place, (d, h, own) in enumerate(questions)]
    assert first_askings(questions) == expected


def test_many_questions():
    questions = [(n % 7, n % 11, [n % 1000, n % 13]) for n in range(20_000)]
    first = {}
    assert first_askings(questions) == [first.setdefault(str(one), place) for place, one in enumerate(questions)]


def prepared(records, model):
    morphemes = analysed(records, model.lexicon)
    return morphemes, carry_over(records, morphemes).opens


@pytest.mark.parametrize("which", ["model", "model_with_trees"])
@given(
    st.lists(st.sampled_from(RECORDS), min_size=1, max_size=6),
    st.sampled_from([1, 2, 4, 9]),
    st.sampled_from([0.0, 0.3, 1.0, 4.0]),
    st.sampled_from([0.1, 1.0, 2.5]),
)
@settings(deadline=None, max_examples=examples(60))
def test_the_best_is_the_first_of_all_analyses(request, which, records, beam, weight, scale):
    model = request.getfixturevalue(which)
    model = replace(model, reranking=Reranking(beam=beam, weight=weight, scale=scale))
    morphemes, opens = prepared(records, model)
    heads, margins = model.parse(morphemes, opens)
    analyses = model.parse_kbest(morphemes, opens, beam=beam)
    assert heads.tolist() == [head for own in analyses for head in own[0][0]]
    alone = [prepared([record], model) for record in records]
    # Scores of a sentence do not depend on those before it, to the last bit.
    assert repr(analyses) == repr([model.parse_kbest(*one, beam=beam)[0] for one in alone])
    assert margins.tobytes() == b"".join(model.parse(*one)[1].tobytes() for one in alone)


@pytest.mark.parametrize("beam", [2, 4, 9])
def test_margins_are_those_of_the_rankers(model, beam):
    """By their definition: what the head is ahead of the best other candidate."""
    limited = replace(model, reranking=Reranking(beam=beam, weight=0.9, scale=1.4))
    morphemes, opens = prepared(RECORDS[80:], limited)
    heads, margins = limited.parse(morphemes, opens)
    # Alone with its classifier, the backward decoder's order of questions gives the margins of all candidates.
    expected = leads_of(limited, morphemes, opens, heads)
    assert np.array_equal(np.isinf(margins), np.isinf(expected))
    known = np.isfinite(margins)
    assert np.allclose(margins[known], expected[known], rtol=0, atol=1e-9)


def leads_of(model, morphemes, opens, heads):
    from kakari.parsers.japanese.dependency.decoders import training_pairs
    from kakari.parsers.japanese.dependency.pairs import Sentence

    sets, _ = training_pairs(morphemes, opens, heads, Sentence(model.width, model.pair_slots), "backward")
    asked = iter(sum(ranker.margins(sets) for ranker in model.rankers).tolist())
    leads, ends = [], np.cumsum(chunk_counts(morphemes, opens)).tolist()
    for begin, end in zip([0, *ends], ends, strict=False):
        own = heads[begin:end].tolist()
        told = [np.inf] * len(own)
        for dependent in range(len(own) - 3, -1, -1):
            candidates = [dependent + 1]
            while own[candidates[-1]] >= 0:
                candidates.append(own[candidates[-1]])
            margins = {candidate: next(asked) for candidate in candidates}
            if len(margins) > 1:
                mine = margins.pop(own[dependent])
                told[dependent] = mine - max(margins.values())
        leads += told
    return np.array(leads)
