"""Batched paired t against sorting the same array."""

import numpy as np

from benchmarks._clock import seconds
from tellapart.data.summaries import Differences
from tellapart.foundation.seeds import stream
from tellapart.methods.significance.paired_t import PairedT


def rows() -> list[tuple[str, float, float, str]]:
    values = np.random.default_rng(0).normal(size=(10_000, 200))
    sample = Differences(values)
    ours = seconds(lambda: PairedT().apply(sample, stream(0)))
    peer = seconds(lambda: np.sort(values, axis=-1))
    return [("10,000 paired t tests at n = 200 / np.sort of the array", ours, peer, "at least 1")]
