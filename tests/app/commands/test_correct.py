"""`kakari correct` does what the functions do, writes whole files, and says what broke before it keeps it."""

import json

import pytest
from command_line import run_here

from kakari.parsers.correcting.files import append_correction
from kakari.parsers.correcting.learning import apply_corrections
from kakari.parsers.correcting.records import Correction
from kakari.parsers.japanese.parser import pretrained_model

pytestmark = pytest.mark.thorough

TEXT = "昨日買った本を読む。"
ARC = Correction(TEXT, "arc", (0, 2), (7, 10), when="2026-11-18")
BOUNDARY = Correction(TEXT, "boundary", 2, True)


@pytest.fixture
def mine(tmp_path):
    path = tmp_path / "mine.jsonl"
    append_correction(path, ARC)
    append_correction(path, BOUNDARY)
    return path


def test_the_command_is_the_function(mine, tmp_path):
    new = tmp_path / "new.safetensors"
    told = run_here("correct", "ja", str(mine), "-o", str(new), "--keep", "--json")
    assert told.returncode == 0, told.stderr
    assert new.read_bytes() == apply_corrections(pretrained_model(), [ARC, BOUNDARY]).model.to_bytes()
    assert [(one["before"], one["now"]) for one in json.loads(told.stdout)["corrections"]] == [
        (False, True),
        (True, True),
    ]


def test_other_commands_take_the_new_model(mine, tmp_path):
    new = str(tmp_path / "new.safetensors")
    run_here("correct", "ja", str(mine), "-o", new, "--keep")
    found = json.loads(run_here("parse", "--model", new, "--format", "json", TEXT).stdout)
    assert found["bunsetsu"][0]["head"] == 3
    assert run_here("explain", TEXT, "--model", new).returncode == 0
    assert run_here("evaluate", new, "sample-ja").returncode == 0
    shown = run_here("models", "show", new)
    assert "昨日 → 読む。" in shown.stdout
    assert json.loads(run_here("models", "show", new, "--json").stdout)["corrections"] == [ARC.line(), BOUNDARY.line()]


def test_undo_is_never_having_had_it(mine, tmp_path):
    new, again = tmp_path / "new.safetensors", tmp_path / "again.safetensors"
    run_here("correct", "ja", str(mine), "-o", str(new), "--keep")
    told = run_here("correct", str(new), str(mine), "-o", str(new), "--undo", "--keep")
    assert told.returncode == 0, told.stderr
    assert mine.read_text("utf-8") == f"{ARC.line()}\n"
    run_here("correct", "ja", str(mine), "-o", str(again), "--keep")
    assert new.read_bytes() == again.read_bytes()


def test_check_writes_nothing(mine, tmp_path):
    before = sorted(tmp_path.iterdir())
    told = run_here("correct", "ja", str(mine), "--check")
    assert told.returncode == 0
    assert "right" in told.stdout
    assert sorted(tmp_path.iterdir()) == before


def test_what_broke_is_not_kept_unless_it_is_wanted(tmp_path, mine):
    table = tmp_path / "table.tsv"
    table.write_text("昨日買った本を読む\t昨日:1 買った:2 本を:3 読む:-1\tthe same without a mark\t-\n", "utf-8")
    new = tmp_path / "new.safetensors"
    told = run_here("correct", "ja", str(mine), "-o", str(new), "--table", str(table))
    assert told.returncode == 1
    assert "昨日:3 買った:2 本を:3 読む:-1" in told.stdout
    assert "is not written" in told.stderr
    assert not new.exists()
    assert run_here("correct", "ja", str(mine), "-o", str(new), "--table", str(table), "--keep").returncode == 0


@pytest.mark.parametrize(
    ("arguments", "code", "reason"),
    [
        (("ja", "{mine}"), 2, "where"),
        (("ja", "{mine}", "--check", "-o", "x"), 2, "--check writes nothing"),
        (("ja", "{none}", "--check"), 1, "no such file"),
        (("nowhere", "{mine}", "--check"), 1, "no such file"),
        (("ja-words", "{mine}", "--check"), 1, "cannot be corrected"),
        (("ja", "{empty}", "-o", "{new}", "--undo"), 1, "no correction to take back"),
        (("ja", "{mine}", "--check", "--table", "{mine}"), 1, "mine.jsonl:1: a line has a text"),
    ],
)
def test_wrong_input_is_one_line(mine, tmp_path, arguments, code, reason):
    (tmp_path / "empty").write_text("", "utf-8")
    names = {name: str(tmp_path / file) for name, file in {"none": "none", "empty": "empty", "new": "new"}.items()}
    told = run_here("correct", *(one.format(mine=mine, **names) for one in arguments))
    assert told.returncode == code
    assert reason in " ".join(told.stderr.split())
    assert "Traceback" not in told.stderr


def test_an_empty_file_gives_the_original(tmp_path):
    empty, new = tmp_path / "empty", tmp_path / "new.safetensors"
    empty.write_text("", "utf-8")
    assert run_here("correct", "ja", str(empty), "-o", str(new)).returncode == 0
    assert new.read_bytes() == pretrained_model().to_bytes()
