"""Quantiles of the resampled effects themselves. Efron (1979)."""

import numpy as np

from tellapart.distributions.bootstrap.ranks import Two, attained_rank, counts_beyond
from tellapart.distributions.resampling import Replicates
from tellapart.distributions.tails import counted


def percentile_bounds(found: Replicates, tail: float) -> Two:
    rank = attained_rank(tail, found)
    ordered = np.sort(found.effects, axis=-1)
    return ordered[:, rank - 1], ordered[:, -rank]


def percentile_tails(found: Replicates, null: float) -> Two:
    above, below = counts_beyond(found, null)
    resamples = found.effects.shape[-1]
    return counted(above, resamples), counted(below, resamples)
