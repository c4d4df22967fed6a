"""The compact question model: its sums against their definition, its reasons, its file, its training."""

import numpy as np
import pytest
from budgets import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from kakari import corpora
from kakari.corpora.formats.brackets import parse_brackets
from kakari.kernels.sets.checks import TrainingError
from kakari.models.files import ModelFileError, write_model
from kakari.models.treebank import Treebank
from kakari.models.vocabulary import Vocabulary
from kakari.parsers.english.parser import EnglishParser
from kakari.parsers.english.words.flat_trees import FlatTree, bracketed
from kakari.parsers.english.words.treebank_trees import flattened
from kakari.parsers.questions.compact_model import (
    LinearQuestions,
    QuestionReader,
    forest_of,
    hashed_rows,
    pretrained_questions,
    tagged,
)
from kakari.parsers.questions.features import detection_features, is_asked, question_features, without_mark
from kakari.parsers.questions.training import LinearSettings, Sentence, hashed_model, train_detector, train_linear

SAMPLE = list(corpora.read("sample-questions"))
TREES = [flattened(question.tree) for question in SAMPLE]
QUICK = LinearSettings(fragments=5, most=5_000)
NAMES = [f"f{number}" for number in range(20)]
WORDS = "what which how many who when is did name city 's of kind the Rome , ? ( ``".split()


@pytest.fixture(scope="module")
def small():
    return train_linear(SAMPLE[::2], QUICK)


@given(st.lists(st.sampled_from([*NAMES, "unknown"]), unique=True), st.integers(2, 4), st.integers(0, 9))
def test_names_have_the_weights_that_were_trained(names, outputs, seed):
    numbers = np.random.default_rng(seed)
    weights, biases = numbers.normal(size=(outputs, len(NAMES))), numbers.normal(size=outputs)
    vocabulary = Vocabulary()
    for name in NAMES:
        vocabulary.add(name)
    model = hashed_model(tuple("abcd"[:outputs]), vocabulary, weights, biases, weights.size, 0.0)
    rows = [weights[:, NAMES.index(name)] for name in names if name in NAMES]
    expected = biases + sum(rows, np.zeros(outputs)) / max(1, len(names)) ** 0.5
    assert model.scores(*hashed_rows([names]))[0] == pytest.approx(expected, abs=len(NAMES) * model.unit)


def flat(words):
    return FlatTree(tuple(words), tuple("NN" for _ in words), (("S", 0, len(words)), ("NP", 0, 1)))


@settings(max_examples=examples(40), deadline=None)
@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=8))
def test_reasons_sum_to_the_margin_whatever_is_asked(words):
    model = pretrained_questions()
    answer, reasons = model.explain(flat(words))
    assert sum(weight for _, weight in reasons) == pytest.approx(answer.margin, abs=1e-9)
    assert answer.margin >= 0 and answer.fine != answer.second and answer.fine.startswith(answer.coarse)
    shares = model.shares(model.scores([flat(words)])[0])
    assert max((name for name in shares if ":" in name), key=shares.get) == answer.fine
    assert max((name for name in shares if ":" not in name), key=shares.get) == answer.coarse
    assert sum(share for name, share in shares.items() if ":" not in name) == pytest.approx(1.0)


def test_scores_are_features_and_fragments(small):
    for tree, row in zip(TREES[:5], small.scores(TREES[:5])):
        expected = small.features.scores(*hashed_rows([question_features(tagged(tree))]))[0]
        found = dict.fromkeys(range(len(small.fragments)), 0.0)
        _, columns, values = small.fragment_vectors([tree])
        found.update(zip(columns.tolist(), values.tolist()))
        for column, value in found.items():
            expected = expected + value * small.fragment_unit * small.fragment_weights[column].astype(float)
        assert row == pytest.approx(expected)
    assert small.fragment_text(0).startswith("(")
    assert parse_brackets(small.fragment_text(0)).label()


def test_trees_have_the_numbers_that_a_treebank_gives_them(small):
    vocabulary = Vocabulary()
    for label in small.labels:
        vocabulary.add(label)
    vocabulary.freeze()
    treebank = Treebank(vocabulary)
    for tree in [*TREES, FlatTree(("(", "Who"), ("-LRB-", "WP"), (("TOP", 0, 2), ("NP", 1, 2))), flat(["x", "y"])]:
        leaves = [word.lower().replace("(", "-lrb-").replace(")", "-rrb-") for word, _ in tagged(tree)]
        wanted, found = treebank.read([bracketed(tree, leaves)]), forest_of([tree], small.numbers)
        assert found.arities.tolist() == wanted.arities.tolist()
        known = wanted.labels < len(small.labels)
        assert found.labels[known].tolist() == wanted.labels[known].tolist()
        assert (found.labels[~known] >= len(small.labels)).all()
        assert len(set(found.labels[~known].tolist())) == len(set(wanted.labels[~known].tolist()))
    assert len(forest_of([], small.numbers)) == 0


def test_training_is_reproducible_and_the_file_gives_the_model_back(small, tmp_path):
    again = train_linear(SAMPLE[::2], QUICK)
    assert again.to_bytes() == small.to_bytes()
    small.save(tmp_path / "m")
    loaded = LinearQuestions.load(tmp_path / "m")
    assert (loaded.scores(TREES) == small.scores(TREES)).all() and loaded.to_bytes() == small.to_bytes()
    right = sum(a.coarse == q.coarse for a, q in zip(loaded.answer(TREES), SAMPLE))
    assert right > 0.8 * len(SAMPLE)
    assert loaded.answer([]) == [] and loaded.asked(TREES[:2]).tolist() == [1.0, 1.0]


def test_files_that_do_not_fit_are_refused(small, tmp_path):
    def refused(contents, reason, schema="templates 1"):
        write_model(tmp_path / "m", LinearQuestions.task, contents, schema=schema)
        with pytest.raises(ModelFileError, match=reason):
            LinearQuestions.load(tmp_path / "m")

    refused(small.contents(), "other features", schema="templates 99")
    fewer = small.contents()
    fewer.part("features").settings["classes"] = fewer.part("features").settings["classes"][1:]
    refused(fewer, "places")
    undecayed = small.contents()
    del undecayed.part("fragments").part("kernel").settings["decay"]
    refused(undecayed, "no setting 'fragments/kernel/decay'")
    lacking = small.contents()
    del lacking.part("features").part("weights").arrays["checks"]
    refused(lacking, "no array 'features/weights/checks'")


def test_what_cannot_be_trained_on():
    with pytest.raises(TrainingError, match="only 1 class"):
        train_linear(SAMPLE[:1])
    treeless = [corpora.Question("HUM", "ind", "Who won ?")]
    with pytest.raises(TrainingError, match="needs a tree"):
        train_linear(treeless)


def test_questions_and_others_are_told_apart():
    parser = EnglishParser.pretrained()
    texts = {"Who left?": True, "Did he leave?": True, "He left.": False, "They bought it.": False}
    sentences = [Sentence(parser.parse(text)[0].tree, asked) for text, asked in texts.items()]
    detector = train_detector(sentences)
    for sentence in sentences:
        assert is_asked(sentence.tree) == sentence.asked
        assert (detector.scores(*hashed_rows([detection_features(sentence.tree)]))[0, 0] > 0) == sentence.asked
    assert without_mark(sentences[0].tree) == ("Who", "left")


def test_features_have_one_order_in_every_process():
    tree = FlatTree(("Who", "won"), ("WP", "VBD"), (("SBARQ", 0, 2), ("WHNP", 0, 1), ("SQ", 1, 2)))
    assert [name for name in detection_features(tree) if name.startswith("has")] == [
        "has=SBARQ",
        "has=SBARQ|",
        "has=SQ",
        "has=SQ|",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Who wrote Hamlet?", ["HUM:ind"]),
        ("who wrote hamlet", ["HUM:ind"]),
        ("What does CPU stand for?", ["ABBR:exp"]),
        ("How many legs does a spider have?", ["NUM:count"]),
        ("I like tea. When did the war end? Nobody knows.", [None, "NUM:date", None]),
        ("He left.", [None]),
        ("", []),
        ("?", None),
        ("😀 <b>x</b> 本を読む。", None),
        ("x" * 3000, None),
    ],
)
def test_raw_text(text, expected):
    found = QuestionReader.pretrained().ask(text)
    if expected is not None:
        assert [one.answer and one.answer.fine for one in found] == expected
    assert all(text[one.begin : one.end].strip() for one in found)
