"""Fixtures and budgets for all tests."""

import json
import signal
import subprocess
import sys
import time

import pytest
from budgets import QUICK
from hypothesis import HealthCheck, settings

from kakari.corpora import catalogue

# The same examples on every run: a red build must be red again when one looks.
settings.register_profile("kakari", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("few", settings.get_profile("kakari"), max_examples=10)
settings.load_profile("few" if QUICK else "kakari")

# A shell's background job starts with SIGINT ignored; the tests of Ctrl-C need Python's own handler there too.
signal.signal(signal.SIGINT, signal.default_int_handler)

# The scripts behind `make golden` and `make test-portable` are programs, not tests.
collect_ignore = ["golden"]


@pytest.fixture
def need_corpus():
    """Skip the test where a corpus is absent, and say how to get it."""

    def need(reference):
        corpus = catalogue.corpus_named(reference.partition(":")[0])
        if catalogue.find(corpus.name) is None:
            pytest.skip(f"{corpus.name} is not on this machine. {corpus.obtain}")

    return need


@pytest.fixture
def cluster(tmp_path):
    """A real Dask cluster on this machine: its address, two workers and the scheduler, each a process of its own."""
    pytest.importorskip("distributed")
    told = tmp_path / "scheduler.json"
    started = []

    def start(*arguments):
        command = [sys.executable, "-W", "ignore", "-m", "distributed.cli.dask_" + arguments[0], *arguments[1:]]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        started.append(subprocess.Popen(command, cwd=tmp_path, **quiet))
        return started[-1]

    start("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(told))
    deadline = time.monotonic() + 60
    while not told.exists() and time.monotonic() < deadline:
        time.sleep(0.1)
    workers = [
        start(
            "worker",
            "--scheduler-file",
            str(told),
            "--nworkers",
            "1",
            "--nthreads",
            "1",
            "--no-dashboard",
            "--no-nanny",
            "--death-timeout",
            "60",
        )
        for _ in range(2)
    ]
    yield json.loads(told.read_text())["address"], workers, started[0]
    for process in started:
        process.kill()
        process.wait()
