"""`kakari_arguments`, line by line of what a component must survive."""

import json
import pickle
from dataclasses import replace

import pytest
import spacy
from command_line import run_here
from spacy import displacy
from spacy.tokens import Doc, DocBin
from spacy.training import Example

import kakari
from kakari.output.english import to_json
from kakari.parsers.arguments.candidates.frames import read_frames
from kakari.parsers.arguments.model import pretrained_arguments
from kakari.parsers.english.parser import EnglishParser
from kakari.spacy.arguments import GROUP, framed_sentences, gold_arguments_doc

TEXT = "The board approved the plan that Mary sent on Friday."


@pytest.fixture(scope="module")
def nlp():
    return kakari.load("en")


def answer(doc):
    return [
        (predicate.token.text, predicate.lemma, [(span.text, span.label_) for span in predicate.arguments])
        for predicate in doc._.predicates
    ]


def test_what_users_hold(nlp):
    doc = nlp(TEXT)
    found = {word: (lemma, dict(arguments)) for word, lemma, arguments in answer(doc)}
    assert set(found) == {"approved", "sent"}
    assert found["approved"] == (
        "approve",
        {"The board": "ARG0", "the plan that Mary sent on Friday": "ARG1"},
    )
    lemma, arguments = found["sent"]
    assert lemma == "send" and arguments["Mary"] == "ARG0" and arguments["on Friday"] == "ARGM-TMP"
    assert {"that", "the plan"} & set(arguments)
    labels = {(span.text, span.label_) for span in doc.spans[GROUP]}
    assert ("approved", "approve:V") in labels and ("The board", "approve:ARG0") in labels
    assert "approve:ARG0" in displacy.render(doc, style="span", options={"spans_key": GROUP}, jupyter=False)


def test_spacy_and_the_command_line_say_the_same(nlp):
    parser = EnglishParser.pretrained()
    texts = [gold_arguments_doc(nlp, sentence).text for sentence in read_frames("sample-en")]
    assert len(texts) > 80
    for text, doc, trees in zip(texts, nlp.pipe(texts), parser.pipe(texts)):
        frames = [one.frames for one in pretrained_arguments().find([found.tree for found in trees])]
        told = [to_json(text, found, own)["predicates"] for found, own in zip(trees, frames)]
        assert answer(doc) == [
            (one["text"], one["lemma"], [(argument["text"], argument["role"]) for argument in one["arguments"]])
            for sentence in told
            for one in sentence
        ]


def test_command_line_python_and_spacy_agree_on_the_whole_sample(nlp, tmp_path):
    """Tags, trees, predicates, senses and arguments, of every sentence of sample-en."""
    texts = [gold_arguments_doc(nlp, sentence).text for sentence in read_frames("sample-en")]
    (tmp_path / "sample.txt").write_text("\n".join(texts) + "\n", encoding="utf-8")
    printed = run_here("parse", "-l", "en", "-f", "json", str(tmp_path / "sample.txt")).stdout.splitlines()
    told = [
        (
            one["tree"],
            [(token["text"], token["tag"]) for token in one["tokens"]],
            [
                (each["text"], each["lemma"], each["roleset"], [(a["text"], a["role"]) for a in each["arguments"]])
                for each in one["predicates"]
            ],
        )
        for one in map(json.loads, printed)
    ]
    found = [one for trees in EnglishParser.pretrained().pipe(texts) for one in trees]
    frames = [one.frames for one in pretrained_arguments().find([one.tree for one in found])]
    python = [
        (one.brackets, list(zip(one.tree.words, one.tree.tags)), [(f.lemma, f.roleset, f.roles) for f in own])
        for one, own in zip(found, frames)
    ]
    assert python == [
        (tree, tokens, [(lemma, roleset, tuple(r for _, r in args)) for _, lemma, roleset, args in own])
        for tree, tokens, own in told
    ]
    spacys = []
    for doc in nlp.pipe(texts):
        for sent in doc.sents:
            own = [one for one in doc._.predicates if sent.start <= one.token.i < sent.end]
            spacys.append((sent._.parse_string, [
                (one.token.text, one.lemma, one.roleset, [(span.text, span.label_) for span in one.arguments])
                for one in own
            ]))  # fmt: skip
    assert [(f"(TOP {tree})", own) for tree, own in spacys] == [(tree, own) for tree, _, own in told] and len(
        told
    ) >= len(texts)


@pytest.mark.slow
def test_saving_and_loading(nlp, tmp_path):
    nlp.to_disk(tmp_path / "p")
    assert answer(spacy.load(tmp_path / "p")(TEXT)) == answer(nlp(TEXT))
    assert answer(kakari.load("en").from_bytes(nlp.to_bytes())(TEXT)) == answer(nlp(TEXT))
    assert answer(pickle.loads(pickle.dumps(nlp))(TEXT)) == answer(nlp(TEXT))


def test_documents_serialise(nlp):
    doc = nlp(TEXT)
    assert answer(Doc(nlp.vocab).from_bytes(doc.to_bytes())) == answer(doc)
    (again,) = DocBin(docs=[doc], attrs=["TAG", "SENT_START"], store_user_data=True).get_docs(nlp.vocab)
    assert answer(again) == answer(doc)
    told = doc.to_json()
    assert told["text"] == TEXT and {"start": 0, "end": 9, "label": "approve:ARG0", "kb_id": ""} in told["spans"][GROUP]


def test_two_processes_by_fork(nlp):  # by spawn: test_spacy_english.py
    texts = [TEXT, "", "He left."] * 2
    assert [answer(doc) for doc in nlp.pipe(texts, n_process=2, batch_size=2)] == [answer(nlp(text)) for text in texts]


@pytest.mark.parametrize(
    "text", ["", " ", "\n\na\n", "go  go\tgo", "😀👨‍👩‍👧", "(went", "He left.\n\nShe\u200bstayed", "and/or run"]
)
def test_odd_documents(nlp, text):
    doc = nlp(text)
    for predicate in doc._.predicates:
        assert all(not span.start <= predicate.token.i < span.end for span in predicate.arguments)
    assert answer(Doc(nlp.vocab).from_bytes(doc.to_bytes())) == answer(doc)


def test_trees_are_needed(nlp):
    other = spacy.blank("en")
    other.add_pipe("kakari_arguments", config={"nominal": True})
    with pytest.raises(ValueError, match="put kakari_constituency before it"):
        other("He left.")
    assert answer(other("")) == []


def test_training_and_scoring():
    other = spacy.blank("en")
    component = other.add_pipe("kakari_arguments")
    sentences = list(read_frames("sample-en"))
    gold = [gold_arguments_doc(other, sentence) for sentence in sentences]
    assert [framed_sentences(doc)[0].frames for doc in gold] == [sentence.frames for sentence in sentences]
    examples = [Example(gold_arguments_doc(other, sentence), doc) for sentence, doc in zip(sentences, gold)]
    component.initialize(lambda: examples)
    losses = [component.update(examples, losses={})["kakari_arguments"] for _ in range(2)]
    assert losses[0] >= losses[1] and losses[1] < len(sentences) / 10
    for example in examples:
        component(example.predicted)
    assert component.score(examples)["arguments_f"] > 0.95
    again = pickle.loads(pickle.dumps(other))  # a model of its own, not the embedded one
    assert answer(again.get_pipe("kakari_arguments")(gold[0].copy())) == answer(component(gold[0].copy()))
    with pytest.raises(ValueError, match="no training document has arguments"):
        spacy.blank("en").add_pipe("kakari_arguments").initialize(list)


def test_update_learns_from_annotated_documents(nlp):
    """Fine-tuning goes on from the embedded model: losses fall, what was taught holds, and the file has it."""
    other = spacy.blank("en")
    component = other.add_pipe("kakari_arguments", config={"nominal": True})
    sentences = list(read_frames("sample-en"))
    taught = [
        replace(one, frames=tuple(replace(frame, roles=tuple("ARG3" if r == "ARG0" else r for r in frame.roles))
                                  for frame in one.frames))
        for one in sentences
    ]  # fmt: skip
    examples = [Example(gold_arguments_doc(other, one), gold_arguments_doc(other, one)) for one in taught]
    steps = [component.update(examples, losses={})["kakari_arguments"] for _ in range(4)]
    assert steps[0] > len(sentences) / 2 and steps[-1] < steps[0] / 5, steps
    again = spacy.blank("en").add_pipe("kakari_arguments").from_bytes(component.to_bytes())
    doc = gold_arguments_doc(other, taught[0])
    assert answer(again(doc.copy())) == answer(component(doc.copy()))
    assert all(span.label_ != "ARG0" for one in again(doc.copy())._.predicates for span in one.arguments)
    assert sum(len(layer) for layer in component.trained.corrections.layers.values()) < 2000


@pytest.mark.slow
def test_spacy_trains_with_a_config(tmp_path, nlp):
    from spacy.cli.init_config import init_config
    from spacy.cli.train import train

    docs = [gold_arguments_doc(nlp, sentence) for sentence in read_frames("sample-en")]
    DocBin(docs=docs, store_user_data=True).to_disk(tmp_path / "sample.spacy")
    config = init_config(lang="en", pipeline=[], silent=True)
    config["nlp"]["pipeline"] = ["kakari_tagger", "kakari_constituency", "kakari_arguments"]
    config["components"] = {name: {"factory": name} for name in config["nlp"]["pipeline"]}
    config["training"]["max_epochs"] = 1
    config.to_disk(tmp_path / "config.cfg")
    place = str(tmp_path / "sample.spacy")
    train(tmp_path / "config.cfg", tmp_path / "out", overrides={"paths.train": place, "paths.dev": place})
    assert answer(spacy.load(tmp_path / "out" / "model-last")("Nobody sneezed.")) == [
        ("sneezed", "sneeze", [("Nobody", "ARG0")])
    ]
