"""Distribution of the range of independent standard normals, for the largest of all pairwise differences."""

import numpy as np
from scipy import special

from tellapart.foundation.arrays import FloatArray
from tellapart.numerics.null_laws.tails import density
from tellapart.numerics.roots import increasing_root

PANEL = 0.5
"""Standard deviations per piece: sixteen nodes on it integrate a normal, and powers of its tail, to the last digits."""

NODES, WEIGHTS = np.polynomial.legendre.leggauss(16)
"""Quadrature nodes of one piece between −1 and 1."""
NEARLY_ONE = float(np.nextafter(1.0, 0.0))
"""Shares round to 1 far out, where the logarithm of what is left would be infinite."""

FARTHEST = 9.0
"""Beyond this many standard deviations from where the integrand peaks nothing is left of it: 1e-19."""


def range_survival(q: FloatArray | float, count: int) -> FloatArray:
    """P(range of `count` standard normals > q), with full relative accuracy in the tail.

    Whatever the largest value z is, the range exceeds q unless all others lie within q below it. Tukey (1953).
    """
    width = np.asarray(q, dtype=np.float64)
    z, weights = _panel_nodes(max(FARTHEST, 0.5 * float(width.max(initial=0.0)) + FARTHEST))
    below, within = special.ndtr(z), width[..., np.newaxis]
    share = special.ndtr(z - within) / below
    # Φᵏ⁻¹ − (Φ − Φ(z − q))ᵏ⁻¹ as a product, so that a small tail is no difference of near-equals.
    exceeded = below ** (count - 1) * -np.expm1((count - 1) * np.log1p(-np.minimum(share, NEARLY_ONE)))
    tail = count * np.sum(weights * density(z) * exceeded, axis=-1)
    return np.where(width <= 0.0, 1.0, np.minimum(tail, 1.0))


def range_quantile(tail: float, count: int) -> float:
    """The range that is exceeded with probability `tail`."""
    # 8 is a guess that the search moves up where it has to: with alpha 0.05 it lies above the range of a thousand normals.
    found = increasing_root(lambda q: np.log(tail) - np.log(range_survival(q, count)), np.array(0.0), np.array(8.0))
    return float(found)


def family_level(systems: int, alpha: float) -> float:
    """The level each of all pairs may be tested at so that together they err with probability `alpha`.

    For systems with equal variances and one common correlation, where the largest pairwise statistic is the range of as
    many independent normals over √2, whatever that correlation is. Tukey (1953).
    """
    return float(2.0 * special.ndtr(-range_quantile(alpha, systems) / np.sqrt(2.0)))


def _panel_nodes(high: float) -> tuple[FloatArray, FloatArray]:
    edges = np.arange(-FARTHEST, high + PANEL, PANEL)
    nodes = edges[:-1, np.newaxis] + 0.5 * PANEL * (NODES + 1.0)
    return nodes.ravel(), np.tile(0.5 * PANEL * WEIGHTS, len(edges) - 1)


# The best of several: what chance alone adds to the largest of a few results.

FARTHEST_EXTREME = 9.0
"""Standard deviations on either side: a single normal is beyond with a chance of 1e-19, so the largest of a million of 1e-13."""

EXTREME_NODES = 400
"""Gauss–Legendre nodes, 0.07 apart in the middle: the largest of a million spreads by 0.24."""


def expected_maximum(count: int) -> float:
    """The expected largest of `count` independent standard normals.

    ∫ x·n·φ(x)·Φ(x)ⁿ⁻¹ dx, exact up to quadrature: 1e-13 up to a thousand, 1e-12 up to a million. Tippett (1925).

    >>> round(expected_maximum(5), 4)
    1.163
    """
    nodes, weights = np.polynomial.legendre.leggauss(EXTREME_NODES)
    x: FloatArray = FARTHEST_EXTREME * nodes
    # Each of them may be the largest, with the others below it.
    largest = count * density(x) * np.exp((count - 1.0) * special.log_ndtr(x))
    return float(FARTHEST_EXTREME * (weights @ (x * largest)))
