"""Runs the installed `kakari` command as a user would."""

import os
import subprocess
import sys
from pathlib import Path

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
