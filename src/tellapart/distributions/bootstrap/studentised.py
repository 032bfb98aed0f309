"""Quantiles of resampled t ratios. Efron (1982); Hall (1988)."""

import numpy as np

from tellapart.arrays import FloatArray
from tellapart.distributions.bootstrap.ranks import Two, bounding_rank, is_tied
from tellapart.distributions.moments import t_ratio
from tellapart.distributions.resampling import Replicates
from tellapart.distributions.tails import at_least, counted


def studentised_bounds(found: Replicates, tail: float) -> Two:
    """Effect minus standard error times quantiles of the resampled t ratios; unbounded where too few resamples reach the tail."""
    rank = bounding_rank(tail, found.effects.shape[-1])
    if rank < 1:
        unbounded = np.full_like(found.effect, np.inf)
        return -unbounded, unbounded
    top, bottom = (_outermost(ratios, rank) for ratios in _ratios(found))
    with np.errstate(invalid="ignore"):  # no error times no bound
        low, high = found.effect - found.error * top, found.effect + found.error * bottom
    varies = found.error > 0.0
    return np.where(varies, low, found.effect), np.where(varies, high, found.effect)


def studentised_tails(found: Replicates, null: float) -> Two:
    """The shares of resampled ratios at or beyond the observed one."""
    resamples = found.effects.shape[-1]
    observed = t_ratio(found.effect - null, found.error)
    scale = 1.0 + np.abs(observed)[:, np.newaxis]
    above, below = (
        at_least(ratios, (sign * observed)[:, np.newaxis], scale).sum(axis=-1).astype(np.float64)
        for sign, ratios in zip((1.0, -1.0), _ratios(found), strict=True)
    )
    # A bound passes the null from the other side of the ratio: large ratios make the lower bound.
    return counted(below, resamples), counted(above, resamples)


def _ratios(found: Replicates) -> Two:
    """(resampled − observed effect) / resampled error, and the same with the other sign.

    A resample without spread has no ratio: it is taken to lie beyond every observed one, on either side.
    """
    gap = found.effects - found.effect[:, np.newaxis]
    gap[is_tied(gap, found)] = 0.0
    flat = found.errors == 0.0
    ratios = np.divide(gap, found.errors, out=gap, where=~flat)
    ratios[flat] = np.inf
    opposite = -ratios
    opposite[flat] = np.inf
    return ratios, opposite


def _outermost(ratios: FloatArray, rank: int) -> FloatArray:
    """The ratio of this rank from the top."""
    return np.partition(ratios, -rank, axis=-1)[:, -rank]
