"""Documents that came from other processes are those of one process, and of spaCy's own way."""

import pickle

import pytest
import spacy
from spacy.language import Language
from spacy.tokens import Doc, Span

import kakari
from kakari.spacy_processes import pack, unpack

TEXTS = ["太郎は京都大学に行った。次郎は本を読んだ。", "", "a b  c\n", "本を読む。", "　", "蟋蟀が鳴く"] * 2


@pytest.fixture(scope="module")
def nlp():
    return kakari.load("ja")


def told(doc):
    """Everything that a document carries, strings resolved so that two vocabularies can be compared."""
    state = doc.to_dict()
    state["strings"] = sorted(state["strings"])
    state["array_body"] = state["array_body"].tolist()
    state["tensor"] = state["tensor"].tolist()
    return state | {"tokens": [(token.text, token.lemma_, str(token.morph), token.norm_) for token in doc]}


def sent(documents):
    """Documents after a journey through bytes, to another vocabulary."""
    other = spacy.blank("ja").vocab
    known, sent = {}, set()
    for start in range(0, len(documents), 2):
        packed = pickle.loads(pickle.dumps(pack(documents[start : start + 2], sent)))
        yield from unpack(packed, other, known)


def test_documents_survive_the_journey(nlp):
    documents = [nlp(text) for text in TEXTS]
    assert [told(doc) for doc in sent(documents)] == [told(doc) for doc in documents]
    theirs = [Doc(spacy.blank("ja").vocab).from_bytes(doc.to_bytes()) for doc in documents]
    assert [told(doc) for doc in sent(documents)] == [told(doc) for doc in theirs]


def test_everything_that_other_components_set(nlp):
    doc = nlp("太郎は京都に行った。")
    doc.set_ents([Span(doc, 2, 3, label="PLACE", kb_id="Q1")])
    doc.spans["words"] = [Span(doc, 0, 1, label="NAME")]
    doc.cats["news"], doc.sentiment = 0.5, -1.0
    doc.user_data["own"] = [1, "二"]
    for token in doc:
        token.head, token.dep_ = doc[4], "ROOT" if token.i == 4 else "dep"
    (again,) = sent([doc])
    assert told(again) == told(doc)
    assert [(span.text, span.label_, span.kb_id_) for span in again.ents] == [("京都", "PLACE", "Q1")]
    assert again.spans["words"][0].label_ == "NAME"
    assert [token.head.i for token in again] == [token.head.i for token in doc]


def test_processes_give_what_one_gives(nlp):
    alone = [told(doc) for doc in nlp.pipe(TEXTS)]
    assert [told(doc) for doc in nlp.pipe(TEXTS, n_process=2, batch_size=3)] == alone
    pairs = [(text, number) for number, text in enumerate(TEXTS)]
    found = list(nlp.pipe(pairs, as_tuples=True, n_process=2, batch_size=5))
    assert [context for _, context in found] == list(range(len(TEXTS)))
    assert [told(doc) for doc, _ in found] == alone
    made = [nlp.make_doc(text) for text in TEXTS]
    assert [told(doc) for doc in nlp.pipe(made, n_process=2, batch_size=5)] == alone


def test_a_stream_that_never_ends_can_be_left(nlp):
    def endless():
        while True:
            yield "本を読む。"

    stream = nlp.pipe(endless(), n_process=2, batch_size=2)
    assert [next(stream).text for _ in range(5)] == ["本を読む。"] * 5
    stream.close()


@Language.component("kakari_test_trouble")
def trouble(doc):
    if "悪" in doc.text:
        raise ValueError("this one is bad")
    return doc


def test_errors_are_told_or_handled():
    nlp = kakari.load("ja")
    nlp.add_pipe("kakari_test_trouble")
    texts = ["良い", "悪い", "本", "猫"]
    with pytest.raises(ValueError, match="this one is bad"):
        list(nlp.pipe(texts, n_process=2, batch_size=2))
    nlp.set_error_handler(lambda name, component, documents, error: None)
    assert [doc.text for doc in nlp.pipe(texts, n_process=2, batch_size=2)] == ["良い", "本", "猫"]
