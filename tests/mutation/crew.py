"""Copies of the source at work at once, for as long as there is time."""

import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from typing import TypeVar

from tests.mutation.trial import Bench

T = TypeVar("T")
R = TypeVar("R")


@dataclass(frozen=True)
class Crew:
    benches: int
    free: SimpleQueue[Bench]
    until: float
    """On the monotonic clock: nothing is begun later."""

    def each(self, work: Callable[[Bench, T], R], things: Iterable[T]) -> Iterator[R | None]:
        """What comes of each, in order; None for what there was no time for."""

        def done(thing: T) -> R | None:
            bench = self.free.get()
            try:
                return work(bench, thing) if time.monotonic() < self.until else None
            finally:
                self.free.put(bench)

        with ThreadPoolExecutor(self.benches) as pool:
            yield from pool.map(done, things)


@contextmanager
def at_work(processes: int, until: float) -> Iterator[Crew]:
    with tempfile.TemporaryDirectory(prefix="mutation-") as folder:
        free: SimpleQueue[Bench] = SimpleQueue()
        first = Bench.of(Path(folder) / "0")
        for bench in (first, *(first.copied(Path(folder) / str(n)) for n in range(1, processes))):
            free.put(bench)
        yield Crew(processes, free, until)
