"""Models, files and scores of sequence labellers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kakari.kernels.stored import Contents
from kakari.models.files import ModelFileError, model_bytes
from kakari.parsers.sequences.chunk_tags import chunks_of
from kakari.parsers.sequences.model import SequenceModel, WrongColumnsError
from kakari.parsers.sequences.scores import score
from kakari.parsers.sequences.templates import TemplateError, TemplateSet
from kakari.parsers.sequences.training import SequenceSettings, SequenceTrainingError, train

ROWS = [
    [("The", "DT"), ("old", "JJ"), ("dog", "NN"), ("barked", "VBD"), (".", ".")],
    [("Dogs", "NNS"), ("bark", "VBP")],
    [("She", "PRP"), ("saw", "VBD"), ("a", "DT"), ("bird", "NN")],
]
LABELS = [["B-NP", "I-NP", "I-NP", "B-VP", "O"], ["B-NP", "B-VP"], ["B-NP", "B-VP", "B-NP", "I-NP"]]


@pytest.fixture(params=["linear", "direct", "pairs"])
def scheme(request):
    return request.param


@pytest.fixture
def model(scheme):
    return train(ROWS, LABELS, SequenceSettings(("word", "tag"), scheme=scheme))


def test_training_data_is_learned(model):
    assert model.predict(ROWS) == LABELS
    assert model.predict([[], ROWS[1], []]) == [[], LABELS[1], []]
    assert model.predict([]) == []


def test_backwards(scheme):
    model = train(ROWS, LABELS, SequenceSettings(("word", "tag"), scheme=scheme, backwards=True))
    assert model.predict(ROWS) == LABELS
    assert SequenceModel.from_bytes(model.to_bytes()).templates.backwards


def test_files(model, tmp_path):
    model.save(tmp_path / "x.safetensors")
    again = SequenceModel.load(tmp_path / "x.safetensors")
    assert again.predict(ROWS) == model.predict(ROWS)
    assert again.to_bytes() == model.to_bytes() == (tmp_path / "x.safetensors").read_bytes()


def test_the_same_data_makes_the_same_model(model, scheme):
    assert train(ROWS, LABELS, SequenceSettings(("word", "tag"), scheme=scheme)).to_bytes() == model.to_bytes()


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"labels": ["B-NP"]}, "there are 1 labels"),
        ({"labels": ["B-NP", "O"]}, "not between … and 1|machines"),
        ({"templates": ["word[0"]}, "not a column"),
        ({"templates": ["word[0]", "size[0]"]}, "no such column"),
        ({"templates": []}, "needs at least one"),
        ({"scheme": "odd"}, "'scheme' is 'odd', none of"),
        ({"beam": 0}, "'beam' is 0"),
        ({"beam": 10**9}, "'beam' is 1000000000"),
        ({"fields": 3}, "'fields' is 3, not a list"),
    ],
)
def test_damaged_files_are_refused(model, change, reason):
    contents = model.contents()
    contents.settings |= change
    with pytest.raises(ModelFileError, match=reason):
        SequenceModel.from_bytes(model_bytes("sequence", contents, schema=SequenceModel.schema()))


def test_models_of_other_features_are_refused(model):
    with pytest.raises(ModelFileError, match="other features"):
        SequenceModel.from_bytes(model_bytes("sequence", model.contents(), schema="features 99"))


def test_a_model_without_its_weights_is_refused(model):
    contents = Contents({"x": np.zeros(1)}, model.contents().settings)
    with pytest.raises(ModelFileError):
        SequenceModel.from_bytes(model_bytes("sequence", contents, schema=SequenceModel.schema()))


def test_wrong_columns_are_refused(model):
    with pytest.raises(WrongColumnsError, match="2 columns"):
        model.predict([[("Dogs",)]])


@pytest.mark.parametrize(
    ("labels", "reason"),
    [([["O", "O"]], "all have 'O'"), ([["O", "B"], ["O"]], "one label"), ([], "no tokens")],
)
def test_impossible_data_is_refused(labels, reason):
    rows = [[("a",), ("b",)]] if labels else []
    with pytest.raises(SequenceTrainingError, match=reason):
        train(rows, labels, SequenceSettings(("word",)))


@pytest.mark.parametrize(
    ("template", "reason"),
    [
        ("word", "not a column"),
        ("label[1]", "not decided"),
        ("label[0]", "not decided"),
        ("prefix(word)[0]", "number of characters"),
        ("shape2(word)[0]", "number of characters"),
        ("word[-101]", "more than 100"),
        ("word[0]/", "not a column"),
    ],
)
def test_wrong_templates_are_refused(template, reason):
    with pytest.raises(TemplateError, match=reason):
        TemplateSet([template])


def conlleval(labels):
    """Cut labels as conlleval.pl does, by its rules for the start and the end of a chunk."""
    chunks, begun = [], None
    for place in range(len(labels) + 1):
        last, last_type = (*(labels[place - 1] if place else "O").split("-"), "")[:2]
        mark, own_type = (*(labels[place] if place < len(labels) else "O").split("-"), "")[:2]
        inside = begun is not None
        if inside and (mark in "BO" or (last != "O" and last_type != own_type)):
            chunks.append((begun, place, last_type))
            begun = None
        starts = mark == "B" or (mark == "I" and (last == "O" or last_type != own_type))
        if starts:
            begun = place
    return chunks


@given(st.lists(st.sampled_from(["O", "B-X", "I-X", "B-Y", "I-Y"])))
def test_chunks_are_those_of_conlleval(labels):
    assert chunks_of(labels) == conlleval(labels)


def test_scores():
    gold = [["B-NP", "I-NP", "O", "B-VP"], ["O"]]
    found = [["B-NP", "I-NP", "B-VP", "B-VP"], ["O"]]
    told = score(zip(gold, found)).as_dict(chunks=True)
    assert told["chunk_precision"] == pytest.approx(2 / 3, abs=1e-6)
    assert told["chunk_recall"] == 1
    assert told["chunk_f1"] == 0.8
    assert told["accuracy"] == 0.8
    assert told["f1"] == {"NP": 1.0, "VP": pytest.approx(2 / 3, abs=1e-6)}
    assert score([]).as_dict(chunks=True)["chunk_f1"] == 0
