"""Null distribution of Wilcoxon's signed-rank statistic V, with and without ties.

V is the sum of a random half of the ranks 1 … n: how many subsets have each sum is counted rank by rank, and kept as a
table; of more ranks than a table is worth, `signed_rank_series` has the law. With ties the ranks are those of the row
itself, so that its law is the sign-flip law of its midranks. Exact for independent differences that are symmetric about
zero; skewed ones move V, though their mean is zero. Wilcoxon (1945).
"""

from functools import lru_cache
from threading import Lock

import numpy as np
from numpy.polynomial import hermite_e
from scipy import special

from tellapart.foundation.arrays import BoolArray, FloatArray, IntArray, snap
from tellapart.numerics.null_laws.signed_ranks import SignedRanks, Zeros, midranks
from tellapart.numerics.null_laws.tails import density
from tellapart.numerics.sign_flip_law import FlipTails, sign_flip_tails

# The law of the signed-rank sum of very many ranks without ties: a series in one over their number, with
# its error.
# V is a sum of independent rank · coin, so its cumulants are known in closed form. Edgeworth's series from
# them, evaluated half a step above v with the cumulants of a uniform step taken off, counts the whole
# numbers up to v as a smooth law would. Kolassa & McCullagh (1990).

BERNOULLI = {2: 1.0 / 6.0, 4: -1.0 / 30.0, 6: 1.0 / 42.0, 8: -1.0 / 30.0, 10: 5.0 / 66.0}
"""Bernoulli's numbers, of which the cumulants of a coin and of a uniform step are made."""


def signed_rank_series(v: FloatArray, ranks: IntArray) -> FloatArray:
    """P(V ≤ v), V the sum of a random choice of the ranks 1 … `ranks`, each `(row,)`; off by at most `series_error`."""
    found = np.empty(len(v))
    for count in np.unique(ranks).tolist():
        rows = ranks == count
        found[rows] = _edgeworth_cdf(v[rows], count)
    return found


def series_error(ranks: IntArray) -> FloatArray:
    """A bound for the terms left out: 1.55/n⁵ was the largest error between 250 and 1,000 ranks, where all tables are known."""
    # Beyond some hundreds of ranks the rounding of the terms is all that is left.
    return np.asarray(2.0 / ranks.astype(np.float64) ** 5 + 1e-14)


def _edgeworth_cdf(v: FloatArray, count: int) -> FloatArray:
    variance = _cumulant(count, 2)
    x = (v + 0.5 - 0.25 * count * (count + 1.0)) / np.sqrt(variance)
    terms = hermite_e.hermeval(x, _hermite_coefficients(count, variance))
    return np.asarray(special.ndtr(x) - density(x) * terms)


def _hermite_coefficients(count: int, variance: float) -> FloatArray:
    """Coefficients of Hermite polynomials up to the order count⁻⁴; odd cumulants vanish."""
    fourth, sixth, eighth, tenth = (
        _cumulant(count, k) / variance ** (k / 2) / special.factorial(k) for k in (4, 6, 8, 10)
    )
    coefficients = np.zeros(16)
    coefficients[3] = fourth
    coefficients[5] = sixth
    coefficients[7] = eighth + fourth**2 / 2.0
    coefficients[9] = tenth + fourth * sixth
    coefficients[11] = fourth * eighth + sixth**2 / 2.0 + fourth**3 / 6.0
    coefficients[13] = fourth**2 * sixth / 2.0
    coefficients[15] = fourth**4 / 24.0
    return coefficients


def _cumulant(count: int, order: int) -> float:
    """Cumulants of V minus a uniform step: that of a coin is (2ᵏ − 1)·Bₖ/k, times each rank to the k; that of the step Bₖ/k."""
    powers = float((np.arange(1.0, count + 1.0) ** order).sum())
    return ((2.0**order - 1.0) * powers - 1.0) * BERNOULLI[order] / order


TABULATED, MOST_TABULATED = 256, 1_000
"""Ranks up to which the law without ties is kept as a table for every row, and for rows that come by the dozen.

A table of 256 ranks takes a millisecond and 130 kB, one of 1,000 fifty and 2 MB: for a single row its own law is faster.
"""

MANY = 16
"""Rows that make a table, or the same series for all, worth while: simulations bring more, and single answers fewer."""

LEAST_OF_SERIES = 1e-6
"""Tails below this are left to a way with a relative error; above it the series of 1,000 ranks is within 3e-10 of them."""

FORWARD = 64
"""Ranks between tables that are counted from nothing; the others follow from the one before."""
STRIDE = 8
"""Ranks between tables that are kept: clipped scores leave numbers of ranks that are close to each other."""
KEPT = 64
"""Tables that are kept: of 1,000 ranks they take 128 MB."""

ONE_AT_A_TIME = Lock()
"""Threads of a simulation ask for the same tables at the same moment: one of them counts, and the others wait for it."""

EXACT_RANKS = 300
"""Items up to which the law of the signed-rank sum is exact; beyond, the Cornish–Fisher quantile is within a rank or two."""


def signed_rank_tails(values: FloatArray, ranks: SignedRanks, zeros: Zeros, scale: float) -> FlipTails:
    """P(V ≤ v) and P(V ≥ v) for the sum of positive ranks, exact given the ties, for every row. Wilcoxon (1945).

    Rows without ties share one table, or one series, per number of ranks; the others are sign flips of their own midranks.
    """
    lower, upper, error = (np.zeros(len(values)) for _ in range(3))
    methods: dict[str, None] = {}
    plain = (ranks.ties == 0.0) & (ranks.held == 0)
    many = np.count_nonzero(plain) >= MANY
    table = plain & (ranks.ranked <= (MOST_TABULATED if many else TABULATED))
    if table.any():
        lower[table], upper[table] = _tabulated_tails(ranks.positive[table], ranks.ranked[table])
        methods["exact law of signed ranks"] = None
    beyond = plain & ~table
    series = _in_series(ranks, beyond) if many and beyond.any() else np.zeros_like(table)
    if series.any():
        lower[series], upper[series] = _serial(ranks, series)
        error[series] = series_error(ranks.ranked[series])
        methods[f"series for the law of signed ranks, each tail within {error.max():.1g}"] = None
    own = ~(table | series)
    if own.any():
        flips = sign_flip_tails(signed_midranks(snap(values[own], scale), zeros), scale=0.0)
        lower[own], upper[own], error[own] = flips.lower, flips.upper, flips.error
        methods[flips.method] = None
    sign = np.sign(2.0 * ranks.positive - ranks.total)
    given = ", conditional on midranks" if ranks.ties.any() else ""
    return FlipTails(lower, upper, error, sign, "; ".join(methods) + given)


def _in_series(ranks: SignedRanks, wanted: BoolArray) -> BoolArray:
    """Which of these rows have more ranks than tables do, and tails that a series can tell."""
    smaller = np.minimum(ranks.positive, ranks.total - ranks.positive)
    found = wanted & (ranks.ranked > MOST_TABULATED)
    found[found] = signed_rank_series(smaller[found], ranks.ranked[found]) >= LEAST_OF_SERIES
    return found


def _serial(ranks: SignedRanks, rows: BoolArray) -> tuple[FloatArray, FloatArray]:
    v, count, total = ranks.positive[rows], ranks.ranked[rows], ranks.total[rows]
    return signed_rank_series(v, count), signed_rank_series(total - v, count)


def signed_midranks(values: FloatArray, zeros: Zeros) -> FloatArray:
    """Twice the midranks of the absolute values of `(row, item)`, whole numbers, with the signs of the values; 0 for zeros."""
    doubled = 2.0 * midranks(np.abs(values))
    zero = values == 0.0
    if zeros == "drop":
        doubled -= 2.0 * np.count_nonzero(zero, axis=-1)[:, np.newaxis]
    return np.where(zero, 0.0, np.copysign(doubled, values))


def signed_rank_law(ranks: int) -> FloatArray:
    """P(V ≤ v) for v = 0, 1, … up to half the range, V the sum of a random choice of the ranks 1 … `ranks`."""
    if ranks <= TABULATED:
        return _short_law(ranks)
    with ONE_AT_A_TIME:
        return _long_law(ranks)


@lru_cache(maxsize=TABULATED)
def _short_law(ranks: int) -> FloatArray:
    return _counted_law(ranks)


@lru_cache(maxsize=KEPT)
def _long_law(ranks: int) -> FloatArray:
    """Counted, or rank by rank from the table of the stride below, in one array: what lies between is not kept."""
    if ranks % FORWARD == 0:
        return _counted_law(ranks)
    before = (ranks - 1) // STRIDE * STRIDE
    law = _long_law(before)
    room = np.empty(ranks * (ranks + 1) // 4 + 1)
    for rank in range(before + 1, ranks + 1):
        law = _next_law(law, rank, room)
    law.flags.writeable = False
    return law


def _counted_law(ranks: int) -> FloatArray:
    # V and its mirror image are alike: half of the table says it all. Counts stay whole up to 2⁵³, and finite up to 1023 ranks.
    half = ranks * (ranks + 1) // 4
    counts, after = np.zeros((2, half + 1))
    counts[0] = 1.0
    # From one array into the other: each number is read and written once.
    for rank in range(1, ranks + 1):
        end = 1 + min(half, rank * (rank + 1) // 2)
        after[:rank] = counts[:rank]
        np.add(counts[rank:end], counts[: end - rank], out=after[rank:end])
        counts, after = after, counts
    law = np.ldexp(np.cumsum(counts), -ranks)
    law.flags.writeable = False
    return law


def _next_law(law: FloatArray, rank: int, room: FloatArray) -> FloatArray:
    """The law with one more rank, which is taken or left: P(V ≤ v) is the mean of those of v and v − rank before it."""
    half, most = rank * (rank + 1) // 4, rank * (rank - 1) // 2
    before = np.empty(half + 1)
    np.multiply(law, 0.5, out=before[: len(law)])
    before[len(law) :] = 0.5 * (1.0 - law[most - 1 - np.arange(len(law), half + 1)])
    following = room[: half + 1]
    following[:rank] = before[:rank]
    np.add(before[rank:], before[: half + 1 - rank], out=following[rank:])
    return following


def _tabulated_tails(positive: FloatArray, ranked: IntArray) -> tuple[FloatArray, FloatArray]:
    """P(V ≤ v) and P(V ≥ v), of which the smaller is looked up and the larger is what lies beyond."""
    total = ranked * (ranked + 1) // 2
    v = positive.astype(np.int64)
    small = np.minimum(v, total - v)
    near, far = np.empty(len(v)), np.empty(len(v))
    for ranks in np.unique(ranked).tolist():
        rows, law = np.flatnonzero(ranked == ranks), signed_rank_law(ranks)
        found = small[rows]
        near[rows] = law[found]
        far[rows] = law[found - 1]
    far = np.where(small > 0, 1.0 - far, 1.0)
    below = v == small
    return np.where(below, near, far), np.where(below & (small < total - v), far, near)


def signed_rank_quantile(probability: float, items: int) -> int:
    """The smallest v with P(V ≤ v) > `probability` < 1/2, V the sum of the ranks of positive differences without ties.

    Exact up to 300 items; beyond, the normal quantile with continuity and a correction for the fourth cumulant.
    """
    if items > EXACT_RANKS:
        return _signed_rank_approximation(probability, items)
    # A probability that is a multiple of 2^-n, at which the test rejects, must not miss its own rank by a rounding.
    wanted = probability + 10.0 * np.finfo(np.float64).eps
    return int(np.searchsorted(signed_rank_law(items), wanted))


def _signed_rank_approximation(probability: float, items: int) -> int:
    mean, variance, fourth = _cumulants(float(items))
    z = float(special.ndtri(probability))
    # The first term of Cornish and Fisher's expansion that is not 0: V is symmetric, so its third cumulant is.
    z += fourth / (24.0 * variance**2) * (z**3 - 3.0 * z)
    return int(np.ceil(mean + z * np.sqrt(variance) - 0.5))


def _cumulants(n: float) -> tuple[float, float, float]:
    """Mean, variance and fourth cumulant of V: a half, a quarter and minus an eighth of the sum of the ranks' powers."""
    squares = n * (n + 1.0) * (2.0 * n + 1.0)
    return n * (n + 1.0) / 4.0, squares / 24.0, -squares * (3.0 * n * n + 3.0 * n - 1.0) / 240.0
