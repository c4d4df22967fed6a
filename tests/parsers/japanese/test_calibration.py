"""Margins as probabilities."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kakari.corpora import read
from kakari.kernels.stored import Contents, StoredError
from kakari.parsers.japanese.calibration import Reliability, calibrate, fit_calibration
from kakari.parsers.japanese.gold import analysed, carry_over
from kakari.parsers.japanese.model import Calibration
from kakari.parsers.japanese.parser import JapaneseParser, pretrained_model
from kakari.parsers.japanese.tagging.source import KakariWords
from kakari.parsers.japanese.training import train
from kakari.parsers.japanese.words.sources import record_morphemes


def test_probabilities_are_shares_of_right_decisions():
    rng = np.random.default_rng(1)
    margins = rng.uniform(0, 3, 20_000)
    right = rng.uniform(size=20_000) < 0.5 + margins / 6
    found = fit_calibration(margins[::2], right[::2])
    reliability = Reliability()
    reliability.add(found(margins[1::2]), right[1::2])
    assert reliability.error < 0.02
    assert found(1.5) == pytest.approx(0.75, abs=0.03)


@given(st.lists(st.tuples(st.floats(-5, 5), st.booleans()), max_size=300))
def test_they_rise_with_the_margin(decisions):
    margins, right = [margin for margin, _ in decisions], [answer for _, answer in decisions]
    found = fit_calibration(margins, right)
    values = found(np.linspace(-6, 6, 50))
    assert (np.diff(values) >= 0).all()
    assert values.min() >= 0
    assert values.max() <= 1
    again = Calibration.from_contents(found.contents())
    assert again(values).tolist() == found(values).tolist()


def test_bad_contents_are_refused():
    for margins, probabilities in (([1.0, 0.0], [0.1, 0.2]), ([0.0, 1.0], [0.5, 0.2]), ([0.0], [1.5]), ([], [])):
        with pytest.raises(StoredError):
            Calibration.from_contents(
                Contents({"margins": np.array(margins), "probabilities": np.array(probabilities)})
            )


def test_held_out_words_are_those_of_training():
    sentences, source = list(read("sample-ja")), KakariWords()
    model = train(sentences, source=source)
    calibrate(model, model, sentences, source)
    found, own = (analysed(sentences, model.lexicon, words) for words in (source, None))
    assert len(found.begins) != len(own.begins)
    inside = np.ones(len(found.begins), dtype=bool)
    inside[found.starts[:-1]] = False
    right = carry_over(sentences, found).opens[inside] == 1
    wanted = fit_calibration(model.boundary_margins(found)[1][inside], right)
    assert model.boundary_calibration.margins.tolist() == wanted.margins.tolist()
    assert model.boundary_calibration.probabilities.tolist() == wanted.probabilities.tolist()


@pytest.mark.parametrize("name", ["ja", "ja-juman"])
def test_embedded_models_are_calibrated(name):
    model = pretrained_model(name)
    assert model.arc_calibration is not None and model.boundary_calibration is not None


def test_margins_are_those_of_the_weakest_decision():
    """The definition: of all questions about a bunsetsu, the one with the smallest absolute margin."""
    from kakari.parsers.japanese.dependency.decoders import training_pairs
    from kakari.parsers.japanese.dependency.pairs import Sentence
    from kakari.parsers.japanese.explaining import decisions

    model = pretrained_model("ja-juman")
    for record in list(read("sample-ja"))[:20]:
        morphemes = record_morphemes([record], model.lexicon)
        opens = carry_over([record], morphemes).opens
        heads, margins = model.parse(morphemes, opens)
        sets, _ = training_pairs(morphemes, opens, heads, Sentence(model.width, model.pair_slots), "shift-reduce")
        asked = sum(parser.margins(sets) for parser in model.parsers)
        weakest = [np.inf] * len(heads)
        for (dependent, _), margin in zip(decisions(heads.tolist()), asked, strict=True):
            weakest[dependent] = min(weakest[dependent], abs(margin))
        assert margins == pytest.approx(weakest, rel=1e-6)


def test_boundaries_have_probabilities():
    text = "太郎は花子が読んでいる本を次郎に渡した。"
    plain, told = (JapaneseParser.pretrained(boundaries=flag).parse(text)[0] for flag in (False, True))
    assert plain.heads == told.heads
    assert [b.boundary for b in plain.bunsetsu] == [1.0] * 6
    assert all(0.5 < b.boundary <= 1 for b in told.bunsetsu)
