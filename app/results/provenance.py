"""Where results come from: the commit and the machine."""

from __future__ import annotations

import os
import platform
import subprocess
from functools import cache
from importlib import metadata
from pathlib import Path


@cache
def commit_of_this() -> str:
    """Return the commit of the clone that this package is installed from, with a + if files differ; or the version."""
    here = Path(__file__).resolve().parents[2]
    if not (here / ".git").exists():
        return f"version {metadata.version('kakari')}"
    try:
        head = _git(here, "rev-parse", "--short=7", "HEAD")
        changed = _git(here, "status", "--porcelain", "--untracked-files=no", "--", "*.py", "*.pyx", "*.pxd", "*.hpp")
    except (OSError, subprocess.CalledProcessError):
        return f"version {metadata.version('kakari')}"
    return head + ("+" if changed else "")


def _git(folder: Path, *arguments: str) -> str:
    command = ["git", "-C", str(folder), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603 (words of ours)
    return done.stdout.strip()


def this_machine() -> str:
    """Return processor, number of cores, system and Python in one line."""
    name = platform.processor() or platform.machine()
    cores = os.cpu_count() or 1
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
        name = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), name)
    except OSError:
        pass  # other systems have no such file: the processor's family stands for its name
    return f"{name}, {cores} cores, {platform.system()}, Python {platform.python_version()}"
