"""The English spaCy components, line by line of what a component must survive."""

import pickle
import subprocess
import sys
from dataclasses import replace

import pytest
import spacy
from spacy.tokens import Doc, DocBin, Span
from spacy.training import Example

import kakari
from kakari.corpora import parse_brackets
from kakari.parsers.english.model import pretrained_model
from kakari.parsers.english.words.treebank_trees import read_trees
from kakari.spacy.english import LABELS, SPANS, doc_trees, gold_doc, register_extensions, span_tree

TEXT = "Who wrote the letter that Mary sent? Nobody sneezed!!!"


@pytest.fixture(scope="module")
def nlp():
    return kakari.load("en")


def answer(doc):
    return [sent._.parse_string for sent in doc.sents], [token.tag_ for token in doc]


def test_what_users_hold(nlp):
    doc = nlp(TEXT)
    first, second = doc.sents
    assert first._.parse_string.startswith("(SBARQ (WHNP (WP Who))")
    assert [token.tag_ for token in second] == ["NN", "VBD", ".", ".", "."]
    assert span_tree(second).leaves() == ["Nobody", "sneezed", "!!!"]
    assert doc[0:1]._.labels == ("WHNP",)
    assert first in first._.constituents and doc[5:6] in first._.constituents
    assert all(span._.labels for span in first._.constituents)


def test_a_token_that_the_treebanks_cut_keeps_its_pieces(nlp):
    doc = nlp("An F-16 and/or a tank.")
    (sent,) = doc.sents
    assert [token.text for token in doc] == ["An", "F-16", "and/or", "a", "tank", "."]
    assert span_tree(sent).leaves() == ["An", "F", "-", "16", "and", "/", "or", "a", "tank", "."]
    assert all(span.text for span in sent._.constituents)
    assert span_tree(doc[0:2]).leaves() == ["An", "F", "-", "16"]
    alone = spacy.blank("en")  # without a tagger, trees have the parser's own tags
    alone.add_pipe("kakari_constituency")
    assert next(alone(doc.text).sents)._.parse_string == sent._.parse_string


@pytest.mark.parametrize(
    "name", ["kakari_tagger", "kakari_constituency", "kakari_arguments", "kakari_question", "kakari_sequence"]
)
def test_predicting_leaves_documents_as_they_are(nlp, name):
    component = nlp.get_pipe(name)
    documents = [nlp(text) for text in (TEXT, "", " ", "A dog\nbarked.")]
    before = [doc.to_bytes() for doc in documents]
    found = component.predict(documents)
    assert [doc.to_bytes() for doc in documents] == before
    component.set_annotations(documents, found)  # what was there already
    assert [doc.to_bytes() for doc in documents] == before


def test_annotations_are_those_that_are_given(nlp):
    doc, other = nlp("The board approved it."), nlp.make_doc("The board approved it.")
    for _, component in nlp.pipeline:
        component.set_annotations([other], component.predict([doc]))
    assert [token.tag_ for token in other] == [token.tag_ for token in doc]
    assert other.user_data == doc.user_data and other.cats == doc.cats


def test_factories_are_found_without_importing_us(nlp):
    other = spacy.blank("en")
    other.add_pipe("sentencizer")
    other.add_pipe("kakari_constituency")  # without a tagger it uses its own tags
    assert len(list(other(TEXT).sents)) == 2
    assert other(TEXT).user_data[LABELS] == nlp(TEXT).user_data[LABELS]


def test_tags_of_the_pipeline_are_used(nlp):
    doc = nlp.make_doc("Time flies")
    doc[0].tag_, doc[1].tag_ = "VB", "NNS"
    nlp.get_pipe("kakari_constituency")(doc)
    assert [leaf.label() for leaf in span_tree(doc[:]).subtrees(lambda tree: tree.height() == 2)] == ["VB", "NNS"]


@pytest.mark.slow
def test_tags_are_decided_with_the_tree_unless_someone_else_has_set_them(nlp):
    text = "To err is human."
    model = pretrained_model()
    words = [*text[:-1].split(), "."]
    (alone,), (tree,) = model.tag([words]), model.parse([words])
    assert (alone[1], tree.tags[1]) == ("NN", "VB")  # a noun by the words around, a verb by the tree
    doc = nlp(text)
    assert tuple(token.tag_ for token in doc) == tree.tags
    assert "(VP (VB err))" in next(doc.sents)._.parse_string
    doc = nlp.make_doc(text)
    for token, tag in zip(doc, ["TO", "FW", "VBZ", "JJ", "."]):
        token.tag_ = tag
    doc = nlp.get_pipe("kakari_constituency")(doc)
    assert [token.tag_ for token in doc] == ["TO", "FW", "VBZ", "JJ", "."]
    assert "(FW err)" in next(doc.sents)._.parse_string


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
    assert doc.to_json()["text"] == TEXT


def test_two_processes_by_fork(nlp):
    texts = [TEXT, "", "He left."] * 3
    assert [answer(doc) for doc in nlp.pipe(texts, n_process=2, batch_size=3)] == [answer(nlp(text)) for text in texts]


@pytest.mark.slow
def test_two_processes_by_spawn(tmp_path):
    """The whole pipeline, arguments and questions with it: spawned processes take seconds to start."""
    script = tmp_path / "spawned.py"
    script.write_text(
        "import multiprocessing, kakari\n"
        "if __name__ == '__main__':\n"
        "    multiprocessing.set_start_method('spawn')\n"
        "    nlp = kakari.load('en')\n"
        "    for doc in nlp.pipe(['Who left?', ''], n_process=2, batch_size=1):\n"
        "        print([s._.parse_string for s in doc.sents], [s._.question_class for s in doc._.questions])\n"
        "        print([(p.lemma, [a.text for a in p.arguments]) for p in doc._.predicates])\n"
    )
    found = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=True)
    assert found.stdout.splitlines() == [
        "['(SBARQ (WHNP (WP Who)) (SQ (VP (VBD left))) (. ?))'] ['HUM:ind']",
        "[('leave', ['Who'])]",
        "[] []",
        "[]",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "\n",
        "\n\na\n",
        "a  b\tc",
        "😀👨‍👩‍👧",
        "(unclosed",
        "A\n\nB",
        "\u200b",
        "x" * 500,
        "本を読む。",
        "<b>x</b>",
    ],
)
def test_odd_documents(nlp, text):
    doc = nlp(text)
    leaves = [leaf for sent in doc.sents if sent.text.strip() for leaf in span_tree(sent).leaves()]
    assert "".join(leaves) == "".join(doc.text.split())
    assert len(doc.user_data[SPANS]) == 2 * len(doc.user_data[LABELS].split())


def test_trees_of_another_component_are_accepted():
    doc = spacy.blank("en")("Dogs bark")
    with pytest.raises(ValueError, match="put kakari_constituency"):
        span_tree(doc[:])
    register_extensions()  # which no test may have done yet
    ours = Span.remove_extension("parse_string")
    Span.set_extension("parse_string", getter=lambda span: "(S (NP (NNS Dogs)) (VP (VBP bark)))")
    try:
        assert span_tree(doc[:]) == parse_brackets("(S (NP (NNS Dogs)) (VP (VBP bark)))")
    finally:
        Span.remove_extension("parse_string")
        Span.set_extension("parse_string", getter=ours[2])


def test_training_and_scoring():
    other = spacy.blank("en")
    other.add_pipe("kakari_tagger")
    other.add_pipe("kakari_constituency")
    gold = [gold_doc(other, tree) for tree in read_trees("sample-en")]
    examples = [Example(other.make_doc(doc.text), doc) for doc in gold]
    other.initialize(lambda: examples)
    assert set(other.update(examples, losses={})) == {"kakari_tagger", "kakari_constituency"}
    scores = other.evaluate([Example(other.make_doc(doc.text), doc) for doc in gold])
    assert scores["tag_acc"] > 0.97 and scores["constituents_f"] > 0.8
    again = pickle.loads(pickle.dumps(other))  # a model of its own, not the embedded one
    assert again.get_pipe("kakari_tagger").trained.tags == other.get_pipe("kakari_tagger").trained.tags
    with pytest.raises(ValueError, match="no training document has tags"):
        spacy.blank("en").add_pipe("kakari_tagger").initialize(list)


@pytest.mark.slow
def test_spacy_trains_with_a_config(tmp_path, nlp):
    from spacy.cli.init_config import init_config
    from spacy.cli.train import train

    DocBin(docs=[gold_doc(nlp, tree) for tree in read_trees("sample-en")], store_user_data=True).to_disk(
        tmp_path / "sample.spacy"
    )
    config = init_config(lang="en", pipeline=[], silent=True)
    config["nlp"]["pipeline"] = ["kakari_tagger", "kakari_constituency"]
    config["components"] = {name: {"factory": name} for name in config["nlp"]["pipeline"]}
    config["training"]["max_epochs"] = 1
    config.to_disk(tmp_path / "config.cfg")
    place = str(tmp_path / "sample.spacy")
    train(tmp_path / "config.cfg", tmp_path / "out", overrides={"paths.train": place, "paths.dev": place})
    assert spacy.load(tmp_path / "out" / "model-last")("Nobody sneezed.")[1].tag_ == "VBD"


def test_gold_documents_give_their_trees_back(nlp):
    for tree in read_trees("sample-en"):
        (again,) = doc_trees(gold_doc(nlp, tree))
        assert (again.tags, again.nodes) == (tree.tags, tree.nodes)


@pytest.mark.slow
def test_update_learns():
    nlp = kakari.load("en")
    for name in ("kakari_parser", "kakari_question", "kakari_arguments", "kakari_sequence"):
        nlp.remove_pipe(name)
    trees = [
        replace(tree, tags=tuple("FW" if tag == "NN" else tag for tag in tree.tags)) for tree in read_trees("sample-en")
    ]
    examples = [Example(nlp.make_doc(gold.text), gold) for gold in (gold_doc(nlp, tree) for tree in trees[:20])]
    nlp.resume_training()
    steps = []
    for _ in range(6):
        losses = {}
        nlp.update(examples, losses=losses)
        steps.append(losses)
    for name in ("kakari_tagger", "kakari_constituency"):
        assert steps[0][name] > 0 and steps[-1][name] < steps[0][name], steps
    assert nlp(examples[0].reference.text)[0].tag_  # it still works, and what it learned is kept
    again = pickle.loads(pickle.dumps(nlp))
    text = examples[1].reference.text
    assert [token.tag_ for token in again(text)] == [token.tag_ for token in nlp(text)]
    assert "FW" in [token.tag_ for example in examples for token in nlp(example.reference.text)]
    assert "FW" not in [token.tag_ for example in examples for token in kakari.load("en")(example.reference.text)]


def test_update_refuses_what_it_cannot_learn():
    nlp = kakari.load("en")
    tagger = nlp.get_pipe("kakari_tagger")
    gold = gold_doc(nlp, replace(next(iter(read_trees("sample-en"))), tags=("QQQ",) * 8))
    with pytest.raises(ValueError, match="the model has no tag 'QQQ'"):
        tagger.update([Example(nlp.make_doc(gold.text), gold)])
