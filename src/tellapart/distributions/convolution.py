"""Sign flips of differences on a lattice: the exact law, one difference after the other, or by one Fourier sum a batch."""

import numpy as np

from tellapart.arrays import BoolArray, FloatArray, IntArray
from tellapart.distributions.binomial import half_lower
from tellapart.distributions.contour import ALIAS
from tellapart.distributions.subset_sums import SubsetSums, Tail

BLOCK = 1 << 20
"""Numbers of a Fourier table held at once."""

FOURIER_ROUNDING = 1e-13
"""How far a Fourier sum may be off: it has no relative accuracy, since it is a difference from one half."""


def same_sized(sums: SubsetSums) -> BoolArray:
    """Rows in which all sizes that take part are equal."""
    smallest = np.where(sums.sizes > 0.0, sums.sizes, np.inf).min(axis=-1, initial=np.inf)
    return np.asarray(smallest == sums.sizes.max(axis=-1, initial=0.0))


def binomial_tails(sums: SubsetSums) -> Tail:
    """The exact tail of rows of equal sizes: a fair coin a size."""
    taken = np.rint(sums.reach / sums.sizes.max(axis=-1, initial=1.0)).astype(np.int64)
    at_most, below = (sums.chance * half_lower(x, sums.count) for x in (taken, taken - 1))
    return Tail(at_most, np.where(taken > 0, below, 0.0), 1e-14 * at_most)


def convolution_tail(sums: SubsetSums) -> Tail:
    """The exact tail of a single row of whole numbers: subsets are counted by their sum, up to the reach.

    Only positive numbers are added, so that even the smallest tail keeps its relative accuracy.
    """
    reach = int(sums.reach[0])
    counts = np.zeros(reach + 1)
    counts[0] = 1.0
    scale, top = 0, 0
    for i, size in enumerate(sums.sizes[0].astype(np.int64).tolist()):
        top = min(top + size, reach)
        counts[size : top + 1] += counts[: top + 1 - size]
        if i % 512 == 511:
            counts = np.ldexp(counts, -512)
            scale += 512
    shrink = -float(len(sums.sizes[0]) - scale + sums.halvings[0])
    below, at_most = counts[:-1].sum(), counts.sum()
    error = 1e-16 * len(sums.sizes[0]) * at_most
    return Tail(*(np.array([np.ldexp(x, int(shrink))]) for x in (at_most, below, error)))


def fourier_time(sums: SubsetSums) -> float:
    """Nanoseconds, about, that the Fourier sum of all rows takes; infinite where the sizes go too far up."""
    largest = float(sums.sizes.max(initial=0.0))
    nodes = 0.25 * _fourier_period(sums)
    if largest * max(nodes, float(len(sums))) > 2.0**24:
        return np.inf
    return 1e5 + len(sums) * nodes * (40.0 + 0.2 * largest) + 20.0 * largest * nodes


def fourier_tails(sums: SubsetSums) -> Tail:
    """The tails of many rows of whole numbers by one Fourier sum: exact up to rounding, 1e-13 in absolute terms.

    With S = T − 2W, P(S ≥ s) = 1/2 − (2/N) Σ E[cos(uS)]·sin(u(s − 1))/sin(u) over the odd multiples u of π/N below π/2.
    """
    levels, counts = _levels(sums)
    period = 4 * int(np.ceil(_fourier_period(sums) / 4.0))
    nodes = np.pi * np.arange(1.0, period / 2.0, 2.0) / period
    turns = np.cos(np.outer(levels, nodes))
    logs = np.log(np.maximum(np.abs(turns), 1e-300))
    signed = sums.sizes.sum(axis=-1) - 2.0 * sums.reach
    step = max(1, BLOCK // len(nodes))
    found = []
    for start in range(0, len(sums), step):
        rows = slice(start, start + step)
        wave = np.exp(counts[rows] @ logs) * (1.0 - 2.0 * ((counts[rows] @ (turns < 0.0)) % 2.0))
        wave *= (2.0 / period) / np.sin(nodes)
        found.append([0.5 - _projected(wave, signed[rows] + shift, nodes) for shift in (-1.0, 1.0)])
    at_most, below = (np.concatenate(part) for part in zip(*found, strict=True))
    at_most = np.maximum(at_most * sums.chance, sums.single)
    below = np.clip(below * sums.chance, 0.0, at_most)
    return Tail(at_most, below, np.full(len(sums), FOURIER_ROUNDING) * sums.chance)


def _projected(wave: FloatArray, shifted: FloatArray, nodes: FloatArray) -> FloatArray:
    return np.asarray(np.einsum("rn,rn->r", wave, np.sin(np.outer(shifted, nodes))))


def _fourier_period(sums: SubsetSums) -> float:
    """A period long enough that neither the sums nor their distance from the reach wrap around."""
    total = sums.sizes.sum(axis=-1)
    spread = np.sqrt(np.einsum("ri,ri->r", sums.sizes, sums.sizes))
    distance = np.abs(total - 2.0 * sums.reach) + np.minimum(total, ALIAS * spread)
    return float(distance.max(initial=0.0)) + 4.0


def _levels(sums: SubsetSums) -> tuple[FloatArray, FloatArray]:
    """The different sizes over all rows, and how often each row has each, `(row, level)`."""
    width = int(sums.sizes.max(initial=0.0)) + 1
    place: IntArray = sums.sizes.astype(np.int64) + width * np.arange(len(sums))[:, np.newaxis]
    counts = np.bincount(place.ravel(), minlength=width * len(sums)).reshape(-1, width)
    levels = 1 + np.flatnonzero(counts[:, 1:].any(axis=0))
    return levels.astype(np.float64), counts[:, levels].astype(np.float64)
