"""An order of items that comes from their scores alone, so that neither the order nor the names of items leave a trace.

Random signs are dealt to items in order. Items are therefore sorted by a number made of what they hold: the ranks of
their scores within each system, which no change of unit and no renaming alters.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from tellapart.arrays import FloatArray, IntArray, snap
from tellapart.progress import stepped
from tellapart.scores.on_disk import laid_down, rows_of

Hashes = npt.NDArray[np.uint64]
Ranks = npt.NDArray[np.uint32]
EveryRank: TypeAlias = list[Ranks] | Ranks

ROUNDS = 2
"""How often items are told apart by systems and systems by items; more would only matter for tables made to defy it."""


class RowsAgain:
    """Rows of scores that are made anew whenever they are gone through: they need not be held, nor written."""

    def __init__(self, make: Callable[[], Iterator[FloatArray]], shape: tuple[int, int]) -> None:
        self._make, self.shape = make, shape

    def __iter__(self) -> Iterator[FloatArray]:
        return self._make()


def canonical_order(values: FloatArray, clusters: IntArray | None) -> IntArray:
    """The places of the items of `(system, item)` in the order of their content; items of equal content are interchangeable."""
    return _order([_dense_ranks(row) for row in values], values, clusters)


def order_of_rows(rows: RowsAgain, clusters: IntArray | None) -> IntArray:
    """The same of rows that are too many to hold: what is made of them on the way goes to a file."""
    every = (_dense_ranks(row) for row in rows)
    ranks: EveryRank = laid_down(stepped("sorting items", every, rows.shape[0]), rows.shape, np.uint32)
    return _order(ranks, rows, clusters)


def _order(ranks: EveryRank, rows: Iterable[FloatArray], clusters: IntArray | None) -> IntArray:
    by_rank = _refined(ranks, clusters)
    # Zero has two signs, and adding zero leaves one.
    exact = _gathered(((row + 0.0).view(np.uint64) for row in rows), np.arange(len(ranks), dtype=np.uint64))
    return np.lexsort((_with_clusters(exact, clusters), by_rank)).astype(np.int64)


def _dense_ranks(row: FloatArray) -> Ranks:
    present = row[~np.isnan(row)]
    snapped = snap(row, float(np.abs(present).max(initial=0.0)))
    return np.unique(snapped, return_inverse=True)[1].astype(np.uint32)


def _refined(rows: EveryRank, clusters: IntArray | None) -> Hashes:
    """A number per item that tells which ranks it has in which systems, where a system is known by the items it ranks so."""
    # At first all systems are alike: what they say of items tells items apart, and those tell systems apart.
    systems = np.zeros(len(rows), dtype=np.uint64)
    items = _with_clusters(_gathered(rows_of(rows), systems), clusters)
    for _ in range(ROUNDS):
        known = mixed(items)
        systems = np.array([mixed(row + known).sum(dtype=np.uint64) for row in rows_of(rows)])
        items = _with_clusters(_gathered(rows_of(rows), systems), clusters)
    return items


def _gathered(rows: Iterable[Ranks] | Iterable[Hashes], systems: Hashes) -> Hashes:
    """The sum over systems, in whatever order they stand, of a number made of the system and of what it says of the item."""
    total: Hashes | int = 0
    for row, system in zip(rows, mixed(systems + np.uint64(1)), strict=True):
        total = total + mixed(row + system)
    return np.asarray(total, dtype=np.uint64)


def _with_clusters(items: Hashes, clusters: IntArray | None) -> Hashes:
    """The same, with what the other items of the cluster hold."""
    if clusters is None:
        return items
    sums = np.zeros(int(clusters.max(initial=0)) + 1, dtype=np.uint64)
    np.add.at(sums, clusters, mixed(items))
    return np.asarray(items + mixed(sums)[clusters])


def mixed(numbers: Hashes) -> Hashes:
    """Numbers scattered over 64 bits, so that sums of different ones hardly ever agree. Steele, Lea & Flood (2014)."""
    x = (numbers ^ (numbers >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(x ^ (x >> np.uint64(31)))
