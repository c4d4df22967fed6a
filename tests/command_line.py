"""Runs the installed `kakari` command as a user would."""

import io
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

COMMAND = str(Path(sys.executable).with_name("kakari"))


def run(*arguments, stdin=None, **environment):
    return subprocess.run(
        [COMMAND, *arguments],
        input=stdin,
        capture_output=True,
        text=True,
        env={**os.environ, "COLUMNS": "100", **environment},
        check=False,
    )


def run_inside(monkeypatch, capfd, *arguments, stdin=""):
    """Run the command in this process, which has everything loaded already."""
    from kakari.cli import main

    monkeypatch.setattr(sys, "argv", [COMMAND, *arguments])
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
    try:
        main()
        code = 0
    except SystemExit as stop:
        code = stop.code or 0
    sys.stdout.flush()
    out, err = capfd.readouterr()
    return SimpleNamespace(returncode=code, stdout=out, stderr=err)
