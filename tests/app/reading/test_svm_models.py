"""Finished SVMs of several programs, frozen: the same decisions as where they come from."""

import contextlib
import io

import numpy as np
import pytest
from command_line import run_here
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.datasets import load_svmlight_file
from sklearn.svm import SVC

from kakari.corpora.formats.machines.libsvm import read_libsvm_model
from kakari.corpora.records.errors import CorpusError
from kakari.kernels.sets.featuresets import FeatureSets
from kakari.kernels.trees.tree_kernel import TreeKernel
from kakari.kernels.trees.vector_kernel import VectorKernel
from kakari.models.machines.online import OnlineClassifier
from kakari.models.machines.polynomial_form import NotPolynomialError, polynomial_form
from kakari.models.machines.svm import KernelSVC
from kakari.models.polynomial.classifier import Classifier, from_svc
from kakari.reading.svm_models import from_libsvm, load_classifier, load_svm
from kakari.reading.svmlight_tk import save_svmlight_tk

DRAWN = np.random.default_rng(4)
ROWS = (DRAWN.random((60, 9)) < 0.4).astype(float)
TWO = np.where(ROWS[:, 0] + ROWS[:, 1] * ROWS[:, 2] > 0.5, 4, 2)
THREE = (ROWS[:, 0] + 2 * ROWS[:, 1] * ROWS[:, 2]).astype(int) % 3
OTHERS = (DRAWN.random((40, 9)) < 0.4).astype(float)


def sets_of(rows):
    return FeatureSets.from_sparse(sparse.csr_array(rows))


def libsvm_text(svc, first=0):
    """Write a scikit-learn SVC, which is LIBSVM inside, as LIBSVM does."""
    name = {"poly": "polynomial", "linear": "linear", "rbf": "rbf"}[svc.kernel]
    head = f"svm_type c_svc\nkernel_type {name}\n"
    if svc.kernel == "rbf":
        head += f"gamma {float(svc._gamma)!r}\n"
    if svc.kernel == "poly":
        head += f"degree {svc.degree}\ngamma {float(svc._gamma)!r}\ncoef0 {svc.coef0!r}\n"
    head += f"nr_class {len(svc.classes_)}\ntotal_sv {len(svc.support_)}\n"
    head += "rho " + " ".join(repr(-float(value)) for value in svc._intercept_) + "\n"
    head += "label " + " ".join(map(str, svc.classes_)) + "\nnr_sv " + " ".join(map(str, svc.n_support_)) + "\nSV\n"
    lines = []
    for column, vector in zip(svc._dual_coef_.T, svc.support_vectors_, strict=True):
        features = [f"{index}:{value!r}" for index, value in enumerate(vector.tolist(), first) if value]
        lines.append(" ".join([*(repr(float(one)) for one in column), *features]) + "\n")
    return head + "".join(lines)


@pytest.mark.parametrize("labels", [TWO, THREE])
@pytest.mark.parametrize(
    "options",
    [
        {"kernel": "poly", "degree": 2, "gamma": 1, "coef0": 1},
        {"kernel": "poly", "degree": 3, "gamma": 0.5, "coef0": 0.5},
        {"kernel": "poly", "degree": 3, "gamma": 0.5, "coef0": 0.0},
        {"kernel": "poly", "degree": 2, "gamma": 0.1, "coef0": 2.0},
        {"kernel": "linear"},
    ],
)
def test_libsvm_models_decide_as_libsvm_does(labels, options):
    svc = SVC(C=3.0, decision_function_shape="ovo", **options).fit(ROWS, labels)
    taken = from_libsvm(read_libsvm_model(io.StringIO(libsvm_text(svc))))
    assert taken.predict(sets_of(OTHERS)) == svc.predict(OTHERS).tolist()
    values = svc.decision_function(OTHERS)
    margins = [machine.model.margins(sets_of(OTHERS)) for machine in taken.machines]
    np.testing.assert_allclose(np.stack(margins, axis=-1).reshape(values.shape), values, rtol=1e-7, atol=1e-7)


def test_values_other_than_one_may_be_all_the_same():
    svc = SVC(C=3.0, kernel="poly", degree=2, gamma=0.25, coef0=1).fit(2 * ROWS, TWO)
    taken = from_libsvm(read_libsvm_model(io.StringIO(libsvm_text(svc))))
    assert taken.predict(sets_of(OTHERS)) == svc.predict(2 * OTHERS).tolist()


@pytest.mark.parametrize("scheme", ["ovr", "ovo"])
@pytest.mark.parametrize(
    "kernel",
    [
        VectorKernel("polynomial", degree=2),
        VectorKernel("polynomial", degree=3, gamma=0.5, constant=0.5),
        VectorKernel("polynomial", degree=2, gamma=0.25, constant=3.0),
        VectorKernel("linear"),
    ],
)
def test_our_machines_keep_their_values(kernel, scheme):
    for labels in (TWO, THREE):
        svc = KernelSVC(kernel, C=2.0, multiclass=scheme).fit(ROWS, labels)
        exact = svc.decision_function(OTHERS)
        np.testing.assert_allclose(
            polynomial_form(svc.finished()).margins(sets_of(OTHERS)), exact, rtol=1e-9, atol=1e-9
        )
        frozen = svc.freeze(weights="float64")
        np.testing.assert_allclose(frozen.margins(sets_of(OTHERS)), exact, rtol=1e-6, atol=1e-6)
        assert frozen.predict(sets_of(OTHERS)) == svc.predict(OTHERS).tolist()


def test_what_cannot_be_frozen_is_said():
    with pytest.raises(NotPolynomialError, match="its kernel is TreeKernel"):
        KernelSVC(TreeKernel("stk")).fit(["(A a)", "(B b)"], [1, 2]).freeze()
    with pytest.raises(NotPolynomialError, match="rbf"):
        KernelSVC(VectorKernel("rbf")).fit(ROWS, TWO).freeze()
    with pytest.raises(NotPolynomialError, match="normalized"):
        KernelSVC(VectorKernel("polynomial", degree=2, normalize=True)).fit(ROWS, TWO).freeze()
    with pytest.raises(NotPolynomialError, match="values other than one and zero"):
        KernelSVC(VectorKernel("polynomial", degree=2)).fit(ROWS * np.arange(1, 10), TWO).freeze()
    with pytest.raises(NotPolynomialError, match="degree is 6"):
        KernelSVC(VectorKernel("polynomial", degree=6)).fit(ROWS, TWO).freeze()
    online = OnlineClassifier(VectorKernel("polynomial", degree=2)).fit(ROWS, TWO)
    with pytest.raises(NotPolynomialError, match="no support set"):
        polynomial_form(online.finished())


def test_the_command_takes_files_of_all_programs(tmp_path):
    svc = SVC(C=3.0, kernel="poly", degree=2, gamma=1, coef0=1).fit(ROWS, TWO)
    shifted, others = (np.hstack([np.zeros((len(rows), 1)), rows]) for rows in (ROWS, OTHERS))  # SVM-light begins at 1
    ours = KernelSVC(VectorKernel("polynomial", degree=2), C=3.0, tolerance=1e-6)
    ours.fit(shifted, np.where(TWO == 4, 1, -1))
    (tmp_path / "libsvm.model").write_text(libsvm_text(svc))
    ours.finished().save(tmp_path / "ours.model")
    save_svmlight_tk(ours.finished(), tmp_path / "light.model")
    for name, rows, wanted in (
        ("libsvm", OTHERS, svc.predict(OTHERS).tolist()),
        ("ours", others, ours.predict(others).tolist()),
        ("light", others, ours.predict(others).tolist()),
    ):
        done = run_here("freeze", f"{tmp_path}/{name}.model", "-o", f"{tmp_path}/{name}.small")
        assert done.returncode == 0, done.stderr
        assert Classifier.load(tmp_path / f"{name}.small").predict(sets_of(rows)) == wanted
    KernelSVC(VectorKernel("rbf")).fit(ROWS, TWO).finished().save(tmp_path / "rbf.model")
    done = run_here("freeze", f"{tmp_path}/rbf.model", "-o", f"{tmp_path}/rbf.small")
    assert done.returncode == 1
    assert "only a polynomial kernel over binary features can be frozen" in done.stderr
    assert not (tmp_path / "rbf.small").exists()
    done = run_here("freeze", f"{tmp_path}/none.model", "-o", f"{tmp_path}/none.small")
    assert done.returncode == 1
    assert "there is no such file" in done.stderr


GOOD = "svm_type c_svc\nkernel_type linear\nnr_class 2\ntotal_sv 1\nrho 0\nlabel 1 -1\nnr_sv 1 0\nSV\n1 1:1\n"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (("c_svc", "one_class"), "only classifiers"),
        (("SV\n", ""), "no line of a LIBSVM"),
        (("SV\n1 1:1\n", ""), "no line 'SV'"),
        (("label 1 -1", "label 1 1"), "two or more classes"),
        (("nr_sv 1 0", "nr_sv 2 0"), "1 support vectors, but its head says 2"),
        (("rho 0", "rho 0 0"), "rho and nr_sv"),
        (("rho 0\n", ""), "no rho"),
        (("rho 0", "rho nan"), "not a number"),
        (("1 1:1", "1:1"), "has 1 coefficients"),
        (("1 1:1", "1 x:1"), "not a feature's number"),
        (("1 1:1", "1 2:1 1:1"), "do not ascend"),
        (("1 1:1", "1 1:inf"), "not a number"),
        (("linear", "linear\nlinear 1"), "no line of a LIBSVM"),
    ],
)
def test_damaged_libsvm_models_are_refused(change, reason):
    with pytest.raises(CorpusError, match=reason):
        read_libsvm_model(io.StringIO(GOOD.replace(*change)))


@given(st.text(alphabet=list("svm_typec_ 01:-\nSVrhoabel.e"), max_size=60), st.integers(0, len(GOOD)))
def test_any_text_is_read_or_refused(text, place):
    with contextlib.suppress(CorpusError, NotPolynomialError):
        from_libsvm(read_libsvm_model(io.StringIO(GOOD[:place] + text + GOOD[place:])))


def test_a_classifier_of_ours_is_loaded_as_it_is(tmp_path):
    classifier = KernelSVC(VectorKernel("polynomial", degree=2)).fit(ROWS, TWO).freeze()
    classifier.save(tmp_path / "x")
    assert load_classifier(tmp_path / "x").predict(sets_of(OTHERS)) == classifier.predict(sets_of(OTHERS))


@pytest.mark.parametrize("labels", [TWO, THREE])
@pytest.mark.parametrize("options", [{"kernel": "rbf"}, {"kernel": "poly", "coef0": 0.5}, {"kernel": "linear"}])
@pytest.mark.parametrize("values", ["binary", "real"])
def test_a_file_of_libsvm_becomes_an_estimator(labels, options, values, tmp_path):
    rows = ROWS if values == "binary" else ROWS * np.random.default_rng(0).standard_normal(ROWS.shape)
    others = OTHERS if values == "binary" else OTHERS * 0.5
    svc = SVC(decision_function_shape="ovo", **options).fit(rows, labels)
    (tmp_path / "model").write_text(libsvm_text(svc))
    estimator = load_svm(tmp_path / "model", zero_based=True, columns=rows.shape[1])
    fast = values == "binary" and options["kernel"] != "rbf"
    assert type(estimator).__name__ == ("PolynomialClassifier" if fast else "KernelClassifier")
    assert estimator.predict(sparse.csr_array(others)).tolist() == svc.predict(others).tolist()
    if labels is TWO:
        np.testing.assert_allclose(
            np.abs(estimator.decision_function(sparse.csr_array(others))),
            np.abs(svc.decision_function(others)),
            rtol=1e-6,
            atol=1e-6,
        )


def test_ids_that_begin_at_one_are_columns_from_zero(tmp_path):
    svc = SVC(kernel="poly", degree=2, coef0=1, gamma=1).fit(ROWS, TWO)
    text = libsvm_text(svc, first=1)
    (tmp_path / "model").write_text(text)
    assert load_svm(tmp_path / "model").predict(OTHERS).tolist() == svc.predict(OTHERS).tolist()


def test_a_model_from_scikit_learn_scores_the_same_on_its_own_file(tmp_path):
    """scikit-learn made column 0 of id 1: the model had .565 on its own file."""
    lines = [
        f"{label} " + " ".join(f"{i + 1}:1" for i in np.flatnonzero(row)) for row, label in zip(ROWS, TWO, strict=True)
    ]
    (tmp_path / "file").write_text("\n".join(lines) + "\n")
    X, y = load_svmlight_file(str(tmp_path / "file"))
    svc = SVC(kernel="poly", degree=2, coef0=1, gamma=1, C=10).fit(X.toarray(), y)
    from_svc(svc).save(tmp_path / "model")
    wanted = svc.predict(X.toarray()).astype(int).astype(str).tolist()
    done = run_here("predict", f"{tmp_path}/model", f"{tmp_path}/file", "--output", "classes")
    assert [line.removesuffix(".0") for line in done.stdout.split()] == wanted
    assert "id 1 is column 0" in done.stderr
    told = run_here("predict", f"{tmp_path}/model", f"{tmp_path}/file", "--output", "classes", "--first-id", "1")
    assert (told.stdout, told.stderr) == (done.stdout, "")
    other = run_here("predict", f"{tmp_path}/model", f"{tmp_path}/file", "--output", "classes", "--first-id", "0")
    assert other.stdout != done.stdout
    same, _ = load_svmlight_file(str(tmp_path / "file"), zero_based=True)
    from_svc(SVC(kernel="poly", degree=2, coef0=1, gamma=1, C=10).fit(same.toarray(), y)).save(tmp_path / "unshifted")
    quiet = run_here("predict", f"{tmp_path}/unshifted", f"{tmp_path}/file", "--output", "classes")
    assert (quiet.stdout, quiet.stderr) == (done.stdout, "")
    wrong = run_here("predict", f"{tmp_path}/light", f"{tmp_path}/file", "--first-id", "1")
    assert wrong.returncode != 0
