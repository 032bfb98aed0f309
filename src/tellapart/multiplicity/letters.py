"""Compact letters: two systems share a letter exactly when they are not told apart."""

import string

import numpy as np

from tellapart.arrays import BoolArray

MOST_GROUPS = 2_000


def compact_letters(apart: BoolArray) -> tuple[str, ...] | None:
    """The letters of each system, from `(system, system)` in leaderboard order; None where the groups are beyond counting.

    Letters are the largest groups without a significant pair: they are inserted system by system, and a group inside
    another is absorbed. Groups overlap, because "not told apart" is not transitive. Piepho (2004).
    """
    groups = _groups(~(apart | apart.T))
    if groups is None:
        return None
    groups.sort(key=lambda group: [i for i in range(len(apart)) if group >> i & 1])
    names = _names(len(groups))
    joint = "" if len(groups) <= len(string.ascii_letters) else " "
    return tuple(
        joint.join(name for name, group in zip(names, groups, strict=True) if group >> i & 1)
        for i in range(len(apart))
    )


def _groups(together: BoolArray) -> list[int] | None:
    """The largest sets of systems of which no two are apart, each as a number with one bit a system."""
    groups: list[int] = []
    for new in range(len(together)):
        near = sum(1 << int(i) for i in np.flatnonzero(together[new, :new]))
        inserted = {group & near | 1 << new for group in groups} | {1 << new}
        kept = [group for group in groups if group & ~near]
        groups = kept + _absorb(inserted)
        if len(groups) > MOST_GROUPS:
            return None
    return groups


def _absorb(groups: set[int]) -> list[int]:
    """Only the groups that lie in no other."""
    largest: list[int] = []
    for group in sorted(groups, key=int.bit_count, reverse=True):
        if not any(group & larger == group for larger in largest):
            largest.append(group)
    return largest


def _names(count: int) -> list[str]:
    letters = string.ascii_letters
    return [
        letters[i] if i < len(letters) else f"{letters[i % len(letters)]}{i // len(letters)}"
        for i in range(count)
    ]
