"""Many files parsed into a folder: resumable, and never half written."""

import os
import signal

import pytest
from command_line import run_here

from kakari.parsers.workers import run_tasks


def test_each_file_gets_a_result_of_its_own(tmp_path):
    for name, text in (("a.txt", "Dogs bark.\nCats purr."), ("b.txt", "Who wrote Hamlet?"), ("empty.txt", "")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    files = [str(tmp_path / name) for name in ("a.txt", "b.txt", "empty.txt")]
    arguments = ("parse", "-l", "en", "-f", "ptb", *files, "-o", str(tmp_path / "out"))
    first = run_here(*arguments)
    assert first.returncode == 0, first.stderr
    assert "3 of 3 files" in first.stderr
    assert first.stdout == ""
    for name, file in zip(("a.txt.ptb", "b.txt.ptb", "empty.txt.ptb"), files, strict=True):
        assert (tmp_path / "out" / name).read_text() == run_here("parse", "-l", "en", "-f", "ptb", file).stdout
    (tmp_path / "out" / "b.txt.ptb").unlink()
    assert "1 of 3 files" in run_here(*arguments).stderr
    assert len(list((tmp_path / "out").iterdir())) == 3


@pytest.mark.slow
def test_processes_and_a_cluster_give_the_same_files_though_a_worker_is_killed(cluster, tmp_path, monkeypatch):
    address, workers, _ = cluster
    for times, name in enumerate("abc", start=1):
        (tmp_path / name).write_text("太郎は花子が読んでいる本を次郎に渡した。\n" * times, encoding="utf-8")
    files = [str(tmp_path / name) for name in "abc"]

    def killing(function, tasks, *, scheduler=None, **where):
        for done in run_tasks(function, tasks, scheduler=scheduler, **where):
            if scheduler is not None and workers[0].poll() is None:
                (tmp_path / "cluster" / ".b.cabocha.begun").touch()  # as a worker leaves it that dies while it writes
                os.kill(workers[0].pid, signal.SIGKILL)
                workers[0].wait()
            yield done

    monkeypatch.setattr("kakari.output.results_folder.run_tasks", killing)
    for folder, where in (("here", ()), ("processes", ("-j", "2")), ("cluster", ("--scheduler", address))):
        done = run_here("parse", "-f", "cabocha", *files, "-o", str(tmp_path / folder), *where)
        assert (done.returncode, "3 of 3 files" in done.stderr) == (0, True), done.stderr
        assert {path.name for path in (tmp_path / folder).iterdir()} == {f"{name}.cabocha" for name in "abc"}
    for path in (tmp_path / "here").iterdir():
        assert path.stat().st_size
        for folder in ("processes", "cluster"):
            assert (tmp_path / folder / path.name).read_bytes() == path.read_bytes()
    assert workers[0].poll() is not None


def test_what_cannot_be_done_is_told(tmp_path):
    (tmp_path / "a").mkdir()
    for name in ("a/x.txt", "x.txt"):
        (tmp_path / name).write_text("Dogs bark.")
    out = ("-o", str(tmp_path / "out"))
    twice = run_here("parse", str(tmp_path / "a/x.txt"), str(tmp_path / "x.txt"), *out)
    assert (twice.returncode, "would stand where" in twice.stderr) == (1, True)
    missing = run_here("parse", str(tmp_path / "none.txt"), *out)
    assert (missing.returncode, "no such file" in missing.stderr) == (1, True)
    assert run_here("parse", "Dogs bark.", "--scheduler", "tcp://127.0.0.1:9").returncode == 2
