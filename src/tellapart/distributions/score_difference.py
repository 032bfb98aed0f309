"""How far a difference of paired proportions is from a supposed one: Tango's score statistic, and where it equals z."""

from typing import Any

import numpy as np

from tellapart.arrays import FloatArray

HALVINGS = 64
"""A bracket of length at most 2 shrinks below 1e-18: past the accuracy of the statistic itself. Halving is sure to end there."""


def score_statistic(wins: Any, losses: Any, items: Any, null: Any) -> FloatArray:
    """Standard errors between the observed difference of accuracies B − A and `null`, the error taken at `null`.

    The number of losses is estimated given the supposed difference; at zero this is McNemar's (wins − losses) /
    √(wins + losses). 0 where nothing differs and nothing was supposed to. Tango (1998).
    """
    b, c, n, supposed = np.broadcast_arrays(
        *(np.asarray(x, dtype=np.float64) for x in (wins, losses, items, null))
    )
    # The statistic is odd under swapping the systems; a supposed gain avoids every cancellation below.
    flip = supposed < 0.0
    b, c, size = np.where(flip, c, b), np.where(flip, b, c), np.abs(supposed)
    # No difference of accuracies exceeds 1: one that is supposed to is infinitely far, as there is no variance at 1.
    gain = np.minimum(size, 1.0)
    odd = gain * (1.0 - gain)
    variance = n * (2.0 * likeliest_losses(b, c, n, gain) + odd)
    surplus = (b - c) - n * size
    z = np.divide(surplus, np.sqrt(variance), out=_unbounded(surplus), where=variance > 0.0)
    return np.asarray(np.where(flip, -z, z))


def score_bounds(wins: Any, losses: Any, items: Any, z: FloatArray | float) -> tuple[FloatArray, FloatArray]:
    """The lowest and highest difference whose score statistic is within ±z; the statistic falls as `null` rises."""
    estimate = (np.asarray(wins, dtype=np.float64) - losses) / items
    # Below the first bracket the statistic is at least z, above the second at most −z.
    low = _crossing(wins, losses, items, z, (np.full_like(estimate, -1.0), estimate))
    high = _crossing(wins, losses, items, -z, (estimate, np.full_like(estimate, 1.0)))
    return low, high


def likeliest_losses(b: FloatArray, c: FloatArray, n: FloatArray, gain: FloatArray) -> FloatArray:
    """The likeliest share of losses given that wins exceed losses by `gain` ≥ 0: a root of 2n·q² + h·q − c·gain·(1 − gain)."""
    h = (2.0 * n - b + c) * gain - b - c
    root = np.sqrt(h * h + 8.0 * n * c * gain * (1.0 - gain))
    small = np.divide(2.0 * c * gain * (1.0 - gain), h + root, out=np.zeros_like(h), where=h > 0.0)
    return np.asarray(np.where(h > 0.0, small, (root - h) / (4.0 * n)))


def _unbounded(surplus: FloatArray) -> FloatArray:
    """Without variance any surplus is infinitely far, and none is no distance."""
    return np.where(surplus == 0.0, 0.0, np.copysign(np.inf, surplus))


def _crossing(
    wins: Any, losses: Any, items: Any, target: FloatArray | float, bracket: tuple[FloatArray, FloatArray]
) -> FloatArray:
    """Where the falling statistic passes `target`; the far end of the bracket where it never does."""
    low, high = bracket
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        above = score_statistic(wins, losses, items, middle) > target
        low, high = np.where(above, middle, low), np.where(above, high, middle)
    return np.asarray(0.5 * (low + high))
