"""Dispatch of bundled calls to worker processes, with results in the order of the calls.

A bundle whose worker was lost is handed out again. One that is lost again and again is run alone, then its calls one by one: a call
that ends every worker it is given to is found, and named in place of its result. It is never run by the caller, whom it would end too.
"""

import itertools
import time
from collections import deque
from collections.abc import Generator, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from dataclasses import dataclass, field
from typing import Any, Generic

from tellapart.compute.bundle import Raised, Reply, WorkerCheck
from tellapart.compute.pool import WorkerPool
from tellapart.compute.work import Call, Result, Work
from tellapart.foundation.errors import WorkLost

# How many calls make a bundle: as many as take about as long as is worth sending them. The results do not
# depend on it.

GROWTH = 4
"""By how much a bundle may exceed the last one: the first calls of all may be the quick ones."""


@dataclass(eq=False)
class BatchSize:
    """Starts with single calls, and goes by what the last bundles took."""

    wanted: float
    """Seconds of one bundle."""
    count: int | None
    """Calls in all, where that is known."""
    handed: int = 0
    each: float | None = None
    """Seconds of one call, of late."""
    largest: int = 1

    def calls(self, workers: int) -> int:
        """How many calls the next bundle holds, that many hands being there to share what is left."""
        if self.each is None:
            return 1
        number = max(1, min(int(self.wanted / max(self.each, 1e-7)), GROWTH * self.largest))
        if self.count is not None:
            number = max(1, min(number, (self.count - self.handed) // (2 * workers)))
        self.largest = max(self.largest, number)
        return number

    def took(self, calls: int, seconds: float) -> None:
        latest = seconds / max(1, calls)
        self.each = latest if self.each is None else 0.7 * self.each + 0.3 * latest


FED = 0.008
"""Most seconds of this process per bundle; times the number of workers, how long one bundle should keep a worker busy.
Most seconds of this process per bundle; times the number of workers, how long one bundle should keep a worker busy."""
AHEAD = 2
"""Bundles per worker that are handed out and not yet back."""
HELD = 64
"""Bundles per worker that may wait for a slower one before them."""
SUSPECT = 2
"""Losses in company after which a bundle is run alone."""
LATE = 2.0
"""Times the usual seconds of a bundle, and seconds at least, after which one of the last is handed out a second time."""


@dataclass(eq=False)
class Bundle:
    """Consecutive calls, and where they are."""

    first: int
    calls: list[Call]
    futures: "list[Future[Reply]]" = field(default_factory=list)
    handed: float = 0.0
    losses: int = 0
    error: BaseException | None = None
    results: list[Any] | None = None

    def cancel(self) -> None:
        for future in self.futures:
            future.cancel()
        self.futures.clear()


class Dispatch(Generic[Result]):
    """One piece of work on its way through a crew."""

    def __init__(self, pool: WorkerPool, work: Work[Result], check: WorkerCheck) -> None:
        self.pool, self.work, self.check = pool, work, check
        self.calls: Iterator[Call] = iter(work.calls)
        # Many workers ask for more than one client can hand out: their bundles are longer.
        self.batch_size = BatchSize(max(pool.seconds, FED * pool.size if pool.losable else 0.0), work.count)
        self.bundles: deque[Bundle] = deque()
        self.exhausted = False
        self.shared: tuple[int, tuple[Any, ...]] | None = None

    def results(self) -> Generator[Result, None, None]:
        try:
            while self._hand_out():
                head = self.bundles[0]
                while head.results is None:
                    self._wait()
                    self._hand_out()
                yield from self._returned(self.bundles.popleft())
        finally:
            for bundle in self.bundles:
                bundle.cancel()

    def _returned(self, bundle: Bundle) -> Iterator[Result]:
        assert bundle.results is not None
        for found in bundle.results:
            if isinstance(found, Raised):
                raise found.again()
            yield found

    def _hand_out(self) -> bool:
        """As many bundles as keep everybody busy; False when all are back."""
        size = self.pool.size
        while not self.exhausted and len(self._flying()) < AHEAD * size + 1 and len(self.bundles) < HELD * size:
            calls = list(itertools.islice(self.calls, self.batch_size.calls(size)))
            if not calls:
                self.exhausted = True
                break
            bundle = Bundle(self.batch_size.handed, calls)
            self.batch_size.handed += len(calls)
            self.bundles.append(bundle)
            self._submit(bundle)
        return bool(self.bundles)

    def _flying(self) -> list[Bundle]:
        return [bundle for bundle in self.bundles if bundle.results is None]

    def _submit(self, bundle: Bundle) -> None:
        """Submit a bundle; if the pool refuses it, rebuild the pool once and try again."""
        try:
            future = self._submitted(bundle)
        except BrokenExecutor:
            self.pool.rebuild()
            future = self._submitted(bundle)
        bundle.futures.append(future)
        bundle.handed = time.monotonic()

    def _submitted(self, bundle: Bundle) -> "Future[Reply]":
        return self.pool.submit(self.work.function, bundle.calls, *self._subjects())

    def _subjects(self) -> tuple[Any, ...]:
        if self.work.subjects is None:
            return ()
        if self.shared is None or self.shared[0] != self.pool.generation:
            self.shared = self.pool.generation, tuple(map(self.pool.share, self.work.subjects))
        return self.shared[1]

    def _wait(self) -> None:
        """Wait until a result is back, lost or late, or the pool has been silent for too long."""
        flying = {future: bundle for bundle in self._flying() for future in bundle.futures}
        patience = self.pool.patience
        limit = LATE if self.pool.losable and patience is None else patience
        if self.pool.losable and self._no_worker_left():
            limit = min(limit or LATE, LATE)
        done, _ = wait(flying, limit, FIRST_COMPLETED)
        lost = [bundle for future in done if (bundle := self._taken(future, flying[future])) is not None]
        if lost:
            self._again(lost)
        elif not done:
            self._silence(flying.values())

    def _taken(self, future: "Future[Reply]", bundle: Bundle) -> Bundle | None:
        """The result of a future into its bundle; the bundle itself where that was its last hope."""
        if bundle.results is not None:
            return None  # a second copy, which comes to the same
        bundle.futures.remove(future)
        try:
            reply = future.result()
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            bundle.error = error
            return None if bundle.futures else bundle
        self.check.look(self.pool.checked, reply.worker)
        self.batch_size.took(len(bundle.calls), reply.seconds)
        bundle.results = reply.unpacked()
        for call, found in zip(bundle.calls, bundle.results, strict=False):  # an error ends them early
            if not isinstance(found, Raised):
                self.work.tell(call, found)
        bundle.cancel()
        return None

    def _again(self, lost: list[Bundle]) -> None:
        # Once for all of them: one process that is killed takes its pool along, and with it every bundle that was out.
        self.pool.rebuild()
        for bundle in lost:
            bundle.losses += 1
        suspects = [bundle for bundle in lost if bundle.losses >= SUSPECT]
        for bundle in lost:
            if bundle not in suspects:
                self._submit(bundle)
        if suspects:
            suspects += self._settle_suspects(suspects)
            for bundle in suspects:
                bundle.results = self._alone(bundle)

    def _settle_suspects(self, suspects: list[Bundle]) -> list[Bundle]:
        """Wait until nothing is out but suspects, whom a loss among the others would be blamed on; those lost meanwhile are suspects too."""
        lost: list[Bundle] = []
        while others := [b for b in self._flying() if b.futures and b not in suspects]:
            flying = {future: bundle for bundle in others for future in bundle.futures}
            done, _ = wait(flying, self.pool.patience, FIRST_COMPLETED)
            lost += [bundle for future in done if (bundle := self._taken(future, flying[future])) is not None]
            if not done and (self.pool.give_up() or self.pool.is_stalled()):
                for bundle in others:
                    bundle.cancel()
                lost += others
        self.pool.rebuild()
        return lost

    def _alone(self, bundle: Bundle) -> list[Any]:
        """The results of a bundle that is run with nothing beside it; then of its calls, each by itself."""
        single = len(bundle.calls) == 1
        for _ in range(self.pool.attempts if single else 1):
            self._submit(bundle)
            if self._completed(bundle):
                assert bundle.results is not None
                return bundle.results
            self.pool.rebuild()
        if single:
            return [self._blamed(bundle)]
        found: list[Any] = []
        for place, call in enumerate(bundle.calls):
            found += self._alone(Bundle(bundle.first + place, [call]))
            if isinstance(found[-1], Raised):
                break
        return found

    def _completed(self, bundle: Bundle) -> bool:
        """Wait for the only copy of a bundle: False where its worker was lost, or no worker computes it."""
        while not wait(bundle.futures, self.pool.patience).done:
            if self.pool.give_up() or self.pool.is_stalled():
                bundle.cancel()
                return False
        return self._taken(bundle.futures[0], bundle) is None

    def _blamed(self, bundle: Bundle) -> Raised:
        """The error of a foreign executor, raised as it is where no worker was lost."""
        error = bundle.error
        if isinstance(error, Exception) and not _lost(error):
            return Raised(error)
        what = self.work.in_words(bundle.first, bundle.calls[0])
        return Raised(WorkLost(what, SUSPECT + self.pool.attempts))

    def _no_worker_left(self) -> bool:
        """Whether there is nothing to do but to wait for those who are late."""
        return self.exhausted or len(self.bundles) >= HELD * self.pool.size

    def _silence(self, flying: Any) -> None:
        """Hand the last bundles out twice, and take the first answer; replace the workers if none is left."""
        silent = [bundle for bundle in dict.fromkeys(flying) if bundle.results is None]
        late = time.monotonic() - max(LATE, LATE * self.pool.seconds)
        patience = self.pool.patience
        if patience is not None and all(b.handed < time.monotonic() - patience for b in silent):
            if self.pool.give_up():
                for bundle in silent:
                    bundle.cancel()
                    self._submit(bundle)
                return
            if self.pool.is_stalled():
                self._again_unless_lost(silent)
                return
            for bundle in silent:
                bundle.handed = time.monotonic()
        if (
            self._no_worker_left() and self.batch_size.each is not None
        ):  # before the first reply they may just be starting
            idle = max(0, self.pool.size - len(silent))
            for bundle in [b for b in silent if b.handed < late and len(b.futures) == 1][: max(1, idle)]:
                self._submit(bundle)

    def _again_unless_lost(self, stalled: list[Bundle]) -> None:
        """Submit again what no worker computes, and report as lost what was submitted too often."""
        for bundle in stalled:
            bundle.cancel()
            bundle.losses += 1
            if bundle.losses > SUSPECT + self.pool.attempts:
                bundle.results = [self._blamed(bundle)]
            else:
                self._submit(bundle)


def _lost(error: Exception) -> bool:
    return isinstance(error, BrokenExecutor) or type(error).__name__ in {
        "KilledWorker",
        "FutureCancelledError",
        "CancelledError",
        "CommClosedError",
        "WorkerStartTimeoutError",
    }
