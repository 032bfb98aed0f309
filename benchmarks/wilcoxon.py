"""Batched Wilcoxon against sorting the same array."""

import numpy as np

from benchmarks._clock import seconds
from tellapart.seeds import stream
from tellapart.significance import TESTS
from tellapart.summaries import Differences


def rows() -> list[tuple[str, float, float, str]]:
    normal = np.random.default_rng(0).normal(0.1, 1.0, size=(10_000, 200))
    found = []
    for what, values in (("all different", normal), ("ratings, mostly ties", np.rint(1.3 * normal))):
        peer = seconds(lambda v=values: np.sort(v, axis=-1))
        for method in ("asymptotic", "exact"):
            test = TESTS.parse(f"wilcoxon(method={method})")
            ours = seconds(lambda v=values, t=test: t.apply(Differences(v), stream(0)), repeats=3)
            target = "at least 0.25" if method == "asymptotic" else ""
            found.append((f"10,000 Wilcoxon tests, {method}, n = 200, {what} / np.sort", ours, peer, target))
    return found
