"""What lands in a user's site-packages."""

from importlib import metadata

import kakari


def test_nothing_but_kakari_is_installed():
    tops = {file.parts[0] for file in metadata.files("kakari")}
    assert {top for top in tops if not top.startswith("kakari")} <= {".."}  # ../../../bin/kakari
    assert not any(file.parts[-1].endswith((".pyx", ".cpp", ".hpp")) for file in metadata.files("kakari"))


def test_types_samples_and_declarations_are_installed():
    names = {str(file) for file in metadata.files("kakari")}
    assert {"kakari/py.typed", "kakari/kernels/sets/featuresets.pyi", "kakari/kernels/sets/featuresets.pxd"} <= names
    assert {f"kakari/corpora/samples/{name}" for name in ("ja.knp", "en.conll", "questions.tsv")} <= names


def test_version():
    assert kakari.__version__ == metadata.version("kakari")
