"""Reranking only where the shift-reduce decoder is not sure."""

from dataclasses import replace

import numpy as np
import pytest

from kakari.corpora import read
from kakari.parsers.japanese.dependency.decoders import chunk_counts, parse_batch
from kakari.parsers.japanese.dependency.pairs import Sentence
from kakari.parsers.japanese.gold import carry_over
from kakari.parsers.japanese.model import JapaneseModel, Reranking
from kakari.parsers.japanese.training import JapaneseSettings, LearnerSettings, ParserSettings, train
from kakari.parsers.japanese.words.sources import record_morphemes

RECORDS = list(read("sample-ja"))
QUICK = LearnerSettings(passes=3)


@pytest.fixture(scope="module")
def model():
    settings = JapaneseSettings(
        segmenter=None,
        parsers=(ParserSettings(learner=QUICK),),
        rankers=(ParserSettings(("base", "chain"), QUICK),),
        reranking=Reranking(beam=4),
    )
    return train(RECORDS[::2], settings)


@pytest.mark.parametrize("sure", [0.0, 0.3, 0.8, 2.0, 1e9])
def test_sure_sentences_are_those_of_the_decoder(model, sure):
    morphemes = record_morphemes(RECORDS, model.lexicon)
    opens = carry_over(RECORDS, morphemes).opens
    limited = replace(model, reranking=replace(model.reranking, sure=sure))
    found, margins = limited.parse(morphemes, opens)
    searched, _ = model.parse(morphemes, opens)
    greedy, weakest = parse_batch(morphemes, opens, model.parsers, Sentence(model.width, model.pair_slots))
    ends = np.cumsum(chunk_counts(morphemes, opens))
    for begin, end in zip([0, *ends], ends, strict=False):
        is_sure = weakest[begin:end].min() >= sure
        expected = greedy if is_sure else searched
        assert found[begin:end].tolist() == expected[begin:end].tolist()
        own = margins[begin:end]
        if is_sure:
            assert own.tolist() == weakest[begin:end].tolist()
        else:
            assert ((own < sure) | np.isinf(own)).all()


def test_the_limit_is_saved(model):
    limited = replace(model, reranking=replace(model.reranking, sure=0.5))
    assert JapaneseModel.from_bytes(limited.to_bytes()).reranking.sure == 0.5
    assert JapaneseModel.from_bytes(model.to_bytes()).reranking.sure is None
