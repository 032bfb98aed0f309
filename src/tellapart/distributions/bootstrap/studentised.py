"""Quantiles of resampled t ratios, with Student's t where resamples have too little to say. Efron (1982); Hall (1988)."""

import numpy as np

from tellapart.arrays import NOISE, BoolArray, FloatArray, IntArray
from tellapart.distributions.bootstrap.limits import FEWEST_ITEMS
from tellapart.distributions.bootstrap.ranks import Two, bounding_rank, is_tied
from tellapart.distributions.moments import t_ratio
from tellapart.distributions.resampling import Replicates
from tellapart.distributions.student import t_quantile, t_tails
from tellapart.distributions.tails import at_least, counted

ALIKE = 0.25
"""Share of units with one and the same influence, such as items without any difference, from which on they tell nothing."""


def studentised_bounds(found: Replicates, tail: float) -> Two:
    """Effect minus standard error times quantiles of the resampled t ratios. Efron (1982); Hall (1988)."""
    ratios = np.sort(_ratios(found), axis=-1)
    top, bottom = _outer_quantile(ratios, tail, found), -_outer_quantile(-ratios[:, ::-1], tail, found)
    return found.effect - found.error * top, found.effect - found.error * bottom


def studentised_tails(found: Replicates, null: float) -> Two:
    ratios = _ratios(found)
    observed = t_ratio(found.effect - null, found.error)
    doubted, df = _doubted(found)
    below, above = t_tails(observed, df)
    # A bound passes the null from the other side of the ratio: large ratios make the lower bound.
    flat = np.where(doubted, 1.0, _flat_share(found))
    return _outer_tail(-ratios, -observed, below, flat), _outer_tail(ratios, observed, above, flat)


def _ratios(found: Replicates) -> FloatArray:
    """(resampled − observed effect) / resampled error; infinite where a resample moved but has no spread."""
    gap = found.effects - found.effect[:, np.newaxis]
    gap[is_tied(gap, found)] = 0.0
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = np.divide(gap, found.errors, out=gap)
    ratios[np.isnan(ratios)] = 0.0  # no move, and no spread
    return ratios


def _flat_share(found: Replicates) -> FloatArray:
    """The share of resamples without spread, in which a t ratio means nothing."""
    flat = (found.errors == 0.0).sum(axis=-1).astype(np.float64)
    return counted(flat, found.errors.shape[-1])


def _doubted(found: Replicates) -> tuple[BoolArray, FloatArray]:
    """Whether too few units tell how effects vary for resamples of them to be trusted, and Student's degrees of freedom.

    Where many units are alike, as items are on which systems tie, the spread is known from the others only; resamples of
    few others follow their chance skew, and hold the truth 85 to 92 % of the time instead of 95 %. Clusters are alike when
    their items are, however many they have.
    """
    units = found.influence.shape[-1]
    unlike = np.minimum(units - _alike(found.influence / found.sizes), found.telling)
    doubted = (unlike < FEWEST_ITEMS) & (units - unlike >= max(2.0, ALIKE * units))
    return doubted, np.where(doubted, np.maximum(unlike - 1.0, 1.0), units - 1.0)


def _alike(influence: FloatArray) -> IntArray:
    """How many units of each row of `(entry, unit)` have the most common influence."""
    ordered = np.sort(influence, axis=-1)
    apart = np.diff(ordered, axis=-1) > NOISE * np.abs(ordered[:, [0, -1]]).max(axis=-1, keepdims=True)
    places = np.broadcast_to(np.arange(1, ordered.shape[-1]), apart.shape)
    first = np.maximum.accumulate(np.where(apart, places, 0), axis=-1)
    return np.asarray((places - first).max(axis=-1) + 1)


def _outer_quantile(ratios: FloatArray, tail: float, found: Replicates) -> FloatArray:
    """The upper quantile of sorted ratios, or Student's if that is larger and the resamples cannot be trusted so far.

    They cannot when few units tell anything, when as large a share as the tail is without spread, or when there are too
    few of them to reach the tail. A quantile among ratios without spread is unknown but outside all finite ones.
    """
    ranked = ratios[:, -max(bounding_rank(tail, ratios.shape[-1]), 1)]
    known = np.where(np.isfinite(ranked), ranked, _largest_finite(ratios))
    doubted, df = _doubted(found)
    # One of n + 1 may be without spread for all that n resamples tell: a tail that they do not reach is smaller.
    trusted = ~doubted & (_flat_share(found) < tail)
    return np.where(trusted, known, np.maximum(known, t_quantile(1.0 - tail, df)))


def _outer_tail(
    ratios: FloatArray, observed: FloatArray, student: FloatArray, flat: FloatArray
) -> FloatArray:
    """The smallest tail at which `_outer_quantile` is below the observed ratio; up to `flat` it is Student's if larger."""
    resamples = ratios.shape[-1]
    extreme = at_least(ratios, observed[:, np.newaxis], 1.0 + np.abs(observed)[:, np.newaxis]).sum(axis=-1)
    share = counted(extreme.astype(np.float64), resamples)
    outside = observed > _largest_finite(ratios)
    known = np.where(outside, 1.0 / (resamples + 1.0), share)
    return np.where(share > flat, share, np.minimum(np.maximum(known, student), flat))


def _largest_finite(ratios: FloatArray) -> FloatArray:
    largest = ratios.max(axis=-1)
    if np.isfinite(largest).all():
        return np.asarray(largest)
    return np.asarray(np.where(np.isfinite(ratios), ratios, -np.inf).max(axis=-1))
