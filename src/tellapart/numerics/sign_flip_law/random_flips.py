"""Sums under random sign flips, by table look-up: one random byte selects the sum of eight signed values.

For statistics that are no sum and so have no law that could be computed. A table of 256 sums replaces eight random signs and
eight additions by one look-up, and eight random bits are all that is drawn.
"""

from collections.abc import Iterator
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from scipy import special

from tellapart.foundation.arrays import FloatArray, IntArray
from tellapart.foundation.parallel_map import even_ranges, numbered_calls, parallel_map
from tellapart.foundation.progress import with_progress
from tellapart.foundation.seeds import Generator, block_of, move_past

HELD = 1 << 16
"""Resampled numbers added to at once: they stay in the processor's cache."""

WORTH = 1 << 30
"""Signed values that make a piece of the resamples worth handing out."""

UNITS = 1 << 11
"""Units whose sums of eight are looked up together: a million of them would not fit in memory."""


def flipped_sums(values: FloatArray, resamples: int, rng: Generator) -> FloatArray:
    """Sums over the units of `(unit, column)` with random signs, the same for all columns: `(resample, column)`; stopped, of fewer resamples."""
    number = max(1, values.size * resamples // WORTH)
    if number == 1:
        return _random_flip_sums(values, resamples, rng)
    calls = numbered_calls(even_ranges(resamples, number))
    drawn = parallel_map(_piece, (values, rng), calls, drawn=True)
    pieces = with_progress("swapping systems", drawn, len(calls))
    sums = np.concatenate(list(pieces))
    move_past(rng, len(calls))
    return sums


def _piece(subject: tuple[FloatArray, Generator], start: int, stop: int, number: int) -> FloatArray:
    """Some of the resamples, from a stream of their own."""
    values, rng = subject
    return _random_flip_sums(values, stop - start, block_of(rng, number))


def _random_flip_sums(values: FloatArray, resamples: int, rng: Generator) -> FloatArray:
    added, back = _small(values)
    sums = np.zeros((resamples, added.shape[-1]), dtype=added.dtype)
    step = _flip_rows_at_once(values)
    places = [(start, first) for start in range(0, resamples, step) for first in range(0, len(values), UNITS)]
    for start, first in with_progress("swapping systems", places, len(places)):
        _add_flips(sums[start : start + step], _tables(added[first : first + UNITS]), rng)
    return np.asarray(sums[:, back], dtype=np.float64)


def _small(values: FloatArray) -> tuple[np.ndarray[Any, Any], IntArray]:
    """Values in as few bytes as hold all their sums, with equal columns merged, and the place of each column among them.

    Counts, such as matches of n-grams, are small whole numbers: in two bytes each they are added four at the time of one.
    """
    every = np.arange(values.shape[-1])
    largest = np.abs(values).sum(axis=0).max(initial=0.0)
    if not largest < np.iinfo(np.int16).max or (values != np.rint(values)).any():
        return values, every
    kept, back = np.unique(values.astype(np.int16), axis=1, return_inverse=True)
    # Rows of 16 or 32 bytes are looked up faster than those of other widths.
    padded = np.zeros((len(kept), -(-kept.shape[-1] // 8) * 8), dtype=np.int16)
    padded[:, : kept.shape[-1]] = kept
    return padded, back.reshape(-1)


def _flip_rows_at_once(values: FloatArray) -> int:
    return max(1, HELD // max(int(values.shape[-1]), 1))


def _add_flips(block: np.ndarray[Any, Any], tables: np.ndarray[Any, Any], rng: Generator) -> None:
    found = np.empty_like(block)
    for table, chosen in zip(tables, _random_bytes(len(tables), len(block), rng), strict=True):
        # A byte is always a row of the table: nothing needs checking, and the answer goes where it is added from.
        block += np.take(table, chosen, axis=0, out=found, mode="clip")


def every_flip(values: FloatArray) -> FloatArray:
    """Sums over the units of `(unit, column)` with every choice of signs, `(2^units, column)`; the first keeps them all."""
    sums = np.zeros((1, values.shape[-1]))
    for value in values:
        sums = np.concatenate([sums + value, sums - value])
    return sums


def _tables(values: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """For every eight units the 256 sums of their signed values, `(byte, 256, column)`."""
    units, columns = values.shape
    padded = np.zeros((-(-units // 8), 8, columns))
    padded.reshape(-1, columns)[:units] = values
    # Row b holds the signs that the bits of the byte b stand for.
    signs = 1.0 - 2.0 * np.unpackbits(np.arange(256, dtype=np.uint8)[:, np.newaxis], axis=1)
    return np.asarray(np.matmul(signs, padded), dtype=values.dtype)


def _random_bytes(rows: int, columns: int, rng: Generator) -> np.ndarray[tuple[int, int], np.dtype[np.uint8]]:
    # Whole words are drawn several times faster than bytes; eight bytes of each are used.
    words = rng.integers(0, 1 << 64, size=(rows, -(-columns // 8)), dtype=np.uint64)
    return words.view(np.uint8)[:, :columns]


# All swaps of units of which many move the same: how often each way of moving is swapped is binomial.
# With two classes an item on which predictions differ moves the counts in one of two ways, by its label.
# Swapping items at random then means two binomial numbers, and a few thousand pairs of them list all 2^n
# swaps. The same holds for whatever has few ways.

MOST_LISTED = 1 << 17
"""Combinations that are looked at: they take as long as twenty thousand random swaps do."""

MOST_OF_TWO = 1 << 22
"""The limit for two ways, as labels of two classes have them, where an exact answer is worth waiting a second for."""

NEGLIGIBLE = 1e-17
"""The share of swaps on either side of each way that is left out: less than a p-value has digits."""

AT_ONCE = 1 << 16
"""Combinations that are held at once."""


class Ways(NamedTuple):
    """The different ways to move, `(way, part)`, how often each is swapped, and with which probability."""

    moved: FloatArray
    sums: list[FloatArray]
    """The net number of moves of each way after swaps."""
    chances: list[FloatArray]

    @property
    def size(self) -> int:
        return int(np.prod([len(sums) for sums in self.sums]))

    def listed(self) -> Iterator[tuple[FloatArray, FloatArray]]:
        """Sums of moves, `(combination, part)`, and the probability of each, in pieces."""
        inner = _first_inner_way(self.sums)
        sums, chances = _combined(self.sums[inner:]), _combined(self.chances[inner:]).prod(axis=-1)
        within = sums @ self.moved[inner:]
        for place in product(*(range(len(sums)) for sums in self.sums[:inner])):
            times = np.array([sums[i] for sums, i in zip(self.sums, place, strict=False)])
            chance = float(np.prod([chances[i] for chances, i in zip(self.chances, place, strict=False)]))
            yield within + times @ self.moved[:inner], chance * chances


def _first_inner_way(sums: list[FloatArray]) -> int:
    """The first way from which all combinations are held at once."""
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
    if np.log2(_likely_swap_counts(counts)).sum() > np.log2(MOST_OF_TWO if len(counts) <= 2 else MOST_LISTED):
        return None
    # By content, so that the order of items leaves no trace in the last bits.
    sums, chances = zip(*(_net_moves(int(count)) for count in counts), strict=True)
    return Ways(turned[place], list(sums), list(chances))


def _likely_swap_counts(counts: np.ndarray[tuple[int, ...], np.dtype[np.intp]]) -> FloatArray:
    """About how many numbers of swaps of each way are not negligible."""
    # A count of n coins has the standard deviation √n/2: ten of them to either side leave 2e-23 out.
    return np.asarray(np.minimum(counts + 1.0, 10.0 * np.sqrt(counts)))


def _net_moves(units: int) -> tuple[FloatArray, FloatArray]:
    """The net moves of a way when each of its units is swapped or not, and the probability of each."""
    swapped = np.arange(units + 1.0)
    logs = special.gammaln(units + 1.0) - special.gammaln(swapped + 1.0) - special.gammaln(units - swapped + 1.0)
    chances = np.exp(logs - units * np.log(2.0))
    below = np.cumsum(chances)
    kept = (below > NEGLIGIBLE) & (below[::-1] > NEGLIGIBLE)
    return units - 2.0 * swapped[kept], chances[kept]
