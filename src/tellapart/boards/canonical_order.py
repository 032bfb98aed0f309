"""An order of items that depends on their scores alone, so that neither their order in a file nor their names leave a trace.

Random signs are assigned to items in order. Items are therefore sorted by a hash of the ranks of their scores within each system,
which no change of unit and no renaming alters.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from tellapart.data.score_storage import ByteArray, array_on_disk, rows_of
from tellapart.foundation.arrays import FloatArray, IntArray, snap
from tellapart.foundation.progress import stepped

Hashes = npt.NDArray[np.uint64]
Ranks = npt.NDArray[np.uint32]
EveryRank: TypeAlias = list[Ranks] | Ranks

ROUNDS = 2
"""How often items are told apart by systems and systems by items; more would only matter for tables made to defy it."""


class RepeatableRows:
    """Rows of scores that are made anew whenever they are gone through: they need not be held, nor written."""

    def __init__(self, make: Callable[[], Iterator[FloatArray]], shape: tuple[int, int]) -> None:
        self._make, self.shape = make, shape

    def __iter__(self) -> Iterator[FloatArray]:
        return self._make()


def canonical_order(values: FloatArray, clusters: IntArray | None) -> IntArray:
    """The places of the items of `(system, item)` in the order of their content; items of equal content are interchangeable."""
    return _order([_dense_ranks(row) for row in values], values, clusters)


def order_of_rows(rows: RepeatableRows, clusters: IntArray | None) -> IntArray:
    """The same of rows that are too many to hold: what is made of them on the way goes to a file."""
    every = (_dense_ranks(row) for row in rows)
    ranks: EveryRank = array_on_disk(stepped("sorting items", every, rows.shape[0]), rows.shape, np.uint32)
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


# The canonical order of items of right and wrong answers, from their bytes: what a system says of an item
# is one of two numbers.

_RANKS = np.array([0, 1], dtype=np.uint64)
_BITS = np.array([0.0, 1.0]).view(np.uint64)


def order_of_binary(held: ByteArray, rows: IntArray) -> IntArray:
    """The places of the items of these rows of `(system, item)`, as `canonical_order` has them for the same scores as doubles."""
    # A row that never varies has one rank, whichever of both it holds.
    varied = [row for row in rows.tolist() if held[row].min() != held[row].max()]
    flat = len(rows) - len(varied)
    systems = np.zeros(len(varied), dtype=np.uint64)
    items = _gathered_bytes(held, varied, systems, np.zeros(flat, dtype=np.uint64))
    for _ in range(ROUNDS):
        systems, flat_system = _hash_systems(held, varied, items)
        items = _gathered_bytes(held, varied, systems, np.repeat(flat_system, flat))
    exact = _sums(held, rows.tolist(), np.arange(len(rows), dtype=np.uint64), _BITS)
    return np.lexsort((exact, items)).astype(np.int64)


def _gathered_bytes(held: ByteArray, varied: list[int], systems: Hashes, flat: Hashes) -> Hashes:
    """What all systems say of each item; those that never vary say the same of all."""
    alike = mixed(mixed(flat + np.uint64(1))).sum(dtype=np.uint64, keepdims=True)
    return np.asarray(_sums(held, varied, systems, _RANKS) + alike)


def _sums(held: ByteArray, rows: list[int], systems: Hashes, means: Hashes) -> Hashes:
    """The sum over systems of a number made of the system and of what its mark means, modulo 2⁶⁴."""
    found = mixed(mixed(systems + np.uint64(1))[:, np.newaxis] + means)
    total = np.zeros(held.shape[1], dtype=np.uint64)
    total += found[:, 0].sum(dtype=np.uint64)
    more = found[:, 1:] - found[:, :1]
    for row, step in zip(rows, more, strict=True):
        total += np.multiply(held[row], step, dtype=np.uint64)
    return total


def _hash_systems(held: ByteArray, varied: list[int], items: Hashes) -> tuple[Hashes, Hashes]:
    """A number per system, made of what it says of which items; and that of those which say the same of all."""
    known = mixed(items)
    low, high = mixed(known), mixed(known + np.uint64(1))
    none, more = low.sum(dtype=np.uint64, keepdims=True), high - low
    found = [np.sum(more, where=held[row].view(np.bool_), dtype=np.uint64, keepdims=True) for row in varied]
    return np.concatenate([np.zeros(0, dtype=np.uint64), *(none + one for one in found)]), none
