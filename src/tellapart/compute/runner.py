"""Runner of a computation: its workers, progress, store and time limit, and partial results after an interrupt."""

import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, Self

from tellapart import compute
from tellapart.compute.bundle import WorkerCheck
from tellapart.compute.work import Result, Work
from tellapart.compute.worker_spec import TimeUp, Workers, WorkerSpec, parse_time_limit, parse_workers
from tellapart.foundation.errors import UsageError, WorkLost

if TYPE_CHECKING:
    from tellapart.compute.pool import WorkerPool
    from tellapart.compute.store import Store

Stopped = Literal["time", "interrupt", "lost"]
Progress = Callable[[int, int], None]
"""Told how much is done, and of how much."""


@dataclass(eq=False)
class Runner:
    """Runs work on workers, reports progress, and keeps what is done when it is interrupted (Ctrl-C) or its workers are lost.

    `executor` is a number of threads (None: one per core), a spelling such as "processes:4", or a `concurrent.futures.Executor`.
    Workers are started when there is work, and ended with the `with` in which the runner is used. An interrupt is raised, unless
    `partial` says that whoever asked marks what it answers as partial; those who share such a runner then answer from what
    they have, and start nothing more.
    """

    executor: Workers = None
    progress: Progress | None = None
    partial: bool = False
    mixed: bool = False
    """Whether workers may be unlike this process."""
    store: "Store | None" = None
    """Where finished blocks are kept, and looked for."""
    time_limit: float | str | None = None
    """Seconds, or a text such as "10m", after which what is there is answered from."""
    interrupted: bool = field(default=False, init=False)
    stopped: Stopped | None = field(default=None, init=False)
    """Why the work ended early."""
    lost: WorkLost | None = field(default=None, init=False)
    """The loss of workers that ended the work, if one did."""

    def __post_init__(self) -> None:
        self.workers: WorkerSpec = parse_workers(self.executor)
        self.check = WorkerCheck(self.mixed)
        self._pool: WorkerPool | None = None
        self._within = 0
        seconds = parse_time_limit(self.time_limit)
        self.deadline = None if seconds is None else time.monotonic() + seconds
        if self.progress is not None and not callable(self.progress):
            raise UsageError(f"progress is {self.progress!r}; it should be a function of the amount done and the total")

    def __enter__(self) -> Self:
        self._within += 1
        return self

    def __exit__(self, *_: object) -> None:
        self._within -= 1
        if self._within == 0 and self._pool is not None:
            pool, self._pool = self._pool, None
            pool.close()

    def in_order(self, work: Work[Result]) -> Generator[Result, None, None]:
        """The results of the calls in their order; what the function itself raises comes out at once.

        Closing the iterator drops what has not started.
        """
        if self.lost is not None:
            raise self.lost
        if self.interrupted and self.stopped != "time":
            raise KeyboardInterrupt
        if self.store is None or work.cache is None:
            return self._computed(work)
        return compute.cached_in_order(self.store, work, work.cache, self._computed)

    def _computed(self, work: Work[Result]) -> Generator[Result, None, None]:
        return self._done_here(work) if self.workers.alone else self._handed_out(work)

    def _done_here(self, work: Work[Result]) -> Generator[Result, None, None]:
        for call in work.calls:
            yield work.done_here(call)

    def _handed_out(self, work: Work[Result]) -> Generator[Result, None, None]:
        with self:
            if self._pool is None:
                self._pool = compute.open_pool(self.workers, self.check)
            yield from compute.Dispatch(self._pool, work, self.check).results()

    @contextmanager
    def cut_short(self, answerable: Callable[[], bool]) -> Iterator[None]:
        """The one place where an interrupt ends: here if a partial answer is allowed and there is anything to make it of."""
        try:
            yield
        except (KeyboardInterrupt, WorkLost, TimeUp) as error:
            self.interrupted = True
            self.stopped = self.stopped or _why(error)
            self.lost = error if isinstance(error, WorkLost) else self.lost
            if not (self.partial and answerable()):
                raise

    def look_at_clock(self, answerable: Callable[[], bool]) -> None:
        """Stops what is computed where the time is up and there is something to answer from."""
        if self.deadline is not None and time.monotonic() >= self.deadline and answerable():
            raise TimeUp

    def settle(self) -> None:
        """All that is finished is in the store, or the store says that it is not."""
        if self.store is not None:
            self.store.commit()

    @contextmanager
    def unstored(self) -> Iterator[None]:
        """While what is computed is not worth keeping."""
        kept, self.store = self.store, None
        try:
            yield
        finally:
            self.store = kept

    def tell(self, done: int, total: int) -> None:
        if self.progress is not None:
            self.progress(done, total)


def _why(error: BaseException) -> Stopped:
    if isinstance(error, TimeUp):
        return "time"
    return "lost" if isinstance(error, WorkLost) else "interrupt"
