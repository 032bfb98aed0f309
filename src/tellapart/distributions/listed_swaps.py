"""All swaps of units of which many move the same: how often each way of moving is swapped is binomial.

With two classes an item on which predictions differ moves the counts in one of two ways, by its label. Swapping items at random
then means two binomial numbers, and a few thousand pairs of them list all 2^n swaps. The same holds for whatever has few ways.
"""

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

import numpy as np
from scipy import special

from tellapart.arrays import FloatArray

MOST_LISTED = 1 << 17
"""Combinations that are looked at: they take as long as twenty thousand random swaps do."""

MOST_OF_TWO = 1 << 22
"""The same of two ways, as labels of two classes have them, where an exact answer is worth waiting a second for."""

NEGLIGIBLE = 1e-17
"""The share of swaps on either side of each way that is left out: less than a p-value has digits."""

AT_ONCE = 1 << 16
"""Combinations that are held at once."""


class Ways(NamedTuple):
    """The different ways to move, `(way, part)`, how often each is swapped, and with which probability."""

    moved: FloatArray
    sums: list[FloatArray]
    """Of each way by how many times it is moved, after swaps."""
    chances: list[FloatArray]

    @property
    def size(self) -> int:
        return int(np.prod([len(sums) for sums in self.sums]))

    def listed(self) -> Iterator[tuple[FloatArray, FloatArray]]:
        """Sums of moves, `(combination, part)`, and the probability of each, in pieces."""
        inner = _inner(self.sums)
        sums, chances = _combined(self.sums[inner:]), _combined(self.chances[inner:]).prod(axis=-1)
        within = sums @ self.moved[inner:]
        for place in product(*(range(len(sums)) for sums in self.sums[:inner])):
            times = np.array([sums[i] for sums, i in zip(self.sums, place, strict=False)])
            chance = float(np.prod([chances[i] for chances, i in zip(self.chances, place, strict=False)]))
            yield within + times @ self.moved[:inner], chance * chances


def _inner(sums: list[FloatArray]) -> int:
    """From which way on all combinations are held at once."""
    sizes = np.cumprod([len(one) for one in reversed(sums)])
    return len(sums) - max(1, int((sizes <= AT_ONCE).sum()))


def _combined(columns: list[FloatArray]) -> FloatArray:
    """Every combination of one entry of each column, `(combination, column)`."""
    grids = np.meshgrid(*columns, indexing="ij")
    return np.stack([grid.ravel() for grid in grids], axis=-1)


def few_ways(moved: FloatArray) -> Ways | None:
    """The ways in which units `(unit, part)` move, up to their sign; None where their combinations are too many."""
    moving = moved[moved.any(axis=-1)]
    if not len(moving):
        return None
    first = np.take_along_axis(moving, (moving != 0.0).argmax(axis=-1)[:, np.newaxis], axis=-1)
    # Adding 0 makes one zero of two.
    turned = np.ascontiguousarray(np.where(first < 0.0, -moving, moving) + 0.0)
    rows = turned.view(np.dtype((np.void, turned.itemsize * turned.shape[1]))).ravel()
    _, place, counts = np.unique(rows, return_index=True, return_counts=True)
    # By logarithms: items that all move otherwise have more combinations than any number holds.
    if np.log2(_widths(counts)).sum() > np.log2(MOST_OF_TWO if len(counts) <= 2 else MOST_LISTED):
        return None
    # By content, so that the order of items leaves no trace in the last bits.
    sums, chances = zip(*(_binomial(int(count)) for count in counts), strict=True)
    return Ways(turned[place], list(sums), list(chances))


def _widths(counts: np.ndarray[tuple[int, ...], np.dtype[np.intp]]) -> FloatArray:
    """About how many numbers of swaps of each way are not negligible."""
    # A count of n coins has the standard deviation √n/2: ten of them to either side leave 2e-23 out.
    return np.asarray(np.minimum(counts + 1.0, 10.0 * np.sqrt(counts)))


def _binomial(units: int) -> tuple[FloatArray, FloatArray]:
    """By how many times a way is moved when each of its units is swapped or not, and the probability of each."""
    swapped = np.arange(units + 1.0)
    logs = (
        special.gammaln(units + 1.0) - special.gammaln(swapped + 1.0) - special.gammaln(units - swapped + 1.0)
    )
    chances = np.exp(logs - units * np.log(2.0))
    below = np.cumsum(chances)
    kept = (below > NEGLIGIBLE) & (below[::-1] > NEGLIGIBLE)
    return units - 2.0 * swapped[kept], chances[kept]
