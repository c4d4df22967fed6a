"""Parsing imports what parsing needs: no learner, no corpus reader, no library that only training uses."""

import json
import subprocess
import sys

import pytest

pytestmark = pytest.mark.thorough

# Packages count as modules.
CASES = {
    "japanese": (
        "from kakari import JapaneseParser; JapaneseParser.pretrained().parse('太郎は京都大学に行った。')",
        29,
        ("spacy",),
    ),
    "english": (
        "from kakari import EnglishParser; from kakari.parsers.arguments import pretrained_arguments;"
        " found = EnglishParser.pretrained().parse('Mary wrote the letter.');"
        " found[0].brackets; pretrained_arguments().find([found[0].tree])",
        40,
        ("spacy",),
    ),
    "question": ("from kakari import QuestionReader; QuestionReader.pretrained().ask('Who wrote it?')", 34, ("spacy",)),
}
NEVER = ("nltk", "sklearn", "scipy.stats", "typer", "rich", "dask")


@pytest.mark.parametrize("case", CASES)
def test_parsing_is_light(case):
    program, most, unwanted = CASES[case]
    program += "; import json, sys; print(json.dumps(sorted(sys.modules)))"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    modules = json.loads(run.stdout)
    own = [name for name in modules if name.partition(".")[0] == "kakari"]
    assert [name for name in own if name.startswith("kakari.corpora") or "learning" in name or "training" in name] == []
    assert len(own) <= most, "\n".join(own)
    assert set(modules).isdisjoint({*NEVER, *unwanted})


JAPANESE = [("ja", "太郎は行った。", form) for form in ("tree", "json", "knp", "cabocha", "conllu")]
ENGLISH = [("en", "Mary left.", form) for form in ("tree", "json", "ptb", "conll")]


@pytest.mark.parametrize(("language", "text", "form"), JAPANESE + ENGLISH)
def test_the_command_is_light_too(language, text, form):
    program = (
        f"import sys; sys.argv = ['kakari', 'parse', '-l', '{language}', '-f', '{form}', '{text}']\n"
        "from kakari.cli import main\n"
        "try: main()\n"
        "except SystemExit as error: assert not error.code\n"
        "import json; print(json.dumps(sorted(sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    modules = set(json.loads(run.stdout.splitlines()[-1]))
    assert modules.isdisjoint({"spacy", "nltk", "sklearn", "scipy.stats"})


# Kernel machines and polynomial classifiers take less memory than the libraries that their estimators need.
TRAINING = [
    ("questions", "sample-questions", "--labels", "coarse", "--features", "none"),
    ("questions", "sample-questions"),
    ("trees", "some.dat"),
    ("classify", "some.svm"),
]


@pytest.mark.parametrize("words", TRAINING)
def test_training_a_kernel_machine_needs_no_large_library(words, tmp_path):
    (tmp_path / "some.dat").write_text("+1 |BT| (A a) |ET|\n-1 |BT| (B b) |ET|\n")
    (tmp_path / "some.svm").write_text("+1 1:1\n-1 2:1\n")
    program = (
        f"import sys; sys.argv = ['kakari', 'train', *{words!r}, '-o', 'model', '--json']\n"
        "from kakari.cli import main\n"
        "try: main()\n"
        "except SystemExit as error: assert not error.code\n"
        "import json; print(json.dumps(sorted(sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=tmp_path)
    modules = set(json.loads(run.stdout.splitlines()[-1]))
    assert modules.isdisjoint({"spacy", "nltk", "sklearn", "scipy.stats", "rich", "pydantic"})
