"""Quadrature over the distribution of a standard error: the root of a chi-square over its degrees of freedom.

Quadrature in the logarithm of that ratio, where its density is log-concave at any degrees of freedom, on pieces
chosen so that each holds one smooth bump.
"""

import numpy as np
from scipy import special

from tellapart.foundation.arrays import FloatArray

NODES = 32
"""Gauss–Legendre nodes per piece: enough for a normal bump nine standard deviations wide, to 1e-15."""

NEGLIGIBLE = 45.0
"""Nats below the peak beyond which the integrand no longer counts: e^-45 is 3e-20."""

TRANSITION = 9.0
"""Standard deviations within which a normal tail probability passes from 1 to nothing: 1e-19 is left."""

TINY = 1e-300
"""Stands for 0 where a logarithm is taken or divided by."""

_POINTS, _WEIGHTS = np.polynomial.legendre.leggauss(NODES)
_STIRLING = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188)
"""Bernoulli numbers B₂ₖ over 2k(2k − 1); at x = 10 the first one left out is 2e-14."""


def nodes(df: FloatArray, edges: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Ratios and their probability weights, each `(row, node)`, on pieces between sorted log-ratios `(row, edge)`."""
    half = np.diff(edges)[..., np.newaxis] / 2.0
    middle = (edges[:, :-1] + edges[:, 1:])[..., np.newaxis] / 2.0
    flat = len(df), half.shape[1] * NODES
    logs = (middle + half * _POINTS).reshape(flat)
    # Relative to the peak at ratio 1, where the density of thousands of degrees of freedom would overflow.
    exponent = df[:, np.newaxis] * (logs - np.expm1(2.0 * logs) / 2.0)
    lengths = (half * _WEIGHTS).reshape(flat)
    return np.exp(logs), lengths * np.exp(exponent + log_peak(df)[:, np.newaxis])


def log_peak(df: FloatArray) -> FloatArray:
    """Log density of the log-ratio at ratio 1, without the cancellation of large gamma functions."""
    k = df / 2.0
    # Both branches are computed for all; each is kept where it is good, and bounded where it is not.
    small, large = np.minimum(k, 10.0), np.maximum(k, 10.0)
    direct = special.xlogy(small, small) - small - special.gammaln(small)
    series = np.log(large / (2.0 * np.pi)) / 2.0 - stirling(large)
    return np.asarray(np.log(2.0) + np.where(k < 10.0, direct, series))


def stirling(x: FloatArray) -> FloatArray:
    """The remainder of Stirling's formula for log Γ(x), x ≥ 10."""
    inverse = 1.0 / x
    return np.asarray(inverse * np.polynomial.polynomial.polyval(inverse * inverse, _STIRLING))


def tail_edges(shift: FloatArray, df: FloatArray, critical: FloatArray) -> FloatArray:
    """Pieces for chi's density times the normal tail Φ(shift − critical·ratio), critical ≥ 0.

    With the tail taken as exp(−x²/2) beyond 0 the peak is the root of a quadratic, and the fall from it is at least
    df·(eᵛ − 1 − v) nats at a distance v; for a shift of 0 or more at least df·((e²ᵛ − 1)/2 − v), and above a steep
    tail's peak at least `stiffness`·(eᵛ − 1)²/2.
    """
    slant, square = critical * shift, df + critical**2
    root = np.hypot(slant, 2.0 * np.sqrt(square * df))
    inside = np.where(slant > 0.0, (slant + root) / (2.0 * square), 2.0 * df / (root + np.abs(slant)))
    steep = critical > shift
    top = np.where(steep, inside, 1.0)
    stiffness = np.where(steep, np.maximum(slant, 0.0) * top, 0.0)
    below, above = _extent(df)
    above = np.where(shift < 0.0, above, _extent(df / 2.0)[1] / 2.0)
    narrow = np.sqrt(2.0 * NEGLIGIBLE / np.maximum(stiffness, TINY))
    above = np.minimum(above, np.log1p(narrow))
    centre = np.log(top)
    bumps = [centre - 3.0 * _bump(df), centre - _bump(df), centre + _bump(df + stiffness)]
    return _sorted_edges(centre + below, centre + above, [*bumps, *_onset(shift, critical)])


def capped_edges(up: FloatArray, down: FloatArray, df: FloatArray, critical: FloatArray) -> FloatArray:
    """Pieces for chi's density times the chance of staying between two bounds that close in as the ratio grows."""
    cap = np.log(np.maximum(up + down, TINY)) - np.log(2.0 * np.maximum(critical, TINY))
    centre = np.minimum(cap, 0.0)
    below, above = _extent(df)
    bumps = [centre - 3.0 * _bump(df), centre - _bump(df), centre + _bump(df)]
    breaks = [*bumps, *_onset(up, critical), *_onset(down, critical)]
    return _sorted_edges(centre + below, np.minimum(centre + above, cap), breaks)


def _extent(df: FloatArray) -> tuple[FloatArray, FloatArray]:
    """How far below and above its peak, in log-ratio, an integrand that falls by df·(eᵛ − 1 − v) nats still counts."""
    steps = NEGLIGIBLE / df
    width = steps + np.sqrt(2.0 * steps)
    return -width, np.log1p(width)


def _bump(curvature: FloatArray) -> FloatArray:
    """How far from a peak of this curvature a piece may end: 4.5 standard deviations, so that two sides make nine."""
    # With few degrees of freedom the density is no normal bump, but long on one side: pieces stay short there.
    return np.minimum(4.5 / np.sqrt(curvature), 1.5)


def _onset(shift: FloatArray, critical: FloatArray) -> list[FloatArray]:
    """Log-ratios between which Φ(shift − critical·ratio) falls from 1 to nothing."""
    # A quarter of the shift, for shifts below the transition: further down the density has nothing left.
    bounds = np.maximum(shift - TRANSITION, shift / 4.0), shift, shift + TRANSITION
    return [np.log(np.maximum(bound, TINY)) - np.log(np.maximum(critical, TINY)) for bound in bounds]


def _sorted_edges(low: FloatArray, high: FloatArray, breaks: list[FloatArray]) -> FloatArray:
    inner = [np.clip(edge, low, high) for edge in breaks]
    return np.sort(np.stack([low, *inner, high], axis=-1), axis=-1)
