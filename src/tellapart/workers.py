"""Work done by threads, processes or a cluster: anything that is a `concurrent.futures.Executor`."""

import os
import traceback
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from tellapart.errors import UsageError

Result = TypeVar("Result")
Workers = Executor | int | None
Progress = Callable[[int, int], None]
"""Told how much is done, and of how much."""

WAITING = 256
"""Calls handed out and not yet back: enough for a cluster, and bounded however many there are in all."""
PATIENCE = 30.0
"""Seconds that an executor of somebody else may be silent before whoever asked does the next call: a cluster that lost all of
its workers waits for new ones for ever."""
ATTEMPTS = 3
"""How often a call is handed out when its workers are lost, before it is done by whoever asked."""


@dataclass(eq=False)
class Runner:
    """Who does the work, who hears how far it is, and what an interrupt (Ctrl-C) leaves of it.

    `executor` is a number of threads (None: one per core) or a `concurrent.futures.Executor`. An interrupt is raised, unless
    `partial` says that whoever asked marks what it answers as partial; those who share such a runner then answer from what
    they have, and start nothing more.
    """

    executor: Workers = None
    progress: Progress | None = None
    partial: bool = False
    start: Callable[[Any, Any], None] | None = None
    """Told what is about to be simulated, and what may be spent on it."""
    interrupted: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        threads_of(self.executor)
        if self.progress is not None and not callable(self.progress):
            raise UsageError(
                f"progress is {self.progress!r}; it should be a function that takes how much is done and of how much"
            )

    def in_order(
        self, function: Callable[..., Result], calls: Iterable[tuple[Any, ...]]
    ) -> Generator[Result, None, None]:
        if self.interrupted:
            raise KeyboardInterrupt
        return in_order(function, calls, self.executor)

    @contextmanager
    def cut_short(self, answerable: Callable[[], bool]) -> Iterator[None]:
        """The one place where an interrupt ends: here if a partial answer is allowed and there is anything to make it of."""
        try:
            yield
        except KeyboardInterrupt:
            self.interrupted = True
            if not (self.partial and answerable()):
                raise

    def begin(self, studies: Any, budget: Any) -> None:
        if self.start is not None:
            self.start(studies, budget)

    def tell(self, done: int, total: int) -> None:
        if self.progress is not None:
            self.progress(done, total)


def in_order(
    function: Callable[..., Result], calls: Iterable[tuple[Any, ...]], workers: Workers = None
) -> Generator[Result, None, None]:
    """The results of `function` on each tuple of arguments, in the order of the calls, whoever finishes first.

    `workers` is an executor, a number of threads, or None for one thread per core. A call whose worker was lost is
    handed out again; what the function itself raises comes out at once. Closing the iterator drops what has not started.
    """
    threads = threads_of(workers)
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


def threads_of(workers: Workers) -> int:
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
    waiting: deque[_Call[Result]] = deque()
    silence = _Silence(None if isinstance(executor, ThreadPoolExecutor) else PATIENCE)
    try:
        for arguments in calls:
            waiting.append(_Call(executor, function, arguments))
            if len(waiting) >= WAITING:
                yield waiting.popleft().result(silence)
        while waiting:
            yield waiting.popleft().result(silence)
    finally:
        for call in waiting:
            call.cancel()


@dataclass
class _Silence:
    """How long an answer is waited for: as long as it takes from threads, which cannot be lost; not again where nobody answered."""

    patience: float | None
    met: bool = False

    def seconds(self, future: "Future[Any]") -> float | None:
        if self.met and future.done():
            self.met = False
        return 0.0 if self.met else self.patience


@dataclass(frozen=True)
class _Raised:
    """An exception on its way back to the caller, with the place it came from, which pickling would lose."""

    error: Exception
    place: str


def _attempt(function: Callable[..., Result], *arguments: Any) -> Result | _Raised:
    """What the worker runs: errors of the function travel as values, so that all an executor raises is a lost worker."""
    try:
        return function(*arguments)
    except Exception as error:  # noqa: BLE001  (raised again where the result is asked for)
        return _Raised(error, traceback.format_exc())


class _Call(Generic[Result]):
    """One call that was handed out."""

    def __init__(
        self, executor: Executor, function: Callable[..., Result], arguments: tuple[Any, ...]
    ) -> None:
        self.executor, self.function, self.arguments = executor, function, arguments
        self.future = self._submit()

    def cancel(self) -> None:
        if self.future is not None:
            self.future.cancel()

    def result(self, silence: _Silence) -> Result:
        """What the function returns or raises; handed out again while workers are lost, and at last done here."""
        for _ in range(ATTEMPTS):
            if self.future is None:
                break
            try:
                found = self.future.result(silence.seconds(self.future))
            except TimeoutError:  # of the waiting: one of the function would come as a value
                silence.met = True
                self.cancel()
                break
            except Exception:  # noqa: BLE001  (what a lost worker raises depends on the executor)
                self.future = self._submit()
            else:
                return _returned(found)
        return self.function(*self.arguments)

    def _submit(self) -> Future[Result | _Raised] | None:
        """The future, or None when the executor takes no more work (a pool that lost a worker is closed)."""
        try:
            return self.executor.submit(_attempt, self.function, *self.arguments)
        except RuntimeError:
            return None


def _returned(found: Result | _Raised) -> Result:
    if not isinstance(found, _Raised):
        return found
    if found.error.__traceback__ is None:
        found.error.add_note(found.place)
    raise found.error
