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
it. Its price with normal effects, whose clusters look as if they leaned on four boards in ten: power .25 to .23 with 10 clusters, .44 to .40 with 15, and with 6, where
the factor is 2, .72 to .44. Even clusters drawn again as well lose more by that than by this: with 10 of them .11 beside .37 of cluster t tests by Holm.
What may mend that, tried on 300 boards of each kind and not built: no draws, and each pair's t moved by its own skewness (`distributions.leaning_t`) before it is held against
joint flips. With 10 even clusters power is .31 then (Holm .40) and with 15 .47 (.55); false claims, without this factor, are on .08 and .10 of boards with exponential effects of unlike
spreads (flips alone .11 and .12), on .09 and .13 with lognormal ones, on .04 and .03 with normal ones.
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
