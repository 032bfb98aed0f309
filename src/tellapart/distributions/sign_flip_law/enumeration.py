"""All subsets counted, without listing them: the sums of two halves are sorted and matched, meeting in the middle.

A subset of k sizes is a subset of one half and one of the other. For every sum of the one, the sums of the other that fit
into what room is left are counted in one sorted pass: 2^(k/2) numbers are sorted instead of 2ᵏ listed. All in whole
numbers, so that nothing is rounded and a tie is a tie. Horowitz & Sahni (1974).
"""

import numpy as np

from tellapart.arrays import FloatArray, IntArray
from tellapart.distributions.sign_flip_law.subset_sums import SubsetSums, Tail

BLOCK = 1 << 16
"""Sums of halves worked on at once, of rows short enough: they stay in the processor's cache."""


def enumerated_tails(sums: SubsetSums) -> Tail:
    """The exact tail of rows of at most some 40 sizes: 2^(k/2) sums per half."""
    rows, width = sums.sizes.shape
    step = _rows_at_once(width)
    return Tail.joined([_enumerate(sums[i : i + step]) for i in range(0, rows, step)])


def _rows_at_once(width: int) -> int:
    return max(1, BLOCK >> (-(-width // 2)))


def _enumerate(sums: SubsetSums) -> Tail:
    rows, width = sums.sizes.shape
    sizes, threshold, slack = _whole_numbers(sums)
    left, right = _all_sums(sizes[:, ::2]), _all_sums(sizes[:, 1::2])
    room = threshold[:, np.newaxis] - left
    slack = slack[:, np.newaxis]
    pairs = np.exp2(sums.halvings + width)
    at_most = _fitting(2 * right, 2 * (room + slack) + 1) / pairs
    return Tail(at_most, _fitting(2 * right, 2 * (room - slack) - 1) / pairs, np.zeros(rows))


def _fitting(sums: IntArray, rooms: IntArray) -> FloatArray:
    """How many pairs of an (even) sum and an (odd) room there are, in each row, with the sum below the room.

    Sorted together, a room at place p with r rooms before it has p − r sums before it. The lowest bit tells them apart
    after one sort of plain numbers, which is several times faster than sorting places. Sums come up and rooms down.
    """
    merged = np.concatenate([sums, rooms[:, ::-1]], axis=-1)
    merged.sort(axis=-1, kind="stable")
    merged &= 1
    count = rooms.shape[-1]
    return np.asarray(merged @ np.arange(merged.shape[-1]) - count * (count - 1) // 2, dtype=np.float64)


def _whole_numbers(sums: SubsetSums) -> tuple[IntArray, IntArray, IntArray]:
    """Sizes, threshold and tolerance in whole numbers, fine enough that rounding stays below the tolerance."""
    # Sums of all sizes stay below 2⁵⁸, and doubled with a slack below 2⁶³; the largest size keeps its 53 bits up to 32 sizes.
    room = 58 - int(np.ceil(np.log2(max(sums.sizes.shape[-1], 2))))
    _, exponent = np.frexp(sums.sizes.max(axis=-1, initial=0.0))
    unit = np.where(sums.whole, 1.0, np.ldexp(1.0, room - exponent))
    sizes = np.rint(sums.sizes * unit[:, np.newaxis]).astype(np.int64)
    threshold = np.rint(sums.threshold * unit).astype(np.int64)
    # Rounding moves each size by half a unit at most.
    slack = np.where(sums.whole, 0.0, np.ceil(sums.tolerance * unit) + sums.sizes.shape[-1])
    return sizes, threshold, slack.astype(np.int64)


def _all_sums(sizes: IntArray) -> IntArray:
    """The sums of all subsets of each row, `(row, 2^items)`, from the smallest up."""
    sums = np.zeros((len(sizes), 1), dtype=np.int64)
    for column in sizes.T:
        sums = np.concatenate([sums, sums + column[:, np.newaxis]], axis=-1)
        # Two ascending runs, which a stable sort merges in one pass.
        sums.sort(axis=-1, kind="stable")
    return sums
