"""What English documents keep: questions one by one, predicates without user data, scores that spaCy shows."""

import pytest
from spacy.tokens import DocBin
from spacy.training import Example

import kakari
from kakari.parsers.arguments.candidates.frames import read_frames
from kakari.spacy.arguments import gold_arguments_doc


@pytest.fixture(scope="module")
def nlp():
    return kakari.load("en")


def test_each_question_has_its_own_class(nlp):
    first, second, third = nlp("Who wrote Hamlet? I like it. When was it written?").sents
    assert first._.question["coarse"] == "HUM" and third._.question["coarse"] == "NUM" and second._.question is None
    assert first._.question["fine"] == first._.question_class and 0 < first._.question["share"] <= 1


def test_a_docbin_without_user_data_keeps_predicates(nlp):
    doc = nlp("The board approved the plan that Mary sent on Friday.")
    (again,) = DocBin(docs=[doc], store_user_data=False).get_docs(nlp.vocab)
    assert not again.user_data

    def told(one):
        return [
            (found.token.i, found.lemma, [(span.text, span.label_) for span in found.arguments])
            for found in one._.predicates
        ]

    assert told(again) == told(doc) != []


def test_spacy_evaluate_shows_sentences_spans_and_categories(nlp):
    golden = [gold_arguments_doc(nlp, one) for one in list(read_frames("sample-en"))[:4]]
    for doc in golden:
        doc.cats = {"HUM": 1.0, "HUM:ind": 1.0}
    scores = nlp.evaluate([Example(nlp.make_doc(doc.text), doc) for doc in golden])
    shown = ("sents_f", "cats_score", "spans_kakari.arguments_f", "spans_kakari.constituents_f", "tag_acc")
    assert all(scores[name] is not None for name in shown)
