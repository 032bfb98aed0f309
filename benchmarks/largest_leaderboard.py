"""The memory of the largest leaderboard we promise to rank, in a process of its own."""

import json
import resource
import subprocess
import sys
import time

from benchmarks.leaderboard import FLIPS, numbers
from tellapart.verbs.rank import rank

SYSTEMS, ITEMS = 1_000, 100_000
LIMIT = 4.0
"""GB."""


def rows() -> list[tuple[str, float, float, str]]:
    command = [sys.executable, "-m", "benchmarks.largest_leaderboard"]
    seen = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    what = (
        f"GB to rank {SYSTEMS:,} systems x {ITEMS:,} items x {FLIPS:,} flips, {seen['seconds']:.0f} s (limit)"
    )
    return [(what, seen["gigabytes"], LIMIT, "at least 1")]


def _measured() -> dict[str, float]:
    """CPU seconds of ranking, and the peak memory of the whole process, building the scores included."""
    scores = numbers(SYSTEMS, ITEMS)
    start = time.process_time()
    board = rank(scores)
    spent = time.process_time() - start
    assert board.resamples == FLIPS, board.resamples
    return {"seconds": spent, "gigabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e9}


if __name__ == "__main__":
    print(json.dumps(_measured()))
