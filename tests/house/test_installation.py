"""What lands in a user's site-packages: `make test-wheel` builds the wheel and names it."""

import os
import zipfile
from importlib import metadata

import pytest

import kakari


@pytest.fixture(scope="module")
def files():
    if "KAKARI_WHEEL" not in os.environ:
        pytest.skip("make test-wheel builds a wheel and looks into it")
    with zipfile.ZipFile(os.environ["KAKARI_WHEEL"]) as wheel:
        return wheel.namelist()


def test_nothing_but_kakari_is_installed(files):
    assert all(name.startswith(("kakari/", "kakari-")) for name in files)
    assert not any(name.endswith((".pyx", ".cpp", ".c", ".hpp")) for name in files)


def test_types_samples_and_declarations_are_installed(files):
    assert {"kakari/py.typed", "kakari/kernels/sets/featuresets.pyi", "kakari/kernels/sets/featuresets.pxd"} <= {*files}
    assert {f"kakari/corpora/samples/{name}" for name in ("ja.knp", "en.conll", "questions.tsv")} <= {*files}


def test_version():
    assert kakari.__version__ == metadata.version("kakari")
