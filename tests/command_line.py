"""Runs the installed `kakari` command as a user would."""

import io
import os
import subprocess
import sys
from pathlib import Path
from unittest import mock

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


class Result:
    """What a command printed and its exit code."""

    def __init__(self, returncode, stdout, stderr):
        self.returncode, self.stdout, self.stderr = returncode, stdout, stderr


def run_here(*arguments, stdin=""):
    """Run a command inside this process: the same code from `main` on, without the second that Python needs."""
    from kakari.cli import main

    out, err = io.StringIO(), io.StringIO()
    pipe = io.TextIOWrapper(io.BytesIO(stdin.encode()), encoding="utf-8")
    code = 0
    with mock.patch.multiple(sys, argv=["kakari", *arguments], stdin=pipe, stdout=out, stderr=err):
        try:
            main()
        except SystemExit as stop:
            code = stop.code or 0
    return Result(code, out.getvalue(), err.getvalue())
