"""Whoever does the work, the answer has the same bits."""

import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tellapart import Plan, plan
from tellapart.compute import Runner, Work, Workers
from tellapart.compute.dask_cluster import Cluster
from tellapart.compute.work import Budget
from tellapart.data.pair import Pair
from tellapart.foundation.errors import UsageError
from tellapart.foundation.seeds import stream
from tellapart.methods.significance.mcnemar import McNemar
from tellapart.methods.significance.paired_t import PairedT
from tellapart.planning.monte_carlo import simulate_many
from tellapart.planning.study import PowerResult, Study
from tellapart.populations.gaussian import Gaussian
from tellapart.populations.paired_binary import PairedBinary
from tellapart.populations.pilot import Pilot

REPLICATES = 100_000


def _studies() -> list[Study]:
    scores = stream(2).normal(0.5, 0.2, (2, 40, 1, 1))
    pilot = Pilot.from_pair(Pair(scores[0], scores[1] + 0.05), 0.06)
    binary = PairedBinary(accuracy=0.7, discordance=0.2, effect=0.05)
    return [
        Study(Gaussian(sd=0.12, correlation=0.8, effect=0.03), PairedT(), 20),
        Study(pilot, PairedT(), 20),
        Study(binary, McNemar(variant="exact"), 500),
    ]


def _simulated(executor: Workers = None) -> list[PowerResult]:
    return simulate_many(_studies(), Budget(replicates=REPLICATES, seed=4), Runner(executor))


@pytest.fixture(scope="module")
def single() -> list[PowerResult]:
    return _simulated(1)


def _planned(executor: Any) -> Plan:
    """A plan of 100,000 replicates that has to simulate."""
    population = "beta(mean=0.65, sd=0.12, correlation=0.8, effect=0.03)"
    return plan(population, items=[10, 20], test="paired_t", replicates=REPLICATES, seed=4, executor=executor)


@contextmanager
def _one() -> Iterator[int]:
    yield 1


@contextmanager
def _threads() -> Iterator[Executor]:
    with ThreadPoolExecutor(2) as pool:
        yield pool


@contextmanager
def _processes() -> Iterator[Executor]:
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        yield pool


@contextmanager
def _dask() -> Iterator[Executor]:
    distributed = pytest.importorskip("distributed")
    settings = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": ":0", "processes": True}
    with (
        distributed.LocalCluster(**settings) as cluster,
        distributed.Client(cluster, timeout="60s") as client,
        client.get_executor() as executor,
    ):
        yield executor


class Watched(Executor):
    """Another executor, and every future it gave."""

    def __init__(self, executor: Executor) -> None:
        self.executor = executor
        self.futures: list[Future[Any]] = []

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.futures.append(self.executor.submit(fn, *args, **kwargs))
        return self.futures[-1]


@pytest.fixture
def time_limit() -> Iterator[None]:
    """Two minutes, after which a test fails instead of hanging."""

    def stop(*_: Any) -> None:
        pytest.fail("the workers did not answer within two minutes")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(120)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.mark.usefixtures("time_limit")
@pytest.mark.filterwarnings("ignore")
def test_a_cluster_that_loses_all_its_workers(single: list[PowerResult], monkeypatch: pytest.MonkeyPatch) -> None:
    """In the middle of the work, and for good."""
    monkeypatch.setattr(Cluster, "patience", 2.0)
    with _dask() as executor:
        cluster = executor._client.cluster  # type: ignore[attr-defined]  # of Dask's executor
        lost: list[int] = []

        def lose(done: int, total: int) -> None:
            if not lost:
                lost.append(done)
                cluster.scale(0)

        studies = simulate_many(_studies(), Budget(replicates=REPLICATES, seed=4), Runner(executor, lose))
    assert lost
    assert studies == single


@pytest.mark.usefixtures("time_limit")
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("workers", [_threads, _processes, _dask], ids=["threads", "processes", "dask"])
def test_same_bits_everywhere(single: list[PowerResult], workers: Callable[[], Any]) -> None:
    """100,000 replicates on two threads, two processes and a Dask cluster equal those of one thread to the last bit."""
    with workers() as pool:
        executor = Watched(pool)
        assert single == _simulated(executor)
        assert _planned(1) == _planned(executor)
        assert len(executor.futures) > 8
        # The last bundles may have been handed out twice, and the second copy called back.
        kept = [future for future in executor.futures if not future.cancelled()]
        assert all(future.exception(timeout=60.0) is None for future in kept)


def test_a_number_is_that_many_threads(single: list[PowerResult]) -> None:
    """Workers may be a number of threads, or left out for one per core."""
    assert single == _simulated(2)
    assert single == _simulated()


def _slow_first(number: int) -> int:
    time.sleep(0.05 if number == 0 else 0.0)
    return number


def test_results_come_in_the_order_of_the_calls() -> None:
    """A slow first call holds back those that overtook it; nothing is lost, however many there are."""
    assert list(range(1000)) == list(Runner(4).in_order(Work(_slow_first, ((n,) for n in range(1000)))))


class Failing(ThreadPoolExecutor):
    """An executor whose workers die on every third call, and for good after a while."""

    def __init__(self, alive: int) -> None:
        super().__init__(2)
        self.alive = alive

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.alive -= 1
        if self.alive < 0:
            raise BrokenExecutor("the pool is gone")
        return super().submit(_die if self.alive % 3 == 0 else fn, *args, **kwargs)


def _die(*_: Any) -> None:
    raise BrokenExecutor("the worker is gone")


@pytest.mark.parametrize("alive", [0, 7, 10_000])
def test_dead_workers_change_nothing(alive: int) -> None:
    """Blocks of workers that died are done again, at last by processes of our own: the answer is the same."""
    studies = _studies()[:1]
    budget = Budget(replicates=30_000)
    with Failing(alive) as executor:
        found = simulate_many(studies, budget, Runner(executor))
    assert found == simulate_many(studies, budget, Runner(1))


def _wrong(log: Path) -> int:
    """Notes that it was called, and fails."""
    with log.open("a") as file:
        file.write("called\n")
    raise ZeroDivisionError("a programming error")


@pytest.mark.usefixtures("time_limit")
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("workers", [_one, _threads, _processes, _dask], ids=["one", "threads", "processes", "dask"])
def test_programming_errors_come_out_at_once(workers: Callable[[], Any], tmp_path: Path) -> None:
    """An error of the function is no lost worker: it is raised after one call, and says where it came from."""
    log = tmp_path / "log"
    with workers() as pool, pytest.raises(ZeroDivisionError, match="a programming error") as caught:
        list(Runner(pool).in_order(Work(_wrong, [(log,)])))
    assert log.read_text() == "called\n"
    places = [*getattr(caught.value, "__notes__", []), *map(str, caught.traceback)]
    assert any("in _wrong\n" in place for place in places)


@pytest.mark.parametrize("workers", [0, -1, True, "two", 1.5])
def test_refused_workers(workers: Any) -> None:
    """Something that cannot do the work is refused by name, before there is any."""
    with pytest.raises(UsageError, match="number of threads"):
        Runner(workers)


def test_closing_drops_what_has_not_started() -> None:
    """When the caller stops listening, calls that wait are not made."""
    made: list[int] = []

    def note(number: int) -> int:
        time.sleep(0.01)
        made.append(number)
        return number

    results = Runner(2).in_order(Work(note, ((n,) for n in range(500))))
    next(results)
    results.close()
    time.sleep(0.1)
    assert len(made) < 100


def test_unaligned_pilots_draw_the_same() -> None:
    """Arrays that reach a worker unaligned give the same bits as those that stayed."""
    scores = stream(2).normal(0.5, 0.2, (40, 1, 1))
    raw = np.zeros(scores.nbytes + 1, dtype=np.uint8)
    raw[1:] = np.frombuffer(scores.tobytes(), dtype=np.uint8)
    unaligned = np.frombuffer(raw.data, dtype=np.float64, offset=1).reshape(scores.shape)
    assert not unaligned.flags.aligned
    pilots = [Pilot.from_pair(Pair(np.zeros_like(scores), b), 0.5) for b in (scores, unaligned)]
    assert pilots[0] == pilots[1]
    assert pilots[1].pair.b.flags.aligned
    assert np.array_equal(pilots[0].weights, pilots[1].weights)
