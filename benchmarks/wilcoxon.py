"""Batched Wilcoxon against sorting the same array."""

import numpy as np

from benchmarks._clock import seconds
from tellapart.data.summaries import Differences
from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.seeds import stream
from tellapart.methods.significance import TESTS


def rows() -> list[tuple[str, float, float, str]]:
    normal = np.random.default_rng(0).normal(0.1, 1.0, size=(10_000, 200))
    ratings = np.rint(1.3 * normal)
    return [
        _beside_sorting("asymptotic", "all different", normal, "at least 0.25"),
        _beside_sorting("exact", "all different", normal, ""),
        _beside_sorting("asymptotic", "ratings, mostly ties", ratings, "at least 0.25"),
        _beside_sorting("exact", "ratings, mostly ties", ratings, ""),
        _beside_sorting("asymptotic", "one decimal", normal.round(1), "at least 0.25"),
        _beside_sorting("asymptotic", "two decimals", normal.round(2), ""),
    ]


def _beside_sorting(method: str, what: str, values: FloatArray, target: str) -> tuple[str, float, float, str]:
    test, rng = TESTS.parse(f"wilcoxon(method={method})"), stream(0)
    peer = seconds(lambda: np.sort(values, axis=-1))
    ours = seconds(lambda: test.apply(Differences(values), rng), repeats=3)
    return f"10,000 Wilcoxon tests, {method}, n = 200, {what} / np.sort", ours, peer, target
