"""`compare` of skewed scores, resamples and what is detectable included, beside scipy's BCa bootstrap with 1,999 resamples; over sizes."""

import numpy as np
from scipy import stats

from benchmarks._clock import seconds
from tellapart import Scores, compare

SIZES = (6, 20, 40, 120, 400, 1_000, 10_000)


def rows() -> list[tuple[str, float, float, str]]:
    return [row for items in SIZES for row in _row(items)]


def _row(items: int) -> list[tuple[str, float, float, str]]:
    rng = np.random.default_rng(items)
    a = rng.random(items)
    lifts = rng.exponential(1.0, items) - 1.0 + 2.0 / np.sqrt(items)
    scores = Scores.from_arrays({"old": a, "new": a + lifts})
    ours = seconds(lambda: compare(scores))
    peer = seconds(lambda: stats.bootstrap((lifts,), np.mean, n_resamples=1_999, method="BCa"), repeats=2)
    return [
        (
            f"compare, {items:,} skewed items, p near alpha",
            ours,
            peer,
            "ours ≤ 0.05 to 1,000 items, ≤ 0.2 at 10,000",
        )
    ]
