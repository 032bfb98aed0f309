"""Rare failures that a system may have been spared by luck: others of its board show what they would be like."""

from dataclasses import dataclass

import numpy as np

from tellapart.distributions.binomial import fair_pvalue
from tellapart.multiplicity.board import Board
from tellapart.multiplicity.leaning_pairs import LeaningPairs

MOSTLY = 0.75
"""The share of the squared differences that a few units on one side must hold to be failures, and no heavy tails.

Measured as the median of a board's leaning pairs: 0.58 to 0.70 with normal, Laplace, Student's t (3 df) and contaminated scores, 0.75 to 0.95
with steady and risky systems of equal means.
"""

FEWEST_SEEN = 2.0
"""Failures that the middle one of the leaning pairs must show: a single one is as likely an outlier, which heavy tails have too."""

SPARED = 0.02
"""Systems that luck may be expected to spare all their failures, and no more is made of it: k expected ones spare exp(−k) of them."""

BARELY = 2.2
"""Standard errors by which a system that was spared may still seem ahead, once unseen failures are put to it: no family asks for fewer."""

EVEN = 0.5
"""The p-value of "as many far below as far above" up to which scores are one-sided: two of none are, heavy tails mostly are not."""


@dataclass(frozen=True)
class UnseenFailures:
    """So many failures of this size that every pair must be able to bear, on the side that leads, before it is told apart.

    `seen` is how many the leaning pairs show each. A system with as many to come that shows none of them seems ahead by all that the others lose
    by theirs, and steadily so; no resample of its own items can tell.
    """

    count: int
    size: float
    seen: float


def unseen_failures(pairs: LeaningPairs, board: Board) -> UnseenFailures | None:
    """What a system of this board may have been spared; None where pairs do not lean by failures, or by so many that none is spared.

    Of k failures with u of them put back a lead is (k − u)/√u standard errors: u is the fewest that leave it below 2.2.
    """
    if not len(pairs):
        return None
    seen = float(np.median(pairs.tails))
    spared = len(board.systems) * float(np.exp(-seen))
    if seen < FEWEST_SEEN or spared < SPARED or float(np.median(pairs.shares)) < MOSTLY:
        return None
    size = float(np.median(pairs.sizes))
    if not _on_one_side(board, size):
        return None
    root = (np.sqrt(BARELY**2 + 4.0 * seen) - BARELY) / 2.0
    # A count that is whole but for its last digit is not to become the next one.
    return UnseenFailures(int(np.ceil(root**2 - 1e-9)), size, seen)


def _on_one_side(board: Board, size: float) -> bool:
    """Whether scores far from what the middle system has on the item, by half the size or more, are on one side rather than on both."""
    away = board.centred - np.nanmedian(board.centred, axis=0)
    low, high = int(np.sum(away < -0.5 * size)), int(np.sum(away > 0.5 * size))
    return float(fair_pvalue(np.array(low), np.array(low + high), "two-sided")) <= EVEN
