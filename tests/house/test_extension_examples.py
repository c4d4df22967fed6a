"""pytest collects examples from .py files only; those of the compiled modules run here."""

import doctest
import importlib
import pkgutil

import pytest

import kakari.kernels
import kakari.models
import kakari.parsers

COMPILED = [
    module.name
    for package in (kakari.kernels, kakari.models, kakari.parsers)
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    if not importlib.util.find_spec(module.name).origin.endswith(".py")
]


def test_there_are_compiled_modules():
    assert "kakari.kernels.sets.featuresets" in COMPILED


@pytest.mark.parametrize("name", COMPILED)
def test_examples(name):
    module = importlib.import_module(name)
    shown = [value for value in vars(module).values() if getattr(value, "__module__", None) == name]
    results = doctest.testmod(module)
    assert results.attempted > 0 or not shown  # a module may be for other compiled ones only
    assert results.failed == 0
