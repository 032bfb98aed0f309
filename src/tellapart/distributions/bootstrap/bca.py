"""Percentiles moved for median bias and for a spread that changes with the effect. Efron (1987)."""

import numpy as np
from scipy import special

from tellapart.arrays import FloatArray
from tellapart.distributions.bootstrap.ranks import SLACK, Two, attained_rank, counts_beyond, is_tied
from tellapart.distributions.resampling import Replicates
from tellapart.distributions.tails import counted


def bca_bounds(found: Replicates, tail: float) -> Two:
    """Percentiles moved for median bias and for a spread that changes with the effect. Efron (1987)."""
    attained_rank(tail, found)
    bias, acceleration = _bias(found), _acceleration(found)
    ordered = np.sort(found.effects, axis=-1)
    low, high = (_moved(bias, acceleration, special.ndtri(p)) for p in (tail, 1.0 - tail))
    # Both ends count ranks from outside, so that swapping the systems swaps the bounds to the last bit.
    return _quantile(ordered, special.ndtr(low)), -_quantile(-ordered[:, ::-1], special.ndtr(-high))


def bca_tails(found: Replicates, null: float) -> Two:
    """The tails at which a moved percentile is `null`, never below what so many resamples can show."""
    resamples = found.effects.shape[-1]
    bias, acceleration = _bias(found), _acceleration(found)
    # All resamples on one side would be a quantile at infinity.
    above, below = (
        np.minimum(counted(x, resamples), resamples / (resamples + 1.0)) for x in counts_beyond(found, null)
    )
    upper = special.ndtr(_moved_back(bias, acceleration, special.ndtri(below)))
    lower = special.ndtr(-_moved_back(bias, acceleration, -special.ndtri(above)))
    least = 1.0 / (resamples + 1.0)
    return np.maximum(lower, least), np.maximum(upper, least)


def _quantile(ordered: FloatArray, probability: FloatArray) -> FloatArray:
    """The sorted resample below which a share `probability` lies; none, and so no bound, where that is less than one of them."""
    resamples = ordered.shape[-1]
    rank = np.floor((resamples + 1) * probability + SLACK).astype(np.int64)
    at = np.clip(rank, 1, resamples)[:, np.newaxis] - 1
    return np.where(rank < 1, -np.inf, np.take_along_axis(ordered, at, axis=-1)[:, 0])


def _bias(found: Replicates) -> FloatArray:
    """The normal quantile of the share of resampled effects below the observed one, ties counted half."""
    resamples = found.effects.shape[-1]
    gap = found.effects - found.effect[:, np.newaxis]
    tied = is_tied(gap, found)
    # Scores of few levels give many resamples equal to the observed effect; counted on one side they would be a bias.
    below = ((gap < 0.0) & ~tied).sum(axis=-1) + 0.5 * tied.sum(axis=-1)
    return np.asarray(special.ndtri(np.clip(below, 0.5, resamples - 0.5) / resamples))


def _acceleration(found: Replicates) -> FloatArray:
    """A sixth of the skewness of the influences over the root of their number."""
    cubes, squares = (found.influence**3).sum(axis=-1), (found.influence**2).sum(axis=-1)
    return np.asarray(np.divide(cubes, 6.0 * squares**1.5, out=np.zeros_like(cubes), where=squares > 0.0))


def _moved(bias: FloatArray, acceleration: FloatArray, z: float) -> FloatArray:
    step = bias + z
    # Where the stretch turns negative the quantile has passed infinity, and would come back from the other side.
    stretch = 1.0 - acceleration * step
    return bias + np.divide(step, stretch, out=np.copysign(np.inf, step), where=stretch > 0.0)


def _moved_back(bias: FloatArray, acceleration: FloatArray, moved: FloatArray) -> FloatArray:
    """The z that `_moved` takes to `moved`."""
    step = moved - bias
    stretch = 1.0 + acceleration * step
    return np.divide(step, stretch, out=np.copysign(np.inf, step), where=stretch > 0.0) - bias
