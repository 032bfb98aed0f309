"""Work done by threads, processes or a cluster: anything that is a `concurrent.futures.Executor`."""

import os
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

from tellapart.errors import TellapartError, UsageError

Result = TypeVar("Result")
Workers = Executor | int | None
Progress = Callable[[int, int], None]
"""Told how much is done, and of how much."""


@dataclass(eq=False)
class Keyboard:
    """Whether Ctrl-C was pressed while somebody was still answering from what they had."""

    interrupted: bool = False


WAITING = 256
"""Calls handed out and not yet back: enough for a cluster, and bounded however many there are in all."""
RETRIES = 3


def in_order(
    function: Callable[..., Result], calls: Iterable[tuple[Any, ...]], workers: Workers = None
) -> Generator[Result, None, None]:
    """The results of `function` on each tuple of arguments, in the order of the calls, whoever finishes first.

    `workers` is an executor, a number of threads, or None for a thread a core. A call whose worker died is handed out
    again. Closing the iterator drops what has not started.
    """
    threads = _threads(workers)
    if threads == 1:
        yield from (function(*call) for call in calls)
        return
    with _executor(workers, threads) as executor:
        yield from _handed_out(executor, function, calls)


def cores() -> int:
    """How many processor cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _threads(workers: Workers) -> int:
    """The number of threads to start here; 0 when the caller brought an executor."""
    if workers is None:
        return cores()
    if isinstance(workers, int) and not isinstance(workers, bool) and workers >= 1:
        return workers
    if isinstance(workers, Executor):
        return 0
    raise UsageError(
        f"{workers!r} cannot do the work; give a number of threads or a concurrent.futures.Executor"
    )


@contextmanager
def _executor(workers: Workers, threads: int) -> Iterator[Executor]:
    if isinstance(workers, Executor):
        yield workers
        return
    own = ThreadPoolExecutor(threads, thread_name_prefix="tellapart")
    try:
        yield own
    finally:
        own.shutdown(wait=False, cancel_futures=True)


def _handed_out(
    executor: Executor, function: Callable[..., Result], calls: Iterable[tuple[Any, ...]]
) -> Iterator[Result]:
    waiting: deque[tuple[tuple[Any, ...], Future[Result] | None]] = deque()
    try:
        for call in calls:
            waiting.append((call, _submit(executor, function, call)))
            if len(waiting) >= WAITING:
                yield _result(executor, function, *waiting.popleft())
        while waiting:
            yield _result(executor, function, *waiting.popleft())
    finally:
        for _, future in waiting:
            if future is not None:
                future.cancel()


def _submit(
    executor: Executor, function: Callable[..., Result], call: tuple[Any, ...]
) -> Future[Result] | None:
    """The future of a call, or None when the executor takes no more work (a pool that lost a worker is closed)."""
    try:
        return executor.submit(function, *call)
    except RuntimeError:
        return None


def _result(
    executor: Executor, function: Callable[..., Result], call: tuple[Any, ...], future: Future[Result] | None
) -> Result:
    """What the call returns. Executors name a lost worker differently, so any failure but our own is tried again."""
    for _ in range(RETRIES):
        if future is None:
            break
        try:
            return future.result()
        except TellapartError:
            raise
        except Exception:  # noqa: BLE001  (what a lost worker raises depends on the executor)
            future = _submit(executor, function, call)
    # Done here at last: either the answer comes out or the true error does.
    return function(*call)
