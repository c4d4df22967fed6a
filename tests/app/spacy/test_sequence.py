"""The component `kakari_sequence`: chunks in `doc.spans`, training, saving."""

import pickle

import pytest
import spacy
from spacy.tokens import Doc, Span
from spacy.training import Example

import kakari
from kakari.parsers.english.chunks.chunker import Chunker
from kakari.parsers.sequences.model import WrongColumnsError

TEXT = "The old dog has barked at a well-known cat. Mary can't see  it.\nWho wrote the F-16's manual?"


@pytest.fixture(scope="module")
def nlp():
    return kakari.load("en")


def spans(doc, key="kakari.chunks"):
    return [(span.start_char, span.end_char, span.label_) for span in doc.spans[key]]


def test_the_chunks_are_those_of_the_command_line(nlp):
    wanted = []
    for sentence in Chunker.pretrained().chunk(TEXT):
        wanted += [
            (sentence.spans[first][0], sentence.spans[last - 1][1], kind) for first, last, kind in sentence.chunks
        ]
    tokens = nlp.make_doc(TEXT)
    covering = [tokens.char_span(begin, end, label=kind, alignment_mode="expand") for begin, end, kind in wanted]
    assert spans(nlp(TEXT)) == [(span.start_char, span.end_char, span.label_) for span in covering]


def test_empty_and_blank_documents(nlp):
    for text in ("", " ", "\n\n"):
        assert spans(nlp(text)) == []


def test_many_texts_and_processes(nlp):
    texts = [TEXT, "", "A dog barked."] * 3
    wanted = [spans(nlp(text)) for text in texts]
    assert [spans(doc) for doc in nlp.pipe(texts)] == wanted


def training_docs(nlp):
    made = []
    for words, kinds in (
        (["the", "dog", "barks"], [(0, 2, "ANIMAL")]),
        (["a", "cat", "sleeps", "well"], [(0, 2, "ANIMAL")]),
        (["rain", "falls"], []),
    ):
        doc = Doc(nlp.vocab, words=words)
        doc.spans["beasts"] = [Span(doc, begin, end, label) for begin, end, label in kinds]
        made.append(doc)
    return made * 3


def trained():
    nlp = spacy.blank("en")
    nlp.add_pipe("kakari_sequence", config={"spans_key": "beasts", "attributes": ["ORTH", "SHAPE"]})
    nlp.initialize(lambda: [Example(nlp.make_doc(doc.text), doc) for doc in training_docs(nlp)])
    return nlp


def test_training_scoring_and_saving(tmp_path):
    nlp = trained()
    text = "the cat barks"
    wanted = [(0, 7, "ANIMAL")]
    assert spans(nlp(text), "beasts") == wanted
    examples = [Example(nlp.make_doc(doc.text), doc) for doc in training_docs(nlp)]
    scores = nlp.evaluate(examples)
    assert scores["chunks_f"] == 1.0 and scores["chunks_per_type"]["ANIMAL"]["f"] == 1.0
    nlp.to_disk(tmp_path / "nlp")
    for other in (spacy.load(tmp_path / "nlp"), pickle.loads(pickle.dumps(nlp)), trained()):
        assert spans(other(text), "beasts") == wanted
        assert other.get_pipe("kakari_sequence").to_bytes() == nlp.get_pipe("kakari_sequence").to_bytes()
    doc = Doc(nlp.vocab).from_bytes(nlp(text).to_bytes())
    assert spans(doc, "beasts") == wanted


def test_an_update_changes_nothing():
    nlp = trained()
    component = nlp.get_pipe("kakari_sequence")
    before = component.to_bytes()
    assert component.update([], losses={}) == {"kakari_sequence": 0.0}
    assert component.to_bytes() == before


def test_what_does_not_fit_is_refused():
    nlp = spacy.blank("en")
    with pytest.raises(ValueError, match="attributes are some of"):
        nlp.add_pipe("kakari_sequence", config={"attributes": ["WORD"]})
    nlp = spacy.blank("en")
    nlp.add_pipe("kakari_sequence", config={"attributes": ["ORTH"]})
    with pytest.raises(WrongColumnsError):
        nlp("A dog.")
    docs = training_docs(nlp)
    with pytest.raises(ValueError, match="no training document has spans"):
        nlp.initialize(lambda: [Example(nlp.make_doc(doc.text), doc) for doc in docs])
    docs[0].spans["kakari.chunks"] = [docs[0][0:2], docs[0][1:3]]
    with pytest.raises(ValueError, match="overlap"):
        nlp.initialize(lambda: [Example(nlp.make_doc(doc.text), doc) for doc in docs])
