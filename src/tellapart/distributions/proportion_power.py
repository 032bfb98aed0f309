"""Normal approximations for tests of right-or-wrong scores: power, number of items, the smallest effect that is found.

`discordance` is the share of items on which two paired systems differ. Power counts rejections in the direction of the
effect only. Where a number of items or an effect is solved for, only sizes count: the effect is taken in the direction
that a one-sided alternative looks at.
"""

import math

import numpy as np
from scipy import special

from tellapart.arrays import FloatArray
from tellapart.distributions.tails import Alternative, sides

Number = FloatArray | float


def connett_power(
    items: Number, discordance: Number, effect: Number, alpha: Number, alternative: Alternative = "two-sided"
) -> FloatArray:
    """How often McNemar's asymptotic test finds the effect in its own direction.

    The variance of wins − losses is ψ without effect and ψ − Δ² with it. Connett, Smith & McHugh (1987).
    """
    size, share = _towards(effect, alternative), np.asarray(discordance, dtype=np.float64)
    distance = np.asarray(np.sqrt(items) * size - _quantile(alpha, alternative) * np.sqrt(share))
    spread = np.sqrt(np.maximum(share - size * size, 0.0))
    return _found(distance, spread)


def connett_items(
    discordance: Number, effect: Number, power: Number, alpha: Number, alternative: Alternative = "two-sided"
) -> FloatArray:
    """How many items McNemar's asymptotic test needs, as a real number. Connett, Smith & McHugh (1987)."""
    size, share = np.abs(effect), np.asarray(discordance, dtype=np.float64)
    null, true = np.sqrt(share), np.sqrt(np.maximum(share - size * size, 0.0))
    return _squared(_quantile(alpha, alternative) * null + special.ndtri(power) * true, size)


def connett_detectable(
    items: int, discordance: float, power: float, alpha: float, alternative: Alternative = "two-sided"
) -> float | None:
    """The smallest effect found with this power at a fixed discordance; None when even the largest possible is not."""
    null, true = float(_quantile(alpha, alternative)), float(special.ndtri(power))
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
    distance = np.sqrt(items) * _towards(effect, alternative) / np.sqrt(discordance)
    return np.asarray(special.ndtr(distance - _quantile(alpha, alternative)))


def miettinen_items(
    discordance: Number, effect: Number, power: Number, alpha: Number, alternative: Alternative = "two-sided"
) -> FloatArray:
    """How many items, with the variance under no effect throughout. Miettinen (1968); Lachenbruch (1992)."""
    quantiles = _quantile(alpha, alternative) + special.ndtri(power)
    return _squared(quantiles * np.sqrt(discordance), np.abs(effect))


def two_proportion_power(
    items: Number | tuple[Number, Number],
    a: Number,
    b: Number,
    alpha: Number,
    alternative: Alternative = "two-sided",
) -> FloatArray:
    """How often a z test of two systems, each on its own items, finds their difference b − a of accuracies.

    `items` are those of each system, or of A and of B. Pooled variance without effect, separate variances with it.
    Fleiss, Levin & Paik (2003).
    """
    a, b = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    of_a, of_b = items if isinstance(items, tuple) else (items, items)
    ratio = np.asarray(of_b) / of_a
    pooled = (a + ratio * b) / (1.0 + ratio)
    null = np.sqrt(pooled * (1.0 - pooled) * (1.0 + 1.0 / ratio))
    distance = np.sqrt(of_a) * _towards(b - a, alternative) - _quantile(alpha, alternative) * null
    return _found(np.asarray(distance), np.sqrt(a * (1.0 - a) + b * (1.0 - b) / ratio))


def _towards(effect: Number, alternative: Alternative) -> FloatArray:
    """The effect in the direction that the alternative looks at; two-sided ones look where it is."""
    effect = np.asarray(effect, dtype=np.float64)
    return {"two-sided": np.abs(effect), "greater": effect, "less": -effect}[alternative]


def _found(distance: FloatArray, spread: FloatArray) -> FloatArray:
    """P(Z ≤ distance / spread): without spread every effect past the critical value is found, and none before it."""
    # All discordant items one way: wins − losses does not vary at all.
    steep = np.where(spread > 0.0, spread, 1.0)
    return np.asarray(special.ndtr(np.where(spread > 0.0, distance / steep, np.copysign(np.inf, distance))))


def _quantile(alpha: Number, alternative: Alternative) -> FloatArray:
    return -np.asarray(special.ndtri(np.asarray(alpha) / sides(alternative)))


def _squared(distance: FloatArray, size: Number) -> FloatArray:
    """(distance / size)², infinite where there is no effect."""
    distance, size = np.broadcast_arrays(distance, size)
    root = np.divide(distance, size, out=np.full(distance.shape, np.inf), where=size > 0.0)
    return np.asarray(root * root)
