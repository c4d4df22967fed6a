"""What made a boundary of bunsetsu: weights that add up to the margin, and corrections beside them."""

import numpy as np
import pytest

from kakari.corpora.records.errors import CorpusError
from kakari.parsers.correcting import Correction, apply_corrections
from kakari.parsers.japanese.bunsetsu.segmentation import SURE_MARGIN
from kakari.parsers.japanese.explaining import ExplainedSentence
from kakari.parsers.japanese.parser import JapaneseParser, pretrained_model

TEXT = "太郎は花子が読んでいる本を次郎に渡した。"


def margins(parser, text):
    morphemes = parser.source.morphemes([text], parser.model.lexicon)
    opens, found = parser.model.boundary_margins(morphemes)
    return {
        int(place): (bool(mark), margin) for place, mark, margin in zip(morphemes.begins, opens, found, strict=True)
    }


def test_weights_add_up_to_the_margins_of_all_boundaries():
    parser = JapaneseParser.pretrained()
    sentence = ExplainedSentence(TEXT, parser)
    for place, (opens, margin) in list(margins(parser, TEXT).items())[1:]:
        (told,) = sentence.boundary(place, 6)
        wanted = np.clip(margin, -SURE_MARGIN, SURE_MARGIN) if np.isinf(margin) else margin
        assert told["margin"] == pytest.approx(wanted)
        assert sum(item["weight"] for item in told["items"]) == pytest.approx(told["margin"], abs=1e-6)
        assert ("|" in told["machine"]) == opens == (told["margin"] > 0)


def test_corrections_are_told_beside_the_model():
    correction = Correction(TEXT, "boundary", 9, True)  # 読んで|いる
    model = apply_corrections(pretrained_model(), [correction]).model
    parser = JapaneseParser(model)
    told = ExplainedSentence(TEXT, parser).boundary(9, 6)
    assert [one["machine"] for one in told] == ["で|いる", "で|いる (corrections)"]
    assert sum(one["margin"] for one in told) == pytest.approx(margins(parser, TEXT)[9][1])


def test_places_inside_words_are_refused():
    sentence = ExplainedSentence(TEXT, JapaneseParser.pretrained())
    for place in (0, 1, 99):
        with pytest.raises(CorpusError, match="no word that could begin a bunsetsu"):
            sentence.boundary(place, 5)
