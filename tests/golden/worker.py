"""Runs commands of `kakari` one after another, each in a fork of one warm process: no command waits for imports.

Started by record.py in the python that is recorded. Needs nothing of the package but its console entry point.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from collections.abc import Callable, Sequence
from importlib.metadata import entry_points

# Run once in the parent, unheard, so that the forks find modules and embedded models loaded. It must start no threads.
WARM_UP = (
    ["parse", "-l", "ja", "本を読む。"],
    ["parse", "-l", "en", "-f", "json", "Who read it?"],
    ["ask", "Who read it?"],
    ["evaluate", "en", "sample-questions", "--task", "questions"],
    ["corpora", "count", "sample-en"],
    ["train", "--help"],
    ["reproduce", "--help"],
    ["train", "questions", "sample-questions", "-o", "no-such-folder/model"],  # refused once all is imported
)


def find_main() -> Callable[[], object]:
    """Find what the command `kakari` calls."""
    (point,) = entry_points(group="console_scripts", name="kakari")
    main: Callable[[], object] = point.load()
    return main


def point_streams(streams: Sequence[str]) -> None:
    """Let stdin, stdout and stderr be these files, for Python and for everything below it."""
    for number, (path, name) in enumerate(zip(streams, ("stdin", "stdout", "stderr"), strict=True)):
        before = getattr(sys, name)
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC if number else os.O_RDONLY
        opened = os.open(path, flags, 0o644)
        os.dup2(opened, number)
        os.close(opened)
        mode = "w" if number else "r"
        setattr(sys, name, open(number, mode, encoding="utf-8", errors=before.errors, closefd=False))  # noqa: SIM115


def run_here(main: Callable[[], object], arguments: Sequence[str]) -> int:
    """Run a command in this process, as its script would."""
    sys.argv = ["kakari", *arguments]
    code: object = 0
    try:
        code = main()
    except SystemExit as stop:
        code = stop.code
    except BaseException:
        traceback.print_exc()
        code = 1
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    return code if isinstance(code, int) else int(code is not None)


def run_forked(main: Callable[[], object], arguments: Sequence[str], folder: str, streams: Sequence[str]) -> int:
    """Run a command in a fork; tell its exit code."""
    child = os.fork()
    if child == 0:
        try:
            os.chdir(folder)
            point_streams(streams)
            os._exit(run_here(main, arguments))
        finally:
            os._exit(99)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def serve() -> None:
    """Run the commands that stdin names, a JSON object a line; answer each with its exit code."""
    requests, answers = os.fdopen(os.dup(0), encoding="utf-8"), os.fdopen(os.dup(1), "w", encoding="utf-8")
    main = find_main()
    point_streams([os.devnull] * 3)
    for arguments in WARM_UP:
        run_here(main, arguments)
    for line in requests:
        case = json.loads(line)
        answers.write(f"{run_forked(main, case['arguments'], case['folder'], case['streams'])}\n")
        answers.flush()


if __name__ == "__main__":
    serve()
