"""Batch support vector machines over trees, vectors and both."""

import numpy as np
import pytest
from machine_cases import KERNELS, data, signs
from nltk.tree import Tree
from sklearn.base import clone
from sklearn.datasets import load_wine
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV
from sklearn.svm import SVC

from kakari.kernels.solvers.dual import DualError
from kakari.kernels.trees.tree_kernel import TreeKernel, TreeKernelError
from kakari.kernels.trees.vector_kernel import VectorKernel
from kakari.models.files import ModelFileError
from kakari.models.machines.chunking import fit_by_chunks
from kakari.models.machines.examples import ExampleError
from kakari.models.machines.kernel_classifier import KernelClassifier
from kakari.models.machines.online import ALGORITHMS, OnlineClassifier
from kakari.models.machines.svm import KernelSVC


@pytest.mark.parametrize("kind", KERNELS)
@pytest.mark.parametrize("threads", [1, 2])
def test_one_against_the_rest_equals_scikit_learn(kind, threads):
    examples, names = data(kind)
    kernel = KERNELS[kind]
    svc = KernelSVC(kernel, C=3.0, tolerance=1e-5, class_weight={"x": 2.0}, threads=threads).fit(examples, names)
    values, gram = svc.decision_function(examples), kernel.gram(examples)
    for machine, one in enumerate("xyz"):
        rival = SVC(kernel="precomputed", C=3.0, tol=1e-5)
        rival.fit(gram, signs(names, one), sample_weight=np.where(names == "x", 2.0, 1.0))
        dual = np.zeros(names.size)
        dual[rival.support_] = rival.dual_coef_[0]
        best = 0.5 * dual @ gram @ dual - signs(names, one) @ dual
        assert svc.objectives_[machine] == pytest.approx(best, rel=1e-6)
        np.testing.assert_allclose(values[:, machine], rival.decision_function(gram), atol=2e-4)
    assert (svc.predict(examples) == np.array(list("xyz"))[values.argmax(axis=1)]).all()


@pytest.mark.parametrize("options", [{}, {"bias": False, "cost_factor": 2.0}])
@pytest.mark.parametrize("kind", ["tree", "sum"])
def test_chunks_lead_to_the_optimum_of_all_whatever_the_guess(kind, options):
    examples, names = data(kind, seed=4)
    y = signs(names, "x")
    whole = KernelSVC(KERNELS[kind], C=2.0, tolerance=1e-5, **options).fit(examples, y)
    random = np.random.default_rng(0)
    for guess in (np.zeros(y.size), 2.0 * y, whole.decision_function(examples), random.normal(0, 3, y.size)):
        one = fit_by_chunks(KernelSVC(KERNELS[kind], C=2.0, tolerance=1e-5, **options), examples, y, guess)
        assert one.objectives_[0] == pytest.approx(whole.objectives_[0], rel=1e-6)
        np.testing.assert_allclose(one.decision_function(examples), whole.decision_function(examples), atol=2e-4)


@pytest.mark.parametrize("kind", ["tree", "sum"])
def test_pairs_equal_scikit_learn(kind):
    examples, names = data(kind, seed=1)
    gram = KERNELS[kind].gram(examples)
    svc = KernelSVC(KERNELS[kind], C=2.0, multiclass="ovo", tolerance=1e-5).fit(examples, names)
    rival = SVC(kernel="precomputed", C=2.0, tol=1e-5, decision_function_shape="ovo").fit(gram, names)
    np.testing.assert_allclose(svc.finished().machine_values(examples), rival.decision_function(gram), atol=2e-4)
    assert svc.kernel_evaluations_ == names.size**2  # once, whatever the number of pairs


def test_pairs_of_unscaled_data_end_at_a_tolerance_near_rounding():
    """A linear kernel over columns up to 1,680: kernel values in single precision are rounded to about 0.1."""
    X, y = load_wine(return_X_y=True)
    ours = KernelSVC(VectorKernel("linear"), multiclass="ovo", tolerance=1e-10).fit(X, y)
    rival = SVC(kernel="linear", decision_function_shape="ovo").fit(X, y)
    assert ours.steps_.max() < 5_000_000  # half of what stops it
    np.testing.assert_allclose(ours.finished().machine_values(X), rival.decision_function(X), atol=2e-2)


@pytest.mark.parametrize("cache_limit", [2**30, 10_000])
def test_given_kernel_values_lead_to_the_same_machines(cache_limit):
    examples, names = data("tree", seed=1)
    gram = KERNELS["tree"].gram(examples)
    options = {"C": 2.0, "tolerance": 1e-6, "cache_limit": cache_limit}
    for scheme in ("ovr", "ovo"):
        given = KernelSVC("precomputed", multiclass=scheme, **options).fit(gram, names)
        plain = KernelSVC(KERNELS["tree"], multiclass=scheme, **options).fit(examples, names)
        np.testing.assert_array_equal(given.support_, plain.support_)
        np.testing.assert_allclose(given.decision_function(gram), plain.decision_function(examples), atol=1e-5)
    assert given.support_examples_.columns.tolist() == given.support_.tolist()
    gram[7, 3] = np.nan
    with pytest.raises(ValueError, match="NaN"):
        KernelSVC("precomputed", multiclass="ovo", **options).fit(gram, names)


@pytest.mark.parametrize(
    "options", [{"cache_limit": 2400}, {"warm_start": True}, {"bias": False}, {"cost_factor": 4.0}]
)
def test_options_lead_to_the_optimum_that_they_mean(options):
    examples, names = data("tree", seed=2)
    gram = KERNELS["tree"].gram(examples)
    svc = KernelSVC(KERNELS["tree"], C=2.0, tolerance=1e-5, **options).fit(examples, names)
    for machine, one in enumerate("xyz"):
        y, v = signs(names, one), np.zeros(names.size)
        v[svc.support_] = svc.dual_coef_[:, machine]
        slack = 1 - y * (gram @ v + svc.intercept_[machine])
        costs = 2.0 * np.where(y > 0, options.get("cost_factor", 1.0), 1.0)
        sizes = v * y
        assert slack[sizes == 0].max(initial=-1) < 1e-3
        assert slack[sizes == costs].min(initial=1) > -1e-3
        assert np.abs(slack[(sizes > 0) & (sizes < costs)]).max(initial=0) < 1e-3
    assert options.get("bias", True) or not svc.intercept_.any()


@pytest.mark.parametrize("kind", KERNELS)
@pytest.mark.parametrize("scheme", ["ovr", "ovo"])
def test_files(kind, scheme, tmp_path):
    examples, names = data(kind, seed=3)
    svc = KernelSVC(KERNELS[kind], multiclass=scheme).fit(examples, names)
    svc.save(tmp_path / "model")
    again = KernelClassifier.load(tmp_path / "model")
    np.testing.assert_array_equal(again.decision_function(examples), svc.decision_function(examples))
    assert again.kernel == svc.kernel
    again.save(tmp_path / "copy")
    assert (tmp_path / "copy").read_bytes() == (tmp_path / "model").read_bytes()


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("kind", ["tree", "sum", "rbf"])
def test_files_of_online_learners(algorithm, kind, tmp_path):
    examples, names = data(kind, seed=4)
    options = {"budget": 10} if algorithm not in ALGORITHMS[:4] + ALGORITHMS[5:9] else {}
    learner = OnlineClassifier(KERNELS[kind], algorithm, multiclass="ovo", **options).fit(examples, names)
    learner.save(tmp_path / "model")
    again = KernelClassifier.load(tmp_path / "model")
    np.testing.assert_allclose(again.decision_function(examples), learner.decision_function(examples), atol=1e-12)


def test_refuses_damaged_files(tmp_path):
    examples, names = data("tree")
    svc = KernelSVC(KERNELS["tree"]).fit(examples, names)
    svc.save(tmp_path / "model")
    content = (tmp_path / "model").read_bytes()
    for damaged, reason in (
        (content[:-9], "cut short"),
        (content.replace(b'\\"ovr\\"', b'\\"xxx\\"'), "'scheme' is 'xxx', none of ovr, ovo"),
        (content.replace(b'\\"stk\\"', b'\\"xxx\\"'), "'kernel/kind' is 'xxx', none of"),
        (content.replace(b'\\"decay', b'\\"dexxx'), "there is no setting 'kernel/decay'"),
    ):
        (tmp_path / "bad").write_bytes(damaged)
        with pytest.raises(ModelFileError, match=reason):
            KernelClassifier.load(tmp_path / "bad")


def test_trees_as_people_write_them(tmp_path):
    texts = ["(S (N dogs) (V bark))", "(S (N cats) (V purr))", "(Q (W who))", "(Q (W what))"]
    names = ["told", "told", "asked", "asked"]
    svc = KernelSVC(TreeKernel("stk"), C=10).fit(texts, names)
    assert svc.predict([Tree.fromstring("(X (Y never) (Q (W where)))"), texts[0]]).tolist() == ["asked", "told"]
    assert len(svc.treebank_.labels) == 11  # what prediction sees is not learnt
    assert svc.predict([]).tolist() == []
    svc.save(tmp_path / "model")
    assert KernelClassifier.load(tmp_path / "model").predict(["(Q (W where))"]).tolist() == ["asked"]
    both = KernelSVC(KERNELS["sum"]).fit((texts, np.eye(4)), names)
    assert both.predict((texts, np.eye(4))).tolist() == names
    deep = "".join(f"(A{i} " for i in range(50_000)) + "a" + ")" * 50_000
    assert svc.predict([deep]).tolist() in (["asked"], ["told"])


def test_scikit_learn_can_search():
    examples, names = data("tree", size=40, classes=2)
    assert clone(KernelSVC(TreeKernel("ptk", mu=0.3), C=7)).get_params()["kernel__mu"] == 0.3
    assert clone(OnlineClassifier(KERNELS["sum"], "pa-1")).get_params()["kernel__tree__decay"] == 0.4
    grid = {"C": [0.1, 10.0], "kernel__decay": [0.2, 1.0]}
    search = GridSearchCV(KernelSVC(TreeKernel("stk")), grid, cv=2).fit(examples, names)
    assert search.best_estimator_.kernel.decay in (0.2, 1.0)
    search.best_estimator_.set_params(kernel__kind="st")
    assert search.best_estimator_.kernel.kind == "st"
    with pytest.raises(TreeKernelError, match="decay must be above 0"):
        KernelSVC(TreeKernel("stk")).set_params(kernel__decay=0.0)


def test_refuses_bad_input():
    examples, names = data("tree")
    tree = TreeKernel("stk")
    with pytest.raises(DualError, match="there is 1 class"):
        KernelSVC(tree).fit(examples, ["x"] * 60)
    with pytest.raises(ValueError, match="60 examples, but labels of the shape"):
        KernelSVC(tree).fit(examples, ["x", "y"])
    with pytest.raises(ValueError, match="learnt nothing yet"):
        KernelSVC(tree).predict(examples)
    for options, reason in (({"C": 0}, "C must be above 0"), ({"multiclass": "direct"}, "one of ovr, ovo")):
        with pytest.raises(DualError, match=reason):
            KernelSVC(tree, **options).fit(examples, names)
    with pytest.raises(ValueError, match="Input X contains NaN"):
        KernelSVC(VectorKernel("linear")).fit([[0.0, np.nan], [1.0, 1.0]], [0, 1])
    with pytest.raises(ExampleError, match="takes a pair"):
        KernelSVC(KERNELS["sum"]).fit(examples, names)
    with pytest.raises(ExampleError, match="60 examples of trees, but 2 vectors"):
        KernelSVC(KERNELS["sum"]).fit((examples, np.eye(2)), names)
    with pytest.raises(ExampleError, match="a sequence of trees"):
        KernelSVC(tree).fit("(S (N dogs))", ["x"])
    with pytest.raises(ExampleError, match="no labels to read trees with"):
        KernelSVC(tree).fit(examples, names).predict(["(S (N dogs))"])
    with pytest.warns(ConvergenceWarning, match="3 machines stopped after 3 steps"):
        KernelSVC(tree, max_steps=3).fit(examples, names)


def test_a_tolerance_that_cannot_be_reached_ends_with_a_warning(monkeypatch):
    monkeypatch.setattr("kakari.models.machines.exact.MOST_STEPS", 20_000)
    points = 100 * np.random.default_rng(0).standard_normal((90, 2))
    with pytest.warns(ConvergenceWarning, match="stopped after 20000 steps"):
        KernelSVC(VectorKernel("linear"), multiclass="ovo", tolerance=1e-10).fit(points, np.arange(90) % 3)
