"""Ranks, rank sets, tiers and compact letters, from the mean order of systems and the significant pairs.

Independent of what was measured: scores, ratings and votes share this code.
"""

import string
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tellapart.foundation.arrays import BoolArray, FloatArray, IntArray

# Compact letter display: two systems share a letter exactly when they do not differ significantly.
# A group is an integer with one bit per system.

MOST_GROUPS = 500
"""Maximal groups beyond which a smaller cover is used; there can be 3^(systems / 3) of them (Moon & Moser 1965)."""


def compact_letters(apart: BoolArray) -> tuple[str, ...]:
    """The letters of each system, from `(system, system)` in leaderboard order.

    Letters are the maximal groups without a significant pair, or where these are too many a set of groups that covers every
    non-significant pair. Groups overlap, because non-significance is not transitive. Piepho (2004).
    """
    near = [_bits(row) for row in ~(apart | apart.T | np.eye(len(apart), dtype=np.bool_))]
    groups = _largest_groups(near)
    if groups is None:
        groups = _covering_groups(near)
    groups.sort(key=lambda group: [i for i in range(len(near)) if group >> i & 1])
    names = _group_letters(len(groups))
    joint = "" if len(groups) <= len(string.ascii_letters) else " "
    return tuple(
        joint.join(name for name, group in zip(names, groups, strict=True) if group >> i & 1) for i in range(len(near))
    )


def _bits(row: BoolArray) -> int:
    return sum(1 << int(i) for i in np.flatnonzero(row))


def _largest_groups(near: list[int]) -> list[int] | None:
    """The maximal groups, by inserting systems one by one and absorbing subsets; None where there are too many."""
    groups = [1]
    for new, others in enumerate(near[1:], 1):
        inserted = {group & others | 1 << new for group in groups}
        groups = [group for group in groups if group & ~others] + _absorb(inserted)
        if len(groups) > MOST_GROUPS:
            return None
    return groups


def _absorb(groups: set[int]) -> list[int]:
    """Groups that are subsets of no other."""
    largest: list[int] = []
    # In descending order of size a group can only be a subset of one kept before.
    for group in sorted(groups, key=int.bit_count, reverse=True):
        if not any(group & larger == group for larger in largest):
            largest.append(group)
    return largest


def _covering_groups(near: list[int]) -> list[int]:
    """Groups grown greedily around each system until every non-significant pair shares one."""
    unshared, placed = list(near), 0
    groups: list[int] = []
    for system in range(len(near)):
        while unshared[system] or not placed >> system & 1:
            group = _grow_group(system, near, unshared)
            groups.append(group)
            placed |= group
            unshared = [open_ & ~group if group >> i & 1 else open_ for i, open_ in enumerate(unshared)]
    return groups


def _grow_group(system: int, near: list[int], unshared: list[int]) -> int:
    """A group around a system, preferring systems with which it shares no group yet, in order of rank."""
    group, candidates = 1 << system, near[system]
    while candidates:
        pool = candidates & unshared[system] or candidates
        lowest = pool & -pool
        group |= lowest
        candidates &= near[lowest.bit_length() - 1]
    return group


def _group_letters(count: int) -> list[str]:
    letters = string.ascii_letters
    return [letters[i] if i < len(letters) else f"{letters[i % len(letters)]}{i // len(letters)}" for i in range(count)]


# Rank sets and tiers from significant pairs. `better` is `(*batch, system, system)`: whether the row's system is significantly
# better than the column's. Simultaneous coverage of the ranks follows from the family-wise error rate of these decisions.


def rank_sets(better: BoolArray) -> tuple[IntArray, IntArray]:
    """Simultaneous rank sets: 1 + the systems significantly better, to the number of systems minus those significantly worse.

    Valid under ties. Mogstad, Romano, Shaikh & Wilhelm (2024).
    """
    low = 1 + better.sum(axis=-2)
    high = (~better).sum(axis=-1)
    return np.asarray(low, dtype=np.int64), np.asarray(high, dtype=np.int64)


def tiers(better: BoolArray) -> IntArray:
    """1 + the highest tier among the systems significantly better.

    Cycles of significant wins, possible where pairs are tested on different items, share a tier.
    """
    together = _in_cycles(better)
    claims = better & ~together
    tier = np.ones(better.shape[:-1], dtype=np.int64)
    # Without cycles this converges after as many rounds as the longest chain has links.
    while True:
        above = 1 + _highest_tier(claims, tier)
        above = np.maximum(above, _highest_tier(together, above))
        if (above == tier).all():
            return tier
        tier = above


def _highest_tier(of: BoolArray, tier: IntArray) -> IntArray:
    """The highest tier among the rows selected in each column, 0 where none is."""
    return np.asarray(np.max(np.where(of, tier[..., np.newaxis], 0), axis=-2))


def ranks(means: FloatArray, *, lower_is_better: bool = False) -> IntArray:
    """1 + the number of systems with a strictly better mean, `(*batch, system)`."""
    good = -means if lower_is_better else means
    above = good[..., np.newaxis, :] > good[..., np.newaxis]
    return np.asarray(1 + above.sum(axis=-1), dtype=np.int64)


def _in_cycles(better: BoolArray) -> BoolArray:
    """Pairs in a common cycle of significant wins."""
    reaches = better
    # Each round doubles the length of the paths covered.
    for _ in range(int(np.ceil(np.log2(better.shape[-1])))):
        steps = reaches.astype(np.float32)
        reaches = reaches | (steps @ steps > 0.0)
    return np.asarray(reaches & np.swapaxes(reaches, -1, -2))


@dataclass(frozen=True, eq=False)
class Ranking:
    """The rank of each system, `(system,)`, and the systems in order of rank."""

    ranks: IntArray
    order: IntArray


def rank_systems(ahead: FloatArray, goodness: FloatArray) -> Ranking:
    """Ranks are 1 + the systems ahead; ties are ordered by goodness, then by index.

    `ahead` is `(system, system)`, above 0 where the row's system is ahead of the column's.
    """
    ranks = np.asarray(1 + (ahead > 0.0).sum(axis=0), dtype=np.int64)
    return Ranking(ranks, np.lexsort((-goodness, ranks)).astype(np.int64))


def win_matrix(winner: IntArray, loser: IntArray, systems: int) -> BoolArray:
    """The matrix of significant wins, winners in rows, from the winner and loser of every significant pair."""
    better = np.zeros((systems, systems), dtype=np.bool_)
    better[winner, loser] = True
    return better


@dataclass(frozen=True, eq=False)
class Standings:
    """Rank sets, tiers and letters from significant wins; arrays are in the order of `better`.

    If no win is false, every true rank lies between `best_ranks` and `worst_ranks` and the best system is unbeaten.
    """

    ranking: Ranking
    better: BoolArray

    @cached_property
    def _rank_sets(self) -> tuple[IntArray, IntArray]:
        return rank_sets(self.better)

    @property
    def best_ranks(self) -> IntArray:
        """The lower end of each rank set."""
        return self._rank_sets[0]

    @property
    def worst_ranks(self) -> IntArray:
        return self._rank_sets[1]

    @cached_property
    def tiers(self) -> IntArray:
        return tiers(self.better)

    @property
    def unbeaten(self) -> BoolArray:
        """Systems without a significantly better one: each may be the best."""
        return np.asarray(~self.better.any(axis=0))

    @cached_property
    def letters(self) -> tuple[str, ...]:
        """Compact letters of each system, in order of rank."""
        order = self.ranking.order
        return compact_letters(self.better[np.ix_(order, order)])

    @property
    def separated_neighbours(self) -> int:
        """Systems significantly better than the next one in rank."""
        order = self.ranking.order
        return int(self.better[order[:-1], order[1:]].sum())
