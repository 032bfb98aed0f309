"""Workers that are lost, slow, silent or unlike; the results are those of one that is none of these."""

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

from tellapart import plan
from tellapart.compute import Runner, Work
from tellapart.compute import bundle as identity_module
from tellapart.compute.bundle import Reply, compute_bundle_here
from tellapart.compute.dispatch import BatchSize, Dispatch
from tellapart.compute.pool import Borrowed, WorkerPool
from tellapart.foundation.errors import UsageError, WorkLost
from tellapart.planning import monte_carlo


def squared(number: int) -> int:
    return number * number


def _calls(number: int) -> list[tuple[int]]:
    return [(n,) for n in range(number)]


class Deaf(Executor):
    """Takes work and never does it, as a cluster without workers."""

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        return Future()


def test_an_executor_that_never_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Waited for once; then processes of our own do the work, and the answer is the same."""
    monkeypatch.setattr(Borrowed, "patience", 0.2)
    found = list(Runner(Deaf()).in_order(Work(squared, _calls(600))))
    assert found == [n * n for n in range(600)]


class Stalling(WorkerPool):
    """Takes work and loses the first submissions without a word: its workers are there, and none computes."""

    task = staticmethod(compute_bundle_here)
    patience, size = 0.02, 1

    def __init__(self, silent: int) -> None:
        self.silent, self.submitted = silent, 0

    def submit(self, *arguments: Any) -> "Future[Reply]":
        future: Future[Reply] = Future()
        self.submitted += 1
        if self.submitted > self.silent:
            future.set_result(self.task(*arguments))
        return future

    def is_stalled(self) -> bool:
        return True


def test_work_that_no_worker_computes_is_handed_out_again() -> None:
    pool = Stalling(4)
    found = Dispatch(pool, Work(squared, _calls(40), count=40), Runner(1).check).results()
    assert list(found) == [n * n for n in range(40)]


def test_work_that_no_worker_ever_computes_is_reported_lost() -> None:
    """Every wait has an end, where workers answer and compute nothing."""
    with pytest.raises(WorkLost, match="call 1"):
        list(Dispatch(Stalling(10**6), Work(squared, _calls(40)), Runner(1).check).results())


def test_a_pool_that_lost_a_process_is_replaced() -> None:
    """The standard pool closes when one of its processes is killed; what is left is done by others, none of it by the caller."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        child = pool.submit(os.getpid).result()
        found = Runner(pool).in_order(Work(_whose, ((0.05,) for _ in range(6))))
        first = next(found)
        os.kill(child, signal.SIGKILL)
        rest = list(found)
        with pytest.raises(BrokenExecutor):
            pool.submit(os.getpid)
    assert first == child
    assert len(rest) == 5
    assert os.getpid() not in rest


def _whose(seconds: float) -> int:
    time.sleep(seconds)
    return os.getpid()


def _killing_once(number: int, mark: str) -> int:
    """Ends its process where nobody did before."""
    path = Path(mark)
    if number == 5 and not path.exists():
        path.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number * number


def test_a_killed_process_is_made_up_for(tmp_path: Path) -> None:
    calls = [(n, str(tmp_path / "mark")) for n in range(40)]
    assert list(Runner("processes:2").in_order(Work(_killing_once, calls))) == [n * n for n in range(40)]
    assert (tmp_path / "mark").exists()


def _killing(number: int) -> int:
    """Always ends its process at one place."""
    if number == 7:
        os.kill(os.getpid(), signal.SIGKILL)
    return number * number


def test_a_call_that_ends_every_worker_is_named() -> None:
    """All before it is known, in order; it is never run by the caller, who would not be here any more."""
    found: list[int] = []
    work = Work(_killing, _calls(12), named=lambda call: f"the square of {call[0]}")
    with pytest.raises(WorkLost, match="the square of 7: every worker") as caught:
        found.extend(Runner("processes:2").in_order(work))
    assert found == [n * n for n in range(7)]
    assert caught.value.exit_code == 4


def _tally_or_die(studies: Any, seed: int, block: int, size: int) -> Any:
    if block == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    return monte_carlo.tally_block(studies, seed, block, size)


def test_a_plan_ends_with_what_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two blocks of it, marked as partial, with the block by name."""
    asked: dict[str, Any] = {"items": 200, "test": "paired_t", "engine": "monte_carlo", "replicates": 3000}
    population = "gaussian(sd=1, correlation=0.5, effect=0.2)"
    first_two = plan(population, **(asked | {"replicates": 654}), executor=1)
    monkeypatch.setattr(monte_carlo, "tally_block", _tally_or_die)
    answer = plan(population, **asked, executor="processes:1")
    assert answer.partial
    lost = next(note for note in answer.notes if note.code == "work_lost")
    assert lost.values["work"].startswith("block 3 (327 replicates) of paired_t on 200 items of gaussian(")
    assert answer.rows == first_two.rows


def _stopping_once(number: int, mark: str) -> int:
    path = Path(mark)
    if number == 30 and not path.exists():
        path.touch()
        os.kill(os.getpid(), signal.SIGSTOP)
    return number * number


def test_a_worker_that_stands_still_is_not_waited_for(tmp_path: Path) -> None:
    """The last bundles are handed out twice, and the first answer wins."""
    calls = [(n, str(tmp_path / "mark")) for n in range(40)]
    start = time.monotonic()
    assert list(Runner("processes:2").in_order(Work(_stopping_once, calls))) == [n * n for n in range(40)]
    assert (tmp_path / "mark").exists()
    assert time.monotonic() - start < 60.0


class Other(WorkerPool):
    """Workers that answer at once, as if they were of another version."""

    def __init__(self) -> None:
        self.checked = identity_module.own_identity()

    @property
    def size(self) -> int:
        return 2

    def submit(self, *arguments: Any) -> Future[Reply]:
        future: Future[Reply] = Future()
        reply = self.task(*arguments)
        assert reply.worker is not None
        future.set_result(replace(reply, worker=replace(reply.worker, scipy="0.1")))
        return future


def test_a_worker_that_joins_later_is_compared_too() -> None:
    """With what it computed: refused in words, or noted where that was allowed."""
    work = Work(squared, _calls(3))
    with pytest.raises(UsageError, match=r"a worker would not compute the same bits: scipy 0\.1 \(here "):
        list(Dispatch(Other(), work, Runner(1).check).results())
    runner = Runner(1, mixed=True)
    assert list(Dispatch(Other(), work, runner.check).results()) == [0, 1, 4]
    assert [words for words in runner.check.unlike.values() if words.startswith("scipy 0.1 (here ")]


def test_bundles_grow_to_what_is_worth_sending_and_shrink_for_the_last() -> None:
    batch_size = BatchSize(0.5, 1000)
    sizes = []
    while batch_size.handed < 1000:
        size = batch_size.calls(workers=4)
        sizes.append(size)
        batch_size.handed += size
        batch_size.took(size, 0.004 * size)
    assert sizes[:4] == [1, 4, 16, 64]
    assert (
        max(sizes) == 114
    )  # an eighth of what is left: a bundle of 125 would leave some of four hands idle at the end
    assert sizes[-1] == 1


LEFT = """
import os, sys, time
from tellapart.compute import Runner, Work
from tests.workers.test_handing_out import _whose
results = Runner("processes:2").in_order(Work(_whose, ((0.05,) for _ in range(10_000))))
print(next(results), flush=True)
while True:
    next(results)
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_workers_end_with_whoever_started_them(number: signal.Signals) -> None:
    """Even where that one was killed, and could tell nobody."""
    root = Path(__file__).parents[2]
    with subprocess.Popen([sys.executable, "-c", LEFT], stdout=subprocess.PIPE, text=True, cwd=root) as caller:
        assert caller.stdout is not None
        worker = int(caller.stdout.readline())
        caller.send_signal(number)
        caller.wait()
    limit = time.monotonic() + 10.0
    while Path(f"/proc/{worker}").exists() and time.monotonic() < limit:
        time.sleep(0.05)
    assert not Path(f"/proc/{worker}").exists()


def test_many_workers_get_longer_bundles() -> None:
    """One client feeds them all: half a second each for two, eight seconds each for a thousand."""

    class Many(Borrowed):
        size = 1_000

    with ProcessPoolExecutor(1) as executor:
        work = Work(squared, _calls(3))
        pool = Borrowed(executor, identity_module.own_identity())
        assert Dispatch(pool, work, Runner(1).check).batch_size.wanted == 0.5
        assert Dispatch(Many(executor, identity_module.own_identity()), work, Runner(1).check).batch_size.wanted == 8.0
