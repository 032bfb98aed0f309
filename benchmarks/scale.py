"""Two workers against one, a store against none, and what handing work out costs: `python -m benchmarks.scale` prints the last."""

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks._clock import seconds
from tellapart.planning.budget import Budget
from tellapart.planning.monte_carlo import simulate_many
from tellapart.planning.study import Study
from tellapart.store import Store
from tellapart.workers import Runner, Work

STUDY = Study("beta(mean=0.65, sd=0.12, correlation=0.8, effect=0.01)", "paired_t", 500)
LONG, SHORT = 600_000, 60_000
"""Replicates: about a minute of one core, and a tenth of that."""
TURNS = 3
TRIPS = 200
SCATTERED = 8_000_000
"""Numbers in the scores that are sent to a cluster: 64 MB."""

Row = tuple[str, float, float, str]


def rows() -> list[Row]:
    return [
        ("2 processes against 1: efficiency of 2 cores", *_efficiency("processes"), "at least 0.85"),
        ("2 workers of Dask against 1: efficiency of 2 cores", *_efficiency("dask"), "at least 0.75"),
        ("a plan with a store against one without", *_stored(), "at least 0.97"),
    ]


def _simulated(runner: Runner, replicates: int) -> None:
    simulate_many([STUDY], Budget("monte_carlo", replicates), runner)


def _efficiency(kind: str) -> tuple[float, float]:
    """Seconds by the clock, twice those of two workers and those of one, by turns; both are warm before they are timed."""
    taken: dict[int, list[float]] = {1: [], 2: []}
    for _ in range(TURNS):
        for number, found in taken.items():
            with Runner(f"{kind}:{number}") as runner:
                _simulated(runner, SHORT // 10)
                start = time.perf_counter()
                _simulated(runner, LONG)
                found.append(time.perf_counter() - start)
    return 2.0 * min(taken[2]), min(taken[1])


def _stored() -> tuple[float, float]:
    """CPU seconds of one thread."""
    with tempfile.TemporaryDirectory() as folder:

        def kept() -> None:
            path = Path(folder, "study.db")
            path.unlink(missing_ok=True)
            with Store(path) as store:
                _simulated(Runner(1, store=store), SHORT)

        return seconds(kept, TURNS), seconds(lambda: _simulated(Runner(1), SHORT), TURNS)


def _clocked(call: Callable[[], Any]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def _nothing(number: int) -> int:
    return number


def _length(subject: Any, number: int) -> int:
    return len(subject) + number


def overheads(workers: str) -> dict[str, float]:
    """Seconds to start, for one bundle there and back, and per megabyte of scores that are sent once."""
    with Runner(workers) as runner:
        start = _clocked(lambda: list(runner.in_order(Work(_nothing, [(0,)]))))
        trips = [_clocked(lambda: list(runner.in_order(Work(_nothing, [(0,)])))) for _ in range(TRIPS)]
        scores = np.arange(SCATTERED, dtype=np.float64)
        sent = _clocked(lambda: list(runner.in_order(Work(_length, [(0, 1)], [scores]))))
    trip = float(np.median(trips))
    return {"start": start, "round trip": trip, "per megabyte": (sent - trip) / (scores.nbytes / 1e6)}


if __name__ == "__main__":
    for spelled in sys.argv[1:] or ["1", "2", "processes:2", "dask:2"]:
        print(spelled, {name: round(value, 5) for name, value in overheads(spelled).items()})
