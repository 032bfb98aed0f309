"""Two workers against one, a store against none, and what handing work out costs: `python -m benchmarks.scale` prints the last.

`python -m benchmarks.scale model 0.005` prints what that means for clusters. Efficiency is by the clock, on two cores that nothing else uses; where others use them too, only CPU seconds mean anything, and
`python -m benchmarks.scale cpu` prints those: what two workers spend on the same work, beside one thread.
"""

import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks._clock import seconds
from benchmarks._memory import peak_of
from tellapart.compute import Runner, Work
from tellapart.compute.dispatch import FED
from tellapart.compute.pool import LATER
from tellapart.compute.store import Store
from tellapart.compute.work import Budget
from tellapart.planning.monte_carlo import simulate_many
from tellapart.planning.study import Study

STUDY = Study("beta(mean=0.65, sd=0.12, correlation=0.8, effect=0.01)", "paired_t", 500)
LONG, SHORT = 600_000, 60_000
"""Replicates: a quarter to a whole minute of one core, as fast as it is, and a tenth of that; longer work only does better."""
TURNS, LONG_TURNS = 3, 2
"""How often each is timed."""
STARTED = 8_000
"""Replicates that are hardly any work, and enough for everybody to start."""
TRIPS, STARTS = 200, 3
SCATTERED = 8_000_000
"""Numbers in the scores that are sent to workers: 64 MB."""
ROWS, GROUP = 20_000_000, 1_000_000
"""Rows of two systems in a file, and of them that are written at once."""
SYSTEMS, ITEMS = 300, 200_000
"""A board of right or wrong in a file."""

Row = tuple[str, float, float, str]


def rows() -> list[Row]:
    return [
        ("2 processes against 1: efficiency of 2 cores", *_efficiency("processes"), "at least 0.85"),
        ("2 workers of Dask against 1: efficiency of 2 cores", *_efficiency("dask"), "at least 0.75"),
        ("a plan with a store against one without", *_stored(), "at least 0.97"),
        *_memory(),
    ]


def _simulated(runner: Runner, replicates: int) -> None:
    simulate_many([STUDY], Budget("monte_carlo", replicates), runner)


def _efficiency(kind: str) -> tuple[float, float]:
    """Seconds by the clock, twice those of two workers and those of one, by turns; both are warm before they are timed."""
    taken: dict[int, list[float]] = {1: [], 2: []}
    for _ in range(LONG_TURNS):
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


def _memory() -> list[Row]:
    """The most bytes that a command ever held, beside what it may."""
    with tempfile.TemporaryDirectory() as folder:
        rows, board = Path(folder, "rows.parquet"), Path(folder, "board.parquet")
        _write_rows(rows)
        _write_board(board)
        compared, ranked = peak_of("compare", str(rows)), peak_of("rank", str(board), "--resamples", "999")
    return [
        (f"compare on {ROWS:,} rows of two systems: bytes beside 2 GB", compared, 2e9, "at least 1"),
        (f"rank {SYSTEMS} systems, {ITEMS:,} items: bytes beside 4 GB", ranked, 4e9, "at least 1"),
    ]


def _write_rows(path: Path) -> None:
    import pyarrow as pa  # type: ignore[import-untyped]  # noqa: PLC0415  (an extra)
    from pyarrow import parquet  # noqa: PLC0415

    rng = np.random.default_rng(0)
    schema = pa.schema([("system", pa.string()), ("item", pa.int64()), ("score", pa.float64())])
    with parquet.ParquetWriter(path, schema) as file:
        for system in "ab":
            for first in range(0, ROWS // 2, GROUP):
                columns = {
                    "system": pa.array([system] * GROUP),
                    "item": np.arange(first, first + GROUP),
                    "score": rng.integers(0, 2, GROUP).astype(np.float64),
                }
                file.write_table(pa.table(columns, schema=schema))


def _write_board(path: Path) -> None:
    import pyarrow as pa  # noqa: PLC0415  (an extra)
    from pyarrow import parquet  # noqa: PLC0415

    rng = np.random.default_rng(1)
    hard = rng.normal(size=ITEMS)
    columns: dict[str, Any] = {"item": np.arange(ITEMS)}
    for i in range(SYSTEMS):
        columns[f"s{i:03d}"] = (hard + i / SYSTEMS + rng.normal(size=ITEMS) > 0).astype(np.int8)
    parquet.write_table(pa.table(columns), path)


def spent(workers: str, replicates: int) -> float:
    """CPU seconds of this process and of those that it started, while they worked and when they were ended."""

    def used() -> float:
        both = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
        return sum(one.ru_utime + one.ru_stime for one in both)

    def whole(number: int) -> float:
        start = used()
        with Runner(workers) as runner:
            _simulated(runner, number)
        return used() - start

    # What is spent to start and to end them is that of a run of hardly anything.
    return whole(replicates) - whole(STARTED)


def _clocked(call: Callable[[], Any]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def _nothing(number: int) -> int:
    return number


def _length(subject: Any, number: int) -> int:
    return len(subject) + number


def overheads(workers: str) -> dict[str, float]:
    """Seconds to start, for one bundle there and back, of CPU that it takes here, and per megabyte of scores that are sent once.

    The least of several: whatever else runs on the machine only adds to them.
    """
    found = [_overheads(workers) for _ in range(STARTS)]
    return {name: min(one[name] for one in found) for name in found[0]}


def _overheads(workers: str) -> dict[str, float]:
    with Runner(workers) as runner:
        start = _clocked(lambda: list(runner.in_order(Work(_nothing, [(0,)]))))
        before = time.process_time()
        trips = [_clocked(lambda: list(runner.in_order(Work(_nothing, [(0,)])))) for _ in range(TRIPS)]
        mine = (time.process_time() - before) / TRIPS
        scores = np.arange(SCATTERED, dtype=np.float64)
        sent = _clocked(lambda: list(runner.in_order(Work(_length, [(0, 1)], [scores]))))
    trip = min(trips)
    megabyte = (sent - trip) / (scores.nbytes / 1e6)
    return {"start": start, "round trip": trip, "of it CPU here": mine, "per megabyte": megabyte}


def modelled(client: float) -> Iterator[str]:
    """Rows for docs/scale.md: how long work takes on a cluster that runs already, where a bundle takes so many seconds of the client."""
    for name, work in (("a minute", 60.0), ("an hour", 3600.0), ("a day", 86400.0)):
        cells = [_modelled(work, workers, client) for workers in (10, 100, 1000)]
        yield f"| {name} | {' | '.join(cells)} |"


def _modelled(work: float, workers: int, client: float) -> str:
    """As the work divided and the last bundle, and no less than handing all bundles out takes."""
    bundle = max(LATER, FED * workers)
    taken = max(work / workers + bundle, work / bundle * client)
    return f"{taken:.3g} s ({work / workers / taken:.0%})"


if __name__ == "__main__":
    if sys.argv[1:] == ["cpu"]:
        alone = spent("1", LONG // 3)
        for spelled in ("processes:2", "dask:2"):
            print(spelled, f"{alone / spent(spelled, LONG // 3):.3f} of the CPU seconds are work")
    elif sys.argv[1:2] == ["model"]:
        print(*modelled(float(sys.argv[2])), sep="\n")
    else:
        for spelled in sys.argv[1:] or ["1", "2", "processes:2", "dask:2"]:
            print(spelled, {name: round(value, 5) for name, value in overheads(spelled).items()})
