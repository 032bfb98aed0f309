"""The range of McNemar p-values over all tables that two reported accuracies allow.

At a fixed gap the p-value rises with the number of discordant items, so that for each gap only the fewest and the most are needed.
"""

import math

import numpy as np

from tellapart.claims.accuracies import AccuracyPair, ReportedOverlap
from tellapart.claims.means import pvalues_of_means
from tellapart.claims.tables import Margins, PossibleTables, PValues, tables
from tellapart.data.summaries import Discordance
from tellapart.foundation.arrays import FloatArray, IntArray
from tellapart.foundation.decision import rejects
from tellapart.foundation.seeds import stream
from tellapart.methods.significance.mcnemar import McNemar
from tellapart.populations.evidence import Band

SCANNED = 5_000
"""Tables up to which all are evaluated, so that the range is exact to the last digit."""


def table_pvalues(test: McNemar, margins: Margins, known: ReportedOverlap | None, shares: Band) -> PValues:
    """P-values over all tables compatible with accuracies and overlap, and at the assumed discordances."""
    reported, rounded = (margins.at_nearest, margins) if known is None else known.limit_margins(margins)
    inside, around = tables(reported), tables(rounded)
    possible = pvalue_range(test, around)
    at_reported = pvalue_range(test, inside) if inside.any else possible
    first, second = margins.extremes
    expected, *usual = pvalues_at(test, (margins, shares.expected), (first, shares.low), (second, shares.low))
    return PValues.nested(at_reported, possible, expected, min(usual))


def pvalue_range(test: McNemar, found: PossibleTables) -> tuple[float, float]:
    """The smallest and the largest p-value of these tables, from all of them or from the extreme ones."""
    # Tables per gap, in steps of two discordant items.
    each = (found.most - found.fewest) // 2 + 1
    if each.sum() <= SCANNED:
        steps = np.arange(each.sum()) - np.repeat(np.cumsum(each) - each, each)
        every = pvalues(test, found.items, np.repeat(found.gaps, each), np.repeat(found.fewest, each) + 2 * steps)
        return float(every.min()), float(every.max())
    smallest = pvalues(test, found.items, found.gaps, found.fewest)
    largest = pvalues(test, found.items, found.gaps, found.most)
    return float(smallest.min()), float(largest.max())


def pvalues_at(test: McNemar, *assumptions: tuple[Margins, float]) -> list[float]:
    """The p-value at the possible counts nearest to each assumed discordance, given as margins and share of items."""
    gaps = np.asarray([margins.gap for margins, _ in assumptions])
    discordant = np.asarray([_nearest_discordant(margins, share) for margins, share in assumptions])
    found: list[float] = pvalues(test, assumptions[0][0].items, gaps, discordant).tolist()
    return found


def _nearest_discordant(margins: Margins, share: float) -> int:
    """The possible number of discordant items nearest to this share of all."""
    gap, n = abs(margins.gap), margins.items
    right = margins.a.nearest + margins.b.nearest
    return min(max(gap + 2 * round((share * n - gap) / 2.0), gap), right, 2 * n - right)


def smallest_gap(test: McNemar, items: int, share: float, alpha: float) -> float | None:
    """The smallest significant observed difference of accuracies at this discordance."""
    # Ten standard errors of a gap with all items discordant, significant at any level in use.
    gaps = np.arange(1, min(items, int(10.0 * math.sqrt(items)) + 50) + 1)
    nearest = gaps + 2 * np.rint((share * items - gaps) / 2.0).astype(np.int64)
    found = rejects(pvalues(test, items, gaps, np.maximum(nearest, gaps)), alpha)
    return float(gaps[np.argmax(found)] / items) if found.any() else None


def share_with_pvalue(test: McNemar, margins: Margins, pvalue: float) -> float:
    """The discordance at which the p-value is nearest to this one."""
    found = tables(margins.at_nearest)
    discordant = np.arange(found.fewest[0], found.most[0] + 1, 2)
    at = pvalues(test, margins.items, np.full_like(discordant, margins.gap), discordant)
    return float(discordant[np.argmin(np.abs(at - pvalue))] / margins.items)


def pvalues(test: McNemar, items: int, gaps: IntArray, discordant: IntArray) -> FloatArray:
    """The p-value of the test at each gap and number of discordant items."""
    wins = (discordant + gaps) // 2
    losses = discordant - wins
    # The split of concordant items is irrelevant, and no variant used here draws random numbers.
    return test.apply(Discordance(np.zeros_like(wins), wins, losses, items - discordant), stream(0)).pvalue


# Accuracies that are means over several runs of every item: the paired t test on shares of right runs.
# The sum of the items' differences is the gap. Its sum of squares is smallest where all items differ alike, and largest where
# as few items as possible carry the gap and everything that cancels out; p-values lie between these two.


def run_pvalues(pair: AccuracyPair, margins: Margins, shares: Band, most: float) -> PValues:
    """P-values over every split of the right answers over items and runs; margins count answers.

    `shares` are assumed discordances of single runs, `most` the largest that was reported. Discordant runs of an item partly
    cancel in its mean, so p-values at these shares are upper limits.
    """
    at, around = (_pvalue_limits(pair, one, most) for one in (margins.at_nearest, margins))
    expected = _at(pair, margins.at_nearest, shares.expected, most)
    return PValues.nested(at, around, expected, around[0])


def _pvalue_limits(pair: AccuracyPair, margins: Margins, most: float) -> tuple[float, float]:
    gaps, fewest, largest = _squared_sum_limits(pair, margins, most)
    return float(_paired_t_pvalues(pair, gaps, fewest).min()), float(_paired_t_pvalues(pair, gaps, largest).max())


def _at(pair: AccuracyPair, margins: Margins, share: float, most: float) -> float:
    gaps, fewest, largest = _squared_sum_limits(pair, margins, most)
    supposed = np.clip(np.full(len(gaps), share * pair.items * pair.runs**2), fewest, largest)
    return float(_paired_t_pvalues(pair, gaps, supposed)[0])


def _squared_sum_limits(pair: AccuracyPair, margins: Margins, most: float) -> tuple[IntArray, FloatArray, FloatArray]:
    """For each gap, the smallest and largest sum of squared differences of right runs per item."""
    found = tables(margins)
    each, left = np.divmod(np.abs(found.gaps), pair.items)
    fewest = (pair.items - left) * each**2 + left * (each + 1) ** 2
    # A difference is at most the number of runs, so its square is at most that many times its size.
    largest = np.minimum(found.most * float(pair.runs), most * pair.items * pair.runs**2)
    return found.gaps, fewest.astype(np.float64), np.maximum(largest, fewest)


def _paired_t_pvalues(pair: AccuracyPair, gaps: IntArray, squares: FloatArray) -> FloatArray:
    effects = gaps / pair.answers
    variances = (squares / pair.runs**2 - pair.items * effects**2) / (pair.items - 1.0)
    return pvalues_of_means(effects, np.sqrt(np.maximum(variances, 0.0)), pair.items)
