"""Every public name of the engine has an example on its page; the examples themselves run as doctests."""

import inspect

import pytest

import kakari

ENGINE = ("kakari.kernels", "kakari.models", "kakari.reading")
NAMES = [name for name in kakari.__all__ if getattr(kakari, name).__module__.startswith(ENGINE)]


def test_the_engine_is_public():
    assert {"PolynomialClassifier", "KernelSVC", "KernelSVR", "SDAG", "OnlineClassifier", "SmoothedTreeKernel"} <= set(
        NAMES
    )


@pytest.mark.parametrize("name", NAMES)
def test_it_has_an_example(name):
    value = getattr(kakari, name)
    if isinstance(value, type) and issubclass(value, Exception):
        pytest.skip("errors are raised, not called")
    assert ">>>" in (inspect.getdoc(value) or "")
