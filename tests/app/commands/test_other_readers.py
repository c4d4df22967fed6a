"""Readers that others wrote take what we write: rhoknp, pyknp, conllu, spaCy's converter, UD's validator, naruhodo."""

import sys
import warnings
from importlib import metadata
from types import SimpleNamespace

import pytest
from command_line import run_here

TEXT = "#タグ。3,000円の本を読んでいる人は、太郎と次郎にペンを渡した。New York へ行く。"


def written(name, *options):
    done = run_here("parse", "-f", name, *options, TEXT)
    assert done.returncode == 0, done.stderr
    return done.stdout


def blocks(text):
    return [block + "EOS\n" for block in text.split("EOS\n") if block.strip()]


def test_rhoknp():
    rhoknp = pytest.importorskip("rhoknp")
    found = [rhoknp.Sentence.from_knp(block) for block in blocks(written("knp", "--kinds"))]
    assert [sentence.sid for sentence in found] == ["1-1", "1-2", "1-3"]
    assert found[0].text == "#タグ。"
    phrases = found[1].phrases
    assert [phrase.text for phrase in phrases][:3] == ["3,000円の", "本を", "読んでいる"]
    assert [phrase.parent.text if phrase.parent else "" for phrase in phrases][:2] == ["本を", "読んでいる"]
    assert phrases[1].features["係"] == "ヲ格"
    assert phrases[1].features["体言"] is True
    assert phrases[2].features["用言"] == "動"
    assert phrases[2].features["係"] == "連格"
    assert phrases[-1].features["係"] == "文末"
    assert [base.head.text for base in phrases[2].base_phrases] == ["読ん"]
    coordinated = next(phrase for phrase in phrases if phrase.text == "太郎と")
    assert coordinated.dep_type.value == "P"
    assert coordinated.features["並列"] is True


def test_pyknp(monkeypatch):
    # pyknp asks for its own version by a module that setuptools no longer has.
    monkeypatch.setitem(sys.modules, "pkg_resources", SimpleNamespace(get_distribution=metadata.distribution))
    pyknp = pytest.importorskip("pyknp")
    block = blocks(written("knp"))[1]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = pyknp.BList(block)
    found = result.bnst_list()
    assert "".join(mrph.midasi for bnst in found for mrph in bnst.mrph_list()).startswith("3,000円の本を")
    assert found[0].parent.midasi == "本を"


def test_conllu():
    conllu = pytest.importorskip("conllu")
    first, second, third = conllu.parse(written("conllu"))
    assert third.metadata == {"sent_id": "3", "text": "New York へ行く。"}
    assert second.to_tree().token["form"] == "渡し"
    assert [token["form"] for token in first] == ["#", "タグ", "。"]


def test_spacy_reads_conllu():
    from spacy.training.converters import conllu_to_docs
    from spacy.vocab import Vocab

    docs = list(conllu_to_docs(written("conllu"), n_sents=1, no_print=True))
    assert len(docs) == 3
    assert isinstance(docs[1].vocab, Vocab)
    assert [token.dep_ for token in docs[1]].count("ROOT") == 1
    assert docs[2].text.strip() == "New York へ行く。"


def test_the_validator_of_universal_dependencies(tmp_path):
    udtools = pytest.importorskip("udtools")
    (tmp_path / "x.conllu").write_text(written("conllu"), encoding="utf-8")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        state = udtools.Validator(lang="ja", level=2).validate_files([str(tmp_path / "x.conllu")])
    assert state.passed(), str(state)


def test_naruhodo_reads_cabocha():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        cabocha = pytest.importorskip("naruhodo.backends.cabocha")
        client = cabocha.CabochaClient()
        client.add(blocks(written("cabocha"))[1].removesuffix("EOS\n").rstrip("\n"))
    assert [chunk.parent for chunk in client.chunks][:2] == [1, 2]
    assert client.chunks[1].surface == "本を"
