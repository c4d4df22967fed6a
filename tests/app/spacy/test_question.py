"""The spaCy component `kakari_question`, line by line of what a component must survive."""

import pickle

import pytest
import spacy
from spacy.tokens import Doc, DocBin, Span
from spacy.training import Example

import kakari
from kakari import corpora
from kakari.parsers.questions.compact_model import QuestionReader
from kakari.parsers.questions.training import LinearSettings
from kakari.spacy.question import QuestionComponent, gold_question

TEXT = "I like it. Who wrote the letter that Mary sent?"
SAMPLE = list(corpora.read("sample-questions"))


@pytest.fixture(scope="module")
def nlp():
    return kakari.load("en")


@pytest.fixture
def quick(monkeypatch):
    monkeypatch.setattr(QuestionComponent, "settings", LinearSettings(fragments=3, most=5_000))


def answer(doc):
    return doc.cats, [(sent.text, sent._.question_class) for sent in doc._.questions]


def test_what_users_hold(nlp):
    doc = nlp(TEXT)
    first, second = doc.sents
    assert doc._.questions == [second]
    assert (first._.question_class, second._.question_class) == ("", "HUM:ind")
    assert max((name for name in doc.cats if ":" not in name), key=doc.cats.get) == "HUM"
    assert len(doc.cats) == 56 and sum(share for name, share in doc.cats.items() if ":" in name) == pytest.approx(1)
    assert answer(nlp("He left. They stayed.")) == ({}, [])
    two = nlp("Who left? Where is Kyoto?")
    assert [sent._.question_class[:3] for sent in two.sents] == ["HUM", "LOC"] and min(
        two.cats["HUM"], two.cats["LOC"]
    ) > 0.3


def test_the_same_answers_everywhere(nlp):
    reader = QuestionReader.pretrained()
    texts = [question.text for question in SAMPLE[::4]]
    for doc, found in zip(nlp.pipe(texts), reader.pipe(texts)):
        asked = [one.answer.fine for one in found if one.answer]
        assert [sent._.question_class for sent in doc._.questions] == asked


def test_the_factory_is_found_without_importing_us_and_needs_no_parser(nlp):
    other = spacy.blank("en")
    other.add_pipe("kakari_question")
    doc = other(TEXT)
    assert answer(doc) == answer(nlp(TEXT)) and not doc.has_annotation("TAG")
    trees = spacy.blank("en")
    trees.add_pipe("kakari_constituency")  # without tags
    trees.add_pipe("kakari_question")
    assert answer(trees(TEXT)) == answer(nlp(TEXT))


def test_trees_of_another_component_are_accepted(nlp):
    doc = nlp.make_doc("Who left?")
    for token, tag in zip(doc, ("WP", "VBD", ".")):
        token.tag_, token.is_sent_start = tag, token.i == 0
    ours = Span.remove_extension("parse_string")
    Span.set_extension("parse_string", getter=lambda span: "(SBARQ (WHNP (WP Who)) (SQ (VP (VBD left))) (. ?))")
    try:
        nlp.get_pipe("kakari_question")(doc)
    finally:
        Span.remove_extension("parse_string")
        Span.set_extension("parse_string", getter=ours[2])
    assert answer(doc) == answer(nlp("Who left?"))


def test_saving_and_loading(nlp, tmp_path):
    component = nlp.get_pipe("kakari_question")
    component.to_disk(tmp_path / "q")
    again = spacy.blank("en").add_pipe("kakari_question").from_disk(tmp_path / "q")
    assert again.trained.to_bytes() == component.trained.to_bytes()
    assert answer(pickle.loads(pickle.dumps(nlp))(TEXT)) == answer(nlp(TEXT))
    other = spacy.blank("en")
    other.add_pipe("kakari_question")
    other.to_disk(tmp_path / "p")
    assert answer(spacy.load(tmp_path / "p")(TEXT)) == answer(nlp(TEXT))
    assert answer(spacy.blank("en", config=other.config).from_bytes(other.to_bytes())(TEXT)) == answer(nlp(TEXT))


def test_documents_serialise(nlp):
    doc = nlp(TEXT)
    assert answer(Doc(nlp.vocab).from_bytes(doc.to_bytes())) == answer(doc)
    (again,) = DocBin(docs=[doc], attrs=["TAG", "SENT_START"], store_user_data=True).get_docs(nlp.vocab)
    assert answer(again) == answer(doc)
    assert doc.to_json()["cats"] == doc.cats


def test_two_processes_by_fork(nlp):  # by spawn: test_spacy_english.py
    texts = [TEXT, "", "He left."] * 2
    assert [answer(doc) for doc in nlp.pipe(texts, n_process=2, batch_size=3)] == [answer(nlp(text)) for text in texts]


@pytest.mark.parametrize(
    "text", ["", " ", "\n", "\n\nwho?\n", "a  b\tc", "😀", "(unclosed?", "A?\n\nB?", "\u200b", "F-16?"]
)
def test_odd_documents(nlp, text):
    doc = nlp(text)
    assert all(share >= 0 for share in doc.cats.values())
    assert all(sent.text.strip() for sent in doc._.questions)


def gold(nlp):
    documents = [gold_question(nlp, question) for question in SAMPLE[::3]]
    return [*documents, *(nlp.make_doc(text) for text in ("He left.", "They bought it.", "I like tea."))]


def test_training_and_scoring(quick):
    other = spacy.blank("en")
    other.add_pipe("kakari_question")
    examples = [Example(other.make_doc(doc.text), doc) for doc in gold(other)]
    other.initialize(lambda: examples)
    assert set(other.update(examples, losses={})) == {"kakari_question"}
    scores = other.evaluate([Example(other.make_doc(doc.text), doc) for doc in gold(other)])
    assert scores["question_acc"] > 0.9 and scores["question_fine_acc"] > 0.9 and scores["question_p"] == 1.0
    again = pickle.loads(pickle.dumps(other))  # a model of its own, not the embedded one
    own = other.get_pipe("kakari_question").trained
    assert again.get_pipe("kakari_question").trained.to_bytes() == own.to_bytes()
    assert len(own.classes) < 50
    with pytest.raises(ValueError, match="no training document has a fine class"):
        spacy.blank("en").add_pipe("kakari_question").initialize(list)


def test_update_learns_from_annotated_documents():
    """Fine-tuning goes on from the embedded model: losses fall, what was taught holds, and the file has it."""
    other = spacy.blank("en")
    component = other.add_pipe("kakari_question")
    texts = ["Who wrote Hamlet?", "Which river is the longest?", "They bought it."]
    wanted = [{"ENTY": 1.0, "ENTY:animal": 1.0}, {"LOC": 1.0, "LOC:mount": 1.0}, {}]
    documents = [other.make_doc(text) for text in texts]
    for doc, cats in zip(documents, wanted):
        doc.cats = cats
    examples = [Example(other.make_doc(text), doc) for text, doc in zip(texts, documents)]
    steps = [component.update(examples, losses={})["kakari_question"] for _ in range(3)]
    assert steps[0] == 2 and steps[-1] == 0, steps
    again = spacy.blank("en").add_pipe("kakari_question").from_bytes(component.to_bytes())
    found = [again(other.make_doc(text)) for text in texts]
    assert [[sent._.question_class for sent in doc._.questions] for doc in found] == [
        ["ENTY:animal"],
        ["LOC:mount"],
        [],
    ]
    documents[0].cats = {"XX": 1.0, "XX:yy": 1.0}
    with pytest.raises(ValueError, match="there is no class 'XX:yy'"):
        component.update(examples, losses={})


def test_spacy_trains_with_a_config(tmp_path, quick):
    from spacy.cli.init_config import init_config
    from spacy.cli.train import train

    DocBin(docs=gold(spacy.blank("en"))).to_disk(tmp_path / "sample.spacy")
    config = init_config(lang="en", pipeline=[], silent=True)
    config["nlp"]["pipeline"] = ["kakari_question"]
    config["components"] = {"kakari_question": {"factory": "kakari_question"}}
    config["training"]["max_epochs"] = 1
    config.to_disk(tmp_path / "config.cfg")
    place = str(tmp_path / "sample.spacy")
    train(tmp_path / "config.cfg", tmp_path / "out", overrides={"paths.train": place, "paths.dev": place})
    assert spacy.load(tmp_path / "out" / "model-last")("Who left?").cats["HUM"] > 0.3
