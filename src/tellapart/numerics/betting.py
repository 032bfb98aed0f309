"""Anytime-valid tests of the mean of bounded numbers, by betting. Waudby-Smith & Ramdas (2024).

A bettor stakes a share of the capital on every next number being above the supposed mean m. If m is the mean of what is still to come, no
strategy is expected to win, and the capital ever exceeds 1/alpha with probability alpha at most. Ville (1939).
"""

import numpy as np

from tellapart.foundation.arrays import NOISE, FloatArray, IntArray
from tellapart.numerics.roots import increasing_root

STAKES = (0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 0.96)
"""Shares of the capital that are staked, each by a bettor of their own."""
SHARES = (0.05, 0.10, 0.20, 0.25, 0.25, 0.10, 0.05)
"""The share of the starting capital that each bettor has."""

TUNED = (0.5, 1.0, 2.0)
"""Stakes beside the one that suits an assumed effect, which half of the capital goes to, in parts of 1:2:1."""
LEAST_STAKE, MOST_STAKE = 1e-4, STAKES[-1]

MOVES = 24
"""Bounds of either side that a path of them shows."""

CERTAIN = 1e6
"""Logarithm of the capital where the supposed mean has become impossible."""


def bettors(stake: float | None) -> list[tuple[float, float]]:
    """The stake of each bettor and its share of the starting capital; half of it tuned to a stake that suits an assumed effect.

    >>> [(round(one, 3), round(share, 4)) for one, share in bettors(0.2)[7:]]
    [(0.1, 0.125), (0.2, 0.25), (0.4, 0.125)]
    """
    usual = list(zip(STAKES, SHARES, strict=True))
    if stake is None:
        return usual
    tuned = [min(max(part * stake, LEAST_STAKE), MOST_STAKE) for part in TUNED]
    return [*((one, 0.5 * share) for one, share in usual), *zip(tuned, (0.125, 0.25, 0.125), strict=True)]


def capital_above(
    numbers: FloatArray, mean: FloatArray, population: int | None = None, stake: float | None = None
) -> FloatArray:
    """The log capital after each of `numbers`, `(*batch, item)` in [0, 1], of bets that they exceed `mean`, `(*batch,)`.

    With a `population` the numbers are drawn from so many without replacement, and `mean` is that of all: the mean of what is left follows.
    With a `stake` half of the capital is bet so, on a tuned guess of the effect.
    """
    mean = np.asarray(mean, dtype=np.float64)[..., np.newaxis]
    impossible = np.zeros(numbers.shape, dtype=np.bool_)
    if population is not None:
        seen = np.cumsum(numbers, axis=-1) - numbers
        left = population - np.arange(numbers.shape[-1])
        rest = population * mean - seen
        # Sums of decimal fractions are zero but for rounding.
        rest = np.where(np.abs(rest) <= NOISE * population, 0.0, rest)
        mean = rest / left
        impossible = np.logical_or.accumulate(mean < 0.0, axis=-1)
        # After the last one: those that were seen may already sum to more than all should.
        impossible[..., -1] |= rest[..., -1] - numbers[..., -1] < -NOISE * population
    gain = numbers - mean
    gain = np.where(np.abs(gain) <= NOISE * (population or 1), 0.0, gain)
    positive = np.maximum(mean, 0.0)
    with np.errstate(divide="ignore", over="ignore"):
        ratio = np.divide(gain, positive, out=np.where(gain > 0.0, np.inf, 0.0), where=positive > 0.0)
        capital = np.full(numbers.shape, -np.inf)
        for bet, share in bettors(stake):
            won = np.cumsum(np.log1p(bet * ratio), axis=-1)
            np.logaddexp(capital, np.log(share) + won, out=capital)
    return np.where(impossible, CERTAIN, np.minimum(capital, CERTAIN))


def evidence(
    differences: FloatArray, null: float, benchmark: int | None = None, stake: float | None = None
) -> tuple[FloatArray, FloatArray]:
    """Logarithms of the largest capital so far, of bets that differences in [−1, 1] are above `null` and below it, `(*batch,)`."""
    return _most_above(differences, null, benchmark, stake), _most_above(-differences, -null, benchmark, stake)


def confidence_bounds(
    differences: FloatArray, evidence_needed: float, benchmark: int | None = None, stake: float | None = None
) -> tuple[FloatArray, FloatArray]:
    """The lowest and highest mean that no bet has ever refuted with capital of this logarithm.

    Of a benchmark, the mean over all its items, which those that were seen confine too.
    """
    low = _lowest_unrefuted(differences, evidence_needed, benchmark, stake)
    return low, -_lowest_unrefuted(-differences, evidence_needed, benchmark, stake)


def confidence_path(
    differences: FloatArray, evidence_needed: float, benchmark: int | None = None, stake: float | None = None
) -> tuple[IntArray, FloatArray, FloatArray]:
    """The items after which bounds of a single sequence have moved, and both bounds then; no narrower than those of every item."""
    low, at_low = _refuted_means(differences, evidence_needed, benchmark, stake)
    high, at_high = _refuted_means(-differences, evidence_needed, benchmark, stake)
    items = np.unique(np.concatenate([at_low, at_high, [differences.shape[-1]]]))
    lows, highs = (bounds[np.searchsorted(at, items, side="right")] for bounds, at in ((low, at_low), (high, at_high)))
    return items, lows, -highs


def settled_bounds(differences: FloatArray, benchmark: int) -> tuple[FloatArray, FloatArray]:
    """The lowest and highest mean of a benchmark that its remaining items leave possible."""
    total, left = differences.sum(axis=-1), benchmark - differences.shape[-1]
    return (total - left) / benchmark, (total + left) / benchmark


def _most_above(differences: FloatArray, null: float, benchmark: int | None, stake: float | None) -> FloatArray:
    mean = np.full(differences.shape[:-1], 0.5 * (null + 1.0))
    if abs(null) > 1.0:
        return np.full(differences.shape[:-1], CERTAIN if null < -1.0 else 0.0)
    capital = capital_above(0.5 * (differences + 1.0), mean, benchmark, stake)
    return np.asarray(np.maximum(capital.max(axis=-1), 0.0))


def _refuted_means(
    differences: FloatArray, needed: float, benchmark: int | None, stake: float | None
) -> tuple[FloatArray, IntArray]:
    """Lower bounds over time, from the lowest possible to the last, and the items after which each but the first held."""
    numbers, last = 0.5 * (differences + 1.0), float(_lowest_unrefuted(differences, needed, benchmark, stake))
    # Bounds move ever more slowly: steps are shorter towards the last one.
    bounds = last - (1.0 + last) * np.linspace(1.0, 0.0, MOVES, endpoint=False) ** 2
    paths = (capital_above(numbers, np.array(0.5 * (bound + 1.0)), benchmark, stake) >= needed for bound in bounds[1:])
    when = [int(path.argmax()) + 1 for path in paths if path.any()]
    return bounds[: 1 + len(when)], np.array(when, dtype=np.int64)


def _lowest_unrefuted(differences: FloatArray, needed: float, benchmark: int | None, stake: float | None) -> FloatArray:
    numbers = 0.5 * (differences + 1.0)
    start = np.zeros(differences.shape[:-1])
    low = increasing_root(
        lambda mean: needed - capital_above(numbers, mean, benchmark, stake).max(axis=-1), start, start + 1.0
    )
    bound = 2.0 * low - 1.0
    return bound if benchmark is None else np.maximum(bound, settled_bounds(differences, benchmark)[0])
