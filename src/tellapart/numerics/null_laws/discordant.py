"""Exact power of tests on wins and discordant items, such as McNemar's: a sum over every table.

Of `items` items the systems differ on a binomial number m; of those B wins a binomial number. A test that decides by
(wins, m) rejects from some number of wins on, so its power is a sum over m of binomial tails.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import special

from tellapart.foundation.arrays import BoolArray, FloatArray, IntArray
from tellapart.numerics.null_laws.tails import Alternative, Rejections

DEVIATIONS, COUNTS = 9.2, 45.0
"""Standard deviations, and counts, around the mean of a binomial that hold all but 1e-18 of it.

Normal tails need the former; where few items differ the law is like Poisson's, whose tail is longer, and needs the latter.
"""

ANCHORS = 24
"""Numbers of discordant items whose critical counts are searched from scratch; those between are first interpolated.

Interpolation only says where the search begins: every critical count is decided by the test itself.
"""

Decision = Callable[[IntArray, IntArray], BoolArray]
"""Whether a test rejects, given wins and the number of discordant items."""


@dataclass(frozen=True, eq=False)
class Region:
    """The rejection region for each number of discordant items: `lower` wins or fewer, and `upper` or more.

    `lower` is −1 and `upper` discordant + 1 where no number of wins does.
    """

    lower: IntArray
    upper: IntArray

    def cut(self, start: int, m: IntArray) -> "Region":
        """The part for these consecutive numbers of discordant items, of a region that begins with `start`."""
        first = int(m[0]) - start
        return Region(self.lower[first:][: len(m)], self.upper[first:][: len(m)])


def band(items: int, share: float) -> tuple[IntArray, FloatArray]:
    """The numbers of discordant items that can be expected, and their probabilities, which sum to 1.

    Ratios of neighbours are summed from the mode, so that no digits are lost to large factorials.
    """
    first, last = _likely_counts(np.asarray(items), share)
    m = np.arange(int(first), int(last) + 1)
    # A share of 0 has the logarithm −∞, and all of its weight at 0.
    with np.errstate(divide="ignore"):
        ratios = np.log((items - m[:-1]) / (m[:-1] + 1.0)) + np.log(share) - np.log1p(-share)
    logs = np.concatenate([[0.0], np.cumsum(ratios)])
    weights = np.exp(logs - logs.max())
    return m, weights / weights.sum()


def _likely_counts(items: IntArray, share: float) -> tuple[IntArray, IntArray]:
    """The least and the greatest number of discordant items that can be expected."""
    if share >= 1.0:
        return items, items
    spread = DEVIATIONS * np.sqrt(items * share * (1.0 - share)) + COUNTS
    first, last = np.maximum(items * share - spread, 0.0), np.minimum(items * share + spread + 1.0, items)
    return first.astype(np.int64), last.astype(np.int64)


def discordant_rejections(items: int, win: float, loss: float, region: Callable[[IntArray], Region]) -> Rejections:
    """Power in each direction when B alone is right with probability `win` and A alone with `loss`.

    Sizes are of (wins − losses) / items, the estimated effect. Exact for independent items.
    """
    share = min(win + loss, 1.0)
    if share <= 0.0:
        return Rejections(*(np.asarray(0.0) for _ in range(4)))
    m, weight = band(items, share)
    where = region(m)
    # Losses are to the lower part what wins are to the upper one: the same tail, seen from the other system.
    upper, upper_gap = _binomial_tail(where.upper, m, win / (win + loss))
    lower, lower_gap = _binomial_tail(m - where.lower, m, loss / (win + loss))
    sums = (np.asarray(weight @ x) for x in (lower, upper, lower_gap / items, upper_gap / items))
    return Rejections(*sums)


Rates = tuple[float, float | None, float | None]
"""Power, and with a true effect the share of wrong signs and the mean exaggeration among rejections."""


def discordant_rates(cases: Sequence[tuple[int, float, float, Callable[[IntArray], Region], float]]) -> list[Rates]:
    """The rates of each case: its items, the chances of a win and of a loss, where its test rejects, and the true effect."""
    return [discordant_rejections(items, win, loss, region).rates(effect) for items, win, loss, region, effect in cases]


def discordant_inside(items: int, win: float, loss: float, region: Callable[[IntArray], Region]) -> FloatArray:
    """Probability that wins fall strictly between the two parts of a region, as they must to show equivalence."""
    share = min(win + loss, 1.0)
    m, weight = band(items, share)
    where = region(m)
    chance = win / share if share > 0.0 else 0.5
    return np.asarray(weight @ (_at_least(where.lower + 1, m, chance) - _at_least(where.upper, m, chance)))


def _binomial_tail(fewest: IntArray, m: IntArray, chance: float) -> tuple[FloatArray, FloatArray]:
    """P(X ≥ fewest) and E[X − (m − X); X ≥ fewest] for X ~ Binomial(m, chance), by x·C(m, x) = m·C(m − 1, x − 1)."""
    probability = _at_least(fewest, m, chance)
    successes = m * chance * _at_least(fewest - 1, m - 1, chance)
    return probability, 2.0 * successes - m * probability


def _at_least(fewest: IntArray, m: IntArray, chance: float) -> FloatArray:
    """P(X ≥ fewest) for X ~ Binomial(m, chance)."""
    possible, certain = fewest <= m, fewest <= 0
    tail = special.betainc(np.maximum(fewest, 1), np.maximum(m - fewest, 0) + 1.0, chance)
    return np.where(certain, 1.0, np.where(possible, tail, 0.0))


def critical_region(decides: Decision, discordant: IntArray, alternative: Alternative) -> Region:
    """The rejection region, found from the test's own decisions, which must change once from the edge inwards.

    A two-sided test is searched in each half, a one-sided one over all numbers of wins. One that treats both systems alike
    at every anchor is taken to do so between them.
    """
    m = np.asarray(discordant, dtype=np.int64)
    few = np.unique(np.linspace(0, len(m) - 1, min(ANCHORS, len(m))).astype(np.int64))

    def mirrored(losses: IntArray, m: IntArray) -> BoolArray:
        return decides(m - losses, m)

    if alternative == "less":
        return Region(_all_last(decides, m, m, few), m + 1)
    if alternative == "greater":
        return Region(np.full_like(m, -1), m - _all_last(mirrored, m, m, few))
    lower, limit = _all_last(decides, m, m // 2, few), (m - 1) // 2
    upper = _last_rejected(mirrored, m[few], limit[few], np.minimum(lower[few], limit[few]))
    # Most tests treat both systems alike, and half of the decisions need not be asked for.
    if (upper == lower[few]).all():
        return Region(lower, np.maximum(m - lower, lower + 1))
    return Region(lower, m - _last_rejected(mirrored, m, limit, np.minimum(lower, limit)))


def _all_last(decides: Decision, m: IntArray, limit: IntArray, few: IntArray) -> IntArray:
    """The last rejected count at every m, from those at a few: it falls short of half of m by a multiple of √m."""
    # At the usual levels a test falls short by about √m; others are found from there in a few steps more.
    start = np.clip(np.rint(m[few] / 2.0 - np.sqrt(m[few])).astype(np.int64), -1, limit[few])
    found = _last_rejected(decides, m[few], limit[few], start)
    short = np.interp(np.sqrt(m), np.sqrt(m[few]), m[few] / 2.0 - found)
    guess = np.clip(np.rint(m / 2.0 - short).astype(np.int64), -1, limit)
    return _last_rejected(decides, m, limit, guess)


def _last_rejected(decides: Decision, m: IntArray, limit: IntArray, guess: IntArray) -> IntArray:
    """The largest count up to the limit at which the test still rejects, −1 where it does at none."""
    low, high = guess.copy(), guess + 1
    _widen_bracket(low, high, -1, lambda at: (low[at] >= 0) & ~decides(np.maximum(low[at], 0), m[at]))
    _widen_bracket(high, low, +1, lambda at: (high[at] <= limit[at]) & decides(np.minimum(high[at], m[at]), m[at]))
    return _bisected(decides, m, np.maximum(low, -1), np.minimum(high, limit + 1))


def _widen_bracket(end: IntArray, other: IntArray, step: int, wrong: Callable[[IntArray], BoolArray]) -> None:
    """Move one end of each bracket outwards, in growing steps, until it is on its side; the other end follows."""
    at = np.arange(len(end))
    while len(at := at[wrong(at)]):
        other[at] = end[at]
        end[at] += step
        step *= 2


def _bisected(decides: Decision, m: IntArray, low: IntArray, high: IntArray) -> IntArray:
    """The last count that is rejected, between one that is and one that is not."""
    low, high = low.copy(), high.copy()
    while len(at := np.flatnonzero(high - low > 1)):
        middle = (low[at] + high[at]) // 2
        rejected = decides(middle, m[at])
        low[at] = np.where(rejected, middle, low[at])
        high[at] = np.where(rejected, high[at], middle)
    return low


def discordant_curve(sizes: IntArray, win: float, loss: float, region: Callable[[IntArray], Region]) -> FloatArray:
    """The power at consecutive numbers of items, of a test whose decision depends on wins and discordant items alone.

    One item more is discordant or not, so the chances of each number follow from those before.
    """
    share = min(win + loss, 1.0)
    if share <= 0.0:
        return np.zeros(len(sizes))
    first, last = _likely_counts(sizes, share)
    m = np.arange(first[0], last[-1] + 1)
    where, chance = region(m), win / (win + loss)
    rejected = _at_least(where.upper, m, chance) + _at_least(m - where.lower, m, 1.0 - chance)
    weight = np.zeros(len(m))
    weight[: last[0] - first[0] + 1] = band(int(sizes[0]), share)[1]
    powers = np.empty(len(sizes))
    for i, (low, high) in enumerate(zip(first - first[0], last - first[0] + 1, strict=True)):
        if i:
            more = share * weight[low - 1 if low else 0 : high - 1]
            # Pascal's rule, in place: m discordant items were m and the new one agreed, or m − 1 and it did not.
            weight[low:high] *= 1.0 - share
            weight[high - len(more) : high] += more
        powers[i] = weight[low:high] @ rejected[low:high]
    return powers
