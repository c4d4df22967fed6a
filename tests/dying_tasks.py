"""Tasks that kill the process which runs them; a module, so that other processes can import it."""

import os
import signal
from pathlib import Path


def die_once(task):
    """Kill this process, the first time that it is asked."""
    marker = Path(task)
    if not marker.exists():
        marker.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return marker.name


def always_die(task):
    """Kill this process."""
    os.kill(os.getpid(), signal.SIGKILL)
