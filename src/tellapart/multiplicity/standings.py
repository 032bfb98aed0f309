"""Where systems stand, made from two tables: who is ahead of whom, and who is significantly better than whom.

Nothing here knows what was measured: a board of ratings, of votes or of an arena has the same standings once it can say who
is better.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tellapart.arrays import BoolArray, FloatArray, IntArray
from tellapart.multiplicity.letters import compact_letters
from tellapart.multiplicity.rank_sets import rank_sets, tiers


@dataclass(frozen=True, eq=False)
class RankPlaces:
    """The rank of each system, `(system,)`, and the systems from the best rank down."""

    ranks: IntArray
    order: IntArray


def places(ahead: FloatArray, goodness: FloatArray) -> RankPlaces:
    """Ranks are 1 + the systems ahead; ties are ordered by goodness, then as they stand.

    `ahead` is `(system, system)`, above 0 where the row's system is ahead of the column's.
    """
    ranks = np.asarray(1 + (ahead > 0.0).sum(axis=0), dtype=np.int64)
    return RankPlaces(ranks, np.lexsort((-goodness, ranks)).astype(np.int64))


def wins(winner: IntArray, loser: IntArray, systems: int) -> BoolArray:
    """Whether the row's system is significantly better than the column's, from the two sides of every such pair."""
    better = np.zeros((systems, systems), dtype=np.bool_)
    better[winner, loser] = True
    return better


@dataclass(frozen=True, eq=False)
class Standings:
    """What significant wins leave open about ranks; all arrays are by system, as `better` has them.

    If no win is false, every true rank lies between `best_ranks` and `worst_ranks` and every unbeaten system may be the best: the
    standings inherit the guarantee of the wins.
    """

    places: RankPlaces
    better: BoolArray

    @cached_property
    def _rank_sets(self) -> tuple[IntArray, IntArray]:
        return rank_sets(self.better)

    @property
    def best_ranks(self) -> IntArray:
        """The best rank that each system can have."""
        return self._rank_sets[0]

    @property
    def worst_ranks(self) -> IntArray:
        return self._rank_sets[1]

    @cached_property
    def tiers(self) -> IntArray:
        return tiers(self.better)

    @property
    def unbeaten(self) -> BoolArray:
        """Systems that no system is significantly better than: each may be the best."""
        return np.asarray(~self.better.any(axis=0))

    @cached_property
    def letters(self) -> tuple[str, ...]:
        """The compact letters of each system, from the best rank down."""
        order = self.places.order
        return compact_letters(self.better[np.ix_(order, order)])

    @property
    def neighbours_told_apart(self) -> int:
        """How many systems are significantly better than the next one in rank."""
        order = self.places.order
        return int(self.better[order[:-1], order[1:]].sum())
