"""Canonical orders of items and systems by their scores, so that neither file order nor names affect results.

Random signs are assigned to items in order. Items are therefore sorted by a hash of the ranks of their scores within each system,
which no change of unit and no renaming alters.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Generic, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from tellapart.data.score_storage import ByteArray, array_on_disk, rows_of
from tellapart.foundation.arrays import FloatArray, IntArray, snap
from tellapart.foundation.progress import with_progress

Hashes = npt.NDArray[np.uint64]
Ranks = npt.NDArray[np.uint32]
Row = TypeVar("Row")
EveryRank: TypeAlias = "list[Ranks] | RepeatableRows[Ranks]"

ROUNDS = 2
"""Refinements of item hashes by system hashes and back; more would only matter for adversarial tables."""


class RepeatableRows(Generic[Row]):
    """An iterable of rows that are recomputed on every pass, so that they need not be kept in memory."""

    def __init__(self, make: Callable[[], Iterator[Row]], shape: tuple[int, int]) -> None:
        self._make, self.shape = make, shape

    def __iter__(self) -> Iterator[Row]:
        return self._make()

    def __len__(self) -> int:
        return self.shape[0]


def canonical_order(values: FloatArray, clusters: IntArray | None) -> IntArray:
    """The indices of the items of `(system, item)`, sorted by their scores; items with equal scores are interchangeable."""
    return _rank_hash_order(list(_dense_ranks(values)), values, clusters)


def order_of_rows(rows: RepeatableRows[FloatArray], clusters: IntArray | None) -> IntArray:
    """Canonical order of a table too large for memory; its ranks are kept in a temporary file."""
    every = with_progress("sorting items", _dense_ranks(rows), len(rows))
    ranks: Ranks = array_on_disk(every, rows.shape, np.uint32)
    return _rank_hash_order(RepeatableRows(lambda: rows_of(ranks), rows.shape), rows, clusters)


def _rank_hash_order(ranks: EveryRank, rows: Iterable[FloatArray], clusters: IntArray | None) -> IntArray:
    by_rank = _rank_hashes(ranks, clusters)
    # Zero has two signs, and adding zero leaves one.
    exact = _gathered(((row + 0.0).view(np.uint64) for row in rows), np.arange(len(ranks), dtype=np.uint64))
    return np.lexsort((_with_clusters(exact, clusters), by_rank)).astype(np.int64)


def _dense_ranks(rows: Iterable[FloatArray]) -> Iterator[Ranks]:
    """The rank of each score within its row; equal scores share one."""
    sized = ((row, float(np.abs(row[~np.isnan(row)]).max(initial=0.0))) for row in rows)
    snapped = (snap(row, size) for row, size in sized)
    return (np.unique(row, return_inverse=True)[1].astype(np.uint32) for row in snapped)


def _rank_hashes(rows: EveryRank, clusters: IntArray | None) -> Hashes:
    """A hash per item of its ranks in all systems, with systems identified by their ranks of items, not by name."""
    # Systems start with equal hashes: item hashes are made of ranks alone, and system hashes of those.
    systems = np.zeros(len(rows), dtype=np.uint64)
    items = _with_clusters(_gathered(rows, systems), clusters)
    for _ in range(ROUNDS):
        known = splitmix(items)
        systems = np.array([splitmix(row + known).sum(dtype=np.uint64) for row in rows])
        items = _with_clusters(_gathered(rows, systems), clusters)
    return items


def _gathered(rows: Iterable[Ranks] | Iterable[Hashes], systems: Hashes) -> Hashes:
    """Item hashes: the sum over systems, in any order, of a hash of the system and its rank of the item."""
    total: Hashes | int = 0
    for row, system in zip(rows, splitmix(systems + np.uint64(1)), strict=True):
        total = total + splitmix(row + system)
    return np.asarray(total, dtype=np.uint64)


def _with_clusters(items: Hashes, clusters: IntArray | None) -> Hashes:
    """Item hashes that include those of the other items of the cluster."""
    if clusters is None:
        return items
    sums = np.zeros(int(clusters.max(initial=0)) + 1, dtype=np.uint64)
    np.add.at(sums, clusters, splitmix(items))
    return np.asarray(items + splitmix(sums)[clusters])


def splitmix(numbers: Hashes) -> Hashes:
    """The 64-bit finaliser of SplitMix: a bijective hash. Steele, Lea & Flood (2014)."""
    x = (numbers ^ (numbers >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(x ^ (x >> np.uint64(31)))


def order_of_systems(rows: Iterable[FloatArray], spreads: FloatArray) -> IntArray:
    """An order of systems that neither their names nor their unit alter, for random numbers that are drawn system by system.

    They are sorted by which of their scores, in canonical order of the items, lie above their median, and then by their spread.
    """
    keys = [(*_hashes_of_halves(row), spread) for row, spread in zip(rows, spreads.tolist(), strict=True)]
    return np.array(sorted(range(len(keys)), key=keys.__getitem__), dtype=np.int64)


def _hashes_of_halves(row: FloatArray) -> tuple[int, int]:
    """A hash of the items above the median score, and one of those not below it."""
    present = row[~np.isnan(row)]
    middle = np.partition(present, len(present) // 2)[len(present) // 2] if len(present) else np.nan
    items = splitmix(np.arange(1, len(row) + 1, dtype=np.uint64))
    above, not_below = (items[half].sum(dtype=np.uint64) for half in (row > middle, row >= middle))
    return int(above), int(not_below)


# The canonical order of right and wrong answers, computed from their bytes.

_RANKS = np.array([0, 1], dtype=np.uint64)
_BITS = np.array([0.0, 1.0]).view(np.uint64)


def order_of_binary(held: ByteArray, rows: IntArray) -> IntArray:
    """The indices that `canonical_order` gives for the same scores as doubles; `rows` selects rows of `(system, item)`."""
    # A constant row has a single rank, whichever value it holds.
    varied = [row for row in rows.tolist() if held[row].min() != held[row].max()]
    flat = len(rows) - len(varied)
    systems = np.zeros(len(varied), dtype=np.uint64)
    items = _gathered_bytes(held, varied, systems, np.zeros(flat, dtype=np.uint64))
    for _ in range(ROUNDS):
        systems, flat_system = _hash_systems(held, varied, items)
        items = _gathered_bytes(held, varied, systems, np.repeat(flat_system, flat))
    exact = _hash_sums(held, rows.tolist(), np.arange(len(rows), dtype=np.uint64), _BITS)
    return np.lexsort((exact, items)).astype(np.int64)


def _gathered_bytes(held: ByteArray, varied: list[int], systems: Hashes, flat: Hashes) -> Hashes:
    """Item hashes; systems with constant scores add the same number to all items."""
    alike = splitmix(splitmix(flat + np.uint64(1))).sum(dtype=np.uint64, keepdims=True)
    return np.asarray(_hash_sums(held, varied, systems, _RANKS) + alike)


def _hash_sums(held: ByteArray, rows: list[int], systems: Hashes, means: Hashes) -> Hashes:
    """The sum over systems of a hash of the system and of its score, modulo 2⁶⁴."""
    found = splitmix(splitmix(systems + np.uint64(1))[:, np.newaxis] + means)
    total = np.zeros(held.shape[1], dtype=np.uint64)
    total += found[:, 0].sum(dtype=np.uint64)
    more = found[:, 1:] - found[:, :1]
    for row, step in zip(rows, more, strict=True):
        total += np.multiply(held[row], step, dtype=np.uint64)
    return total


def _hash_systems(held: ByteArray, varied: list[int], items: Hashes) -> tuple[Hashes, Hashes]:
    """A hash per system with varying scores, and the one hash of all constant systems."""
    known = splitmix(items)
    low, high = splitmix(known), splitmix(known + np.uint64(1))
    none, more = low.sum(dtype=np.uint64, keepdims=True), high - low
    found = [np.sum(more, where=held[row].view(np.bool_), dtype=np.uint64, keepdims=True) for row in varied]
    return np.concatenate([np.zeros(0, dtype=np.uint64), *(none + one for one in found)]), none
