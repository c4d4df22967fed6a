"""The command line's frame: `kakari COMMAND …`, exit codes and how errors are told.

Results go to stdout, everything else to stderr. Exit codes: 0 done, 1 bad data, 2 wrong usage. A command is a
file in `commands/` that offers a function; it is named in `frame/table.py` and may raise `ValueError` subclasses
with a text for the user.
"""

from __future__ import annotations

import errno
import os
import select
import signal
import sys
import warnings
from importlib import import_module
from pathlib import Path
from typing import Any

from kakari.ending import ending_soon
from kakari.output.console import note, tell_error

_PYTHONS_OWN: Any = warnings.showwarning


def _reader_is_gone() -> bool:
    if sys.platform == "win32":  # it has no poll; a write to a closed pipe is an ordinary error there
        return False
    poll = select.poll()
    poll.register(sys.stdout.fileno(), 0)
    return any(event & select.POLLERR for _, event in poll.poll(0))


def _ended(number: int, frame: object) -> None:
    sys.exit(128 + number)


def _open_missing_streams() -> None:
    """Open the null device in the place of streams that were closed before we started (`kakari … <&-`)."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115 (open to the end)


def _tell_warning(message: Warning | str, category: type[Warning], *place: Any, **more: Any) -> None:
    """Print a warning of ours as a remark of one line; others as Python does."""
    if category.__module__.startswith("kakari."):
        note(str(message))
    else:
        _PYTHONS_OWN(message, category, *place, **more)


def _write_no_more() -> None:
    """Let what is left of the output go nowhere, so that Python does not try to write it again at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _tell_refusal(error: OSError) -> None:
    """Say in one line what the system refused: a file, or the output itself."""
    if error.filename is not None:
        tell_error(f"{error.filename}: the system refuses this: {error.strerror}")
    elif error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EIO):
        tell_error(f"<stdout>: the results cannot be written: {error.strerror}")
        _write_no_more()
    else:
        raise error


def main() -> None:
    """Run the command line; the entry point of the `kakari` command.

    Being told to end is an exit like any other, so that processes started for the work end as well.
    """
    signal.signal(signal.SIGTERM, _ended)
    warnings.showwarning = _tell_warning
    _open_missing_streams()
    try:
        with ending_soon():
            _run()
    except SystemExit as stop:
        if stop.code == 1 and _reader_is_gone():
            # Whoever read our output has seen enough: no error, and nothing to flush into the void.
            _write_no_more()
            sys.exit(0)
        raise
    except ValueError as error:
        if not type(error).__module__.startswith("kakari."):
            raise
        tell_error(str(error))
        sys.exit(1)
    except OSError as error:
        _tell_refusal(error)
        sys.exit(1)
    except KeyboardInterrupt:
        note("interrupted")
        sys.exit(130)


def _run() -> None:
    """Run the command that was asked for; its last results are written before it counts as done."""
    words = sys.argv[1:]
    try:
        if "_KAKARI_COMPLETE" in os.environ or not _run_plainly(words):
            from kakari.frame.app import make_app

            make_app(*words[:2])()
        sys.stdout.flush()
    except SystemExit as stop:
        if not stop.code:
            sys.stdout.flush()
        raise
    except BrokenPipeError:
        sys.exit(1)


def _run_plainly(words: list[str]) -> bool:
    """Run a command whose options are plain; False if nothing was done and typer must read them."""
    from kakari.frame.table import PLAIN

    names = next((names for names in PLAIN if names == tuple(words[: len(names)])), None)
    if names is None:
        return False
    from typer import BadParameter

    from kakari.frame.shortcut import plain_call

    module, name = PLAIN[names].place.split(":")
    function = getattr(import_module(f"kakari.commands.{module}"), name)
    values = plain_call(function, words[len(names) :])
    if values is None:
        return False
    try:
        function(**values)
    except BadParameter:  # raised before anything is read; typer tells it with the usage
        return False
    return True
