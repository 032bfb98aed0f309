"""Bracketing root finder for increasing functions, in batches."""

from collections.abc import Callable

import numpy as np

from tellapart.foundation.arrays import NOISE, FloatArray

STEPS = 200
"""A safe end: six to twelve are taken as a rule, and halving alone would take some forty."""

Batch = Callable[[FloatArray], FloatArray]


def increasing_root(function: Batch, low: FloatArray, high: FloatArray) -> FloatArray:
    """Where a rising function of each batch entry passes 0: `low` where it is not below 0 there.

    `high` above `low` is only a guess; it is moved up until the function is above 0. Brackets shrink by inverse
    quadratic interpolation where that is safe, else by halves. Chandrupatla (1997).
    """
    low, at_low = np.asarray(low, dtype=np.float64), function(low)
    high, at_high = _bracket_above(function, low, np.asarray(high, dtype=np.float64))
    done = at_low >= 0.0
    best = np.where(done, low, high)
    # newest, its opposite across the root, and the point before: the three that interpolation goes through
    a, fa, b, fb = high, at_high, low, at_low
    c, fc = b, fb
    fraction = np.full_like(low, 0.5)
    for _ in range(STEPS):
        x = np.where(done, best, a + fraction * (b - a))
        fx = function(x)
        same = np.sign(fx) == np.sign(fa)
        c, fc = np.where(same, a, b), np.where(same, fa, fb)
        b, fb = np.where(same, b, a), np.where(same, fb, fa)
        a, fa = x, fx
        nearer = np.abs(fa) < np.abs(fb)
        best = np.where(done, best, np.where(nearer, a, b))
        room = np.abs(b - a)
        # Closer than this most functions are rounding noise, which no bracket should chase.
        floor = NOISE * np.abs(best)
        done = done | (room <= 2.0 * floor) | (fa == 0.0)
        if done.all():
            break
        with np.errstate(all="ignore"):
            fraction = _bisection_fraction((a, fa), (b, fb), (c, fc), floor / room)
    return best


def _bracket_above(function: Batch, low: FloatArray, high: FloatArray) -> tuple[FloatArray, FloatArray]:
    """A point where the function is above 0, found by doubling the distance from `low`."""
    value = function(high)
    for _ in range(STEPS):
        short = value < 0.0
        if not short.any():
            break
        high = np.where(short, low + 2.0 * (high - low), high)
        value = function(high)
    return high, value


Point = tuple[FloatArray, FloatArray]


def _bisection_fraction(newest: Point, opposite: Point, previous: Point, floor: FloatArray) -> FloatArray:
    """How far to go from the newest point to the opposite one, and no nearer to either than rounding is wide."""
    least = np.minimum(0.5, floor)
    return np.clip(_interpolated(newest, opposite, previous), least, 1.0 - least)


def _interpolated(newest: Point, opposite: Point, previous: Point) -> FloatArray:
    """The fraction by inverse quadratic interpolation where that is safe, else one half."""
    (a, fa), (b, fb), (c, fc) = newest, opposite, previous
    xi, phi = (a - b) / (c - b), (fa - fb) / (fc - fb)
    safe = (phi * phi < xi) & ((1.0 - phi) ** 2 < 1.0 - xi)
    quadratic = fa / (fb - fa) * fc / (fb - fc) + (c - a) / (b - a) * fa / (fc - fa) * fb / (fc - fb)
    return np.asarray(np.where(safe, quadratic, 0.5))
