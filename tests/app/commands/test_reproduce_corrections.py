"""The experiment with simulated corrections: its functions on a sample, its command where the corpora are."""

from kakari.corpora import read
from kakari.experiments.corrections import halves, learn_alone, learn_in_turn
from kakari.parsers.japanese.training import JapaneseSettings, LearnerSettings, ParserSettings, train


def test_simulated_corrections_are_learned():
    sentences = list(read("sample-ja"))
    learner = LearnerSettings(passes=3, cutoff=1)
    settings = JapaneseSettings(tagset="sudachi", segmenter=learner, parsers=(ParserSettings(learner=learner),))
    model = train(sentences[:30], settings)
    alone = learn_alone("sample-ja", model, sentences[30:], 5)
    assert (alone.count, alone.right) == (5, 5)
    first, *_, last = learn_in_turn("sample-ja", model, sentences[30:70], sentences[70:], (2, 4))
    assert (first.count, first.seconds) == (0, 0.0)
    assert (last.count, last.at_once) == (4, 4)
    assert 0 < last.heads <= 100


def test_halves_share_no_document():
    one, other = halves(read("sample-ja"), 1)
    assert not {s.document for s in one} & {s.document for s in other}
