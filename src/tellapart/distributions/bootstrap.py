"""What a bootstrap says: the bounds of an interval, and the tail probabilities that invert the same interval.

Three ways from the same resamples. `percentile` takes their quantiles, and is too short for few items; `bca` moves them for
median bias and acceleration, which also needs many; `studentised` takes quantiles of (resampled − observed effect) over
the resample's own standard error, whose law hardly depends on the unknown spread, and holds its level from few items on.
Where the resamples have too little to say, it falls back on Student's t where that is wider. Efron & Tibshirani (1993).
"""

from collections.abc import Callable
from typing import Literal

import numpy as np
from scipy import special

from tellapart.arrays import NOISE, STATISTIC_NOISE, BoolArray, FloatArray, IntArray
from tellapart.distributions.moments import t_ratio
from tellapart.distributions.resampling import Replicates
from tellapart.distributions.student import t_quantile, t_tails
from tellapart.distributions.tails import at_least, counted
from tellapart.errors import SpellingError, Unsuitable

Kind = Literal["percentile", "bca", "studentised"]
Two = tuple[FloatArray, FloatArray]

FEWEST_ITEMS = 50
"""Below this many items a percentile interval is short of its level by more than a point."""

ALIKE = 0.25
"""Share of units with one and the same influence, such as items without any difference, from which on they tell nothing."""

FEWEST_RESAMPLES, MOST_RESAMPLES = 99, 1_000_000


def refuse_few_items(kind: Kind, items: int) -> None:
    if kind == "percentile" and items < FEWEST_ITEMS:
        raise Unsuitable(
            f"a percentile bootstrap of {items} items is too short (at 20 items it holds the truth 93 % of the time instead of "
            f"95 %); it needs {FEWEST_ITEMS} items. Use bootstrap(kind=studentised), which has no such limit"
        )


def check_resamples(resamples: int) -> None:
    if not FEWEST_RESAMPLES <= resamples <= MOST_RESAMPLES:
        raise SpellingError(
            f"bootstrap: resamples={resamples} should be at least {FEWEST_RESAMPLES} and at most {MOST_RESAMPLES}, usually 9999"
        )


def bootstrap_bounds(kind: Kind, found: Replicates, level: float) -> Two:
    """Lower and upper bound of the effect, each `(entry,)`; a bound that is zero up to rounding is zero."""
    low, high = _BOUNDS[kind](found, (1.0 - level) / 2.0)
    return np.where(_tied(low, found), 0.0, low), np.where(_tied(high, found), 0.0, high)


def bootstrap_tails(kind: Kind, found: Replicates, null: float) -> Two:
    """One-sided p-values against "below `null`" and "above `null`": where a bound of the interval passes it.

    Undefined (NaN) when there is no spread and the effect is not `null`: nothing can be measured against nothing.
    """
    lower, upper = _TAILS[kind](found, null)
    undefined = (found.error == 0.0) & ~_tied(found.effect - null, found)
    return np.where(undefined, np.nan, lower), np.where(undefined, np.nan, upper)


def _rank(tail: float, resamples: int) -> int:
    """Which resample, counted from the end, bounds a tail of this size; 0 when there are too few to reach it."""
    # 0.025 of 10,000 is 250, and must not become 249 because floats miss it by their last digit.
    return int(np.floor((resamples + 1) * tail + 1e-9))


def _tied(gap: FloatArray, found: Replicates) -> BoolArray:
    """Whether gaps are zero up to the rounding of the effects they are between."""
    largest = np.abs(found.effects).max(axis=-1)
    return np.asarray(np.abs(gap) <= STATISTIC_NOISE * largest.reshape(largest.shape + (1,) * (gap.ndim - 1)))


def _percentile_bounds(found: Replicates, tail: float) -> Two:
    rank = _reached(tail, found)
    ordered = np.sort(found.effects, axis=-1)
    return ordered[:, rank - 1], ordered[:, -rank]


def _percentile_tails(found: Replicates, null: float) -> Two:
    above, below = _beyond(found, null)
    resamples = found.effects.shape[-1]
    return counted(above, resamples), counted(below, resamples)


def _beyond(found: Replicates, null: float) -> Two:
    """How many resampled effects are at or above `null`, and how many at or below it."""
    gap = found.effects - null
    tied = _tied(gap, found)
    return ((gap > 0.0) | tied).sum(axis=-1).astype(np.float64), ((gap < 0.0) | tied).sum(axis=-1).astype(
        np.float64
    )


def _reached(tail: float, found: Replicates) -> int:
    resamples = found.effects.shape[-1]
    rank = _rank(tail, resamples)
    if rank < 1:
        raise Unsuitable(
            f"{resamples} resamples cannot reach a tail of {tail:g}; write resamples={int(np.ceil(1.0 / tail - 1e-6)) - 1} or more"
        )
    return rank


def _bca_bounds(found: Replicates, tail: float) -> Two:
    """Percentiles moved for median bias and for a spread that changes with the effect. Efron (1987)."""
    _reached(tail, found)
    bias, acceleration = _bias(found), _acceleration(found)
    ordered = np.sort(found.effects, axis=-1)
    low, high = (_moved(bias, acceleration, special.ndtri(p)) for p in (tail, 1.0 - tail))
    # Both ends count ranks from outside, so that swapping the systems swaps the bounds to the last bit.
    return _quantile(ordered, special.ndtr(low)), -_quantile(-ordered[:, ::-1], special.ndtr(-high))


def _quantile(ordered: FloatArray, probability: FloatArray) -> FloatArray:
    """The sorted resample below which a share `probability` lies, its outermost ones at the ends."""
    resamples = ordered.shape[-1]
    rank = np.clip(np.floor((resamples + 1) * probability + 1e-9), 1, resamples).astype(np.int64)
    return np.take_along_axis(ordered, rank[:, np.newaxis] - 1, axis=-1)[:, 0]


def _bca_tails(found: Replicates, null: float) -> Two:
    """The tails at which a moved percentile is `null`, never below what so many resamples can show."""
    resamples = found.effects.shape[-1]
    bias, acceleration = _bias(found), _acceleration(found)
    # All resamples on one side would be a quantile at infinity.
    above, below = (
        np.minimum(counted(x, resamples), resamples / (resamples + 1.0)) for x in _beyond(found, null)
    )
    upper = special.ndtr(_moved_back(bias, acceleration, special.ndtri(below)))
    lower = special.ndtr(-_moved_back(bias, acceleration, -special.ndtri(above)))
    least = 1.0 / (resamples + 1.0)
    return np.maximum(lower, least), np.maximum(upper, least)


def _bias(found: Replicates) -> FloatArray:
    """The normal quantile of the share of resampled effects below the observed one, ties counted half."""
    resamples = found.effects.shape[-1]
    gap = found.effects - found.effect[:, np.newaxis]
    tied = _tied(gap, found)
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


def _studentised_bounds(found: Replicates, tail: float) -> Two:
    """Effect minus standard error times quantiles of the resampled t ratios. Efron (1982); Hall (1988)."""
    ratios = np.sort(_ratios(found), axis=-1)
    top, bottom = _outer_quantile(ratios, tail, found), -_outer_quantile(-ratios[:, ::-1], tail, found)
    return found.effect - found.error * top, found.effect - found.error * bottom


def _studentised_tails(found: Replicates, null: float) -> Two:
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
    gap = np.where(_tied(gap, found), 0.0, gap)
    still = np.where(gap == 0.0, 0.0, np.copysign(np.inf, gap))
    return np.divide(gap, found.errors, out=still, where=found.errors > 0.0)


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
    alike = _alike(found.influence / found.sizes)
    unlike = units - alike
    doubted = (unlike < FEWEST_ITEMS) & (alike >= max(2.0, ALIKE * units))
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
    rank = _rank(tail, ratios.shape[-1])
    ranked = ratios[:, -max(rank, 1)]
    known = np.where(np.isfinite(ranked), ranked, _largest_finite(ratios))
    doubted, df = _doubted(found)
    trusted = ~doubted & (rank > 0) & (_flat_share(found) < tail)
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
    return np.asarray(np.where(np.isfinite(ratios), ratios, -np.inf).max(axis=-1))


_BOUNDS: dict[Kind, Callable[[Replicates, float], Two]] = {
    "percentile": _percentile_bounds,
    "bca": _bca_bounds,
    "studentised": _studentised_bounds,
}
_TAILS: dict[Kind, Callable[[Replicates, float], Two]] = {
    "percentile": _percentile_tails,
    "bca": _bca_tails,
    "studentised": _studentised_tails,
}
