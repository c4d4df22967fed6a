"""The 2003 paper's segmenter: features and decisions against their plain definition, its files, what it refuses."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
from budgets import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from kakari.corpora.catalogue import read
from kakari.kernels.sets.featuresets import FeatureSets
from kakari.kernels.solvers.expanded import solve_expanded
from kakari.models.files import ModelFileError, model_bytes
from kakari.parsers.japanese.tagging.dictionary import CHARACTER_COLUMNS, WordDictionary, character_table, normalized
from kakari.parsers.japanese.tagging.entries import sentence_entries
from kakari.parsers.japanese.tagging.kernel_training import learned_kernel_boundaries
from kakari.parsers.japanese.tagging.model import WordsModel
from kakari.parsers.japanese.tagging.partial import PartialSentence
from kakari.parsers.japanese.tagging.settings import PAPER_BOUNDARIES, KernelSettings, words_settings
from kakari.parsers.japanese.tagging.training import WordsTrainingError, marks_of, text_of, train

EXACT = KernelSettings(cost=0.5, tolerance=1e-6, sigma=0.0)
NOTHING = WordDictionary.of_words({})


@pytest.fixture(scope="module")
def sentences():
    return list(read("sample-ja"))


@pytest.fixture(scope="module")
def lines(sentences):
    return [sentence_entries(sentence) for sentence in sentences[:40]]


@pytest.fixture(scope="module")
def model(sentences):
    return train(sentences, (), words_settings("paper"))


def types_of(text):
    column = CHARACTER_COLUMNS.index("type")
    return character_table([text], NOTHING).values[:, column].tolist()


def plain_features(text, place):
    """Return what the paper lists: characters and types from three before the boundary to three behind it."""
    types = types_of(text)
    named = set()
    for offset in range(-3, 3):
        at = place + offset
        outside = at if at < 0 else at - len(text) + 1 if at >= len(text) else None
        character, kind = (normalized(text[at]), types[at]) if outside is None else (("out", outside),) * 2
        named |= {("char", offset, character), ("type", offset, kind)}
    return named


@pytest.fixture(scope="module")
def plain(lines):
    """Return the support sets and coefficients of the same machine, trained on named features."""
    named, signs = [], []
    for line in lines:
        begins = marks_of([line])
        for place in range(1, len(begins)):
            named.append(plain_features(text_of(line), place))
            signs.append(1 if begins[place] else -1)
    numbers = {one: number for number, one in enumerate(sorted({one for own in named for one in own}, key=repr))}
    sets = FeatureSets.from_lists([sorted(numbers[one] for one in own) for own in named])
    found = solve_expanded(sets, signs, 3, cost=EXACT.cost, tolerance=EXACT.tolerance)
    return [(own, alpha) for own, alpha in zip(named, found["coefficients"].tolist(), strict=True) if alpha]


@pytest.fixture(scope="module")
def exact(lines):
    table = character_table([text_of(line) for line in lines], NOTHING)
    return learned_kernel_boundaries(table, marks_of(lines), PAPER_BOUNDARIES, EXACT)


@settings(deadline=None, max_examples=examples(40))
@given(st.text(st.sampled_from("太郎は本を読んだ。カレーa1"), min_size=2, max_size=9))
def test_decisions_are_those_of_the_cubic_kernel(exact, plain, text):
    found = exact.label(character_table([text], NOTHING)).tolist()
    for place in range(1, len(text)):
        own = plain_features(text, place)
        margin = sum(alpha * (1 + len(support & own)) ** 3 for support, alpha in plain)
        if abs(margin) > 1e-2:
            assert found[place] == (margin > 0)


def test_a_decision_sees_nothing_but_six_characters(exact):
    first, second = "次郎は本を読んだ。", "花子が本を買った。"
    common = [exact.label(character_table([text], WordDictionary.of_words({"本を": 1})))[3] for text in (first, second)]
    near = [exact.label(character_table([text[:7]], NOTHING))[3] for text in (first, second)]
    assert common == near


def test_words_are_learned(model):
    assert [word.surface for word in model.analyse("太郎は本を読んだ。")] == ["太郎", "は", "本", "を", "読んだ", "。"]
    assert model.details["settings"]["kernel"] == {"degree": 3, "cost": 0.02, "tolerance": 0.01, "sigma": 0.005}


@settings(deadline=None, max_examples=examples(60))
@given(st.text(max_size=30))
def test_offsets_reproduce_any_text(model, text):
    words = model.analyse(text)
    assert "".join(word.surface for word in words) == text
    assert all(text[word.start : word.end] == word.surface for word in words)


def test_files_and_repetition(model, sentences):
    again = WordsModel.from_bytes(model.to_bytes())
    assert again.analyse("太郎は本を読んだ。") == model.analyse("太郎は本を読んだ。")
    assert again.to_bytes() == model.to_bytes() == train(sentences, (), words_settings("paper")).to_bytes()


def test_the_default_says_nothing_of_a_kernel(sentences):
    quick = replace(words_settings(), passes=1, tag_passes=1, learners=1)
    assert "kernel" not in train(sentences, (), quick).details["settings"]


@pytest.mark.parametrize("template", ["label[-1]", "lower(char)[0]", "surface[0]"])
def test_templates_of_something_else_are_refused(model, template):
    contents = model.contents()
    boundaries = contents.part("boundaries")
    boundaries.settings = {**boundaries.settings, "templates": [template]}
    with pytest.raises(ModelFileError, match="not about characters"):
        WordsModel.from_bytes(model_bytes(WordsModel.task, contents, schema=WordsModel.schema()))


def test_a_machine_is_checked(model):
    contents = model.contents()
    machine = contents.part("boundaries").part("machine")
    machine.settings = {**machine.settings, "degree": 90}
    with pytest.raises(ModelFileError):
        WordsModel.from_bytes(model_bytes(WordsModel.task, contents, schema=WordsModel.schema()))


def test_threads_share_a_model(model):
    texts = ["太郎は花子が読んでいる本を次郎に渡した。"] * 20
    wanted = list(model.pipe(texts))
    with ThreadPoolExecutor(4) as pool:
        assert all(found == wanted for found in pool.map(lambda _: list(model.pipe(texts)), range(8)))


def test_partial_annotation_is_refused(sentences):
    with pytest.raises(WordsTrainingError, match="support vector machine"):
        train(sentences, (), words_settings("paper"), partial=[PartialSentence("本を", (1, -1))])


def test_a_text_without_boundaries_is_cut_nowhere(model):
    assert np.array_equal(model.boundaries.label(character_table(["", ""], NOTHING)), np.empty(0, dtype=np.uint8))
