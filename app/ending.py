"""Ctrl-C and SIGTERM end a command within two seconds, whatever it is doing.

Python tells a program of a signal only between two steps of its own, and an ordinary end waits for threads and for
what they compute. So a thread listens to the signals themselves: if the command has not ended a second after one, it
ends the process. No result is half written by that, since results appear by renaming; workers end with their parent.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import threading
import time
from collections.abc import Iterator

GRACE_SECONDS = 1.0
ENDING: dict[int, int] = {signal.SIGINT: 130, signal.SIGTERM: 143}


@contextlib.contextmanager
def ending_soon() -> Iterator[None]:
    """Watch for signals that end the process, while this is held by the main thread."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    ours, theirs = socket.socketpair()
    theirs.setblocking(False)
    before = signal.set_wakeup_fd(theirs.fileno(), warn_on_full_buffer=False)
    told = threading.Event()
    watcher = threading.Thread(target=_watch, args=(ours, told), daemon=True)
    watcher.start()
    try:
        yield
    finally:
        if not told.is_set():  # else threads may be waited for after this
            signal.set_wakeup_fd(before)
            theirs.close()  # the watcher reads nothing more, and ends
            watcher.join()
            ours.close()


def _watch(channel: socket.socket, told: threading.Event) -> None:
    """Wait for a signal that ends the process, or for the end of the command."""
    while heard := channel.recv(1):
        if heard[0] in ENDING and signal.getsignal(heard[0]) is not signal.SIG_IGN:
            told.set()
            time.sleep(GRACE_SECONDS)
            os._exit(ENDING[heard[0]])
