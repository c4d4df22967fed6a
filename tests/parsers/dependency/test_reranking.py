"""Lists of trees, rerankers and their files: against the parser itself, and against scores by support parts."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kakari.kernels.hashed.weights import HashedLearner
from kakari.kernels.stored import Contents
from kakari.models.files import ModelFileError, load_model, write_model
from kakari.models.reporting import silent
from kakari.parsers.dependency import DependencyModel, DependencySettings, TreeSentence, train
from kakari.parsers.dependency.english import recipe
from kakari.parsers.dependency.labelling import NO_LABEL, label_batch, learn_labels
from kakari.parsers.dependency.lists import best_lists
from kakari.parsers.dependency.parsing import best_trees, head_shares
from kakari.parsers.dependency.reranked.jackknife import TASK, columns_of, write_columns
from kakari.parsers.dependency.reranked.training import add_reranker, first_trees, labelled_again, training_lists
from kakari.parsers.dependency.reranking.properties import WordProperties
from kakari.parsers.dependency.reranking.reranker import figures_of, layout_of
from kakari.parsers.dependency.reranking.training import RerankSettings, losses_of, train_reranker
from kakari.parsers.dependency.reranking.tree_parts import TreeBatch
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
    own = {**lists, "scores": lists["scores"] * model.full.unit, "light": lists["light"] * model.light.unit}
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
        alone, lights = TokenBatch([sentence.words]), []
        for score, heads in expected:
            assert lists["scores"][tree] == score
            assert lists["heads"][at : at + length].tolist() == heads
            labels = label_batch(alone, heads, model.labels, len(model.relations))
            assert lists["relations"][at : at + length].tolist() == labels.tolist()
            shares = head_shares(alone, heads, model.light)
            lights.append(np.log(shares).sum() / model.light.unit - lists["light"][tree])
            at, tree = at + length, tree + 1
        assert np.ptp(lights) < 1e-6 / model.light.unit  # what is common to all trees is left out
        own = slice(tree - count, tree)
        trees = lists["heads"][at - count * length : at].reshape(count, length)
        likely = np.exp((lists["scores"][own] - lists["scores"][own][0]) * model.full.unit)
        for one, told in zip(trees, lists["consensus"][own], strict=True):
            assert told == pytest.approx(likely @ (trees == one).sum(axis=1) / likely.sum())


@pytest.mark.parametrize("settings", [{}, {"linear": False}, {"kernel": False}], ids=str)
def test_the_frozen_reranker_decides_as_the_support_does(model, lists, settings):
    found = trained(model, lists, C=1e-2, passes=3, **settings)
    candidates, support = found.lists, found.support
    sums = support.sums(candidates.parts) if found.reranker.combinations else np.zeros(len(candidates.parts), dtype=int)
    expected = candidates.best(candidates.scores(sums, found.reranker.linear[: candidates.features]))
    words = [s.words for s in treebank()]
    assert found.reranker.choose(words, lists, (model.full.unit, model.light.unit)).tolist() == expected.tolist()


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
    lists = {
        "counts": np.array([2, 1]), "scores": np.array([4.0, 3.5, 1.0]), "leads": np.array([8, 0, 5]),
        "label_scores": np.array([0, 4, 0]), "light": np.array([-2, -4, 3]), "consensus": np.array([1.5, 1.25, 3.0]),
    }  # fmt: skip
    figures = figures_of(lists, (1.0, 0.5))
    assert figures.tolist() == [[0, 0, 0, 1, 0, 0], [-32, -2, 1, 0, -32, -16], [0, 0, 0, 1, 0, 0]]


def test_one_file_holds_both(model, lists, tmp_path):
    both = replace(model, reranker=trained(model, lists, C=1e-2).reranker)
    both.save(tmp_path / "x.safetensors", compressed=True)
    again = DependencyModel.load(tmp_path / "x.safetensors")
    sentences = [s.forms for s in treebank()]
    assert again.parse(sentences) == both.parse(sentences)
    assert again.parse([[], ["we"]])[0] == TreeSentence((), (), ())
    for name, value in [("trees", 1), ("relations", 99), ("features", 3), ("templates", 1)]:
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


def test_lists_stand_in_the_order_of_the_treebank(model, corpus):
    data = treebank()
    words, lists, heads, numbers = training_lists(model.relations, [corpus], SMALL, 4, folds=4)
    assert [[word[0] for word in line] for line in words] == [list(s.forms) for s in data]
    assert heads == [s.heads for s in data]
    assert [[model.relations[number] for number in own] for own in numbers] == [list(s.relations) for s in data]
    assert len(lists["counts"]) == len(data)
    assert lists["heads"].size == lists["counts"] @ np.array([len(line) for line in words])


def test_columns_of_a_large_treebank_are_kept(tmp_path):
    """200,000 words of English are more text than the settings of a file may be long."""
    path = tmp_path / "tags.safetensors"
    word = ("Straße\u2028", "_", "NOUN", "NN", "Case=Nom|Gender=Fem|Number=Sing" * 4)
    sentences = [[word] * 60_000, [], [("a", "b", "c", "d", "")]]
    write_columns(path, sentences)
    assert load_model(path, TASK, columns_of) == sentences
    for text in (b"a\nb\n", b"\xff\n" * 5):
        arrays = {"words": np.ones(1, dtype=np.int32), "text": np.frombuffer(text, dtype=np.uint8)}
        write_model(path, TASK, Contents(arrays))
        with pytest.raises(ModelFileError, match="columns"):
            load_model(path, TASK, columns_of)


def reach_of(heads, word):
    """The first and the last word that lead to a word, itself among them."""
    below = []
    for at in range(1, len(heads) + 1):
        up = at
        while up not in (0, word):
            up = heads[up - 1]
        if up == word:
            below.append(at)
    return min(below), max(below)


@given(data=st.data(), length=st.integers(1, 7))
def test_edges_know_how_far_the_words_below_reach(data, length):
    order = data.draw(st.permutations(range(1, length + 1)))
    heads = [0] * length
    for place, word in enumerate(order):
        heads[word - 1] = data.draw(st.sampled_from([0, *order[:place]]))
    words = [("w", "w", f"C{k % 3}", f"T{k % 2}", "_") for k in range(length)]
    properties = WordProperties.of([words], 1)
    lists = {"counts": [1], "heads": heads, "relations": [k % 2 for k in range(length)]}
    batch = TreeBatch(layout_of(properties, 2, 64), [0, length], properties.numbers([words]), lists, [[0] * 6])
    parts = batch.candidate_lists(layout_of(properties, 2, 64).kernel(), [0], [0]).parts
    coarses = [0, *properties.numbers([words])[:, 3].tolist(), 0]
    tags = [0, *properties.numbers([words])[:, 2].tolist()]
    assert len(parts) == length
    for row in parts.slots.tolist():
        head, word, edge = row[0], row[1], np.asarray(parts.tables[1]).reshape(len(parts), -1)[row[2]]
        first, last = reach_of(heads, word)
        size, relation = last - first + 1, (word - 1) % 2
        span = next(k for k, most in enumerate([1, 2, 4, 8, 16, 999]) if size <= most)
        around = len(properties.values[3]) + 1
        assert edge[12:16].tolist() == [
            relation * 6 + span,
            relation * around + coarses[last + 1],
            relation * around + coarses[first - 1],
            relation * 2 + (tags[head] == tags[word]),
        ]


def test_the_preferred_tree_comes_first_among_the_best(model, lists):
    both = replace(model, reranker=trained(model, lists, C=1.0, passes=20).reranker)
    words = [s.words for s in treebank()]
    scored, sure = both.best_with_probabilities(words, 3)
    assert [own[0][1] for own in scored] == both.parse_tagged(words)
    others, _ = model.best_with_probabilities(words, 3)
    assert any(own[0][1] != other[0][1] for own, other in zip(scored, others, strict=True))
    assert all(len(own) == 3 and len(told) == 6 for own, told in zip(scored, sure, strict=True))


def test_labelled_losses_count_relations():
    lists = {"counts": np.array([3]), "heads": np.array([0, 1, 2, 0, 0, 0])}
    errors = (np.array([1, 0, 1]), np.array([1, 2, 2]))
    assert [found.tolist() for found in losses_of(lists, [2], errors, "labelled")] == [[0, 1, 1], [0]]


def test_few_linear_weights_are_kept(model, lists):
    few = trained(model, lists, kernel=False, most_linear=20).reranker
    hashed = few.linear[6:]
    assert 0 < np.count_nonzero(hashed) <= 20
    assert len(np.unique(np.abs(hashed[hashed != 0]) // np.abs(hashed[hashed != 0]).min())) <= 128


def test_relations_are_learned_again_in_found_trees(model, lists):
    """What leans on a wrong head teaches nothing; the rest is learned beside it."""
    gold, numbers = treebank(), {name: number for number, name in enumerate(model.relations)}
    relations = [[numbers[name] for name in s.relations] for s in gold]
    data = [list(s.words) for s in gold], lists, [s.heads for s in gold], relations
    found = first_trees(data[1], [len(line) for line in data[0]])
    assert any(own != list(one.heads) for own, one in zip(found, gold, strict=True))
    again = labelled_again(model, data, SMALL)
    assert again.labels.contents().arrays.keys() == model.labels.contents().arrays.keys()
    batch = TokenBatch(data[0])
    heads = np.array([head for own in found for head in own])
    right = heads == np.array([head for own in data[2] for head in own])
    wanted = np.array([number for own in relations for number in own])
    assert (label_batch(batch, heads, again.labels, len(model.relations)) == wanted)[right].all()
    with pytest.raises(ValueError, match="does not know"):
        labelled_again(model, (*data[:3], [[-1] * len(own) for own in data[3]]), SMALL)


def test_a_word_without_a_relation_teaches_nothing():
    data = treebank(4)
    batch = TokenBatch([s.words for s in data])
    heads, learner = np.array([head for s in data for head in s.heads]), HashedLearner()
    nothing = np.full(len(heads), NO_LABEL)
    assert learn_labels(batch, heads, nothing, learner, 3, range(4)) == 0
    assert not label_batch(batch, heads, learner.freeze(), 3).any()
    with pytest.raises(ValueError, match="below the number"):
        learn_labels(batch, heads, np.full(len(heads), 3), learner, 3, range(4))


def test_probabilities_are_fitted_to_the_trees_that_the_reranker_prefers(model, lists, monkeypatch):
    """Held-back words are those of the last sentences; one with a relation of its own is learned from instead."""
    data, fitted = treebank(), []
    monkeypatch.setattr(recipe, "fit_confidence", lambda evidence, right: fitted.append((evidence, right)))
    reranked = replace(model, reranker=trained(model, lists, C=1.0, passes=60).reranker)
    recipe.calibrated(reranked, data, SMALL, silent)
    ((evidence, right),) = fitted
    kept = data[:54]
    smaller = replace(train(kept, SMALL), reranker=reranked.reranker)
    found = smaller.parse([s.forms for s in data[54:]])
    assert right.tolist() == [a == b for tree, s in zip(found, data[54:], strict=True)
                              for a, b in zip(tree.heads, s.heads, strict=True)]  # fmt: skip
    assert evidence.shape == (36, 2)
    rare = replace(data[59], relations=("expl", *data[59].relations[1:]))
    known = train([*data[:59], rare], SMALL)
    recipe.calibrated(known, [*data[:59], rare], SMALL, silent)
    assert fitted[1][0].shape == (30, 2)
    with pytest.raises(ValueError, match="relations of the model"):
        recipe.calibrated(known, data, SMALL, silent)
