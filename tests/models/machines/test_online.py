"""Online learners against their definitions, over trees, vectors and both."""

import pickle

import numpy as np
import online_oracles as oracle
import pytest
from budgets import examples
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import sparse
from tree_cases import forest_of, random_tree

from kakari.kernels.solvers.online import BudgetedRun, OnlineError
from kakari.kernels.trees.combined_kernel import CombinedKernel
from kakari.kernels.trees.tree_kernel import TreeKernel
from kakari.kernels.trees.vector_kernel import VectorKernel
from kakari.models.machines.examples import take
from kakari.models.machines.online import ALGORITHMS, OnlineClassifier

KERNELS = {
    "tree": TreeKernel("stk"),
    "partial": TreeKernel("ptk"),
    "rbf": VectorKernel("rbf", gamma=0.2),
    "both": CombinedKernel(TreeKernel("stk"), VectorKernel("linear", normalize=True), tree_weight=0.5),
}


def stream(seed, size=70, labels=3):
    """Examples of a kind for every kernel, and labels that are noisy.

    Trees are distinct and not too small: equal ones with different labels cancel to a tie.
    """
    random = np.random.default_rng(seed)
    trees = set()
    while len(trees) < size:
        trees.add(random_tree(random, int(random.integers(6, 12)), labels))
    forest = forest_of(*([tree] for tree in sorted(trees, key=lambda tree: (random.random(), tree))))
    vectors = sparse.csr_array(random.standard_normal((size, 8)) * (random.random((size, 8)) < 0.7))
    scores = vectors @ random.standard_normal(8) + 0.2 * random.standard_normal(size)
    scores += (forest.node_counts() > np.median(forest.node_counts())) - 0.5
    data = {"tree": forest, "partial": forest, "rbf": vectors, "both": (forest, vectors)}
    return data, np.where(scores > 0, 1, -1)


def expected_coefficients(algorithm, K, y, budget, eta, C, seed):
    if algorithm in ("pa", "pa-1", "pa-2", "dynamic-pa-1"):
        return oracle.passive_aggressive(K, y, algorithm, C)
    if algorithm in ("averaged", "norm-averaged"):
        return oracle.averaged(K, y, by_norm=algorithm == "norm-averaged")
    if algorithm == "random-budget":
        return oracle.random_budget(K, y, budget, seed)
    if algorithm in ("forgetron", "self-tuned-forgetron", "greedy-forgetron"):
        return oracle.forgetron(K, y, budget, algorithm)
    if algorithm == "forgetful-projectron":
        return oracle.forgetful_projectron(K, y, budget)
    if algorithm.startswith("projectron"):
        return oracle.projectron(K, y, None if eta == "dynamic" else eta, algorithm.endswith("++"), budget)
    return oracle.perceptron(K, y, budget)


CASES = [
    *"perceptron voted averaged norm-averaged pa pa-1 pa-2 dynamic-pa-1".split(),
    *"stoptron random-budget forgetron self-tuned-forgetron greedy-forgetron forgetful-projectron".split(),
    *"projectron projectron++ projectron-budget projectron++-budget".split(),
    *"projectron-dynamic projectron++-dynamic".split(),
]


@pytest.mark.parametrize("case", CASES)
@settings(max_examples=examples(12))
@given(
    seed=st.integers(0, 10**6),
    kind=st.sampled_from(list(KERNELS)),
    budget=st.integers(2, 20),
    C=st.sampled_from([0.1, 1.0]),
    eta=st.sampled_from([0.05, 0.3, 0.6]),
    run_length=st.sampled_from([1, 7, 256]),
)
def test_equals_the_definition(case, seed, kind, budget, C, eta, run_length):
    algorithm, _, variant = case.partition("-") if case.startswith("projectron") else (case, "", "")
    eta = "dynamic" if variant == "dynamic" else eta
    limited = variant or algorithm in CASES[8:14]
    data, labels = stream(seed)
    kernel, examples = KERNELS[kind], data[kind]
    learner = OnlineClassifier(
        kernel,
        algorithm,
        C=C,
        eta=eta,
        budget=budget if limited else None,
        seed=seed,
        run_length=run_length,
        record=True,
    )
    learner.fit(examples, labels)
    gram = kernel.gram(examples)
    if algorithm == "voted":
        votes = np.array([gram @ model for model in oracle.history(gram, labels)])
        assume(np.abs(votes).min() > 1e-12)  # a tie is decided by rounding
        np.testing.assert_allclose(learner.decision_function(examples), oracle.voted(gram, labels, gram))
        return
    weights = expected_coefficients(algorithm, gram, labels, budget if limited else None, eta, C, seed)
    np.testing.assert_allclose(learner.decision_function(examples), gram @ weights, rtol=1e-6, atol=1e-8)
    if limited:
        assert np.concatenate(learner.curve_["support"]).max() <= budget
    if algorithm not in ("averaged", "norm-averaged"):
        assert learner.support_sizes_.tolist() == [np.count_nonzero(weights)]


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_many_classes_are_one_against_the_rest(algorithm):
    data, _ = stream(3)
    names = np.array(["x", "y", "z"])[np.arange(70) % 3]
    options = {"budget": 10} if algorithm not in ALGORITHMS[:4] + ALGORITHMS[5:9] else {}
    kernel = TreeKernel("stk")
    together = OnlineClassifier(kernel, algorithm, **options, seed=4).fit(data["tree"], names, passes=2)
    values = together.decision_function(data["tree"])
    for i, name in enumerate("xyz"):
        alone = OnlineClassifier(kernel, algorithm, **options, seed=4 + i)
        alone.fit(data["tree"], np.where(names == name, 1, -1), passes=2)
        np.testing.assert_allclose(values[:, i], alone.decision_function(data["tree"]), rtol=1e-9, atol=1e-9)
    assert (together.predict(data["tree"]) == np.array(list("xyz"))[values.argmax(axis=1)]).all()


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_pairs_are_learners_of_their_own(algorithm):
    data, _ = stream(4)
    names = np.array(["x", "y", "z"])[np.arange(70) * 5 // 7 % 3]
    options = {"budget": 6} if algorithm not in ALGORITHMS[:4] + ALGORITHMS[5:9] else {}
    kernel = TreeKernel("stk")
    together = OnlineClassifier(kernel, algorithm, multiclass="ovo", run_length=16, record=True, seed=4, **options)
    together.fit(data["tree"], names)
    values = together.finished().machine_values(data["tree"])
    for machine, (first, second) in enumerate(["xy", "xz", "yz"]):
        rows = np.flatnonzero((names == first) | (names == second))
        alone = OnlineClassifier(kernel, algorithm, **options, seed=4 + machine, record=True)
        alone.fit(take(data["tree"], rows), np.where(names[rows] == first, 1, -1))
        np.testing.assert_allclose(values[:, machine], alone.decision_function(data["tree"]), rtol=1e-9, atol=1e-9)
        for curve in ("mistakes", "support"):
            ours = np.concatenate(together.curve_[curve])[rows, machine]
            assert ours.tolist() == np.concatenate(alone.curve_[curve])[:, 0].tolist()
    votes = np.array([(values[:, :2] > 0).sum(1), (values[:, 0] <= 0) + (values[:, 2] > 0) * 1.0])
    assert (together.predict(data["tree"])[votes[0] == 2] == "x").all()
    assert (together.predict(data["tree"])[votes[1] == 2] == "y").all()


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_learning_goes_on_after_a_pickle(algorithm):
    data, labels = stream(8)
    options = {"budget": 9} if algorithm not in ALGORITHMS[:4] + ALGORITHMS[5:9] else {}
    first, second = np.arange(35), np.arange(35, 70)
    whole = OnlineClassifier(TreeKernel("stk"), algorithm, **options, run_length=35)
    whole.fit(data["tree"], labels)
    halves = OnlineClassifier(TreeKernel("stk"), algorithm, **options, run_length=35)
    halves.partial_fit(take(data["tree"], first), labels[first], classes=[-1, 1])
    again = pickle.loads(pickle.dumps(halves))
    again.partial_fit(take(data["tree"], second), labels[second])
    np.testing.assert_array_equal(again.decision_function(data["tree"]), whole.decision_function(data["tree"]))
    np.testing.assert_array_equal(again.mistakes_, whole.mistakes_)


def test_trees_as_people_write_them():
    learner = OnlineClassifier(TreeKernel("stk"), "perceptron")
    learner.partial_fit(["(S (N dogs))", "(Q (W who))"], ["told", "asked"])
    learner.partial_fit(["(Q (X which))"], ["asked"])
    assert learner.predict(["(Q (W where))", "(S (N birds))", "(Z (Z never))"]).tolist()[:2] == ["asked", "told"]


def test_projections_stay_accurate():
    """Thousands of updates of the factor, removals included, leave it that of the members' Gram matrix."""
    random = np.random.default_rng(0)
    rows = random.standard_normal((3000, 40))
    labels = random.choice([-1.0, 1.0], 3000)
    gram = VectorKernel("rbf", gamma=0.01).gram(rows)
    for rule, options in (
        ("forgetful-projectron", {"budget": 60}),
        ("projectron++", {"budget": 120, "eta": 0.01}),
    ):
        learner = BudgetedRun(rule, **options)
        found = learner.run(labels, gram)
        factor = learner.contents().arrays["factor"]
        members = gram[np.ix_(found["members"], found["members"])]
        np.testing.assert_allclose(factor @ factor.T, members, rtol=0, atol=1e-12)


def test_refuses_bad_input():
    data, labels = stream(1)
    tree = TreeKernel("stk")
    for options, reason in (
        ({"algorithm": "adaline"}, "no learner 'adaline'"),
        ({"algorithm": "forgetron"}, "forgetron needs a budget"),
        ({"algorithm": "projectron", "eta": "dynamic"}, "needs a budget"),
        ({"algorithm": "stoptron", "budget": 0}, "budget must be a whole number above 0"),
        ({"algorithm": "averaged", "budget": 5}, "averaged keeps no budget"),
        ({"algorithm": "pa-1", "C": 0}, "C must be above 0"),
        ({"algorithm": "projectron", "eta": -1}, "eta must be at least 0"),
        ({"multiclass": "direct"}, "multiclass is one of ovr, ovo"),
    ):
        with pytest.raises(OnlineError, match=reason):
            OnlineClassifier(tree, **options).fit(data["tree"], labels)
    with pytest.raises(OnlineError, match="there is 1 class"):
        OnlineClassifier(tree).fit(data["tree"], np.ones(70))
    with pytest.raises(ValueError, match="70 examples, but labels of the shape"):
        OnlineClassifier(tree).fit(data["tree"], [1, -1])
    with pytest.raises(OnlineError, match="is none of the classes"):
        OnlineClassifier(tree).fit(data["tree"], labels).partial_fit(data["tree"], labels + 5)
    with pytest.raises(ValueError, match="Input X contains NaN"):
        OnlineClassifier(KERNELS["rbf"]).fit([[0.0], [np.nan]], [0, 1])
    with pytest.raises(ValueError, match="learnt nothing yet"):
        OnlineClassifier(tree).predict(data["tree"])
