"""A real Dask cluster of two processes on this machine, started once for all that is asked of it here."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from tests.workers import boards

import tellapart
from tellapart import Plan, plan
from tellapart.compute import Runner, Work
from tellapart.compute.dask_cluster import Cluster
from tellapart.compute.work import Budget
from tellapart.data.pair import Pair
from tellapart.foundation.errors import UsageError
from tellapart.foundation.progress import reporting_to
from tellapart.foundation.seeds import stream
from tellapart.methods.significance.paired_t import PairedT
from tellapart.planning.monte_carlo import simulate_many
from tellapart.planning.study import PowerResult, Study
from tellapart.populations.gaussian import Gaussian
from tellapart.populations.pilot import Pilot
from tellapart.studies.calibration.measure import StreamBlock
from tellapart.studies.calibration.pieces import computed
from tellapart.studies.reproduction import reproduce

pytestmark = pytest.mark.filterwarnings("ignore")  # Dask warns of its own connections while workers are killed


@pytest.fixture(scope="module")
def runner() -> Iterator[Runner]:
    pytest.importorskip("distributed")
    with Runner("dask:2") as started:
        assert list(started.in_order(Work(pow, [(2, 3)]))) == [8]
        yield started


@pytest.fixture
def client(runner: Runner) -> Any:
    assert isinstance(runner._pool, Cluster)
    return runner._pool.client


def _studies() -> list[Study]:
    scores = stream(2).normal(0.5, 0.2, (2, 40, 1, 1))
    pilot = Pilot.from_pair(Pair(scores[0], scores[1] + 0.05), 0.06)
    return [
        Study(Gaussian(sd=0.12, correlation=0.8, effect=0.03), PairedT(), 20),
        Study(pilot, PairedT(), 30),
    ]


def _simulated(runner: Runner, replicates: int = 40_000) -> list[PowerResult]:
    return simulate_many(_studies(), Budget(replicates=replicates, seed=4), runner)


def test_it_listens_on_this_machine_alone(client: Any) -> None:
    """And shows no dashboard: whoever reaches a port of Dask runs code."""
    info = client.scheduler_info()
    assert info["address"].startswith("tcp://127.0.0.1:")
    assert all(name.startswith("tcp://127.0.0.1:") for name in client.nthreads())
    served, shown = client.run_on_scheduler(_served)
    assert served == ["127.0.0.1"]
    assert not shown


def _served(dask_scheduler: Any) -> tuple[list[str], bool]:
    sockets = dask_scheduler.http_server._sockets.values()
    applications = dask_scheduler.http_application.applications
    return [socket.getsockname()[0] for socket in sockets], bool(applications)


def test_a_worker_killed_midway_changes_no_bit(runner: Runner, client: Any) -> None:
    alone = _simulated(Runner(1), 400_000)
    killed: list[int] = []

    def kill(done: int, total: int) -> None:
        if not killed and done > total / 5:
            (first, _) = client.run(os.getpid).values()
            os.kill(first, signal.SIGKILL)
            killed.append(first)

    runner.progress = kill
    try:
        assert _simulated(runner, 400_000) == alone
    finally:
        runner.progress = None
    assert killed


def test_equal_studies_one_after_another(runner: Runner, client: Any) -> None:
    """Each scatter has a key of its own: releasing one must not delete an equal one that is still needed on the workers."""
    alone = _simulated(Runner(1), 2_000)
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2)]
    try:
        assert all(_simulated(runner, 2_000) == alone for _ in range(15))
    finally:
        for process in busy:
            process.kill()
            process.wait()
    assert isinstance(runner._pool, Cluster)
    assert runner._pool.share("equal").key != runner._pool.share("equal").key
    assert runner._pool.is_stalled()  # nothing is computed


def test_a_cluster_that_computes_is_not_stalled(runner: Runner, client: Any) -> None:
    assert isinstance(runner._pool, Cluster)
    sleeping = client.submit(time.sleep, 3.0, pure=False)
    limit = time.monotonic() + 3.0
    while runner._pool.is_stalled() and time.monotonic() < limit:
        time.sleep(0.05)
    assert not sleeping.done()
    sleeping.cancel()


def test_pieces_of_a_calibration_and_published_tables(runner: Runner, client: Any) -> None:
    some = StreamBlock(0, 20, 3)
    calls = [("scenario", 0, some), ("changes", 1, some), ("skewed", 4, some)]
    assert list(runner.in_order(Work(computed, calls))) == [computed(*call) for call in calls]
    address = client.scheduler_info()["address"]
    assert reproduce("retrieval-pairing", replicates=200, executor=address) == reproduce(
        "retrieval-pairing", replicates=200
    )


@pytest.mark.parametrize("kind", boards.KINDS)
def test_boards(kind: str, client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    boards.cut_small(monkeypatch)
    assert boards.ranked(kind, client.scheduler_info()["address"]) == boards.ranked(kind, 1)


@pytest.mark.parametrize("kind", boards.RESAMPLED)
def test_resampled_comparisons(kind: str, client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    boards.cut_small(monkeypatch)
    assert boards.compared(kind, client.scheduler_info()["address"]) == boards.compared(kind, 1)


def test_a_board_whose_worker_is_killed(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """After the first block is back: others compute what it had."""
    boards.cut_small(monkeypatch)
    told: list[float] = []

    def kill(_: str, done: float, total: float) -> None:
        if not told and 0 < done < total:
            told.append(done)
            os.kill(next(iter(client.run(os.getpid).values())), signal.SIGKILL)

    address = client.scheduler_info()["address"]
    with reporting_to(kill):
        found = boards.ranked("swapped", address)
    assert told
    assert found == boards.ranked("swapped", 1)


def _look(subject: dict[str, Any], number: int) -> tuple[bool, bool, float, Any]:
    scores = subject["scores"]
    return scores.flags.aligned, scores.flags.c_contiguous, float(scores.sum()), scores[number:]


def test_arrays_arrive_aligned_and_come_back_aligned(runner: Runner) -> None:
    """Behind an odd number of bytes, where sums of an array that was left there would differ in the last bit."""
    scores = stream(3).normal(size=100_003)
    work = Work(_look, [(0, 1), (0, 2), (0, 3)], [{"scores": scores, "odd": b"x" * 13}])
    for place, (aligned, whole, total, part) in enumerate(runner.in_order(work), 1):
        assert (aligned, whole, total) == (True, True, float(scores.sum()))
        assert part.flags.aligned
        assert np.array_equal(part, scores[place:])


def _holding(dask_worker: Any) -> list[str]:
    return [key for key in map(str, dask_worker.data) if key.startswith("Packed")]


def test_scores_travel_once(runner: Runner, client: Any) -> None:
    """However many bundles are about them."""
    before = {key for keys in client.run(_holding).values() for key in keys}
    seen: set[str] = set()

    def look(done: int, _: int) -> None:
        if done < 3000:
            seen.update(key for keys in client.run(_holding).values() for key in keys)

    runner.progress = look
    try:
        fresh = [study.with_effect(0.07) for study in _studies()[1:]]
        simulate_many(fresh, Budget(replicates=10_000), runner)
    finally:
        runner.progress = None
    assert len(seen - before) == 1


def _renamed(version: str) -> None:
    tellapart.__version__ = version


def test_a_worker_of_another_version_is_refused_by_name(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Unless that is allowed, and then the answer says so."""
    address, other = next(iter(client.nthreads())), client.scheduler_info()["address"]
    population = "beta(mean=0.65, sd=0.12, correlation=0.8, effect=0.03)"
    asked: dict[str, Any] = {"items": 20, "test": "paired_t", "replicates": 4_000}
    client.run(_renamed, "0.0.1", workers=[address])
    try:
        with pytest.raises(UsageError, match=f"worker {address} would not compute the same bits: tellapart 0.0.1"):
            plan(population, **asked, executor=other)
        marked: Plan = plan(population, **asked, executor=other, mixed=True)
        boards.cut_small(monkeypatch)
        with pytest.raises(UsageError, match="would not compute the same bits"):
            boards.ranked("swapped", other)
        board = boards.ranked("swapped", other, mixed=True)
    finally:
        client.run(_renamed, tellapart.__version__, workers=[address])
    assert [note.code for note in marked.notes if note.code == "mixed_workers"]
    assert [note.code for note in board.notes if note.code == "mixed_workers"]
    assert board.pairs == boards.ranked("swapped", 1).pairs
    clean = plan(population, **asked, executor=other)
    assert clean.rows == marked.rows == plan(population, **asked, executor=1).rows
    assert "mixed_workers" not in [note.code for note in clean.notes]


def test_nobody_at_the_address() -> None:
    pytest.importorskip("distributed")
    with pytest.raises(UsageError, match=r"no Dask cluster with a worker answered at tcp://127\.0\.0\.1:9 "):
        list(Runner("tcp://127.0.0.1:9").in_order(Work(pow, [(2, 3)])))
