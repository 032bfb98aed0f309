"""Bootstrap bounds, p-values and detectable effects: percentile, BCa and studentised. Efron & Tibshirani (1993)."""

import copy
from collections.abc import Callable

import numpy as np
from scipy import special

from tellapart.data.summaries import Parts
from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.seeds import Generator
from tellapart.numerics.moments import t_ratio
from tellapart.numerics.null_laws.tails import at_least, counted
from tellapart.numerics.resampling import bootstrap_ranks
from tellapart.numerics.resampling.draws import Replicates, map_replicates

# Quantiles of the resampled effects themselves. Efron (1979).


def percentile_bounds(found: Replicates, tail: float) -> bootstrap_ranks.Two:
    rank = bootstrap_ranks.attained_rank(tail, found)
    ordered = np.sort(found.effects, axis=-1)
    return ordered[:, rank - 1], ordered[:, -rank]


def percentile_tails(found: Replicates, null: float) -> bootstrap_ranks.Two:
    above, below = bootstrap_ranks.counts_beyond(found, null)
    resamples = found.effects.shape[-1]
    return counted(above, resamples), counted(below, resamples)


# Quantiles of resampled t ratios. Efron (1982); Hall (1988).


def studentised_bounds(found: Replicates, tail: float) -> bootstrap_ranks.Two:
    """Effect minus standard error times quantiles of the resampled t ratios; unbounded where too few resamples reach the tail."""
    rank = bootstrap_ranks.bounding_rank(tail, found.effects.shape[-1])
    if rank < 1:
        unbounded = np.full_like(found.effect, np.inf)
        return -unbounded, unbounded
    top, bottom = (_outermost(ratios, rank) for ratios in _ratios(found))
    with np.errstate(invalid="ignore"):  # no error times no bound
        low, high = found.effect - found.error * top, found.effect + found.error * bottom
    varies = found.error > 0.0
    return np.where(varies, low, found.effect), np.where(varies, high, found.effect)


def studentised_tails(found: Replicates, null: float) -> bootstrap_ranks.Two:
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


def _ratios(found: Replicates) -> bootstrap_ranks.Two:
    """(resampled − observed effect) / resampled error, and the same with the other sign.

    A resample without spread has no ratio: it is taken to lie beyond every observed one, on either side.
    """
    gap = found.effects - found.effect[:, np.newaxis]
    gap[bootstrap_ranks.is_tied(gap, found)] = 0.0
    flat = found.errors == 0.0
    ratios = np.divide(gap, found.errors, out=gap, where=~flat)
    ratios[flat] = np.inf
    opposite = -ratios
    opposite[flat] = np.inf
    return ratios, opposite


def _outermost(ratios: FloatArray, rank: int) -> FloatArray:
    """The ratio of this rank from the top."""
    return np.partition(ratios, -rank, axis=-1)[:, -rank]


# Percentiles moved for median bias and for a spread that changes with the effect. Efron (1987).


def bca_bounds(found: Replicates, tail: float) -> bootstrap_ranks.Two:
    """Percentiles moved for median bias and for a spread that changes with the effect. Efron (1987)."""
    bootstrap_ranks.attained_rank(tail, found)
    bias, acceleration = _median_bias(found), _acceleration(found)
    ordered = np.sort(found.effects, axis=-1)
    low, high = (_bca_quantile(bias, acceleration, special.ndtri(p)) for p in (tail, 1.0 - tail))
    # Both ends count ranks from outside, so that swapping the systems swaps the bounds to the last bit.
    return _order_statistic(ordered, special.ndtr(low)), -_order_statistic(-ordered[:, ::-1], special.ndtr(-high))


def bca_tails(found: Replicates, null: float) -> bootstrap_ranks.Two:
    """The tails at which a moved percentile is `null`, never below the least that the resamples can show."""
    resamples = found.effects.shape[-1]
    bias, acceleration = _median_bias(found), _acceleration(found)
    # All resamples on one side would be a quantile at infinity.
    above, below = (
        np.minimum(counted(x, resamples), resamples / (resamples + 1.0))
        for x in bootstrap_ranks.counts_beyond(found, null)
    )
    upper = special.ndtr(_moved_back(bias, acceleration, special.ndtri(below)))
    lower = special.ndtr(-_moved_back(bias, acceleration, -special.ndtri(above)))
    least = 1.0 / (resamples + 1.0)
    return np.maximum(lower, least), np.maximum(upper, least)


def _order_statistic(ordered: FloatArray, probability: FloatArray) -> FloatArray:
    """The sorted resample below which a share `probability` lies; none, and so no bound, where that is less than one of them."""
    resamples = ordered.shape[-1]
    rank = np.floor((resamples + 1) * probability + bootstrap_ranks.SLACK).astype(np.int64)
    at = np.clip(rank, 1, resamples)[:, np.newaxis] - 1
    return np.where(rank < 1, -np.inf, np.take_along_axis(ordered, at, axis=-1)[:, 0])


def _median_bias(found: Replicates) -> FloatArray:
    """The normal quantile of the share of resampled effects below the observed one, ties counted half."""
    resamples = found.effects.shape[-1]
    gap = found.effects - found.effect[:, np.newaxis]
    tied = bootstrap_ranks.is_tied(gap, found)
    # Scores of few levels give many resamples equal to the observed effect; counted on one side they would be a bias.
    below = ((gap < 0.0) & ~tied).sum(axis=-1) + 0.5 * tied.sum(axis=-1)
    return np.asarray(special.ndtri(np.clip(below, 0.5, resamples - 0.5) / resamples))


def _acceleration(found: Replicates) -> FloatArray:
    """A sixth of the skewness of the influences over the root of their number."""
    cubes, squares = (found.influence**3).sum(axis=-1), (found.influence**2).sum(axis=-1)
    return np.asarray(np.divide(cubes, 6.0 * squares**1.5, out=np.zeros_like(cubes), where=squares > 0.0))


def _bca_quantile(bias: FloatArray, acceleration: FloatArray, z: float) -> FloatArray:
    step = bias + z
    # Where the stretch turns negative the quantile has passed infinity, and would come back from the other side.
    stretch = 1.0 - acceleration * step
    return bias + np.divide(step, stretch, out=np.copysign(np.inf, step), where=stretch > 0.0)


def _moved_back(bias: FloatArray, acceleration: FloatArray, moved: FloatArray) -> FloatArray:
    """The z that `_bca_quantile` takes to `moved`."""
    step = moved - bias
    stretch = 1.0 + acceleration * step
    return np.divide(step, stretch, out=np.copysign(np.inf, step), where=stretch > 0.0) - bias


# The bounds of a bootstrap interval, and the tails at which the same interval begins to leave a null out.


def enough_resamples(kind: bootstrap_ranks.Kind, sample: Parts, named: int, rng: Generator) -> int:
    """As many as were named; else more of one evaluation whose p-value against zero may be near alpha.

    The same number for its test, its interval and its margins, so that these are one decision. Simulated evaluations have the fewer.
    """
    if named != bootstrap_ranks.AUTOMATIC:
        return named
    if sample.a.ndim > 2:
        return bootstrap_ranks.AT_FIRST
    lower, upper, drawn = map_replicates(
        sample,
        bootstrap_ranks.AT_FIRST,
        copy.deepcopy(rng),
        lambda found: (*bootstrap_tails(kind, found, 0.0), np.full_like(found.effect, found.effects.shape[-1])),
    )
    pvalue = 2.0 * float(np.minimum(lower, upper))
    # Where the work was stopped at the first look there is no second: those that were drawn are answered from.
    if drawn < bootstrap_ranks.AT_FIRST or not bootstrap_ranks.NEAR[0] <= pvalue <= bootstrap_ranks.NEAR[1]:
        return bootstrap_ranks.AT_FIRST
    return min(bootstrap_ranks.NEAR_ALPHA, max(bootstrap_ranks.AT_FIRST, bootstrap_ranks.MOST_DRAWN // sample.units))


def bootstrap_bounds(kind: bootstrap_ranks.Kind, found: Replicates, level: float) -> bootstrap_ranks.Two:
    """Lower and upper bound of the effect, each `(entry,)`; a bound that is zero up to rounding is zero."""
    low, high = _BOUNDS[kind](found, (1.0 - level) / 2.0)
    return np.where(bootstrap_ranks.is_tied(low, found), 0.0, low), np.where(
        bootstrap_ranks.is_tied(high, found), 0.0, high
    )


def bootstrap_tails(kind: bootstrap_ranks.Kind, found: Replicates, null: float) -> bootstrap_ranks.Two:
    """One-sided p-values against "below `null`" and "above `null`": where a bound of the interval passes it.

    Undefined (NaN) when there is no spread and the effect is not `null`: nothing can be measured against nothing.
    """
    lower, upper = _TAILS[kind](found, null)
    undefined = (found.error == 0.0) & ~bootstrap_ranks.is_tied(found.effect - null, found)
    return np.where(undefined, np.nan, lower), np.where(undefined, np.nan, upper)


_BOUNDS: dict[bootstrap_ranks.Kind, Callable[[Replicates, float], bootstrap_ranks.Two]] = {
    "percentile": percentile_bounds,
    "bca": bca_bounds,
    "studentised": studentised_bounds,
}
_TAILS: dict[bootstrap_ranks.Kind, Callable[[Replicates, float], bootstrap_ranks.Two]] = {
    "percentile": percentile_tails,
    "bca": bca_tails,
    "studentised": studentised_tails,
}


def least_found(found: Replicates, critical: tuple[float, float], power: float) -> tuple[FloatArray, FloatArray]:
    """Effects above and below zero that are found with this power, `(entry,)` each: what resamples of systems so far apart would show.

    A resample of systems that are `effect` apart finds them where its estimate is more than `critical` of its own errors from zero, so that
    the effect it takes is critical · error − (resampled − observed effect); the quantile of those is the answer.
    """
    moved = found.effects - found.effect[:, np.newaxis]
    above, below = (
        np.asarray(np.quantile(each * found.errors - sign * moved, power, axis=-1, method="higher"))
        for each, sign in zip(critical, (1.0, -1.0), strict=True)
    )
    return above, below
