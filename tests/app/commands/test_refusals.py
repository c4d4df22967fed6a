"""What the command line says of things that are not as they should be: one line, exit code 1, no traceback."""

import os
import pty
import subprocess
from pathlib import Path

import pytest
from command_line import COMMAND, run_here


def refused(*arguments, stdin=""):
    result = run_here(*arguments, stdin=stdin)
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr.count("\n") == 1
    return result.stderr


@pytest.fixture
def data(tmp_path):
    (tmp_path / "x.svm").write_text("+1 1:1\n-1 2:1\n")
    return str(tmp_path / "x.svm")


def test_a_folder_where_a_model_should_go(data, tmp_path):
    (tmp_path / "models").mkdir()
    assert "this is a folder" in refused("train", "classify", data, "-o", str(tmp_path / "models"))


def test_a_file_where_results_should_go(data, tmp_path):
    (tmp_path / "x.txt").write_text("本", encoding="utf-8")
    assert refused("parse", str(tmp_path / "x.txt"), "-o", data) == f"{data}: the folder cannot be made: File exists\n"


def test_a_file_where_checkpoints_should_go(data, tmp_path):
    told = refused("train", "classify", data, "-o", str(tmp_path / "m"), "--checkpoint", f"{data}/state")
    assert told.startswith(data) and "Not a directory" in told


@pytest.mark.parametrize("command", [("evaluate", "ja"), ("train", "ja-dependency", "-o", "never")])
@pytest.mark.parametrize("corpus", ["sample-en", "x.txt", "x.conllu"])
def test_corpora_without_bunsetsu(command, corpus):
    assert "bunsetsu stand in KNP and CaboCha files" in refused(*command, corpus)


def test_nothing_to_learn_from(tmp_path):
    word = "本 ほん 本 名詞 6 普通名詞 1 * 0 * 0 NIL"
    (tmp_path / "left.knp").write_text(f"* -1D\n{word}\n* 0D\n{word}\nEOS\n", encoding="utf-8")
    result = run_here("train", "ja-dependency", str(tmp_path / "left.knp"), "-o", str(tmp_path / "m"))
    assert result.returncode == 1
    assert "left.knp:3: bunsetsu 1 depends on 0, to its left" in result.stderr
    assert not (tmp_path / "m").exists()


def test_names_are_no_markup(tmp_path):
    assert refused("evaluate", "ja", "a:x:[/b].knp") == "a:x:[/b].knp: there is no such file\n"
    (tmp_path / "x.tsv").write_text("yes\t[/a]:x:\nno\t[bold]\n")
    model, data = str(tmp_path / "m"), str(tmp_path / "x.tsv")
    assert run_here("train", "classify", data, "-o", model).returncode == 0
    assert "[/a]:x:" in run_here("explain", model, data, "--line", "1").stdout


@pytest.mark.slow
def test_progress_on_a_terminal_leaves_the_results_alone(tmp_path):
    """Results go where stdout goes, and no text is taken for markup."""
    ours, theirs = pty.openpty()
    (tmp_path / "[").mkdir()
    (tmp_path / "[" / "b].knp").write_text(run_here("corpora", "show", "sample-ja").stdout, encoding="utf-8")
    for arguments, words in ((("parse", "[/b] 本を読む。"), "読む"), (("corpora", "count", "[/b].knp"), "576")):
        command = [COMMAND, *arguments]
        result = subprocess.run(command, stdout=subprocess.PIPE, stderr=theirs, text=True, check=False, cwd=tmp_path)
        shown = os.read(ours, 1 << 16).decode()
        assert (result.returncode, words in result.stdout) == (0, True), shown
        assert "[/b]" in shown
    os.close(theirs)
    os.close(ours)


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no full device")
def test_a_full_disk():
    with Path("/dev/full").open("w") as full:
        result = subprocess.run(
            [COMMAND, "corpora", "show", "sample-questions", "-n", "1"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert result.returncode == 1
    assert result.stderr == "<stdout>: the results cannot be written: No space left on device\n"


@pytest.mark.slow
def test_streams_that_were_closed_before():
    script = f"'{COMMAND}' parse <&-; echo $?; '{COMMAND}' --version >&-; echo $?"
    result = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
    assert (result.stdout, result.stderr) == ("0\n0\n", "")


def test_embedded_models_are_described_by_name():
    assert "ja-bunsetsu-dependency" in run_here("models", "ja").stdout
    assert "there is no such file" in refused("models", "nothing")
