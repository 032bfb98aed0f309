"""Few clusters that lean to one side: flips and draws of them claim more often than they promise, and that is allowed for."""

from dataclasses import replace

import numpy as np

from tellapart.arrays import FloatArray
from tellapart.multiplicity.board import Board
from tellapart.multiplicity.family import Family
from tellapart.multiplicity.joint_bootstrap import FEWEST_DIFFERING
from tellapart.multiplicity.residuals import Residuals, shared_by
from tellapart.multiplicity.skewness import seen_skewness
from tellapart.seeds import Generator

FLIPPED, DRAWN = 2.0, 1.6
"""What adjusted p-values are multiplied by where clusters lean: flipped alone, because so few cannot be drawn again, and drawn again as well.

Fitted, not derived: on ten systems in 8 to 40 uneven clusters with exponential effects of unlike spreads false claims were on 6 to 10 % of boards without
it and are on 5 to 6 % with it. Tried since on what it was not fitted to (ten systems; 6, 12, 15 and 25 clusters, even, uneven and with one that holds half of
the items; normal, exponential and lognormal effects of like and unlike spreads, right or wrong; 150 boards each): on 0 to 7 % of boards, on up to 10 % without
it. Its price with normal effects, whose clusters look as if they leaned on one board in ten if they are even and on up to half of them if not: power .43 to .39 with 10 even
clusters, .66 to .65 with 20; with 6, where the factor is 2, .72 to .44.
"""

MANY = 50
"""From so many clusters on flips and draws hold together."""


def allowance(board: Board, family: Family, critical: float, alpha: float, rng: Generator) -> float:
    """What adjusted p-values of this family are to be multiplied by: 1 where clusters are many, or do not lean."""
    if board.clusters is None or board.units >= MANY or not np.isfinite(critical):
        return 1.0
    found = seen_skewness(board, _evened(board, family), critical, alpha, rng)
    if found is None or not found.leans(critical, alpha):
        return 1.0
    return FLIPPED if board.units < FEWEST_DIFFERING else DRAWN


def _evened(board: Board, family: Family) -> Residuals:
    """Sums of clusters over the root of their sizes: large ones do not make a board lean just by being large."""
    left = Residuals.of(board, family)
    root = np.sqrt(_sizes(board, family))
    columns = np.divide(left.columns, root, out=np.zeros_like(left.columns), where=root > 0.0)
    return replace(left, columns=columns)


def _sizes(board: Board, family: Family) -> FloatArray:
    return board.summed(np.ones(board.values.shape[1])) if board.complete else shared_by(board, family).sizes
