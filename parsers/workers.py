"""The same tasks here, in other processes, or on the workers of a Dask cluster; what comes back is the same.

A task is a function that other processes can import and one argument, a small one; so is its result. A worker that
dies takes nothing with it but its task, which is given to another.
"""

from __future__ import annotations

import contextlib
import importlib
import logging
import os
import socket
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError, as_completed
from concurrent.futures.process import BrokenProcessPool
from importlib.metadata import PackageNotFoundError, version
from typing import Any
from urllib.parse import urlsplit

from kakari.parsers.pools import worker_pool

CONNECT_SECONDS = 10


class WorkerError(ValueError):
    """Work that could not be done elsewhere; the text says why."""


def run_tasks(
    function: Callable[[Any], Any],
    tasks: Sequence[Any],
    *,
    processes: int = 1,
    scheduler: str | None = None,
    retries: int = 3,
) -> Iterator[tuple[int, Any]]:
    """Yield the number and the result of every task, as they are done.

    Parameters
    ----------
    processes : int
        How many, without a scheduler; 1 is this one.
    scheduler : str, optional
        Address of a Dask scheduler, tcp://host:port.
    retries : int
        How often a task is given to another worker when its own has died.

    Examples
    --------
    >>> dict(run_tasks(len, ["a", "bb", ""]))
    {0: 1, 1: 2, 2: 0}
    """
    if scheduler is not None:
        yield from _on_cluster(function, tasks, scheduler, retries)
    elif processes == 1 or len(tasks) < 2:
        for number, task in enumerate(tasks):
            yield number, function(task)
    else:
        yield from _in_processes(function, tasks, processes, retries)


def cpu_seconds() -> float:
    """Return the CPU seconds of this process and of those that worked for it; a cluster's workers are not seen.

    Examples
    --------
    >>> cpu_seconds() > 0
    True
    """
    return sum(os.times()[:4])


def _in_processes(
    function: Callable[[Any], Any], tasks: Sequence[Any], processes: int, retries: int
) -> Iterator[tuple[int, Any]]:
    left = dict(enumerate(tasks))
    for attempt in range(retries + 1):
        # Spawned: the same on every system, and no inherited threads.
        with worker_pool(min(processes, len(left)), start="spawn") as pool:
            futures = {pool.submit(function, task): number for number, task in left.items()}
            try:
                for future in as_completed(futures):
                    result = future.result()
                    del left[futures[future]]
                    yield futures[future], result
            except BrokenProcessPool:
                if attempt == retries:
                    break
        if not left:
            return
    raise WorkerError(f"{len(left)} of {len(tasks)} tasks are not done: worker processes died {retries + 1} times")


def _on_cluster(
    function: Callable[[Any], Any], tasks: Sequence[Any], scheduler: str, retries: int
) -> Iterator[tuple[int, Any]]:
    try:
        distributed: Any = importlib.import_module("distributed")
    except ImportError:
        raise WorkerError("a scheduler needs Dask: pip install 'kakari[distributed]'") from None
    try:
        with _silent():
            yield from _submitted(distributed, function, tasks, scheduler, retries)
    except distributed.KilledWorker as error:
        raise WorkerError(f"{scheduler}: a task killed every worker that took it: {error}") from None
    except (CancelledError, OSError, TimeoutError):
        raise WorkerError(f"{scheduler}: the scheduler has gone away; what is done is kept") from None


def _submitted(
    distributed: Any, function: Callable[[Any], Any], tasks: Sequence[Any], scheduler: str, retries: int
) -> Iterator[tuple[int, Any]]:
    try:
        _refuse_silence(scheduler)
        client = distributed.Client(scheduler, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as error:
        raise WorkerError(f"{scheduler}: there is no Dask scheduler that answers: {error}") from None
    with client:
        refuse_other_versions(client, scheduler)
        submitted = [client.submit(function, task, pure=False, retries=retries) for task in tasks]
        numbers = {future: number for number, future in enumerate(submitted)}
        for future in distributed.as_completed(submitted, loop=client.loop):
            yield numbers[future], future.result()


def _refuse_silence(scheduler: str) -> None:
    """Raise an `OSError` where nothing greets us: a scheduler speaks first, and Dask would wait for ever for others."""
    place = urlsplit(scheduler)
    if place.scheme != "tcp" or place.hostname is None or place.port is None:
        return  # Dask itself knows the other kinds of addresses
    with socket.create_connection((place.hostname, place.port), CONNECT_SECONDS / 2) as connection:
        connection.settimeout(CONNECT_SECONDS / 2)
        if not connection.recv(1):
            raise OSError("what listens there has closed the connection")


def refuse_other_versions(client: Any, scheduler: str) -> None:
    """Refuse a cluster whose scheduler or workers have another version of kakari: results might differ."""
    own = version("kakari")
    found: dict[str, str] = {}
    with contextlib.suppress(PackageNotFoundError):  # a scheduler needs none of our code
        found["the scheduler"] = client.run_on_scheduler(version, "kakari")
    try:
        found |= client.run(version, "kakari")
    except PackageNotFoundError:
        raise WorkerError(f"{scheduler}: kakari is not installed on every worker") from None
    others = sorted((place, theirs) for place, theirs in found.items() if theirs != own)
    if others:
        told = ", ".join(f"{theirs} at {place}" for place, theirs in others)
        raise WorkerError(f"{scheduler}: versions of kakari are mixed: {own} here, {told}")


@contextlib.contextmanager
def _silent() -> Iterator[None]:
    """Keep Dask from printing tracebacks of what we say in one line."""
    names = [name for name in logging.root.manager.loggerDict if name.partition(".")[0] == "distributed"]
    loggers = [logging.getLogger(name) for name in names]
    before = [logger.disabled for logger in loggers]
    for logger in loggers:
        logger.disabled = True
    try:
        yield
    finally:
        for logger, disabled in zip(loggers, before, strict=True):
            logger.disabled = disabled
