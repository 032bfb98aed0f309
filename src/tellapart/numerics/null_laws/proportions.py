"""Intervals for proportions, and approximate power and sample size of McNemar's and two-proportion z tests."""

import functools
import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from scipy import special

from tellapart.foundation.arrays import FloatArray
from tellapart.numerics.null_laws.tails import Alternative, sides

# Wilson's score bounds for one proportion, which intervals for differences are built from.


class Bounded(NamedTuple):
    """A proportion and its bounds, each `(*batch,)`."""

    share: FloatArray
    low: FloatArray
    high: FloatArray


def wilson_bounds(successes: Any, items: Any, z: float) -> Bounded:
    """The proportions within z of their own standard errors from the observed one: exactly 0 or 1 at the ends.

    The roots of n(p̂ − p)² = z²·p(1 − p) in p. Close to their level on average over proportions, from few items on; a single
    proportion near 0 or 1 may be held up to eleven points less often at 95 %. Wilson (1927).
    """
    x, n = np.asarray(successes, dtype=np.float64), np.asarray(items, dtype=np.float64)
    root = z * np.sqrt(x * (n - x) / n + z * z / 4.0)
    # The two bounds multiply to x² / (n (n + z²)): the lower one without a difference of near-equals.
    low = x * x / (n * (x + z * z / 2.0 + root))
    high = np.where(x == n, 1.0, (x + z * z / 2.0 + root) / (n + z * z))
    return Bounded(np.asarray(x / n), np.asarray(low), np.asarray(high))


def square_and_add(a: Bounded, b: Bounded, correlation: FloatArray | float) -> tuple[FloatArray, FloatArray]:
    """Bounds of b − a from the bounds of each, whose distances add like standard deviations. Newcombe (1998)."""
    effect = b.share - a.share
    down = _sd_of_difference_of(b.share - b.low, a.high - a.share, correlation)
    up = _sd_of_difference_of(a.share - a.low, b.high - b.share, correlation)
    return np.maximum(effect - down, -1.0), np.minimum(effect + up, 1.0)


def _sd_of_difference_of(x: FloatArray, y: FloatArray, correlation: FloatArray | float) -> FloatArray:
    return np.sqrt(np.maximum(x * x - 2.0 * correlation * x * y + y * y, 0.0))


# Normal approximations for tests of right-or-wrong scores: power, number of items, the smallest effect that
# is found.
# `discordance` is the share of items on which two paired systems differ. Power counts rejections in the
# direction of the effect only. Where a number of items or an effect is solved for, only sizes count: the
# effect is taken in the direction that a one-sided alternative looks at.

Number = FloatArray | float


def connett_power(
    items: Number, discordance: Number, effect: Number, alpha: Number, alternative: Alternative = "two-sided"
) -> FloatArray:
    """Power of McNemar's asymptotic test in the direction of the effect.

    The variance of wins − losses is ψ without effect and ψ − Δ² with it. Connett, Smith & McHugh (1987).
    """
    size, share = _effect_towards(effect, alternative), np.asarray(discordance, dtype=np.float64)
    distance = np.asarray(np.sqrt(items) * size - _critical_z(alpha, alternative) * np.sqrt(share))
    spread = np.sqrt(np.maximum(share - size * size, 0.0))
    return _normal_power(distance, spread)


def connett_items(
    discordance: Number, effect: Number, power: Number, alpha: Number, alternative: Alternative = "two-sided"
) -> FloatArray:
    """How many items McNemar's asymptotic test needs, as a real number. Connett, Smith & McHugh (1987)."""
    size, share = np.abs(effect), np.asarray(discordance, dtype=np.float64)
    null, true = np.sqrt(share), np.sqrt(np.maximum(share - size * size, 0.0))
    return _squared_ratio(_critical_z(alpha, alternative) * null + special.ndtri(power) * true, size)


def connett_detectable(
    items: int, discordance: float, power: float, alpha: float, alternative: Alternative = "two-sided"
) -> float | None:
    """The smallest effect found with this power at a fixed discordance; None when even the largest possible is not."""
    null, true = float(_critical_z(alpha, alternative)), float(special.ndtri(power))
    # The power equation is quadratic in the effect; this is its discriminant but for factors above 0.
    room = items - null**2 + true**2
    if room < 0.0 or discordance <= 0.0:
        return None
    effect = math.sqrt(discordance) * (null * math.sqrt(items) + true * math.sqrt(room)) / (items + true**2)
    return effect if 0.0 < effect <= discordance else None


def miettinen_power(
    items: Number, discordance: Number, effect: Number, alpha: Number, alternative: Alternative = "two-sided"
) -> FloatArray:
    """Connett's approximation with the variance under no effect throughout. Miettinen (1968); Lachenbruch (1992)."""
    distance = np.sqrt(items) * _effect_towards(effect, alternative) / np.sqrt(discordance)
    return np.asarray(special.ndtr(distance - _critical_z(alpha, alternative)))


def miettinen_items(
    discordance: Number, effect: Number, power: Number, alpha: Number, alternative: Alternative = "two-sided"
) -> FloatArray:
    """How many items, with the variance under no effect throughout. Miettinen (1968); Lachenbruch (1992)."""
    quantiles = _critical_z(alpha, alternative) + special.ndtri(power)
    return _squared_ratio(quantiles * np.sqrt(discordance), np.abs(effect))


def two_proportion_power(
    items: Number | tuple[Number, Number], a: Number, b: Number, alpha: Number, alternative: Alternative = "two-sided"
) -> FloatArray:
    """Power of a z test of two systems, each on its own items, for the difference b − a of accuracies.

    `items` are those of each system, or of A and of B. Pooled variance without effect, separate variances with it.
    Fleiss, Levin & Paik (2003).
    """
    a, b = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    of_a, of_b = items if isinstance(items, tuple) else (items, items)
    ratio = np.asarray(of_b) / of_a
    pooled = (a + ratio * b) / (1.0 + ratio)
    null = np.sqrt(pooled * (1.0 - pooled) * (1.0 + 1.0 / ratio))
    distance = np.sqrt(of_a) * _effect_towards(b - a, alternative) - _critical_z(alpha, alternative) * null
    return _normal_power(np.asarray(distance), np.sqrt(a * (1.0 - a) + b * (1.0 - b) / ratio))


def _effect_towards(effect: Number, alternative: Alternative) -> FloatArray:
    """The effect in the direction that the alternative looks at; two-sided ones look where it is."""
    effect = np.asarray(effect, dtype=np.float64)
    return {"two-sided": np.abs(effect), "greater": effect, "less": -effect}[alternative]


def _normal_power(distance: FloatArray, spread: FloatArray) -> FloatArray:
    """P(Z ≤ distance / spread): without spread every effect past the critical value is found, and none before it."""
    # All discordant items one way: wins − losses does not vary at all.
    steep = np.where(spread > 0.0, spread, 1.0)
    return np.asarray(special.ndtr(np.where(spread > 0.0, distance / steep, np.copysign(np.inf, distance))))


def _critical_z(alpha: Number, alternative: Alternative) -> FloatArray:
    return -np.asarray(special.ndtri(np.asarray(alpha) / sides(alternative)))


def _squared_ratio(distance: FloatArray, size: Number) -> FloatArray:
    """(distance / size)², infinite where there is no effect."""
    distance, size = np.broadcast_arrays(distance, size)
    root = np.divide(distance, size, out=np.full(distance.shape, np.inf), where=size > 0.0)
    return np.asarray(root * root)


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
    """The log-likelihood ratio of the counts under the mixture about p against p."""
    # About as many observations as the wanted width takes: bounds are sharpest near there, and are valid with any weight.
    weight = p * (1.0 - p) / half_width**2 + 1.0 / half_width
    a, b = weight * p, weight * (1.0 - p)
    failures = np.subtract(trials, successes)
    mixed = special.betaln(a + successes, b + failures) - special.betaln(a, b)
    return np.asarray(mixed - special.xlogy(successes, p) - special.xlog1py(failures, -p))


@functools.cache
def trials_for(half_width: float, level: float) -> int:
    """The trials that make the bounds this narrow at any proportion; they are widest at a half."""
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
