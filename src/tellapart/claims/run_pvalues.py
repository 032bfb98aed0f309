"""The p-values that two accuracies leave possible when each is a mean over several runs of every item.

An item's score is then its share of right runs, and items are the sample: the paired t test on the items' differences. Their
sum is the gap; their squares are fewest where all items differ alike, and most where as few items as possible carry the gap and
all that cancels out. No split of the runs has a p-value outside what these two leave.
"""

import numpy as np

from tellapart.arrays import FloatArray, IntArray
from tellapart.claims.accuracies import AccuracyPair
from tellapart.claims.means import pvalues_of_means
from tellapart.claims.pvalues import PValues
from tellapart.claims.tables import Margins, tables
from tellapart.evidence import Band


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
