"""Whole numbers, counted: the exact law of one row, one difference after the other.

If counts[w] subsets of some sizes have the sum w, then counts[w] + counts[w − a] have it once a size a has joined them.
Wilcoxon's tables of signed ranks are the case of the sizes 1, 2, 3, …
"""

import numpy as np

from tellapart.arrays import BoolArray
from tellapart.distributions.binomial import half_lower
from tellapart.distributions.sign_flip_law.subset_sums import SubsetSums, Tail


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
