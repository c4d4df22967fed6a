"""The examples in the docstrings of compiled modules, which pytest does not collect."""

import doctest

import pytest

from kakari.kernels import margins, multiclass, runs, training


@pytest.mark.parametrize("module", [margins, multiclass, runs, training])
def test_the_examples_of_the_docstrings_hold(module):
    outcome = doctest.testmod(module)
    assert outcome.attempted > 0 and outcome.failed == 0
