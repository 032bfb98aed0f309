"""Compact letters: two systems share a letter exactly when they are not told apart.

A group is a number with one bit per system.
"""

import string

import numpy as np

from tellapart.arrays import BoolArray

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
