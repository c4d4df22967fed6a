"""Runs `kakari` as a user would: as a process, or inside this one where the process is not the point."""

import io
import os
import subprocess
import sys
from pathlib import Path
from unittest import mock

COMMAND = str(Path(sys.executable).with_name("kakari"))
WIDTH = {"COLUMNS": "100"}


def run(*arguments, stdin=None, cwd=None, **environment):
    """Run the installed command as a process, in another folder if one is named."""
    return subprocess.run(
        [COMMAND, *arguments],
        input=stdin,
        capture_output=True,
        text=True,
        cwd=cwd,
        env={**os.environ, **WIDTH, **environment},
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
    with (
        mock.patch.dict(os.environ, WIDTH),
        mock.patch.multiple(sys, argv=["kakari", *arguments], stdin=pipe, stdout=out, stderr=err),
    ):
        try:
            main()
        except SystemExit as stop:
            code = stop.code or 0
    return Result(code, out.getvalue(), err.getvalue())
