"""The second opinion about boundaries: when it is asked, what it adds, and that every way into the parser asks it."""

import pickle
from dataclasses import replace

import numpy as np
import pytest

import kakari
from kakari.corpora import read
from kakari.parsers.correcting.japanese import JapaneseCorrector
from kakari.parsers.correcting.records import Correction
from kakari.parsers.japanese.bunsetsu.segmentation import SURE_MARGIN
from kakari.parsers.japanese.explaining import ExplainedSentence
from kakari.parsers.japanese.model import JapaneseModel, SecondOpinion
from kakari.parsers.japanese.parser import JapaneseParser, pretrained_model
from kakari.parsers.japanese.second_opinion import boundary_advice
from kakari.parsers.japanese.tagging.source import KakariWords
from kakari.parsers.japanese.words.morphemes import Morphemes
from kakari.parsers.japanese.words.sources import Sudachi

TEXTS = [
    "太郎は京都大学に行った。",
    "赤・青・黄 の三色の旗を、ﾃﾚﾋﾞで見た",
    "昨日東京駅前広場集合ということでよろしくお願いします。",
    "  ",
    "",
    "彼女に会ったのは3年前のことだったんじゃないかな?",
    "😀👍🏽 いいね w w",
]
ALWAYS = SecondOpinion(sure=SURE_MARGIN + 10)


def by_definition(second, text, model):
    """Ask about each word of one sentence in turn."""
    source, adviser = KakariWords(), pretrained_model("ja-juman")
    own = Sudachi().morphemes([text], model.lexicon)
    margins = replace(model, second=None).boundary_margins(own)[1]
    words = source.morphemes([text], adviser.lexicon)
    theirs = dict(zip(words.begins.tolist(), adviser.boundary_margins(words)[1].tolist(), strict=True))
    if not any(abs(margin) < second.sure for margin in margins):
        return margins.tolist()
    return [
        margin + second.weight * max(-SURE_MARGIN, min(SURE_MARGIN, theirs.get(begin, second.elsewhere)))
        for margin, begin in zip(margins.tolist(), own.begins.tolist(), strict=True)
    ]


@pytest.mark.parametrize("second", [ALWAYS, SecondOpinion(), SecondOpinion(weight=0.3, sure=1.0, elsewhere=-2.0)])
def test_margins_are_those_of_the_definition(second):
    model = replace(pretrained_model(), second=second)
    texts = TEXTS + [sentence.text for sentence in read("sample-ja")]
    morphemes = Sudachi().morphemes(texts, model.lexicon)
    opens, margins = model.boundary_margins(morphemes)
    wanted = [margin for text in texts for margin in by_definition(second, text, model)]
    assert margins.tolist() == wanted
    assert opens.tolist() == [int(margin > 0) for margin in wanted]
    assert model.segment(morphemes).tolist() == opens.tolist()


def test_only_unsure_sentences_are_asked_about():
    model = pretrained_model()
    assert model.second is not None
    morphemes = Sudachi().morphemes(TEXTS + [one.text for one in read("sample-ja")], model.lexicon)
    own = replace(model, second=None).boundary_margins(morphemes)[1]
    owners = np.repeat(np.arange(len(morphemes)), np.diff(morphemes.starts))
    unsure = set(owners[np.abs(own) < model.second.sure].tolist())
    asked = set(owners[boundary_advice(model, morphemes) != 0].tolist())
    assert asked == unsure
    assert 0 < len(asked) < len(morphemes) / 2


def test_without_texts_there_is_no_second_opinion():
    model = replace(pretrained_model(), second=ALWAYS)
    told = Sudachi().morphemes(TEXTS, model.lexicon)
    arrays = (told.fields, told.begins, told.ends, told.starts)
    bare = Morphemes(*arrays)
    assert model.segment(bare).tolist() == replace(model, second=None).segment(told).tolist()
    assert not boundary_advice(model, bare).any()


def test_sure_decisions_stay():
    model = pretrained_model()
    texts = [sentence.text for sentence in read("sample-ja")]
    morphemes = Sudachi().morphemes(texts, model.lexicon)
    own = replace(model, second=None).boundary_margins(morphemes)[1]
    opens = replace(model, second=ALWAYS).segment(morphemes)
    assert ((own > 0) == opens)[np.isinf(own)].all()


def test_settings_are_saved_and_pickled():
    model = replace(pretrained_model(), second=SecondOpinion(0.5, 0.25, -1.5))
    assert JapaneseModel.from_bytes(model.to_bytes()).second == SecondOpinion(0.5, 0.25, -1.5)
    assert pickle.loads(pickle.dumps(model)).second == SecondOpinion(0.5, 0.25, -1.5)
    assert pretrained_model("ja-juman").second is None


def test_morphemes_keep_their_texts_when_pickled():
    morphemes = Sudachi().morphemes(TEXTS, pretrained_model().lexicon)
    assert list(pickle.loads(pickle.dumps(morphemes)).texts) == TEXTS


def test_spacy_asks_it_too(tmp_path):
    model = replace(pretrained_model(), second=ALWAYS)
    model.save(tmp_path / "always.safetensors")
    nlp, parser = kakari.load("ja", model=tmp_path / "always.safetensors"), JapaneseParser(model)
    texts = [text for text in TEXTS if text.strip()]
    for text, doc, alone in zip(texts, nlp.pipe(texts), map(nlp, texts), strict=True):
        wanted = [text[b.begin : b.end].strip() for sentence in parser.parse(text) for b in sentence.bunsetsu]
        assert [bunsetsu.text.strip() for bunsetsu in doc._.bunsetsu] == wanted
        assert [bunsetsu.text.strip() for bunsetsu in alone._.bunsetsu] == wanted


def test_an_explanation_adds_up():
    text = "昨日東京駅前広場集合ということでよろしくお願いします。"
    model = replace(pretrained_model(), second=ALWAYS)
    parser = JapaneseParser(model)
    explained = ExplainedSentence(text, parser)
    _, margins = model.boundary_margins(explained.morphemes)
    for begin, margin in list(zip(explained.morphemes.begins.tolist(), margins.tolist(), strict=True))[1:]:
        told = explained.boundary(begin, 5)
        assert "(second opinion)" in told[-1]["machine"]
        if np.isfinite(margin):
            assert sum(part["margin"] for part in told) == pytest.approx(margin, abs=1e-4)


def test_a_correction_is_stronger():
    model = replace(pretrained_model(), second=ALWAYS)
    for text in (text for text in TEXTS if text.strip()):
        morphemes = Sudachi().morphemes([text], model.lexicon)
        opens = model.segment(morphemes)
        for place in range(1, len(opens), 3):
            one = Correction(text, "boundary", int(morphemes.begins[place]), not opens[place])
            assert JapaneseCorrector(JapaneseCorrector(model).learned([one])).holds(one)
