"""Processes of our own: what is left of them when they are ended."""

import os
import pickle
import platform
import resource
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tellapart.compute import Runner, Work
from tellapart.compute.bundle import InFile, Packed
from tellapart.compute.processes import Processes
from tellapart.foundation.seeds import stream

LEFT_AT_ONCE = """
import os, time
from tellapart.compute.processes import Processes
if __name__ == "__main__":
    crew = Processes(2)
    crew.task = time.sleep
    futures = [crew.submit(60) for _ in range(6)]
    time.sleep(1)
    crew.close()
    os._exit(0)
"""


def test_a_command_that_ends_at_once_after_them_leaves_no_locks(tmp_path: Path) -> None:
    """Python would say on stderr, after the last word of the command, that semaphores leak."""
    script = tmp_path / "left.py"
    script.write_text(LEFT_AT_ONCE)
    ended = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")


def _summed(subject: dict[str, Any], number: int) -> tuple[float, bool]:
    """Ends its process where nobody did before."""
    mark, scores = subject["mark"], subject["scores"]
    if number == 7 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return float(scores.sum()) + number, bool(scores.flags.aligned)


def test_large_subjects_lie_in_a_file_without_a_name(tmp_path: Path) -> None:
    """They are sent with no bundle, and are the same to processes that take the place of lost ones."""
    scores = stream(4).normal(size=40_001)
    with Runner("processes:2") as runner:
        work = Work(_summed, [(0, n) for n in range(30)], [{"scores": scores, "mark": tmp_path / "mark"}])
        assert list(runner.in_order(work)) == [(float(scores.sum()) + n, True) for n in range(30)]
    assert (tmp_path / "mark").exists()


def test_nothing_is_left_of_what_lies_in_a_file() -> None:
    scores = np.arange(40_001, dtype=np.float64)
    pool = Processes(2)
    try:
        shared = pool.share(scores)
        assert isinstance(shared, InFile)
        assert len(pickle.dumps(shared)) < 1_000
        assert shared.content == Packed.of(scores).content
        named = str(Path(shared.path).readlink()).removesuffix(" (deleted)")
        assert not Path(named).exists()
        assert isinstance(pool.share(scores[:10]), Packed)
    finally:
        pool.close()
    assert all(file.closed for file in pool.lying)


def _pages(_: int) -> int:
    """Pages that the system was asked for while some half megabytes were taken and given back again and again."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(100):
        held = [np.ones(1 << 16) for _ in range(8)]
        held.clear()
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="another allocator")
@pytest.mark.parametrize("threshold", [None, "65536"])
def test_workers_keep_what_is_freed(threshold: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each block would ask for its memory anew, page by page, and two workers would take the CPU seconds of four."""
    monkeypatch.delenv("MALLOC_TRIM_THRESHOLD_", raising=False)
    if threshold is not None:  # as Dask leaves it behind in a process that started a cluster
        monkeypatch.setenv("MALLOC_TRIM_THRESHOLD_", threshold)
    with Runner("processes:1") as runner:
        first, *later = runner.in_order(Work(_pages, [(n,) for n in range(5)]))
    assert max(later) < 5_000, first


UNGUARDED = """
import sys
from tellapart import plan

plan("beta(mean=0.65, sd=0.12, correlation=0.8, effect=0.03)", items=50, test="paired_t", replicates=4000, executor=sys.argv[1])
"""


def test_a_script_that_every_process_would_run_again(tmp_path: Path) -> None:
    """Says which line it lacks, where it was said that workers need more memory."""
    script = tmp_path / "script.py"
    script.write_text(UNGUARDED)
    ended = subprocess.run([sys.executable, str(script), "processes:2"], capture_output=True, text=True, check=False)
    last = ended.stderr.splitlines()[-1]
    assert ended.returncode == 1
    assert last.startswith("tellapart.foundation.errors.UsageError: worker processes ended while they were started")
    assert 'if __name__ == "__main__":' in last
    assert "every worker that it was given to was lost" not in ended.stderr
    script.write_text(UNGUARDED.replace("\nplan(", '\nif __name__ == "__main__":\n    plan('))
    subprocess.run([sys.executable, str(script), "processes:2"], check=True)
