"""Bounds on a proportion that hold at whatever moment one stops looking."""

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import special

from tellapart.arrays import FloatArray

STEPS = 60
"""Halvings of an interval: past the last digit."""


def anytime_bounds(successes: int, trials: int, level: float, half_width: float) -> tuple[float, float]:
    """All proportions that have never been refuted, sharpest about where the bounds are `half_width` to either side.

    For each proportion p, the likelihood under a beta mixture about p over the likelihood under p is a martingale that starts at 1
    where p is true: it ever exceeds 1/(1 − level) with probability at most 1 − level (Ville, 1939), however often one looks and
    whatever makes one stop. Robbins (1970).
    """
    seen = successes / trials if trials else 0.5
    limit = -math.log1p(-level)

    def refuted(p: float) -> bool:
        return not 0.0 < p < 1.0 or bool(log_evidence(p, successes, trials, half_width) >= limit)

    return _edge(refuted, 0.0, seen), _edge(refuted, 1.0, seen)


def _edge(refuted: Callable[[float], bool], far: float, near: float) -> float:
    """Between a proportion that is refuted and one that is not."""
    for _ in range(STEPS):
        middle = (far + near) / 2.0
        far, near = (middle, near) if refuted(middle) else (far, middle)
    return far


def log_evidence(p: float, successes: Any, trials: Any, half_width: float) -> FloatArray:
    """How many times likelier the counts are under the mixture about p than under p, as a logarithm."""
    # About as many observations as the wanted width takes: bounds are sharpest near there, and are valid with any weight.
    weight = p * (1.0 - p) / half_width**2 + 1.0 / half_width
    a, b = weight * p, weight * (1.0 - p)
    failures = np.subtract(trials, successes)
    mixed = special.betaln(a + successes, b + failures) - special.betaln(a, b)
    return np.asarray(mixed - special.xlogy(successes, p) - special.xlog1py(failures, -p))


@functools.cache
def trials_for(half_width: float, level: float) -> int:
    """So many that the bounds are that narrow whatever the proportion is: they are widest at a half."""
    low, high = 1, 2

    def wide(trials: int) -> bool:
        ends = anytime_bounds(trials // 2, trials, level, half_width)
        return ends[1] - ends[0] > 2.0 * half_width

    while wide(high):
        low, high = high, 2 * high
    # To a thousandth is enough: it is a number of trials to stop at, and one more or less changes no bound.
    while high - low > max(1, high // 1000):
        middle = (low + high) // 2
        low, high = (middle, high) if wide(middle) else (low, middle)
    return high
