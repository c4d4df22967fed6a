"""The forest DAG against the weighted sum of kernels that it stands for."""

import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from budgets import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from tree_cases import EXAMPLES, forest_of, random_tree

from kakari.kernels.stored import StoredError
from kakari.kernels.trees.dag import DagError, ForestDag
from kakari.kernels.trees.forest import Forest
from kakari.kernels.trees.tree_kernel import TreeKernel, TreeKernelError

KINDS = ["st", "stk", "sst-bow", "ptk"]
WEIGHTS = st.floats(-3, 3, allow_subnormal=False)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("add"), EXAMPLES, WEIGHTS),
        st.tuples(st.just("merge"), EXAMPLES, WEIGHTS),
        st.tuples(st.just("scale"), st.just([]), WEIGHTS),
        st.tuples(st.just("reload"), st.just([]), WEIGHTS),
    ),
    max_size=5,
)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("pairing", ["sequence", "all"])
@settings(max_examples=examples(30))
@given(steps=STEPS, x=EXAMPLES, normalize=st.booleans())
def test_equals_the_weighted_sum_of_kernels(kind, pairing, steps, x, normalize):
    kernel = TreeKernel(kind, pairing=pairing, normalize=normalize)
    dag, added = ForestDag(kernel), []
    for step, chosen, weight in steps:
        if step == "add":
            dag.add(forest_of(*chosen), [weight] * len(chosen))
            added += [(example, weight) for example in chosen]
        elif step == "merge":
            other = ForestDag(kernel)
            other.add(forest_of(*chosen), np.arange(len(chosen)))
            dag.merge(other, weight)
            added += [(example, weight * i) for i, example in enumerate(chosen)]
        elif step == "scale":
            dag.scale(weight)
            added = [(example, old * weight) for example, old in added]
        else:
            dag = pickle.loads(pickle.dumps(dag))
    gram = kernel.gram(forest_of(*x), forest_of(*(example for example, _ in added)), method="pairs")
    expected = gram @ np.array([weight for _, weight in added])
    np.testing.assert_allclose(dag.evaluate(forest_of(*x)), expected, rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=examples(15))
@given(first=EXAMPLES, second=EXAMPLES, x=EXAMPLES, seed=st.integers(0, 99))
def test_sums_over_one_store(kind, first, second, x, seed):
    """The product of what one sum answers and what another is made of is the sum of the kernels between them."""
    kernel, random = TreeKernel(kind, pairing="all"), np.random.default_rng(seed)
    forests = [forest_of(*first), forest_of(*second)]
    weights = [random.standard_normal(len(forest)) for forest in forests]
    dag = ForestDag(kernel)
    embedded = [dag.embed(forest, own) for forest, own in zip(forests, weights)]
    for own, forest in zip(weights, forests):
        answer = dag.respond(forest, own)
        for (atoms, values), other, others in zip(embedded, weights, forests):
            expected = own @ kernel.gram(forest, others) @ other
            np.testing.assert_allclose(answer[atoms] @ values, expected, rtol=1e-10, atol=1e-10)
    mixture = np.zeros(len(dag))
    for factor, (atoms, values) in zip((2.0, -0.5), embedded):
        mixture[atoms] += factor * values
    dag.set_weights(mixture)
    queries = forest_of(*x)
    expected = 2 * kernel.gram(queries, forests[0]) @ weights[0] - 0.5 * kernel.gram(queries, forests[1]) @ weights[1]
    np.testing.assert_allclose(dag.evaluate(queries), expected, rtol=1e-10, atol=1e-10)


def test_only_one_place_can_be_embedded():
    dag = ForestDag(TreeKernel("stk"))
    with pytest.raises(DagError, match="only trees at one place"):
        dag.embed(forest_of([(0, (1,)), (0, (1,))]), [1.0])
    with pytest.raises(DagError, match="has no one numbering"):
        dag.set_weights([])


@pytest.mark.parametrize("kind", KINDS)
def test_outputs_share_one_pass(kind):
    random = np.random.default_rng(3)
    forest = forest_of(*([random_tree(random, 12)] for _ in range(60)))
    kernel, weights = TreeKernel(kind), random.standard_normal((60, 3))
    together = ForestDag(kernel, outputs=3)
    together.add(forest, weights, scales=kernel.scales(forest))
    for output in range(3):
        alone = ForestDag(kernel)
        alone.add(forest, weights[:, output])
        np.testing.assert_allclose(together.evaluate(forest)[:, output], alone.evaluate(forest), rtol=1e-12)
    np.testing.assert_array_equal(together.evaluate(forest), together.evaluate(forest, threads=3))


def test_each_subtree_is_stored_once():
    random = np.random.default_rng(4)
    trees = [random_tree(random, 10) for _ in range(200)]
    dag = ForestDag(TreeKernel("stk"))
    for tree in trees:
        dag.add(forest_of([tree]), [1.0])

    def inner(tree):
        return {tree, *(node for child in tree[1:] if len(child) > 1 for node in inner(child))}

    assert len(dag) == len(set().union(*map(inner, trees)))


def test_concurrent_reading():
    random = np.random.default_rng(5)
    forest = forest_of(*([random_tree(random, 20)] for _ in range(100)))
    dag = ForestDag(TreeKernel("stk"))
    dag.add(forest, random.standard_normal(100))
    expected = dag.evaluate(forest)
    with ThreadPoolExecutor(4) as pool:
        for found in pool.map(lambda _: dag.evaluate(forest), range(20)):
            np.testing.assert_array_equal(found, expected)


def test_deep_chain():
    depth = 50_000
    chain = Forest.from_arrays(np.arange(depth) % 400, np.minimum(np.arange(depth), 1))
    dag = ForestDag(TreeKernel("stk"))
    dag.add(chain, [2.0])
    assert dag.evaluate(chain)[0] == pytest.approx(2, rel=1e-12)
    assert pickle.loads(pickle.dumps(dag)).evaluate(chain)[0] == pytest.approx(2, rel=1e-12)


def test_refuses_what_does_not_fit():
    kernel, tree = TreeKernel("stk"), forest_of([(1, (2, (3,)))])
    dag = ForestDag(kernel)
    for weights, reason in (([1.0, 2.0], "shape"), ([np.nan], "finite"), ([[1.0, 2.0]], "shape")):
        with pytest.raises(DagError, match=reason):
            dag.add(tree, weights)
    with pytest.raises(TreeKernelError, match="one finite scale for each of 1 trees"):
        dag.add(tree, [1.0], scales=np.ones(2))
    with pytest.raises(TypeError):
        dag.add(None, [1.0])
    with pytest.raises(DagError, match="cannot be merged"):
        dag.merge(ForestDag(TreeKernel("stk", decay=0.5)))
    with pytest.raises(DagError, match="at least one output"):
        ForestDag(kernel, outputs=0)
    assert dag.evaluate(tree).tolist() == [0.0]


@pytest.mark.parametrize(
    ("name", "damage"),
    [
        ("subtree_numbers", lambda array: array + 1),
        ("subtree_numbers", lambda array: array - 5),
        ("subtree_numbers", lambda array: array[:-1]),
        ("subtree_starts", lambda array: array[::-1]),
        ("group_starts", lambda array: array[:0]),
        ("group_labels", lambda array: array * 0),
        ("weights", lambda array: array[:-1]),
    ],
)
def test_refuses_damaged_arrays(name, damage):
    kernel = TreeKernel("stk")
    dag = ForestDag(kernel)
    dag.add(forest_of([(1, (2, (3,)), (2, (4,)))]), [1.0])
    contents = dag.contents()
    arrays = contents.part("0").arrays
    arrays[name] = damage(arrays[name])
    with pytest.raises((DagError, StoredError)):
        ForestDag.from_contents(contents, kernel, 1)
    del arrays[name]
    with pytest.raises(StoredError, match=f"no array '{name}'"):
        ForestDag.from_contents(contents, kernel, 1)
