"""Exact sign-flip distribution of whole numbers: binomial, convolution, or one Fourier sum for many rows.

A law on whole numbers is a finite Fourier sum of its characteristic function, here Π cos(u·aᵢ), at as many frequencies as
the numbers span. Rows that are made of the same few sizes share a table of cosines: a row's product is then a matrix
product of how often it has each size with logarithms of them. Pagano & Tritchler (1983).
"""

import numpy as np

from tellapart.foundation.arrays import BoolArray, FloatArray, IntArray
from tellapart.numerics.null_laws.tails import half_lower
from tellapart.numerics.sign_flip_law.contour import ALIAS
from tellapart.numerics.sign_flip_law.subset_sums import SubsetSums, Tail

# Whole numbers, counted: the exact law of one row, one difference after the other.
# If counts[w] subsets of some sizes have the sum w, then counts[w] + counts[w − a] have it once a size a
# has joined them. Wilcoxon's tables of signed ranks are the case of the sizes 1, 2, 3, …


def same_sized(sums: SubsetSums) -> BoolArray:
    """Rows in which all sizes that take part are equal."""
    smallest = np.where(sums.sizes > 0.0, sums.sizes, np.inf).min(axis=-1, initial=np.inf)
    return np.asarray(smallest == sums.sizes.max(axis=-1, initial=0.0))


def binomial_tails(sums: SubsetSums) -> Tail:
    """The exact tail of rows of equal sizes: one fair coin per size.

    The incomplete beta function is good to 2e-14 at usual p-values of a thousand sizes, and to 5e-14 at ten thousand.
    """
    taken = np.rint(sums.threshold / sums.sizes.max(axis=-1, initial=1.0)).astype(np.int64)
    at_most, below = (sums.chance * half_lower(x, sums.count) for x in (taken, taken - 1))
    # Above both of these, and growing between them as the root of the number of sizes.
    relative = 1e-14 + 6e-16 * np.sqrt(sums.count)
    return Tail(at_most, below, relative * at_most)


def convolution_tail(sums: SubsetSums) -> Tail:
    """The exact tail of a single row of whole numbers: subsets are counted by their sum, up to the threshold.

    Only positive numbers are added, so that even the smallest tail keeps its relative accuracy.
    """
    threshold = int(sums.threshold[0])
    counts = np.zeros(threshold + 1)
    counts[0] = 1.0
    scale, top = 0, 0
    for i, size in enumerate(sums.sizes[0].astype(np.int64).tolist()):
        top = min(top + size, threshold)
        counts[size : top + 1] += counts[: top + 1 - size]
        # 2⁵¹² subsets at most since the last scaling: far from overflow, and a power of two costs no digit. What is lost to
        # underflow would be a probability below 2⁻¹⁰⁷⁴, which is 0 anyway.
        if i % 512 == 511:
            counts = np.ldexp(counts, -512)
            scale += 512
    shrink = -float(len(sums.sizes[0]) - scale + sums.halvings[0])
    below, at_most = counts[:-1].sum(), counts.sum()
    # One rounding per addition, all of one sign at worst.
    error = 1e-16 * len(sums.sizes[0]) * at_most
    return Tail(*(np.array([np.ldexp(x, int(shrink))]) for x in (at_most, below, error)))


BLOCK = 1 << 20
"""Numbers of a Fourier table held at once."""

FOURIER_ROUNDING = 1e-13
"""How far a Fourier sum may be off: it has no relative accuracy, since it is a difference from one half.

Each of some thousand terms is off by roundings of 1e-16 of a logarithm of at most some tens, with random signs.
"""


def fourier_time(sums: SubsetSums) -> float:
    """Nanoseconds, about, that the Fourier sum of all rows takes; infinite where the sizes go too far up."""
    largest = float(sums.sizes.max(initial=0.0))
    nodes = 0.25 * _fourier_period(sums)
    # The tables of cosines, and of counts, would take more than 128 megabytes.
    if largest * max(nodes, float(len(sums))) > 2.0**24:
        return np.inf
    return 1e5 + len(sums) * nodes * (40.0 + 0.2 * largest) + 20.0 * largest * nodes


def fourier_tails(sums: SubsetSums) -> Tail:
    """The tails of many rows of whole numbers by one Fourier sum: exact up to rounding, 1e-13 in absolute terms.

    With S = T − 2W, P(S ≥ s) = 1/2 − (2/N) Σ E[cos(uS)]·sin(u(s − 1))/sin(u) over the odd multiples u of π/N below π/2:
    the sums S have one parity, so half of the frequencies suffice, and S and −S are alike, so half of those.
    """
    levels, counts = _size_levels(sums)
    period = 4 * int(np.ceil(_fourier_period(sums) / 4.0))
    nodes = np.pi * np.arange(1.0, period / 2.0, 2.0) / period
    turns = np.cos(np.outer(levels, nodes))
    # A cosine of 0 makes its product 0, as e^-690 does.
    logs = np.log(np.maximum(np.abs(turns), 1e-300))
    signed = sums.sizes.sum(axis=-1) - 2.0 * sums.threshold
    step = _node_rows_at_once(len(nodes))
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


def _node_rows_at_once(nodes: int) -> int:
    return max(1, BLOCK // nodes)


def _projected(wave: FloatArray, shifted: FloatArray, nodes: FloatArray) -> FloatArray:
    return np.asarray(np.einsum("rn,rn->r", wave, np.sin(np.outer(shifted, nodes))))


def _fourier_period(sums: SubsetSums) -> float:
    """A period long enough that neither the sums nor their distance from the threshold wrap around."""
    total = sums.sizes.sum(axis=-1)
    spread = np.sqrt(np.einsum("ri,ri->r", sums.sizes, sums.sizes))
    distance = np.abs(total - 2.0 * sums.threshold) + np.minimum(total, ALIAS * spread)
    return float(distance.max(initial=0.0)) + 4.0


def _size_levels(sums: SubsetSums) -> tuple[FloatArray, FloatArray]:
    """The different sizes over all rows, and how often each row has each, `(row, level)`."""
    width = int(sums.sizes.max(initial=0.0)) + 1
    place: IntArray = sums.sizes.astype(np.int64) + width * np.arange(len(sums))[:, np.newaxis]
    counts = np.bincount(place.ravel(), minlength=width * len(sums)).reshape(-1, width)
    levels = 1 + np.flatnonzero(counts[:, 1:].any(axis=0))
    return levels.astype(np.float64), counts[:, levels].astype(np.float64)
