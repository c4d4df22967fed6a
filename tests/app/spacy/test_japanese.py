"""The spaCy components, line by line of what a component must survive."""

import multiprocessing
import pickle

import pytest
import spacy
from budgets import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from spacy.tokens import Doc, DocBin
from spacy.training import Example

import kakari
from kakari.corpora import read
from kakari.spacy.bunsetsu import HEADS, STARTS
from kakari.spacy.gold import doc_records, gold_doc

TEXT = "太郎は京都大学に行った。次郎は本を読んだ。"


@pytest.fixture(scope="module")
def nlp():
    return kakari.load("ja")


def answer(doc):
    return [(b.text, b._.head.text) for b in doc._.bunsetsu]


def test_what_users_hold(nlp):
    doc = nlp("太郎は京都大学に行った。")
    assert answer(doc) == [("太郎は", "行った。"), ("京都大学に", "行った。"), ("行った。", "行った。")]
    assert doc._.bunsetsu[1]._.content_token.text == "大学"
    assert doc._.bunsetsu[1]._.function_token.text == "に"
    assert doc[3]._.bunsetsu.text == "京都大学に"
    assert [s.text for s in nlp(TEXT).sents] == ["太郎は京都大学に行った。", "次郎は本を読んだ。"]


def test_factories_are_found_without_importing_us(nlp):
    other = spacy.blank("ja")
    other.add_pipe("kakari_bunsetsu")
    other.add_pipe("kakari_dependency", config={"tokens": True})
    doc = other(TEXT)
    assert answer(doc) == answer(nlp(TEXT))
    assert [token.text for token in doc if token.dep_ == "ROOT"] == ["行っ", "読ん"]
    assert doc[0].head.text == "行っ"


def test_saving_and_loading(nlp, tmp_path):
    nlp.to_disk(tmp_path / "p")
    assert answer(spacy.load(tmp_path / "p")(TEXT)) == answer(nlp(TEXT))
    assert answer(kakari.load("ja").from_bytes(nlp.to_bytes())(TEXT)) == answer(nlp(TEXT))
    assert answer(pickle.loads(pickle.dumps(nlp))(TEXT)) == answer(nlp(TEXT))


def test_parts_of_a_component_are_left_out_on_demand(nlp, tmp_path):
    component = nlp.get_pipe("kakari_dependency")
    component.to_disk(tmp_path / "whole")
    component.to_disk(tmp_path / "bare", exclude=["model"])
    assert {path.name for path in (tmp_path / "whole").iterdir()} == {"cfg", "model.safetensors"}
    assert [path.name for path in (tmp_path / "bare").iterdir()] == ["cfg"]
    assert len(component.to_bytes(exclude=["model"])) < 1000 < len(component.to_bytes())
    other = spacy.blank("ja").add_pipe("kakari_dependency", config={"tokens": True})
    other.from_disk(tmp_path / "whole", exclude=["cfg"])
    other.from_bytes(component.to_bytes(exclude=["model"]), exclude=["cfg"])
    assert other.cfg["tokens"]
    assert other.trained.to_bytes() == component.trained.to_bytes()


@pytest.mark.parametrize("name", ["kakari_bunsetsu", "kakari_dependency"])
def test_the_contract_of_a_component(nlp, name):
    component, meta = nlp.get_pipe(name), nlp.get_factory_meta(name)
    assert meta.assigns
    assert meta.default_score_weights
    assert meta.default_config["scorer"]["@scorers"].startswith("kakari.")
    assert (component.model, component.is_trainable) == (None, True)
    assert component.finish_update(None) is None
    assert component.update([], losses={"other": 1.0}) == {"other": 1.0, name: 0.0}
    documents = [nlp(text) for text in (TEXT, "", "本を読む。")]
    before = [dict(doc.user_data) for doc in documents]
    found = component.predict(documents)
    assert [dict(doc.user_data) for doc in documents] == before
    component.set_annotations(documents, found)
    assert [doc.user_data[STARTS] for doc in documents] == [known[STARTS] for known in before]
    assert [list(component.pipe(iter([doc]), batch_size=1)) for doc in documents] == [[doc] for doc in documents]


def test_documents_serialise(nlp):
    doc = nlp(TEXT)
    assert answer(Doc(nlp.vocab).from_bytes(doc.to_bytes())) == answer(doc)
    (again,) = DocBin(docs=[doc], store_user_data=True).get_docs(nlp.vocab)
    assert answer(again) == answer(doc)
    assert doc.to_json()["text"] == TEXT


def test_two_processes(nlp):
    texts = [TEXT, "", "本を読む。"] * 3
    assert [answer(doc) for doc in nlp.pipe(texts, n_process=2, batch_size=3)] == [answer(nlp(text)) for text in texts]


@pytest.mark.parametrize(
    "text", ["", " ", "\n", "　　", "a b\tc", "ﾊﾝｶｸ", "😀👨‍👩‍👧", "「未完", "本\n\n読む", "\u200b", "x" * 500]
)
def test_odd_documents(nlp, text):
    doc = nlp(text)
    assert "".join(b.text_with_ws for b in doc._.bunsetsu) == doc.text
    assert len(doc.user_data[HEADS]) == len(doc.user_data[STARTS])


@settings(max_examples=examples(60))
@given(st.text(st.sampled_from("本をは。、「」 \n　aA1行っくた😀!？\u3099"), max_size=25))
def test_every_token_is_in_one_bunsetsu_and_heads_point_right(text):
    doc = kakari_pipeline()(text)
    starts, heads = doc.user_data[STARTS], doc.user_data[HEADS]
    assert len(starts) == len(heads)
    assert starts == sorted(set(starts))
    assert not len(doc) or starts[0] == 0
    for number, head in enumerate(heads):
        assert head >= number
        sentence = next(s for s in doc.sents if s.start <= starts[number] < s.end)
        assert sentence.start <= starts[head] < sentence.end
    assert "".join(b.text_with_ws for b in doc._.bunsetsu) == doc.text


_PIPELINE = []


def kakari_pipeline():
    if not _PIPELINE:
        _PIPELINE.append(kakari.load("ja"))
    return _PIPELINE[0]


def test_sentences_of_the_pipeline_are_respected():
    other = spacy.blank("ja")
    other.add_pipe("sentencizer", config={"punct_chars": ["、"]})
    other.add_pipe("kakari_bunsetsu")
    other.add_pipe("kakari_dependency")
    doc = other("本を、読む。")
    assert answer(doc) == [("本を、", "本を、"), ("読む。", "読む。")]


def test_the_order_of_components_is_told():
    other = spacy.blank("ja")
    other.add_pipe("kakari_dependency")
    with pytest.raises(ValueError, match="put kakari_bunsetsu before"):
        other("本")


def test_training_and_scoring():
    other = spacy.blank("ja")
    other.add_pipe("kakari_bunsetsu")
    other.add_pipe("kakari_dependency")
    gold = [gold_doc(other, record) for record in list(read("sample-ja"))[:40]]
    examples = [Example(other.make_doc(doc.text), doc) for doc in gold]
    other.config["initialize"]["components"]["kakari_bunsetsu"] = {"passes": 5}
    other.initialize(lambda: examples)
    assert other.get_pipe("kakari_bunsetsu").trained.details["settings"]["segmenter"]["passes"] == 5
    losses = other.update(examples, losses={})
    assert set(losses) == {"kakari_bunsetsu", "kakari_dependency"}
    scores = other.evaluate([Example(other.make_doc(doc.text), doc) for doc in gold])
    assert scores["bunsetsu_f"] > 0.95
    assert scores["bunsetsu_dep_acc"] > 0.9
    again = pickle.loads(pickle.dumps(other))  # with what was learned, not the embedded model
    for name, component in again.pipeline:
        assert component.trained.to_bytes() == other.get_pipe(name).trained.to_bytes()


def test_gold_documents_give_their_records_back(nlp):
    for record in list(read("sample-ja"))[:30]:
        (again,) = doc_records(gold_doc(nlp, record))
        if [b.text for b in again.bunsetsu] == [b.text for b in record.bunsetsu]:
            assert [b.head for b in again.bunsetsu] == [b.head for b in record.bunsetsu]


@pytest.mark.slow
def test_two_spawned_processes(nlp, monkeypatch):
    """Spawned workers start from nothing: everything they need must come through pickling."""
    monkeypatch.setattr(multiprocessing.context._default_context, "_actual_context", None)
    multiprocessing.set_start_method("spawn")
    texts = [TEXT, "", "本を読む。"]
    assert [answer(doc) for doc in nlp.pipe(texts, n_process=2, batch_size=2)] == [answer(nlp(text)) for text in texts]


def test_spacy_train(tmp_path):
    """The command `spacy train`, called as a function: documents with bunsetsu in, a pipeline that loads out."""
    from spacy.cli.train import train

    source = spacy.blank("ja")
    source.add_pipe("kakari_bunsetsu")
    source.add_pipe("kakari_dependency")
    gold = [gold_doc(source, record) for record in list(read("sample-ja"))[:30]]
    DocBin(docs=gold, store_user_data=True).to_disk(tmp_path / "gold.spacy")
    source.config.to_disk(tmp_path / "config.cfg")
    overrides = {"paths.train": str(tmp_path / "gold.spacy"), "paths.dev": str(tmp_path / "gold.spacy")}
    train(tmp_path / "config.cfg", tmp_path / "out", overrides=overrides | {"training.max_steps": 1})
    trained = spacy.load(tmp_path / "out" / "model-last")
    assert answer(trained(gold[0].text)) == answer(gold[0])
