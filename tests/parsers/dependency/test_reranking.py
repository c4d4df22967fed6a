"""Lists of trees, rerankers and their files: against the parser itself, and against scores by support parts."""

from dataclasses import replace

import numpy as np
import pytest

from kakari.models.files import ModelFileError, write_model
from kakari.parsers.dependency import DependencyModel, DependencySettings, TreeSentence, train
from kakari.parsers.dependency.labelling import label_batch
from kakari.parsers.dependency.lists import best_lists
from kakari.parsers.dependency.parsing import best_trees
from kakari.parsers.dependency.reranked.training import add_reranker
from kakari.parsers.dependency.reranking.reranker import figures_of
from kakari.parsers.dependency.reranking.training import RerankSettings, losses_of, train_reranker
from kakari.parsers.dependency.tokens import TokenBatch

SMALL = DependencySettings(passes=1, light_passes=1, label_passes=2, folds=2, reach=1000.0)


def treebank(count=60):
    """Sentences in which a prepositional phrase leans on the noun or the verb, as its own noun says."""
    rng = np.random.default_rng(7)
    found = []
    for _ in range(count):
        verb, thing, last = (
            ("saw", "met")[rng.integers(2)],
            ("dog", "man")[rng.integers(2)],
            ("tail", "fork", "hat")[rng.integers(3)],
        )
        rows = [("we", "PRON", "PRP", "_"), (verb, "VERB", "VBD", "Tense=Past"), (thing, "NOUN", "NN", "Number=Sing")]
        rows += [("with", "ADP", "IN", "_"), (last, "NOUN", "NN", "Number=Sing"), (".", "PUNCT", ".", "_")]
        words = tuple((form, form, coarse, tag, features) for form, coarse, tag, features in rows)
        heads = (2, 0, 2, 5, 2 if last == "fork" else 3, 2)
        found.append(TreeSentence(words, heads, ("nsubj", "root", "obj", "case", "obl", "punct")))
    return found


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    path = tmp_path_factory.mktemp("treebank") / "x.conllu"
    lines = []
    for sentence in treebank():
        for place, (word, head, relation) in enumerate(
            zip(sentence.words, sentence.heads, sentence.relations, strict=True), 1
        ):
            form, lemma, coarse, fine, features = word
            lines.append("\t".join([str(place), form, lemma, coarse, fine, features, str(head), relation, "_", "_"]))
        lines.append("")
    path.write_text("\n".join(lines) + "\n")
    return str(path)


@pytest.fixture(scope="module")
def model():
    """A parser that has learned that the phrase leans on the verb, always."""
    data = [replace(s, heads=(*s.heads[:4], 2, s.heads[5])) for s in treebank()]
    return train(data, SMALL)


@pytest.fixture(scope="module")
def lists(model):
    data = treebank()
    batch = TokenBatch([s.words for s in data])
    return best_lists(batch, 6, model.light, model.full, model.settings, model.labels, len(model.relations))


def trained(model, lists, **settings):
    data, numbers = treebank(), {name: number for number, name in enumerate(model.relations)}
    relations = [[numbers[name] for name in s.relations] for s in data]
    own = {**lists, "scores": lists["scores"] * model.full.unit}
    chosen = RerankSettings(trees=6, features=512, least=3, **settings)
    return train_reranker([s.words for s in data], own, [s.heads for s in data], relations, len(numbers), chosen)


def test_lists_are_the_best_trees_with_their_relations(model, lists):
    data = treebank()
    batch = TokenBatch([s.words for s in data])
    at = tree = 0
    for number, sentence in enumerate(data):
        expected = best_trees(batch, number, 6, model.light, model.full, model.settings)
        count, length = int(lists["counts"][number]), len(sentence.words)
        assert count == len(expected)
        alone = TokenBatch([sentence.words])
        for score, heads in expected:
            assert lists["scores"][tree] == score
            assert lists["heads"][at : at + length].tolist() == heads
            labels = label_batch(alone, heads, model.labels, len(model.relations))
            assert lists["relations"][at : at + length].tolist() == labels.tolist()
            at, tree = at + length, tree + 1


@pytest.mark.parametrize("settings", [{}, {"linear": False}, {"kernel": False}], ids=str)
def test_the_frozen_reranker_decides_as_the_support_does(model, lists, settings):
    found = trained(model, lists, C=1e-2, passes=3, **settings)
    candidates, support = found.lists, found.support
    sums = support.sums(candidates.parts) if found.reranker.combinations else np.zeros(len(candidates.parts), dtype=int)
    expected = candidates.best(candidates.scores(sums, found.reranker.linear[: candidates.features]))
    words = [s.words for s in treebank()]
    assert found.reranker.choose(words, lists, model.full.unit).tolist() == expected.tolist()


def test_what_the_list_has_is_learned(model, lists):
    reranker = trained(model, lists, C=1.0, passes=60).reranker
    data = treebank()
    better = replace(model, reranker=reranker).parse_tagged([s.words for s in data])
    first = model.parse_tagged([s.words for s in data])
    wrong = [sum(a.heads != b.heads for a, b in zip(found, data, strict=True)) for found in (better, first)]
    assert wrong[0] < wrong[1] / 2  # the wanted tree is not in every list


def test_losses_are_differences_of_heads():
    lists = {"counts": np.array([3]), "heads": np.array([0, 1, 2, 0, 0, 0])}
    errors = (np.array([1, 0, 1]), np.array([1, 0, 2]))
    assert [found.tolist() for found in losses_of(lists, [2], errors, "between")] == [[2, 0, 1], [1]]
    assert [found.tolist() for found in losses_of(lists, [2], errors, "gold")] == [[1, 0, 1], [1]]


def test_figures_are_told_against_the_first_tree():
    lists = {"counts": np.array([2, 1]), "scores": np.array([4.0, 3.5, 1.0]), "leads": np.array([8, 0, 5])}
    figures = figures_of({**lists, "label_scores": np.array([0, 4, 0])}, 1.0)
    assert figures.tolist() == [[0, 0, 0, 1], [-32, -2, 1, 0], [0, 0, 0, 1]]


def test_one_file_holds_both(model, lists, tmp_path):
    both = replace(model, reranker=trained(model, lists, C=1e-2).reranker)
    both.save(tmp_path / "x.safetensors", compressed=True)
    again = DependencyModel.load(tmp_path / "x.safetensors")
    sentences = [s.forms for s in treebank()]
    assert again.parse(sentences) == both.parse(sentences)
    assert again.parse([[], ["we"]])[0] == TreeSentence((), (), ())
    for name, value in [("trees", 1), ("relations", 99), ("features", 3)]:
        contents = both.contents()
        contents.part("reranker").settings[name] = value
        write_model(tmp_path / "y.safetensors", "dependency", contents, schema=DependencyModel.schema())
        with pytest.raises(ModelFileError):
            DependencyModel.load(tmp_path / "y.safetensors")


def test_jackknifed_lists_are_kept_and_go_on(model, corpus, tmp_path):
    said = []
    asked = RerankSettings(trees=4, passes=1, features=64)
    options = {"folds": 3, "folder": tmp_path / "lists", "report": said.append}
    first = add_reranker(model, [corpus], SMALL, asked, **options)
    assert first.details["reranking"]["lists"] == 60 and first.reranker is not None
    (tmp_path / "lists" / "1.lists").unlink()
    said.clear()
    again = add_reranker(model, [corpus], SMALL, asked, **options)
    assert "lists: 2 of 3 parts were there" in said
    assert again.to_bytes() == first.to_bytes()
    with pytest.raises(ModelFileError, match="another training"):
        add_reranker(model, [corpus], SMALL, replace(asked, trees=5), **options)
    with pytest.raises(ValueError, match="two parts"):
        add_reranker(model, [corpus], SMALL, asked, folds=1)
