"""The memory of the largest leaderboard we promise to rank, in a process of its own."""

import time

from benchmarks._memory import peak_bytes
from benchmarks.leaderboard import FLIPS, numbers
from tellapart.verbs.rank import rank

SYSTEMS, ITEMS = 1_000, 100_000
LIMIT = 4.0
"""GB."""


def rows() -> list[tuple[str, float, float, str]]:
    """The peak memory of the whole process, building the scores included."""
    scores = numbers(SYSTEMS, ITEMS)
    start = time.process_time()
    board = rank(scores)
    spent = time.process_time() - start
    assert board.resamples == FLIPS, board.resamples
    what = f"GB to rank {SYSTEMS:,} systems x {ITEMS:,} items x {FLIPS:,} flips, {spent:.0f} s (limit)"
    return [(what, peak_bytes() / 1e9, LIMIT, "at least 1")]
