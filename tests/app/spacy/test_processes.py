"""Documents that came from other processes are those of one process, and of spaCy's own way."""

import multiprocessing
import os
import pickle
import signal
import time
from dataclasses import replace

import pytest
import spacy
from budgets import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from spacy.language import Language
from spacy.tokens import Doc, Span

import kakari
from kakari.spacy import tokenizer as spacy_tokenizer
from kakari.spacy.processes import JapanesePipeline, pack, text_annotator, unpack
from kakari.spacy.texts import TextReceiver

pytestmark = pytest.mark.thorough

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


def components(nlp, **options):
    """Documents of texts by the tokenizer and one component after another, as spaCy has it."""
    return lambda texts: super(JapanesePipeline, nlp).pipe(texts, **options)


@settings(max_examples=examples(60), deadline=None)
@given(
    texts=st.lists(
        st.text(st.sampled_from("本をは。、「」 \n　aA1０行った😀!？\u3099ｱﾞ㌔鳴蟋"), max_size=16), max_size=5
    )
)
def test_texts_in_one_go_give_what_components_give(nlp, texts):
    expected = [told(doc) for doc in components(nlp)(texts)]
    assert [told(doc) for doc in nlp.pipe(texts, batch_size=2)] == expected
    assert [told(nlp(text)) for text in texts] == expected


def test_parts_of_the_pipeline_in_one_go(nlp):
    alone = [told(doc) for doc in components(nlp, disable=["kakari_dependency"])(TEXTS)]
    assert [told(doc) for doc in nlp.pipe(TEXTS, disable=["kakari_dependency"])] == alone
    assert [told(doc) for doc in nlp.pipe(TEXTS, disable=["kakari_dependency"], n_process=2, batch_size=5)] == alone
    bare = [told(doc) for doc in nlp.pipe(TEXTS, disable=nlp.pipe_names)]
    assert bare == [told(nlp.make_doc(text)) for text in TEXTS]
    expected = [told(nlp(text)) for text in TEXTS]
    for processes in (1, 2):
        mixed = [nlp.make_doc(text) if place % 2 else text for place, text in enumerate(TEXTS)]
        assert [told(doc) for doc in nlp.pipe(mixed, batch_size=3, n_process=processes)] == expected


def test_what_cannot_be_done_in_one_go(nlp):
    assert text_annotator(spacy.blank("ja"), []) is None
    assert text_annotator(nlp, [nlp.get_pipe("kakari_dependency")]) is None
    other = kakari.load("ja")
    for tokens, found in ((True, ["obj", "case", "ROOT"]), (False, ["", "", ""])):
        other.get_pipe("kakari_dependency").cfg["tokens"] = tokens
        assert [token.dep_ for doc in other.pipe(["本を読む"]) for token in doc] == found
    other.max_length = 3
    for processes in (1, 2):
        with pytest.raises(ValueError, match="E088"):
            list(other.pipe(["本を読む"], n_process=processes))


def test_numbers_of_words_are_those_of_their_worker(nlp, monkeypatch):
    monkeypatch.setattr(spacy_tokenizer, "MOST_WORDS", 6)  # tables begin anew again and again
    pipelines = [kakari.load("ja"), kakari.load("ja")]
    workers = [text_annotator(own, [part for _, part in own.pipeline]) for own in pipelines]
    receiver, found = TextReceiver(spacy.blank("ja").vocab), []
    for place, text in enumerate(TEXTS):
        packed = workers[place % 3 % 2].pack([text, "４８匹の犬"])
        packed = pickle.loads(pickle.dumps(replace(packed, worker=place % 3 % 2)))
        found += [told(doc) for doc in receiver.documents(packed)]
    assert found == [told(nlp(text)) for own in TEXTS for text in (own, "４８匹の犬")]


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


def test_errors_in_workers_that_make_no_documents(nlp, monkeypatch):
    if multiprocessing.get_start_method() != "fork":
        pytest.skip("what is patched here reaches a worker only where it is forked")

    def broken(*arguments):
        raise LookupError("no heads today")

    monkeypatch.setattr("kakari.spacy.texts.find_heads", broken)
    with pytest.raises(ValueError, match=r"(?s)E871.*Traceback.*LookupError: no heads today"):
        list(nlp.pipe(TEXTS, n_process=2, batch_size=2))


@Language.component("kakari_test_death")
def death(doc):
    if "死" in doc.text and multiprocessing.parent_process() is not None:
        os.kill(os.getpid(), signal.SIGKILL)
    return doc


def test_a_worker_that_is_killed_is_told():
    nlp = kakari.load("ja")
    nlp.add_pipe("kakari_test_death")
    with pytest.raises(
        RuntimeError, match=r"a worker process of nlp\.pipe ended before its work was done: it was killed"
    ):
        list(nlp.pipe(["良い", "死ぬ", "本", "猫"] * 20, n_process=2, batch_size=2))
    assert [doc.text for doc in nlp.pipe(["良い", "本"], n_process=2)] == ["良い", "本"]


def test_english_documents_cost_little_on_their_way():
    nlp = kakari.load("en")
    texts = ["The board that Mary chaired approved the plan, and he sent a letter to the old mill. Who saw it?"] * 60
    documents = list(nlp.pipe(texts))

    def seconds(work):
        taken = []
        for _ in range(3):
            start = time.process_time()
            work()
            taken.append(time.process_time() - start)
        return min(taken)

    packed = pack(documents, set())
    annotating = seconds(lambda: list(nlp.pipe(texts)))
    journey = seconds(lambda: list(unpack(pack(documents, set()), nlp.vocab, {})))
    assert journey < annotating / 3  # as long as annotating while spaCy's bytes of spans were sent
    (again, *_) = unpack(packed, kakari.load("en").vocab, {})
    groups = [
        [(span.start, span.end, span.label_, span.kb_id_, span.id_) for span in doc.spans["kakari.arguments"]]
        for doc in (again, documents[0])
    ]
    assert groups[0] == groups[1] and again.spans.keys() == documents[0].spans.keys()
