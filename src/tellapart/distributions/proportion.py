"""Wilson's score bounds for one proportion, which intervals for differences are built from."""

from typing import Any, NamedTuple

import numpy as np

from tellapart.arrays import FloatArray


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
    down = _joined(b.share - b.low, a.high - a.share, correlation)
    up = _joined(a.share - a.low, b.high - b.share, correlation)
    return np.maximum(effect - down, -1.0), np.minimum(effect + up, 1.0)


def _joined(x: FloatArray, y: FloatArray, correlation: FloatArray | float) -> FloatArray:
    return np.sqrt(np.maximum(x * x - 2.0 * correlation * x * y + y * y, 0.0))
