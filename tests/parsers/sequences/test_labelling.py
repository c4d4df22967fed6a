"""Features and decoding against their plain definitions."""

import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from budgets import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from sequence_oracles import beam_search, features, string_value, votes

from kakari.kernels.frozen.freezing import freeze
from kakari.kernels.hashed.weights import HashedLearner
from kakari.kernels.sets.featuresets import FeatureSets
from kakari.parsers.sequences.labelling import FrozenLabeller, feature_sets, label_batch, learn_batch
from kakari.parsers.sequences.templates import TemplateSet
from kakari.parsers.sequences.tokens import ABSENT, TokenTable, column_table, string_table

FORWARDS = ["a[0]", "b[-1]/a[0]", "a[1]/b[2]", "label[-1]", "label[-2]/label[-1]", "label[-1]/b[0]", "a[-3]"]
BACKWARDS = [text.replace("label[-", "label[") for text in FORWARDS]
values = st.sampled_from([1, 2, 3, ABSENT])
sentences = st.lists(st.lists(st.tuples(values, values), max_size=6), max_size=4)


def atoms(templates):
    """Return the atoms of each template in the engine's order."""
    pairs = list(zip(templates.columns.tolist(), templates.offsets.tolist()))
    starts = templates.starts.tolist()
    named = [(None if column < 0 else column, offset) for column, offset in pairs]
    return [named[begin:end] for begin, end in zip(starts, starts[1:])]


def table_of(rows, width):
    starts = np.concatenate([[0], np.cumsum([len(one) for one in rows])]).astype(np.int64)
    flat = [token[:width] for one in rows for token in one]
    return TokenTable(starts, np.array(flat, dtype=np.uint64).reshape(len(flat), width))


def random_learner(seed, templates, rows, labels):
    """Return a learner with weights for some of the features that sentences can have."""
    learner, drawn = HashedLearner(), np.random.default_rng(seed)
    learner.examples = 10
    for tokens in rows:
        for at in range(len(tokens)):
            decided = drawn.integers(labels, size=at).tolist()
            found = features(atoms(templates), tokens, at, decided, templates.backwards)
            for feature in found:
                if drawn.random() < 0.7:
                    learner.update([feature], int(drawn.integers(labels)), int(drawn.integers(-4, 5)), at=0)
    return learner


@given(st.text(max_size=8), st.sampled_from(["whole", "lower", "prefix", "suffix", "shape"]), st.integers(1, 9))
def test_values_of_strings(text, kind, size):
    assert string_table([[(text,)]], [(0, kind, size)]).values[0, 0] == string_value(text, kind, size)


def test_fields_must_fit_together():
    with pytest.raises(ValueError, match="fewer tokens"):
        column_table([[["a", "b"]], [["x"]]], [(0, "whole", 0), (1, "whole", 0)])
    with pytest.raises(ValueError, match="more tokens"):
        column_table([[["a"]], [["x", "y"]]], [(0, "whole", 0), (1, "whole", 0)])


@settings(max_examples=examples(150), deadline=None)
@given(
    sentences,
    st.integers(0, 10**6),
    st.sampled_from([1, 2, 5]),
    st.booleans(),
    st.booleans(),
    st.sampled_from([2, 3, 40]),
)
def test_linear_decoding(rows, seed, beam, backwards, restricted, labels):
    templates = TemplateSet(BACKWARDS if backwards else FORWARDS, backwards=backwards)
    learner = random_learner(seed, templates, rows, labels)
    weights = learner.freeze()
    table = table_of(rows, 2)
    lists = [[0, labels - 1], [1]]
    which = np.random.default_rng(seed).integers(-1, 2, size=len(table.values)).astype(np.int32)
    choices = (
        (which, np.array([0, 2, 3], dtype=np.int32), np.array([0, labels - 1, 1], dtype=np.uint8))
        if restricted
        else None
    )
    for held in (learner, weights):
        found = label_batch(table, templates, held, labels, beam=beam, choices=choices)
        wanted = []
        for tokens in rows:
            own = which[len(wanted) : len(wanted) + len(tokens)]
            allowed = [None if one < 0 else lists[one] for one in own] if restricted else None

            def scores_of(hashes):
                return held.scores(hashes, labels).tolist()

            wanted += beam_search(atoms(templates), tokens, labels, beam, backwards, scores_of, allowed)
        assert found.tolist() == wanted


@pytest.mark.parametrize("labels", [2, 7, 40, 250])
@pytest.mark.parametrize("beam", [1, 2])
def test_crowded_lines_and_long_rows(labels, beam):
    """Rows of one line of weights, more than it holds, with one weight up to one for every label."""
    templates, drawn = TemplateSet(["a[0]", "label[-1]/a[0]"]), np.random.default_rng(7)
    first = atoms(templates)[:1]
    # Features whose highest and lowest bits are zero come to the same line, however many lines there are.
    crowd = [value for value in range(20_000) if (hashed(first, value) >> 60, hashed(first, value) % 16) == (0, 0)][:30]
    learner = HashedLearner()
    learner.examples = 10
    for value in crowd:
        for label in drawn.permutation(labels)[: int(drawn.integers(1, labels + 1))].tolist():
            learner.update([hashed(first, value)], label, int(drawn.integers(-4, 5)), at=0)
    weights = learner.freeze()
    rows = [[(int(value),) for value in drawn.choice([*crowd, 1, 2], size=50)]]
    wanted = beam_search(
        atoms(templates), rows[0], labels, beam, False, lambda hashes: weights.scores(hashes, labels).tolist()
    )
    labeller = FrozenLabeller(templates, weights, labels, beam=beam)
    assert labeller.label(table_of(rows, 1)).tolist() == wanted
    assert pickle.loads(pickle.dumps(labeller)).label(table_of(rows, 1)).tolist() == wanted


def hashed(templates, value):
    (found,) = features(templates, [(value,)], 0, [], False)
    return found


def test_decisions_far_back():
    templates, drawn = TemplateSet(["a[0]", "label[-12]/a[0]", "label[-9]"]), np.random.default_rng(3)
    rows = [[(int(value),) for value in drawn.integers(3, size=40)]]
    for labels in (2, 5):
        weights = random_learner(5, templates, rows * 6, labels).freeze()
        for beam in (1, 4):
            wanted = beam_search(
                atoms(templates), rows[0], labels, beam, False, lambda hashes: weights.scores(hashes, labels).tolist()
            )
            found = FrozenLabeller(templates, weights, labels, beam=beam).label(table_of(rows, 1))
            assert found.tolist() == wanted


@settings(max_examples=examples(60), deadline=None)
@given(sentences, st.integers(0, 10**6), st.booleans(), st.sampled_from([1, 3]), st.sampled_from([2, 3]))
def test_kernel_decoding(rows, seed, pairs, beam, labels):
    templates = TemplateSet(FORWARDS)
    table = table_of(rows, 2)
    drawn = np.random.default_rng(seed)
    sets = feature_sets(table, templates, drawn.integers(labels, size=len(table.values)))
    if not len(sets):
        sets = FeatureSets.from_lists([[1]])
    count = 1 if labels == 2 else 3
    machines = [freeze(sets, drawn.normal(size=len(sets)), 2, weights="float64") for _ in range(count)]

    def scores_of(hashes):
        one = FeatureSets.from_lists([sorted({feature >> 33 for feature in hashes})])
        margins = [float(machine.margins(one)[0]) for machine in machines]
        if labels == 2:
            return [-margins[0], margins[0]]
        return votes(margins, labels) if pairs else margins

    wanted = [
        label for tokens in rows for label in beam_search(atoms(templates), tokens, labels, beam, False, scores_of)
    ]
    assert label_batch(table, templates, machines, labels, beam=beam, pairs=pairs).tolist() == wanted


@given(sentences, st.integers(0, 10**6), st.booleans())
def test_feature_sets(rows, seed, backwards):
    templates = TemplateSet(BACKWARDS if backwards else FORWARDS, backwards=backwards)
    table = table_of(rows, 2)
    gold = np.random.default_rng(seed).integers(4, size=len(table.values))
    wanted, begin = [], 0
    for tokens in rows:
        own = gold[begin : begin + len(tokens)].tolist()
        for at in range(len(tokens)):
            decided = own[:at:-1] if backwards else own[:at]
            hashes = features(atoms(templates), tokens, at, decided, backwards)
            wanted.append(sorted({feature >> 33 for feature in hashes}))
        begin += len(tokens)
    assert [row.tolist() for row in feature_sets(table, templates, gold)] == wanted


def plain_update(learner, templates, tokens, gold, now):
    """Make a greedy perceptron's step up to where the found labels lead by most."""
    backwards, own = templates.backwards, atoms(templates)
    order = list(range(len(tokens)))[::-1] if backwards else list(range(len(tokens)))
    found, lead, best = [], 0, (-1, 0)
    score_gold = score_found = 0
    for step, at in enumerate(order):
        right = [gold[one] for one in order[:step]]
        scores = learner.scores(features(own, tokens, at, found, backwards), 3).tolist()
        score_gold += learner.scores(features(own, tokens, at, right, backwards), 3).tolist()[gold[at]]
        found.append(int(np.argmax(scores)))
        score_found += max(scores)
        lead = score_found - score_gold
        if lead > best[0] and not (lead == 0 and found == [gold[one] for one in order[: step + 1]]):
            best = lead, step + 1
    updates = []
    for step, at in enumerate(order[: best[1]]):
        right = [gold[one] for one in order[:step]]
        updates += [(feature, gold[at], 1) for feature in features(own, tokens, at, right, backwards)]
        updates += [(feature, found[step], -1) for feature in features(own, tokens, at, found[:step], backwards)]
    for feature, label, amount in updates:
        learner.update([feature], label, amount, at=now)
    return best[1] > 0


@settings(max_examples=examples(80), deadline=None)
@given(sentences, st.integers(0, 10**6), st.booleans())
def test_a_perceptron_learns_from_the_largest_lead(rows, seed, backwards):
    templates = TemplateSet(BACKWARDS if backwards else FORWARDS, backwards=backwards)
    table = table_of(rows, 2)
    gold = np.random.default_rng(seed).integers(3, size=len(table.values)).astype(np.uint8)
    fast, plain = HashedLearner(), HashedLearner()
    for _ in range(3):
        order = np.arange(len(rows))
        learn_batch(table, templates, gold, fast, 3, order)
        for number in order:
            plain.examples += 1
            begin, end = table.starts[number : number + 2]
            if begin < end:
                plain_update(plain, templates, rows[number], gold[begin:end].tolist(), plain.examples)
    assert held_weights(fast) == held_weights(plain)


def held_weights(learner):
    state = learner.contents().arrays
    columns = (state[name].tolist() for name in ("hashes", "places", "amounts", "moments"))
    return {(feature, place): (amount, moment) for feature, place, amount, moment in zip(*columns) if amount or moment}


def test_threads_share_a_model():
    rows = [[(one % 5, one % 3) for one in range(40)] for _ in range(50)]
    templates = TemplateSet(FORWARDS)
    weights = random_learner(3, templates, rows[:2], 3).freeze()
    table = table_of(rows, 2)
    wanted = label_batch(table, templates, weights, 3, beam=4)
    with ThreadPoolExecutor(4) as pool:
        for found in pool.map(lambda _: label_batch(table, templates, weights, 3, beam=4), range(12)):
            assert (found == wanted).all()


@pytest.mark.parametrize(
    "choices",
    [
        ([0, 1], [0, 1], [0]),  # a list that is not there
        ([0], [0, 1], [0]),  # too few tokens
        ([0, 0], [0, 0], []),  # an empty list
        ([0, 0], [0, 1], [9]),  # a label that is not there
        ([0, 0], [0, 2], [1]),  # beyond the end
    ],
)
def test_impossible_choices_are_refused(choices):
    arrays = tuple(np.array(one, dtype=dtype) for one, dtype in zip(choices, (np.int32, np.int32, np.uint8)))
    with pytest.raises(ValueError, match="choices"):
        label_batch(table_of([[(1, 1), (2, 2)]], 2), TemplateSet(FORWARDS), HashedLearner(), 3, choices=arrays)


def test_impossible_arguments_are_refused():
    table, templates = table_of([[(1, 1)]], 2), TemplateSet(FORWARDS)
    with pytest.raises(ValueError, match="labels"):
        label_batch(table, templates, HashedLearner(), 1)
    with pytest.raises(ValueError, match="beam"):
        label_batch(table, templates, HashedLearner(), 3, beam=0)
    with pytest.raises(ValueError, match="machines"):
        label_batch(table, templates, [], 3)
    with pytest.raises(ValueError, match="columns"):
        label_batch(table_of([[(1, 1)]], 1), templates, HashedLearner(), 3)
    with pytest.raises(ValueError, match="one label"):
        learn_batch(table, templates, [5], HashedLearner(), 3, [0])
    with pytest.raises(ValueError, match="order"):
        learn_batch(table, templates, [1], HashedLearner(), 3, [1])
