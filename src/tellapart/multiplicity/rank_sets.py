"""What significant pairs say about ranks: where each system can stand, which may be the best, and tiers.

`better` is `(*batch, system, system)`: whether the row's system is significantly better than the column's. If no such
claim is false, every true rank lies in its set: ranks inherit the guarantee of the decisions.
"""

import numpy as np

from tellapart.arrays import BoolArray, FloatArray, IntArray


def rank_sets(better: BoolArray) -> tuple[IntArray, IntArray]:
    """The best and the worst rank each system can have, simultaneously for all.

    1 + the systems significantly better, and the number of systems less those significantly worse. True ties are
    covered. Mogstad, Romano, Shaikh & Wilhelm (2024).
    """
    low = 1 + better.sum(axis=-2)
    high = (~better).sum(axis=-1)
    return np.asarray(low, dtype=np.int64), np.asarray(high, dtype=np.int64)


def tiers(better: BoolArray) -> IntArray:
    """1 + the highest tier among the systems significantly better, so that a tier is never cut between near-equals.

    Systems that beat each other in a circle, which only pairs judged on different items can, share a tier.
    """
    together = _in_circles(better)
    claims = better & ~together
    tier = np.ones(better.shape[:-1], dtype=np.int64)
    # Without circles a claim leads downwards only, so tiers settle after as many rounds as the longest chain has links.
    while True:
        above = 1 + _highest(claims, tier)
        above = np.maximum(above, _highest(together, above))
        if (above == tier).all():
            return tier
        tier = above


def _highest(of: BoolArray, tier: IntArray) -> IntArray:
    """The highest tier among the rows marked in each column, 0 where none is."""
    return np.asarray(np.max(np.where(of, tier[..., np.newaxis], 0), axis=-2))


def ranks(means: FloatArray, *, lower_is_better: bool = False) -> IntArray:
    """1 + the number of systems with a strictly better mean, `(*batch, system)`."""
    good = -means if lower_is_better else means
    above = good[..., np.newaxis, :] > good[..., np.newaxis]
    return np.asarray(1 + above.sum(axis=-1), dtype=np.int64)


def _in_circles(better: BoolArray) -> BoolArray:
    """Pairs of which each leads to the other through significant claims."""
    reaches = better
    # Each round doubles the claims in a row that are followed, and no way back is longer than the number of systems.
    for _ in range(int(np.ceil(np.log2(better.shape[-1])))):
        steps = reaches.astype(np.float32)
        reaches = reaches | (steps @ steps > 0.0)
    return np.asarray(reaches & np.swapaxes(reaches, -1, -2))
