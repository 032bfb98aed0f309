"""Worker pools: threads of this process, executors of the caller, and how a specification opens one."""

import logging
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from threading import Lock
from typing import Any

from tellapart import compute
from tellapart.compute import bundle
from tellapart.compute.worker_spec import WorkerSpec, available_cores

Task = Callable[..., bundle.Reply]

SOON, LATER = 0.05, 0.5
"""Seconds of work in one bundle: for threads, to whom it costs nothing to be asked; for workers that are sent it."""
LOST = "the workers that were given answer no more; what they had not finished is computed again by %d processes of this machine"
ALONE = 0.3
"""Seconds in which threads take turns: in short steps they wait for each other, and two need a third more of the processor to end no sooner."""


class WorkerPool(ABC):
    """Workers that take bundles of calls and return futures of the replies."""

    task: Task = staticmethod(bundle.compute_bundle)
    seconds = LATER
    attempts = 2
    """How often a call that was lost alone is tried before it is taken to be the reason."""
    patience: float | None = None
    """Seconds of silence after which it is given up; None where the loss of a worker is heard of."""
    losable = True
    checked: bundle.Identity | None = None
    """The identity that every worker must have; None where they cannot differ."""
    generation = 0
    """How often others took the place of all: what was shared before is gone with those."""

    @property
    @abstractmethod
    def size(self) -> int:
        """How many bundles it computes at once, now."""

    @abstractmethod
    def submit(self, *arguments: Any) -> "Future[bundle.Reply]":
        """Submit a bundle; raises `BrokenExecutor` where no worker can take it."""

    def share(self, subject: Any) -> Any:
        """The stand-in for a subject in submitted calls."""
        return bundle.Packed.of(subject)

    def rebuild(self) -> None:  # noqa: B027  (threads cannot be lost)
        """Replace lost workers, where the pool does not do so itself."""

    def close(self) -> None:  # noqa: B027  (what is borrowed is not ours to end)
        """Everything that was started for it is ended."""

    def give_up(self) -> bool:
        """After its patience: whether others take the place of those who are silent."""
        return False

    def is_stalled(self) -> bool:
        """Whether there are workers, none computes, and so no result will come; subjects are then shared anew."""
        return False


class Threads(WorkerPool):
    """Threads of this process: nothing is pickled, and no worker can be lost."""

    task = staticmethod(bundle.compute_bundle_here)
    seconds = SOON
    losable = False

    def __init__(self, number: int) -> None:
        self.number = number
        self.pool = ThreadPoolExecutor(number, thread_name_prefix="tellapart")
        self.turn, self.together = Lock(), 0.0

    @property
    def size(self) -> int:
        return self.number

    def submit(self, *arguments: Any) -> "Future[bundle.Reply]":
        self.together = self.together or time.monotonic() + ALONE
        return self.pool.submit(self._in_turn, *arguments)

    def _in_turn(self, *arguments: Any) -> bundle.Reply:
        """Results in order, with a limit on each wait, so that a slow first bundle keeps no worker idle."""
        left = self.together - time.monotonic()
        took_turn = left > 0.0 and self.turn.acquire(timeout=left)
        try:
            return self.task(*arguments)
        finally:
            if took_turn:
                self.turn.release()

    def share(self, subject: Any) -> Any:
        return subject

    def close(self) -> None:
        self.pool.shutdown(wait=False, cancel_futures=True)


class Borrowed(WorkerPool):
    """An executor of the caller, who also ends it; where it takes no more work, local processes replace it."""

    patience: float | None = 30.0
    """A cluster that lost all of its workers waits for new ones for ever."""

    def __init__(self, executor: Executor, identity: bundle.Identity) -> None:
        self.executor, self.checked = executor, identity
        self.instead: WorkerPool | None = None
        if isinstance(executor, ThreadPoolExecutor):
            self.patience = None

    @property
    def size(self) -> int:
        if self.instead is not None:
            return self.instead.size

        known = getattr(self.executor, "_max_workers", None)
        return known if isinstance(known, int) and known > 0 else max(64, available_cores())

    def submit(self, *arguments: Any) -> "Future[bundle.Reply]":
        if self.instead is not None:
            return self.instead.submit(*arguments)
        try:
            return self.executor.submit(self.task, *arguments)
        except RuntimeError as error:  # a pool that lost a worker is closed
            raise BrokenExecutor(str(error)) from error

    def rebuild(self) -> None:
        if self.instead is not None:
            self.instead.rebuild()
        elif self._closed():
            self._replace()

    def give_up(self) -> bool:
        if self.instead is None:
            self._replace()
        return True

    def _replace(self) -> None:
        # The one line that is said: unless the program has handlers of its own, Python prints it on stderr.
        logging.getLogger("tellapart").warning(LOST, available_cores())
        self.instead, self.patience = compute.Processes(available_cores()), None
        self.generation += 1

    def _closed(self) -> bool:
        try:
            self.executor.submit(int).cancel()
        except RuntimeError:
            return True
        return False

    def close(self) -> None:
        if self.instead is not None:
            self.instead.close()


def open_pool(workers: WorkerSpec, check: bundle.WorkerCheck) -> WorkerPool:
    """The pool of a specification, its workers compared with this process; the caller closes it."""
    if workers.kind == "threads":
        return Threads(workers.number)
    if workers.kind == "processes":
        return compute.Processes(workers.number)
    if workers.kind == "executor":
        return _around_executor(workers.where, check)
    return compute.open_cluster(workers, check)


def _around_executor(executor: Executor, check: bundle.WorkerCheck) -> WorkerPool:
    if type(executor).__module__.partition(".")[0] == "distributed":
        return compute.cluster_of_executor(executor, check)
    return Borrowed(executor, bundle.own_identity())
