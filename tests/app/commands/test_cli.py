"""The command line's frame as a user meets it: arguments, pipes, signals and exit codes."""

import json
import os
import re
import signal
import subprocess
import sys

import pytest
from command_line import COMMAND, run, run_here

import kakari

pytestmark = pytest.mark.thorough


def test_version_and_help():
    assert run("--version").stdout == f"kakari {kakari.__version__}\n"
    result = run_here("--help")
    assert result.returncode == 0
    assert "corpora" in result.stdout
    bare = run_here()
    assert "corpora" in bare.stdout + bare.stderr


def test_help_has_a_short_name_everywhere():
    for command in ((), ("parse",), ("train",), ("train", "en-boundary")):
        assert run_here(*command, "-h").stdout == run_here(*command, "--help").stdout != ""


def test_a_shell_can_complete():
    words = {"_KAKARI_COMPLETE": "complete_bash", "COMP_WORDS": "kakari par", "COMP_CWORD": "1"}
    assert run(**words).stdout == "parse\n"


def test_a_text_without_options_is_parsed_as_with_options():
    assert run("parse", "太郎は行った。").stdout == run("parse", "-f", "tree", "太郎は行った。").stdout != ""


def test_python_m():
    result = subprocess.run([sys.executable, "-m", "kakari", "--version"], capture_output=True, text=True, check=True)
    assert result.stdout.startswith("kakari ")


def test_corpora_table_and_json():
    table = run_here("corpora")
    assert table.returncode == 0
    assert re.search(r"^kwdlc +train dev +knp", table.stdout, re.M)
    assert re.search(r"^sample-ja +all +knp +yes", table.stdout, re.M)
    rows = {row["name"]: row for row in json.loads(run_here("corpora", "--json").stdout)}
    assert rows["sample-en"]["path"]
    assert {"kwdlc", "wac", "ewt", "wsj", "ontonotes", "qc", "qc-trees", "questionbank", "gum"} <= set(rows)


def test_show():
    text = run_here("corpora", "show", "sample-ja", "--head", "2").stdout
    assert text.count("EOS\n") == 2
    assert text.startswith("# S-ID:sample-ja-001")
    lines = run_here("corpora", "show", "sample-en", "--head", "3", "--json").stdout.splitlines()
    records = [json.loads(line) for line in lines]
    assert len(records) == 3
    assert records[0]["tree"].startswith("(TOP (SBARQ")
    assert records[0]["predicates"][0]["spans"][0]["label"]


def test_show_reads_files_and_pipes(tmp_path):
    text = run_here("corpora", "show", "sample-ja", "-n", "1").stdout
    (tmp_path / "x.knp").write_text(text, encoding="utf-8")
    assert run_here("corpora", "show", str(tmp_path / "x.knp")).stdout == text
    assert run_here("corpora", "show", "-", "-f", "knp", stdin=text).stdout == text
    assert run("corpora", "show", "-", "-f", "knp", stdin=text).stdout == text


def test_count():
    assert json.loads(run_here("corpora", "count", "sample-questions", "--json").stdout)["questions"] == 154
    assert re.search(r"^bunsetsu +576$", run_here("corpora", "count", "sample-ja").stdout, re.M)


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("corpora", "show", "no-such.knp"), 1, "no-such.knp: there is no such file\n"),
        (("corpora", "show", "x.unknown"), 1, "x.unknown: the ending of the name tells no format"),
        (("corpora", "show", "kwdlc:tset"), 1, "kwdlc:tset: kwdlc has no part 'tset'"),
        (("corpora", "show", "x", "-f", "y"), 1, "y: no format has this name"),
        (("corpora", "fetch", "nothing"), 1, "nothing: no corpus has this name"),
        (("corpora", "fetch", "kwdlc-x"), 1, "no corpus has this name"),
    ],
)
def test_errors_are_one_line(arguments, code, message):
    result = run_here(*arguments)
    assert result.returncode == code
    assert result.stdout == ""
    assert message in result.stderr
    assert result.stderr.count("\n") == 1


def test_malformed_files_are_told_by_line(tmp_path):
    path = tmp_path / "bad.knp"
    path.write_text("# S-ID:1\n+ 0D\n", encoding="utf-8")
    result = run("corpora", "show", str(path))
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr == f"{path}:2: a base phrase ('+') starts before any bunsetsu ('*')\n"


@pytest.mark.parametrize("arguments", [("nonsense",), ("corpora", "show"), ("corpora", "show", "a", "--head", "x")])
def test_wrong_usage_is_code_2(arguments):
    assert run_here(*arguments).returncode == 2


def test_a_process_ends_with_code_2():
    result = run("corpora", "show")
    assert (result.returncode, result.stdout, "Traceback" in result.stderr) == (2, "", False)


def test_a_closed_pipe_ends_quietly():
    result = subprocess.run(
        ["bash", "-c", f"'{COMMAND}' corpora show sample-ja | head -n 1; echo ${{PIPESTATUS[0]}}"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert result.stdout.splitlines()[-1] == "0"
    assert result.stderr == ""


def test_fetch_without_network(tmp_path):
    nowhere = {"http_proxy": "http://127.0.0.1:9", "https_proxy": "http://127.0.0.1:9"}
    places = {"HOME": str(tmp_path), "NLTK_DATA": str(tmp_path), "KAKARI_CORPORA": ""}
    result = run("corpora", "fetch", "qc", cwd=tmp_path, **nowhere, **places)
    if "already here" in result.stderr:
        pytest.skip("NLTK's qc is installed for everyone on this machine")
    assert result.returncode == 1
    assert "could not download" in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize(("sent", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_no_traceback_when_interrupted(sent, code, tmp_path):
    pipe = tmp_path / "slow.knp"
    os.mkfifo(pipe)
    with subprocess.Popen(
        [COMMAND, "corpora", "show", str(pipe)],
        stderr=subprocess.PIPE,
        text=True,
        # A background job of a shell ignores SIGINT, and so would its children.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as process:
        with pipe.open("w"):  # waits until the command has opened its end
            process.send_signal(sent)
            _, message = process.communicate(timeout=60)
    assert process.returncode == code
    assert "Traceback" not in message
