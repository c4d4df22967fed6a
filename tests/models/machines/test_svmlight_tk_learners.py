"""SVM-Light-TK's command line, model files of its online learners, pairs for re-ranking, model files that are gzip."""

import gzip

import numpy as np
import pytest
from command_line import run_here

from kakari import (
    KernelClassifier,
    KernelSVC,
    OnlineClassifier,
    PreferenceKernel,
    Treebank,
    TreeKernel,
    VectorKernel,
    gram,
)
from kakari.corpora.formats.machines.svmlight import read_svmlight_model
from kakari.kernels.trees.parameters import KernelError
from kakari.models.machines.online_machines import ALIASES
from kakari.models.machines.svmlight_tk import SvmLightError, kernel_of, learner_of, options_of_kernel
from kakari.reading.svmlight_tk import load_svmlight_tk, save_svmlight_tk

TREES = ["(S (N dogs) (V bark))", "(Q (W who) (V barks))", "(S (N cats) (V purr))", "(Q (W what) (V purrs))"] * 6
LABELS = [1, -1] * 12
ASKED = [*TREES[:4], "(S (N birds) (V sing))", "(Q (W where) (V sings))"]
BUDGET = {"stoptron": 6, "random-budget": 6, "forgetron": 6, "self-tuned-forgetron": 6, "greedy-forgetron": 6}


@pytest.mark.parametrize("alias", ALIASES)
def test_names_of_the_thesis(alias):
    budget = 6 if "forgetron" in alias else None
    ours = OnlineClassifier(TreeKernel("stk"), ALIASES[alias], budget=budget).fit(TREES, LABELS)
    theirs = OnlineClassifier(TreeKernel("stk"), alias, budget=budget).fit(TREES, LABELS)
    assert np.array_equal(theirs.decision_function(ASKED), ours.decision_function(ASKED))
    assert theirs.finished().information == ours.finished().information


@pytest.mark.parametrize(
    "algorithm", ["perceptron", "averaged", "norm-averaged", "pa", "pa-1", "pa-2", "voted", "projectron", *BUDGET]
)
def test_online_models_are_written_and_come_back(algorithm, tmp_path):
    learner = OnlineClassifier(TreeKernel("stk"), algorithm, budget=BUDGET.get(algorithm), keep_support=True)
    learner.fit(TREES, LABELS, passes=2)
    save_svmlight_tk(learner.finished(), tmp_path / "model")
    again = load_svmlight_tk(tmp_path / "model")
    np.testing.assert_allclose(again.decision_function(ASKED), learner.decision_function(ASKED), atol=1e-9)
    assert bool(read_svmlight_model(tmp_path / "model").votes) == (algorithm == "voted")
    learner.save(tmp_path / "own")
    own = KernelClassifier.load(tmp_path / "own")
    np.testing.assert_allclose(own.decision_function(ASKED), learner.decision_function(ASKED), atol=1e-9)
    save_svmlight_tk(own, tmp_path / "copy")
    assert (tmp_path / "copy").read_text() == (tmp_path / "model").read_text()


def test_without_their_support_they_say_so(tmp_path):
    learner = OnlineClassifier(TreeKernel("stk"), "pa-1").fit(TREES, LABELS)
    with pytest.raises(SvmLightError, match="keep_support"):
        save_svmlight_tk(learner.finished(), tmp_path / "model")


def test_command_lines():
    kernel, learner = learner_of("-t 5 -C T -L 0.3 -z o -A tunedforgetron -c 2 -j 3")
    assert kernel == TreeKernel("stk", decay=0.3)
    assert (learner.learner, learner.cost, learner.cost_factor) == ("self-tuned-forgetron", 2.0, 3.0)
    assert learner_of("-t 1 -d 2 -z c")[0] == VectorKernel("polynomial", degree=2)
    for wrong in ("-z r", "-z o", "-A pai", "-z o -A svm", "-z o -A nobody", "-z o -A pai -c 0", "-q 1"):
        with pytest.raises(SvmLightError):
            learner_of(f"-t 5 {wrong}")


def test_the_command_takes_them(tmp_path):
    lines = [f"{label} |BT| {tree} |ET|\n" for label, tree in zip(LABELS, TREES, strict=True)]
    (tmp_path / "train.dat").write_text("".join(lines))
    file, model = str(tmp_path / "train.dat"), str(tmp_path / "model")
    for options in (["--svm-light", "-t 5 -z o -A pai"], ["--learner", "pai", "--keep-support"]):
        assert run_here("train", "trees", file, "-o", model, *options).returncode == 0
        told = run_here("predict", model, file).stdout
        done = run_here("convert", model, "-o", str(tmp_path / "tk.model"))
        assert done.returncode == 0, done.stderr
        with gzip.open(tmp_path / "tk.model.gz", "wb") as packed:
            packed.write((tmp_path / "tk.model").read_bytes())
        assert run_here("convert", str(tmp_path / "tk.model.gz"), "-o", model).returncode == 0
        back = run_here("predict", model, file).stdout
        assert np.allclose([float(x) for x in back.split()], [float(x) for x in told.split()])
    assert run_here("train", "trees", file, "-o", model, "--svm-light", "-t 5", "--cost", "2").returncode == 2
    assert run_here("train", "trees", file, "-o", model, "--svm-light", "-t 4").returncode == 1


def test_models_that_are_gzip(tmp_path):
    head = "svm_type c_svc\nkernel_type polynomial\ndegree 2\ngamma 1\ncoef0 1\nnr_class 2\ntotal_sv 2\nrho 0\n"
    with gzip.open(tmp_path / "x.model.gz", "wt") as file:
        file.write(head + "label 1 -1\nnr_sv 1 1\nSV\n1 1:1 2:1\n-1 1:1\n")
    assert run_here("freeze", str(tmp_path / "x.model.gz"), "-o", str(tmp_path / "small")).returncode == 0
    (tmp_path / "cut.gz").write_bytes((tmp_path / "x.model.gz").read_bytes()[:20])
    done = run_here("freeze", str(tmp_path / "cut.gz"), "-o", str(tmp_path / "none"))
    assert (done.returncode, "damaged" in done.stderr) == (1, True)
    (tmp_path / "x.svm").write_text("1 1:1\n-1 2:1\n")
    done = run_here("train", "classify", str(tmp_path / "x.svm"), "-o", str(tmp_path / "own.model.gz"))
    assert (done.returncode, "leave .gz out" in " ".join(done.stderr.split())) == (2, True)
    with gzip.open(tmp_path / "own.gz", "wb") as file:
        file.write((tmp_path / "small").read_bytes())
    done = run_here("predict", str(tmp_path / "own.gz"), str(tmp_path / "x.svm"))
    assert (done.returncode, "unpack it first" in done.stderr) == (1, True)


def test_preferences_are_differences():
    pairs = [[TREES[0], TREES[1]], [TREES[1], TREES[2]], [TREES[3], TREES[0]], [TREES[2]]]
    kernel = TreeKernel("ptk")
    first = gram(kernel, [*(pair[0] for pair in pairs), *(pair[1] for pair in pairs[:3])])
    signs = np.zeros((4, 7))
    signs[np.arange(4), np.arange(4)] = 1
    signs[np.arange(3), np.arange(4, 7)] = -1
    forest = Treebank().read(pairs)
    found = PreferenceKernel(kernel).gram(forest)
    np.testing.assert_allclose(found, signs @ first @ signs.T, atol=1e-12)
    np.testing.assert_allclose(PreferenceKernel(kernel).diagonal(forest), np.diag(found), atol=1e-12)
    with pytest.raises(KernelError, match="3 trees"):
        PreferenceKernel(kernel).gram(Treebank().read([TREES[:3]]))
    with pytest.raises(KernelError, match="TreeKernel"):
        PreferenceKernel(VectorKernel("linear"))


def test_ranking_from_pairs(tmp_path):
    good, bad = TREES[0::4], TREES[1::4]
    lines = [f"+1 |BT| {a} |BT| {b} |ET|\n-1 |BT| {b} |BT| {a} |ET|\n" for a, b in zip(good, bad, strict=True)]
    (tmp_path / "pairs.dat").write_text("".join(lines))
    model = str(tmp_path / "model")
    done = run_here("train", "trees", str(tmp_path / "pairs.dat"), "-o", model, "--svm-light", "-t 11")
    assert done.returncode == 0, done.stderr
    machine = KernelClassifier.load(model)
    better, worse = machine.decision_function([TREES[2], TREES[3]])
    assert better > worse
    save_svmlight_tk(machine, tmp_path / "tk")
    again = load_svmlight_tk(tmp_path / "tk")
    np.testing.assert_allclose(again.decision_function([TREES[2]]), [better], atol=1e-9)
    assert kernel_of(options_of_kernel(machine.kernel)) == machine.kernel
    assert KernelSVC(PreferenceKernel(TreeKernel("stk"))).fit([[good[0], bad[0]], [bad[0], good[0]]], [1, -1])


def test_damaged_votes_are_refused(tmp_path):
    learner = OnlineClassifier(TreeKernel("stk"), "voted").fit(TREES, LABELS)
    save_svmlight_tk(learner.finished(), tmp_path / "model")
    (tmp_path / "model").write_text((tmp_path / "model").read_text().rstrip() + " 7\n")
    with pytest.raises(ValueError, match="votes for"):
        load_svmlight_tk(tmp_path / "model")
