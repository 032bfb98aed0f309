"""A scheduler that dies in the middle: the work is done again here, one line says so, and no traceback of Dask is printed."""

import contextlib
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("distributed")
PLAN = ("plan", "beta", "--mean", "0.6", "--sd", "0.2", "--correlation", "0.8", "--effect", "0.02", "--items", "200", "--test", "wilcoxon")  # fmt: skip
DASK = (sys.executable, "-m")


@pytest.fixture
def scheduler(tmp_path: Path) -> Iterator["subprocess.Popen[bytes]"]:
    """One with a worker, both on this machine alone."""
    file = str(tmp_path / "s.json")
    with contextlib.ExitStack() as closing, (tmp_path / "log").open("wb") as log:
        started = [
            subprocess.Popen([*DASK, *command], stdout=log, stderr=log)
            for command in (
                ("distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", file),
                ("distributed.cli.dask_worker", "--scheduler-file", file, "--nworkers", "1", "--nthreads", "1", "--host", "127.0.0.1", "--no-dashboard"),
            )
        ]  # fmt: skip
        for one in started:
            closing.callback(one.wait)
            closing.callback(one.kill)
        yield started[0]


def run(*more: str, cwd: Path) -> "subprocess.Popen[str]":
    command = [*DASK, "tellapart", *PLAN, "--engine", "monte_carlo", "--format", "csv", *more]
    return subprocess.Popen(command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def finished_blocks(store: Path) -> int:
    """How many blocks a store has; none where there is no store yet."""
    try:
        with contextlib.closing(sqlite3.connect(f"file:{store}?mode=ro", uri=True)) as file:
            return int(file.execute("SELECT count(*) FROM block").fetchone()[0])
    except sqlite3.Error:
        return 0


@pytest.mark.parametrize(
    "sent", [signal.SIGKILL, pytest.param(signal.SIGSTOP, marks=pytest.mark.exhaustive)], ids=["dead", "silent"]
)
def test_one_line_and_the_same_bits(sent: signal.Signals, scheduler: "subprocess.Popen[bytes]", tmp_path: Path) -> None:
    """Where it dies, and where it answers no more as behind a network that drops what is sent."""
    until = time.monotonic() + 60
    while not (tmp_path / "s.json").exists() and time.monotonic() < until:
        time.sleep(0.1)
    asked = ("--replicates", "60000")
    alone, _ = run(*asked, "--workers", "1", cwd=tmp_path).communicate()
    running = run(*asked, "--workers", "s.json", "--store", "s.db", cwd=tmp_path)
    while not finished_blocks(tmp_path / "s.db") and running.poll() is None:
        time.sleep(0.05)
    os.kill(scheduler.pid, sent)
    out, error = running.communicate(timeout=300)
    assert running.returncode == 0, error
    assert out == alone
    assert "Traceback" not in error
    assert error.count("\n") <= 1, error
    assert not error or "answer no more" in error
