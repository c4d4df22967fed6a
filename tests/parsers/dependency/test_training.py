"""Training from a treebank: what is there is learned, files come back whole, threads do not disturb each other."""

import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kakari.kernels.hashed.scalars import PartLearner
from kakari.models.files import ModelFileError
from kakari.models.reporting import silent
from kakari.parsers.dependency import DependencyModel, DependencySettings, TreeSentence, score_trees, train
from kakari.parsers.dependency.training import jackknife_part, jackknifed
from kakari.parsers.dependency.words.lemmas import Lemmatiser, apply_tree, edit_tree, train_lemmatiser
from kakari.parsers.limits import TextWarning

SUBJECTS = ["dogs", "cats", "birds", "girls", "boys"]
VERBS = ["chase", "see", "hear", "like"]


def treebank(*, features=True, lemmas=True, fine=True):
    """Sentences `the S V the O .` with the heads that one expects."""
    rng = np.random.default_rng(3)
    found = []
    for _ in range(40):
        subject, verb, thing = rng.choice(SUBJECTS), rng.choice(VERBS), rng.choice(SUBJECTS)
        rows = [("the", "DET", "DT", "_"), (subject, "NOUN", "NNS", "Number=Plur"), (verb, "VERB", "VBP", "Tense=Pres")]
        rows += [("the", "DET", "DT", "_"), (thing, "NOUN", "NNS", "Number=Plur"), (".", "PUNCT", ".", "_")]
        words = tuple(
            (form, form.rstrip("s") if lemmas else "_", coarse, tag if fine else "_", feats if features else "_")
            for form, coarse, tag, feats in rows
        )
        relations = ("det", "nsubj", "root", "det", "obj", "punct")
        found.append(TreeSentence(words, (2, 3, 0, 5, 3, 3), relations))
    return found


SMALL = DependencySettings(passes=2, light_passes=2, label_passes=2, folds=2)


@pytest.fixture(scope="module")
def model():
    return train(treebank(), SMALL)


def test_what_was_learned_is_found(model):
    data = treebank()
    assert set(score_trees(data, model.parse([s.forms for s in data])).values()) == {1.0}
    assert model.parse([[]]) == [TreeSentence((), (), ())]
    assert model.parse([]) == []


def test_tags_are_not_learned_from_sentences_of_the_same_text():
    """A tag that one text alone has is unknown to the tagger of this text."""

    def noun(form, tag):
        return TreeSentence((("the", "the", "DET", "DT", "_"), (form, form, "X", tag, "_")), (2, 0), ("det", "root"))

    data = [noun("zork", "FW")] * 10 + [noun("dogs", "NNS")] * 10
    found = jackknifed(data, SMALL, report=silent)
    assert [[word[0] for word in line] for line in found] == [list(s.forms) for s in data]
    assert not {"FW"} & {word[3] for line in found[:10] for word in line}


@given(st.integers(0, 400), st.integers(1, 9), st.integers(1, 50))
def test_parts_of_a_treebank_are_blocks(count, folds, block):
    parts = [jackknife_part(count, fold, folds, block) for fold in range(folds)]
    assert sorted(place for part in parts for place in part) == list(range(count))
    assert max(map(len, parts)) - min(map(len, parts)) <= block
    size = min(block, -(-count // folds))
    assert all(part == sorted(part) for part in parts)
    assert all(place % size == 0 or place - 1 in part for part in map(set, parts) for place in part)


@pytest.mark.parametrize("missing", ["features", "lemmas", "fine"])
def test_a_treebank_trains_on_what_it_has(missing):
    data = treebank(**{missing: False})
    figures = score_trees(data, train(data, SMALL).parse([s.forms for s in data]))
    assert figures["las"] == figures["upos"] == figures["xpos"] == figures["feats"] == 1.0


def test_several_roots_and_crossing_arcs_are_learned():
    words = tuple((form, form, "X", form, "_") for form in "a b c d".split())
    data = [TreeSentence(words, (3, 4, 0, 0), ("x", "y", "root", "root"))] * 20
    for projective in (True, False):
        settings = DependencySettings(passes=3, light_passes=3, folds=1, projective=projective)
        found = train(data, settings)
        assert found.settings.as_dict()["one_root"] is False
        assert found.details["lifted"] == (20 if projective else 0)
        figures = score_trees(data, found.parse([s.forms for s in data]))
        assert figures["uas"] == (0.5 if projective else 1.0)


def test_the_same_data_gives_the_same_file(model, tmp_path):
    assert train(treebank(), SMALL).to_bytes() == model.to_bytes()
    model.save(tmp_path / "x.safetensors")
    again = DependencyModel.load(tmp_path / "x.safetensors")
    sentences = [s.forms for s in treebank()[:5]]
    assert (
        again.parse(sentences)
        == model.parse(sentences)
        == DependencyModel.from_bytes(model.to_bytes()).parse(sentences)
    )
    assert again.details == model.details


def test_damaged_files_are_refused(model, tmp_path):
    from kakari.models.files import write_model

    def refused(contents, schema=None):
        write_model(tmp_path / "x.safetensors", "dependency", contents, schema=schema or DependencyModel.schema())
        with pytest.raises(ModelFileError):
            DependencyModel.load(tmp_path / "x.safetensors")

    refused(model.contents(), schema="templates 99")
    for part, change in (("search", {"order": 7}), ("light", {"unit": None}), ("tagger", {"beam": 10**9})):
        contents = model.contents()
        contents.part(part).settings |= change
        refused(contents)
    for change in (
        {"trees": [["a"]]},
        {"rules": {"NN": {"9" * 9: "x"}}},
        {"rules": {"NN": 3}},
        {"trees": [[1, 2, 3, 4]]},
    ):
        contents = model.contents()
        contents.part("tagger").part("lemmas").settings |= change
        refused(contents)
    contents = model.contents()
    contents.settings["relations"] = 3
    refused(contents)


def test_many_threads_see_one_model(model):
    sentences = [s.forms for s in treebank()]
    alone = model.parse(sentences)
    with ThreadPoolExecutor(8) as pool:
        assert all(found == alone for found in pool.map(lambda _: model.parse(sentences), range(16)))


@pytest.mark.slow
def test_long_and_strange_sentences(model):
    words = ["the", "dogs", "\ud800", "", "see"] * 100
    with pytest.warns(TextWarning, match="found in parts"):
        (found,) = model.parse([words])
    assert found.heads.count(0) == 1
    assert len(found.heads) == 500


def test_the_best_of_many_trees_is_the_tree(model):
    (tree,) = model.parse([treebank()[0].forms])
    found = model.best_trees(tree.words, 5)
    assert found[0][1] == tree
    assert [score for score, _ in found] == sorted((score for score, _ in found), reverse=True)
    assert len({one.heads for _, one in found}) == len(found)


def test_weights_are_pickled():
    learner = PartLearner()
    learner.update([3, 2**50], 0.25, at=0)
    frozen = learner.freeze()
    assert pickle.loads(pickle.dumps(frozen)).score([3, 7]) == frozen.score([3, 7])


@given(st.dictionaries(st.integers(1, 2**64 - 1), st.floats(-8, 8), max_size=200), st.integers(0, 50))
def test_frozen_weights_are_the_rounded_averages(wanted, most):
    # A frozen table knows a hash by its bucket and its low bits: those that pass for each other are left out.
    wanted = dict({h % 2**16: (h, a) for h, a in wanted.items()}.values())
    learner = PartLearner()
    learner.examples = 4
    for number, (hashed, amount) in enumerate(wanted.items()):
        learner.update([hashed], amount, at=number % 5)
    hashes, values = learner.averages()
    expected = {h: round(a * 2**20) * (1 - (n % 5) / 5) for n, (h, a) in enumerate(wanted.items())}
    assert dict(zip(hashes.tolist(), values, strict=True)) == pytest.approx(
        {h: v / 2**20 for h, v in expected.items() if v}, rel=1e-5
    )
    frozen = learner.freeze(most=most)
    kept = np.sort(np.argsort(-np.abs(values), kind="stable")[:most])
    assert len(frozen) <= len(kept)
    for hashed, value in zip(hashes[kept].tolist(), values[kept], strict=True):
        code = round(float(abs(value) / frozen.unit) ** 0.5)
        assert abs(abs(frozen.score([hashed])) - code**2) <= 2 * code + 1


@given(st.text("abcde", max_size=8), st.text("abcde", max_size=8))
def test_edit_trees_do_what_they_were_made_for(form, lemma):
    assert apply_tree(edit_tree(form, lemma), form) == lemma


def test_lemmas_come_back_from_a_file():
    words = [
        ("walked", "V", "walk"),
        ("Paris", "P", "Paris"),
        ("went", "V", "go"),
        ("dogs", "N", "dog"),
        ("is", "V", "be"),
    ]
    lemmatiser = train_lemmatiser(words * 2)
    assert [lemmatiser.lemma(form, tag) for form, tag, _ in words] == [lemma for *_, lemma in words]
    assert Lemmatiser.from_contents(lemmatiser.contents()) == lemmatiser
    assert lemmatiser.lemma("", "V") == ""
    assert lemmatiser.lemma("Xyz", "unknown") == "xyz"
