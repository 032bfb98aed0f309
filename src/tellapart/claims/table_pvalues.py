"""The p-values of the tables that two reported accuracies leave possible.

At a fixed gap the p-value of McNemar's test rises with the discordant items, because a longer fair walk is more likely to end
at least so far out; so for each gap only the fewest and the most of them need to be looked at.
"""

import math

import numpy as np

from tellapart.claims.accuracies import AccuracyPair
from tellapart.claims.means import pvalues_of_means
from tellapart.claims.overlap import ReportedOverlap
from tellapart.claims.tables import Margins, PossibleTables, PValues, tables
from tellapart.data.summaries import Discordance
from tellapart.foundation.arrays import FloatArray, IntArray
from tellapart.foundation.decision import rejects
from tellapart.foundation.seeds import stream
from tellapart.methods.significance.mcnemar import McNemar
from tellapart.populations.evidence import Band

SCANNED = 5_000
"""Tables up to which all are looked at, so that not even the last digit of a p-value falls outside their range."""


def table_pvalues(test: McNemar, margins: Margins, known: ReportedOverlap | None, shares: Band) -> PValues:
    """The p-values of every table that fits the accuracies and the overlap, and at the shares of items supposed to differ."""
    reported, rounded = (margins.settled, margins) if known is None else known.applied(margins)
    inside, around = tables(reported), tables(rounded)
    possible = pvalue_range(test, around)
    at_reported = pvalue_range(test, inside) if inside.any else possible
    first, second = margins.furthest
    expected, *usual = pvalues_at(test, (margins, shares.expected), (first, shares.low), (second, shares.low))
    return PValues.nested(at_reported, possible, expected, min(usual))


def pvalue_range(test: McNemar, found: PossibleTables) -> tuple[float, float]:
    """The smallest and the largest p-value of any of these tables: of all where they are few, else of the outermost."""
    # Tables per gap, in steps of two discordant items.
    each = (found.most - found.fewest) // 2 + 1
    if each.sum() <= SCANNED:
        steps = np.arange(each.sum()) - np.repeat(np.cumsum(each) - each, each)
        every = pvalues(
            test, found.items, np.repeat(found.gaps, each), np.repeat(found.fewest, each) + 2 * steps
        )
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
    """The smallest observed difference of accuracies that is significant if the systems differ on this share of items."""
    # Ten standard errors of a gap whose items all differ, which is significant at any level in use.
    gaps = np.arange(1, min(items, int(10.0 * math.sqrt(items)) + 50) + 1)
    nearest = gaps + 2 * np.rint((share * items - gaps) / 2.0).astype(np.int64)
    found = rejects(pvalues(test, items, gaps, np.maximum(nearest, gaps)), alpha)
    return float(gaps[np.argmax(found)] / items) if found.any() else None


def share_with_pvalue(test: McNemar, margins: Margins, pvalue: float) -> float:
    """The share of discordant items at which the nearest counts have the p-value nearest to this one."""
    found = tables(margins.settled)
    discordant = np.arange(found.fewest[0], found.most[0] + 1, 2)
    at = pvalues(test, margins.items, np.full_like(discordant, margins.gap), discordant)
    return float(discordant[np.argmin(np.abs(at - pvalue))] / margins.items)


def pvalues(test: McNemar, items: int, gaps: IntArray, discordant: IntArray) -> FloatArray:
    """The test's p-value at each gap and number of discordant items, by the test itself."""
    wins = (discordant + gaps) // 2
    losses = discordant - wins
    # How the agreeing items split into right and wrong is not looked at; no variant that is used here draws numbers.
    return test.apply(Discordance(np.zeros_like(wins), wins, losses, items - discordant), stream(0)).pvalue


# The p-values that two accuracies leave possible when each is a mean over several runs of every item.
# An item's score is then its share of right runs, and items are the sample: the paired t test on the items'
# differences. Their sum is the gap; their squares are fewest where all items differ alike, and most where
# as few items as possible carry the gap and all that cancels out. No split of the runs has a p-value
# outside what these two leave.


def run_pvalues(pair: AccuracyPair, margins: Margins, shares: Band, most: float) -> PValues:
    """The p-values over every split of the right answers over items and runs; margins count answers.

    `shares` are the shares of items on which single runs are supposed to differ, `most` is the largest that was reported.
    Runs of an item that differ cancel out in its mean, so the squares of the items' differences sum to no more than that
    share of the items: p-values at these shares are upper limits.
    """
    at, around = (_ends(pair, one, most) for one in (margins.settled, margins))
    expected = _at(pair, margins.settled, shares.expected, most)
    return PValues.nested(at, around, expected, around[0])


def _ends(pair: AccuracyPair, margins: Margins, most: float) -> tuple[float, float]:
    gaps, fewest, largest = _squares(pair, margins, most)
    return float(_pvalues(pair, gaps, fewest).min()), float(_pvalues(pair, gaps, largest).max())


def _at(pair: AccuracyPair, margins: Margins, share: float, most: float) -> float:
    gaps, fewest, largest = _squares(pair, margins, most)
    supposed = np.clip(np.full(len(gaps), share * pair.items * pair.runs**2), fewest, largest)
    return float(_pvalues(pair, gaps, supposed)[0])


def _squares(pair: AccuracyPair, margins: Margins, most: float) -> tuple[IntArray, FloatArray, FloatArray]:
    """For each gap, the fewest and the most that the squared differences of right runs per item can sum to."""
    found = tables(margins)
    each, left = np.divmod(np.abs(found.gaps), pair.items)
    fewest = (pair.items - left) * each**2 + left * (each + 1) ** 2
    # A difference is at most all runs of an item, so its square is at most so many times its size.
    largest = np.minimum(found.most * float(pair.runs), most * pair.items * pair.runs**2)
    return found.gaps, fewest.astype(np.float64), np.maximum(largest, fewest)


def _pvalues(pair: AccuracyPair, gaps: IntArray, squares: FloatArray) -> FloatArray:
    effects = gaps / pair.answers
    variances = (squares / pair.runs**2 - pair.items * effects**2) / (pair.items - 1.0)
    return pvalues_of_means(effects, np.sqrt(np.maximum(variances, 0.0)), pair.items)
