"""A million rows through the command line, from start to verdict."""

import contextlib
import csv
import io
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from benchmarks._memory import peak_bytes
from tellapart.cli import main

ROWS = 1_000_000


def rows() -> list[tuple[str, float, float, str]]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "scores.csv"
        _write(path)
        ours, memory = _compare(path)
        peer = _plain_csv(path)
    what = f"read {ROWS:,} rows and compare, {memory / 1e6:.0f} MB / csv.reader alone"
    return [(what, ours, peer, "under 4 s and 1 GB")]


def _write(path: Path) -> None:
    rng = np.random.default_rng(0)
    with path.open("w", newline="", encoding="utf-8") as file:
        file.write("system,item,score\n")
        for system in ("baseline", "candidate"):
            scores = rng.random(ROWS // 2)
            file.writelines(f"{system},q{i},{score:.6f}\n" for i, score in enumerate(scores))


def _compare(path: Path) -> tuple[float, float]:
    """CPU seconds and peak bytes of a process of its own."""
    command = [sys.executable, "-m", "benchmarks.reading", str(path)]
    spent, memory = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.split()[-2:]
    return float(spent), float(memory)


def _plain_csv(path: Path) -> float:
    start = time.process_time()
    with path.open(newline="", encoding="utf-8") as file:
        for _ in csv.reader(file):
            pass
    return time.process_time() - start


if __name__ == "__main__":
    with contextlib.suppress(SystemExit), contextlib.redirect_stdout(io.StringIO()):
        main(["compare", sys.argv[1], "--format", "json"])
    print(time.process_time(), peak_bytes())
