"""The choices of the command line are the names that the engine has."""

from typing import get_args

import pytest

from kakari.commands import classifying, evaluate, kernel
from kakari.commands.train import classify, kernels
from kakari.kernels.frozen.checks import KINDS
from kakari.kernels.frozen.freezing import WEIGHTS
from kakari.kernels.learning.binary_learner import METHODS
from kakari.kernels.learning.passes import RULES, STEPS
from kakari.kernels.trees.tree_kernel import TreeKernel, TreeKernelError
from kakari.kernels.trees.vector_kernel import VectorKernel, VectorKernelError
from kakari.models.machines.kernel_classifier import SCHEMES as PAIRINGS
from kakari.models.voting import SCHEMES
from kakari.parsers.arguments.scores import GIVEN
from kakari.parsers.english import scores as english_scores
from kakari.parsers.japanese import scores as japanese_scores
from kakari.parsers.questions.kernel_model import LABELLINGS

CHOICES = [
    (classify.Step, STEPS),
    (classify.Method, METHODS),
    (classify.Rule, RULES),
    (classify.Scheme, SCHEMES),
    (classifying.Kind, KINDS),
    (classifying.Storage, WEIGHTS),
    (kernels.Pairing, PAIRINGS),
    (kernels.LabelChoice, (*LABELLINGS, "both")),
    (evaluate.Labels, LABELLINGS),
    (evaluate.Given, {*GIVEN, *get_args(english_scores.Given), *get_args(japanese_scores.Given)}),
]


@pytest.mark.parametrize(("choice", "names"), CHOICES, ids=lambda given: getattr(given, "__name__", ""))
def test_a_choice_is_a_name_of_the_engine(choice, names):
    assert {one.value for one in choice} == set(names)


def test_kernels_are_those_of_the_engine():
    with pytest.raises(TreeKernelError) as told:
        TreeKernel("other")
    assert {one.value for one in kernel.TreeKind} == names_in(told) - {"sst"}  # another name of stk
    assert {one.value for one in kernels.TreeChoice} == names_in(told) - {"sst"} | {"none"}
    with pytest.raises(VectorKernelError) as told:
        VectorKernel("other")
    assert {one.value for one in kernels.VectorChoice} == names_in(told)


def names_in(told):
    """Return the names that an error lists."""
    return {word.strip(",") for word in str(told.value).split("one of ")[1].split(", not ")[0].split()}
