"""Where systems stand, made from two tables: who is ahead of whom, and who is significantly better than whom.

Nothing here knows what was measured: a board of ratings, of votes or of an arena has the same standings once it can say who
is better.
"""

import string
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tellapart.foundation.arrays import BoolArray, FloatArray, IntArray

# Compact letters: two systems share a letter exactly when they are not told apart.
# A group is a number with one bit per system.

MOST_GROUPS = 500
"""Beyond this many largest groups a smaller set of groups that says the same is looked for.

There can be 3^(systems / 3) of them (Moon & Moser 1965); no reader would tell five hundred letters apart anyway.
"""


def compact_letters(apart: BoolArray) -> tuple[str, ...]:
    """The letters of each system, from `(system, system)` in leaderboard order.

    Letters are the largest groups without a significant pair; where these are too many, enough of them that every pair not
    told apart shares one. Groups overlap, because "not told apart" is not transitive. Piepho (2004).
    """
    near = [_bits(row) for row in ~(apart | apart.T | np.eye(len(apart), dtype=np.bool_))]
    groups = _largest_groups(near)
    if groups is None:
        groups = _covering_groups(near)
    groups.sort(key=lambda group: [i for i in range(len(near)) if group >> i & 1])
    names = _names(len(groups))
    joint = "" if len(groups) <= len(string.ascii_letters) else " "
    return tuple(
        joint.join(name for name, group in zip(names, groups, strict=True) if group >> i & 1)
        for i in range(len(near))
    )


def _bits(row: BoolArray) -> int:
    return sum(1 << int(i) for i in np.flatnonzero(row))


def _largest_groups(near: list[int]) -> list[int] | None:
    """Systems are inserted one by one, and a group inside another is absorbed; None where there are too many."""
    groups = [1]
    for new, others in enumerate(near[1:], 1):
        inserted = {group & others | 1 << new for group in groups}
        groups = [group for group in groups if group & ~others] + _absorb(inserted)
        if len(groups) > MOST_GROUPS:
            return None
    return groups


def _absorb(groups: set[int]) -> list[int]:
    """Only the groups that lie in no other."""
    largest: list[int] = []
    # From the largest down a group can only lie in one that is kept already.
    for group in sorted(groups, key=int.bit_count, reverse=True):
        if not any(group & larger == group for larger in largest):
            largest.append(group)
    return largest


def _covering_groups(near: list[int]) -> list[int]:
    """Groups grown around each system until every pair not told apart shares one."""
    unshared, placed = list(near), 0
    groups: list[int] = []
    for system in range(len(near)):
        while unshared[system] or not placed >> system & 1:
            group = _grown(system, near, unshared)
            groups.append(group)
            placed |= group
            unshared = [open_ & ~group if group >> i & 1 else open_ for i, open_ in enumerate(unshared)]
    return groups


def _grown(system: int, near: list[int], unshared: list[int]) -> int:
    """A group around a system, from the top down, first of those it shares no group with yet."""
    group, candidates = 1 << system, near[system]
    while candidates:
        pool = candidates & unshared[system] or candidates
        lowest = pool & -pool
        group |= lowest
        candidates &= near[lowest.bit_length() - 1]
    return group


def _names(count: int) -> list[str]:
    letters = string.ascii_letters
    return [
        letters[i] if i < len(letters) else f"{letters[i % len(letters)]}{i // len(letters)}"
        for i in range(count)
    ]


# What significant pairs say about ranks: where each system can stand, which may be the best, and tiers.
# `better` is `(*batch, system, system)`: whether the row's system is significantly better than the
# column's. If no such claim is false, every true rank lies in its set: ranks inherit the guarantee of the
# decisions.


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


@dataclass(frozen=True, eq=False)
class Ranking:
    """The rank of each system, `(system,)`, and the systems from the best rank down."""

    ranks: IntArray
    order: IntArray


def places(ahead: FloatArray, goodness: FloatArray) -> Ranking:
    """Ranks are 1 + the systems ahead; ties are ordered by goodness, then as they stand.

    `ahead` is `(system, system)`, above 0 where the row's system is ahead of the column's.
    """
    ranks = np.asarray(1 + (ahead > 0.0).sum(axis=0), dtype=np.int64)
    return Ranking(ranks, np.lexsort((-goodness, ranks)).astype(np.int64))


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

    places: Ranking
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
    def separated_neighbours(self) -> int:
        """How many systems are significantly better than the next one in rank."""
        order = self.places.order
        return int(self.better[order[:-1], order[1:]].sum())
