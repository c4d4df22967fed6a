"""Worker processes that never outlive the process that started them.

A pool that is left by an error, Ctrl-C or the end of a generator kills its workers at once instead of waiting for what
they are doing. A parent that was killed can do nothing for them: so each worker watches it and ends by itself within a
second. Workers leave Ctrl-C to their parent, and end at once when they are told to (SIGTERM).
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing.connection import wait
from typing import Any

LOOK_SECONDS = 0.5
ORPHANED = 1  # exit code of a worker whose parent is gone


@contextlib.contextmanager
def worker_pool(
    processes: int,
    *,
    start: str | None = None,
    prepare: Callable[..., object] | None = None,
    given: tuple[Any, ...] = (),
) -> Iterator[ProcessPoolExecutor]:
    """Hold a pool of processes.

    Parameters
    ----------
    processes : int
    start : "fork", "spawn" or "forkserver", optional
        How processes are started; without one, as `multiprocessing` does.
    prepare : callable, optional
        What each process calls first, with the arguments `given`.

    Examples
    --------
    >>> with worker_pool(1) as pool:
    ...     pool.submit(len, "abc").result()
    3
    """
    context = multiprocessing.get_context(start)
    pool = ProcessPoolExecutor(processes, mp_context=context, initializer=_begin, initargs=(prepare, given))
    try:
        yield pool
    except BaseException:
        kill_workers(pool)
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def kill_workers(pool: ProcessPoolExecutor) -> None:
    """End the processes of a pool, whatever they are doing."""
    running: dict[int, Any] = dict(getattr(pool, "_processes", None) or {})
    for process in running.values():
        process.kill()
    # One that was killed in the middle of an answer leaves half of it in the pipe. The thread that reads the rest would
    # wait for ever, since this process can write there, too: without a writer it sees the end.
    writer = getattr(getattr(pool, "_result_queue", None), "_writer", None)
    if writer is not None:
        writer.close()


def _begin(prepare: Callable[..., object] | None, given: tuple[Any, ...]) -> None:
    """Make this process a worker of another one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.set_wakeup_fd(-1)
    threading.Thread(target=_watch, args=(os.getppid(),), daemon=True).start()
    if prepare is not None:
        prepare(*given)


def _watch(born_of: int) -> None:
    """End this process when its parent is gone, however that came about.

    With fork, brothers hold the other end of our pipe to the parent as well; but an orphan is given another parent.
    """
    parent = multiprocessing.parent_process()
    sentinels = [] if parent is None else [parent.sentinel]
    while os.getppid() == born_of and not wait(sentinels, LOOK_SECONDS):
        pass
    os._exit(ORPHANED)
