"""Lattice detection: the common step, if any, of scores such as 0/1, k/10, ratings or means of three runs.

Float noise is expected: a number is on the lattice when it is within `noise` of a multiple of the step.
"""

import numpy as np

from tellapart.foundation.arrays import BoolArray, FloatArray

SAMPLE = 16
"""Numbers of a row that must share a step before the rest of the row is looked at."""

DECIMALS = 9
"""Numbers with at most this many decimals are on the lattice of the last one, whatever else they are."""

DENOMINATOR = 2048
"""The largest denominator recognised at once, when no decimal step is found: thirds, sevenths, 1/2 − 1/9, …"""

CANDIDATES = np.arange(2.0, DENOMINATOR + 1.0)

FEW = 16
"""Fractions up to which trying out all candidates at once is faster than a loop over continued fractions."""


def common_step(sizes: FloatArray, noise: FloatArray) -> FloatArray:
    """The largest step of which all numbers of a row `(row, item)` are multiples, `(row,)`; 0 where none is seen.

    `sizes` are at least 0 and `noise`, `(row,)`, is how far each may be off; a row of zeros has no step.
    """
    step = np.zeros(len(sizes))
    largest = sizes.max(axis=-1, initial=0.0)
    live = np.flatnonzero((largest > 0.0) & np.isfinite(largest))
    step[live] = _decimal_step(sizes[live], largest[live])
    live = live[step[live] == 0.0]
    step[live] = _rational_step(sizes[live], largest[live], noise[live])
    return step


def _size_sample(sizes: FloatArray) -> FloatArray:
    return sizes[:, :: max(1, sizes.shape[-1] // SAMPLE)]


def _decimal_step(sizes: FloatArray, largest: FloatArray) -> FloatArray:
    step = np.zeros(len(sizes))
    # Fifteen digits are those that a double keeps of any decimal.
    digits = np.clip(15 - np.ceil(np.log10(largest)), 0, DECIMALS)
    power = (10.0**digits)[:, np.newaxis]
    live = np.flatnonzero(_are_decimal(_size_sample(sizes), power) & (largest < 1e15))
    live = live[_are_decimal(sizes[live], power[live])]
    units = np.rint(sizes[live] * power[live]).astype(np.int64)
    step[live] = np.gcd.reduce(units, axis=-1) / power[live, 0]
    return step


def _are_decimal(sizes: FloatArray, power: FloatArray) -> BoolArray:
    return np.asarray((np.rint(sizes * power) / power == sizes).all(axis=-1))


def _rational_step(sizes: FloatArray, largest: FloatArray, noise: FloatArray) -> FloatArray:
    """The largest number divided by the least common denominator of all others relative to it."""
    # The division rounds as well, by some 1e-16 of numbers up to 1.
    off = noise / largest + 1e-15
    ratios = sizes / largest[:, np.newaxis]
    # Every number is within 1/N of a fraction of a denominator up to N (Dirichlet), so that from about N = √(1/(2·off)) on any
    # number seems to have one within its noise. Half of that is still evidence.
    bound = np.sqrt(0.125 / off)
    live = np.flatnonzero(_common_denominator(_size_sample(ratios), 2.0 * off, bound))
    denominator = _common_denominator(ratios[live], 2.0 * off[live], bound[live])
    step = np.zeros(len(sizes))
    step[live] = np.divide(largest[live], denominator, out=np.zeros(len(live)), where=denominator > 0.0)
    return step


def _common_denominator(ratios: FloatArray, slack: FloatArray, bound: FloatArray) -> FloatArray:
    """The smallest number that makes all ratios of a row whole, within slack; 0 where it would pass the bound."""
    denominator = np.ones(len(ratios))
    live = np.arange(len(ratios))
    while len(live):
        multiple = ratios[live] * denominator[live, np.newaxis]
        off = np.abs(multiple - np.rint(multiple))
        worst = off.argmax(axis=-1)
        rows = np.arange(len(live))
        tolerance = slack[live] * denominator[live]
        live_off = off[rows, worst] > tolerance
        live, fraction, tolerance = (live[live_off], multiple[rows, worst][live_off] % 1.0, tolerance[live_off])
        denominator[live] *= _denominator(fraction, tolerance)
        denominator[live[denominator[live] > bound[live]]] = 0.0
        live = live[denominator[live] > 0.0]
    return denominator


def _denominator(fraction: FloatArray, tolerance: FloatArray) -> FloatArray:
    """The smallest whole number that makes each fraction whole within tolerance; 0 where it would be too large.

    A few fractions are tried out; for many, continued fractions take fewer steps.
    """
    return (_tried_out if len(fraction) < FEW else _continued)(fraction, tolerance)


def _tried_out(fraction: FloatArray, tolerance: FloatArray) -> FloatArray:
    multiple = fraction[:, np.newaxis] * CANDIDATES
    multiple -= np.rint(multiple)
    fits = np.abs(multiple) <= tolerance[:, np.newaxis] * CANDIDATES
    best = fits.argmax(axis=-1)
    return np.where(fits[np.arange(len(best)), best], CANDIDATES[best], 0.0)


def _continued(fraction: FloatArray, tolerance: FloatArray) -> FloatArray:
    """By the denominators of continued fractions, which are those of all best approximations. Khinchin (1964)."""
    found, before, now, rest = (np.zeros_like(fraction), np.zeros_like(fraction), np.ones_like(fraction), fraction)
    while (left := (found == 0.0) & (now <= DENOMINATOR)).any():
        inverse = 1.0 / np.where(left, rest, 1.0)
        whole = np.floor(inverse)
        rest, before, now = inverse - whole, now, whole * now + before
        multiple = fraction * now
        fits = left & (np.abs(multiple - np.rint(multiple)) <= tolerance * now)
        found[fits] = now[fits]
    return np.where(found <= DENOMINATOR, found, 0.0)
