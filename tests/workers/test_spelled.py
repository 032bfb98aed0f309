"""Who does the work, as it is typed."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tellapart import plan
from tellapart.compute import Runner, Work
from tellapart.compute.worker_spec import WorkerSpec, available_cores, parse_workers
from tellapart.foundation.errors import UsageError


@pytest.mark.parametrize(
    ("value", "workers"),
    [
        (None, WorkerSpec("threads", available_cores())),
        (3, WorkerSpec("threads", 3)),
        ("3", WorkerSpec("threads", 3)),
        ("processes:4", WorkerSpec("processes", 4)),
        ("processes", WorkerSpec("processes", available_cores())),
        ("dask", WorkerSpec("dask", available_cores())),
        ("dask:7", WorkerSpec("dask", 7)),
        ("tcp://node7:8786", WorkerSpec("address", where="tcp://node7:8786")),
        ("tls://node7:8786", WorkerSpec("address", where="tls://node7:8786")),
        ("/shared/scheduler.json", WorkerSpec("scheduler file", where="/shared/scheduler.json")),
    ],
)
def test_spellings(value: Any, workers: WorkerSpec) -> None:
    assert parse_workers(value) == workers


def test_a_scheduler_file_by_any_name(tmp_path: Path) -> None:
    file = tmp_path / "sched"
    file.write_text("{}")
    assert parse_workers(str(file)).kind == "scheduler file"


def test_an_executor_is_taken_as_it_is() -> None:
    with ThreadPoolExecutor(1) as pool:
        assert parse_workers(pool) == WorkerSpec("executor", where=pool)


@pytest.mark.parametrize(
    "value",
    [0, -1, True, 1.5, "0", "-1", "two", "", "processes:", "processes:0", "processes:x", "dask:-1", "tcp://", "http://x:1", "99999999", "²", b"2"],
)  # fmt: skip
def test_refused(value: Any) -> None:
    """Before anything is computed, even where a formula would have answered."""
    with pytest.raises(UsageError, match="number of threads"):
        parse_workers(value)
    with pytest.raises(UsageError, match="number of threads"):
        plan("gaussian(sd=1, correlation=0.5, effect=0.2)", items=100, executor=value)


@pytest.mark.parametrize(
    "content",
    [b"", b"item,a\n1,2\n", b'{"a": 1}', b'{"address": 5}', b'"address"', b"\x00\xff", b"[" * 60_000],
)
def test_a_file_that_no_scheduler_wrote(tmp_path: Path, content: bytes) -> None:
    """Dask would wait for it to become one."""
    file = tmp_path / "scores.csv"
    file.write_bytes(content)
    with pytest.raises(UsageError, match="not a scheduler file"), Runner(str(file)) as runner:
        list(runner.in_order(Work(abs, [(1,)])))
