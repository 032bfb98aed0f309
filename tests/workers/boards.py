"""Boards whose pairs are judged in every way that there is, and comparisons that resample, cut into many small blocks."""

from typing import Any

import numpy as np
import pytest

from tellapart import Comparison, Leaderboard, Scores, compare, rank
from tellapart.foundation.seeds import stream

KINDS = ("swapped", "skewed", "clusters", "gaps")
ASKED: dict[str, dict[str, Any]] = {
    "swapped": {"resamples": 3_000},
    "skewed": {"resamples": 1_500},
    "clusters": {"resamples": 24_000},
    "gaps": {"resamples": 1_500, "missing": "pairwise"},
}


def board(kind: str) -> Scores:
    rng = stream(5)
    items = 2_100 if kind == "swapped" else 240
    table = rng.normal(size=items) + np.linspace(0.0, 0.3, 7)[:, np.newaxis] + rng.normal(size=(7, items))
    if kind == "skewed":
        table = np.exp(table)
    scores = {f"system {i}": row for i, row in enumerate(table)}
    if kind == "clusters":
        return Scores.from_arrays(scores, clusters=[f"c{i // 12}" for i in range(items)])
    if kind == "gaps":
        table[2, :30] = np.nan
    return Scores.from_arrays(scores)


def ranked(kind: str, workers: Any, **options: Any) -> Leaderboard:
    return rank(board(kind), executor=workers, **(ASKED[kind] | options))


RESAMPLED = {
    "drawn": "bootstrap(resamples=9999)",
    "drawn counts": "bootstrap(kind=percentile, resamples=9999)",
    "looked at first": "bootstrap",
    "swapped counts": "permutation",
}


def compared(kind: str, workers: Any, **options: Any) -> Comparison:
    """Plain scores, and counts that are summed before F1 is made of them."""
    rng = stream(6)
    if "counts" not in kind:
        a = rng.normal(size=300)
        scores = Scores.from_arrays({"a": a, "b": a + rng.normal(0.05, 0.5, 300)})
    else:
        counts = rng.integers(0, 9, (2, 300, 1, 3)).astype(np.float64)
        scores = Scores.from_arrays(dict(zip("ab", counts, strict=True)), parts=("tp", "fp", "fn"))
    return compare(scores, test=RESAMPLED[kind], executor=workers, **options)


def cut_small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of a few hundred resamples, as boards a thousand times as large have."""
    monkeypatch.setattr("tellapart.boards.joint_flips.WORTH", 1)
    monkeypatch.setattr("tellapart.boards.joint_flips.ASKED", 1)
    monkeypatch.setattr("tellapart.boards.joint_flips.SIGNS", 1 << 16)
    monkeypatch.setattr("tellapart.boards.joint_bootstrap.WORTH", 1)
    monkeypatch.setattr("tellapart.boards.joint_bootstrap.ASKED", 1)
    monkeypatch.setattr("tellapart.boards.joint_bootstrap.FEWEST_DRAWN", 200)
    monkeypatch.setattr("tellapart.numerics.resampling.draws.WORTH", 1 << 22)
    monkeypatch.setattr("tellapart.numerics.sign_flip_law.random_flips.WORTH", 1 << 22)
