"""The canonical order of items of right and wrong answers, from their bytes: what a system says of an item is one of two numbers."""

import numpy as np

from tellapart.arrays import IntArray
from tellapart.multiplicity.canonical_order import ROUNDS, Hashes, mixed
from tellapart.scores.marks import ByteArray

_RANKS = np.array([0, 1], dtype=np.uint64)
_BITS = np.array([0.0, 1.0]).view(np.uint64)


def order_of_marks(held: ByteArray, rows: IntArray) -> IntArray:
    """The places of the items of these rows of `(system, item)`, as `canonical_order` has them for the same scores as doubles."""
    # A row that never varies has one rank, whichever of both it holds.
    varied = [row for row in rows.tolist() if held[row].min() != held[row].max()]
    flat = len(rows) - len(varied)
    systems = np.zeros(len(varied), dtype=np.uint64)
    items = _gathered(held, varied, systems, np.zeros(flat, dtype=np.uint64))
    for _ in range(ROUNDS):
        systems, flat_system = _told_apart(held, varied, items)
        items = _gathered(held, varied, systems, np.repeat(flat_system, flat))
    exact = _sums(held, rows.tolist(), np.arange(len(rows), dtype=np.uint64), _BITS)
    return np.lexsort((exact, items)).astype(np.int64)


def _gathered(held: ByteArray, varied: list[int], systems: Hashes, flat: Hashes) -> Hashes:
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


def _told_apart(held: ByteArray, varied: list[int], items: Hashes) -> tuple[Hashes, Hashes]:
    """A number per system, made of what it says of which items; and that of those which say the same of all."""
    known = mixed(items)
    low, high = mixed(known), mixed(known + np.uint64(1))
    none, more = low.sum(dtype=np.uint64, keepdims=True), high - low
    found = [np.sum(more, where=held[row].view(np.bool_), dtype=np.uint64, keepdims=True) for row in varied]
    return np.concatenate([np.zeros(0, dtype=np.uint64), *(none + one for one in found)]), none
