"""The smallest effect that would be found, from the resamples of the evaluation at hand. Efron & Tibshirani (1993), chapter 25."""

import numpy as np

from tellapart.arrays import FloatArray
from tellapart.distributions.resampling import Replicates


def least_found(
    found: Replicates, critical: tuple[float, float], power: float
) -> tuple[FloatArray, FloatArray]:
    """Effects above and below zero that are found with this power, `(entry,)` each: what resamples of systems so far apart would show.

    A resample of systems that are `effect` apart finds them where its estimate is more than `critical` of its own errors from zero, so that
    the effect it takes is critical · error − (resampled − observed effect); the quantile of those is the answer.
    """
    moved = found.effects - found.effect[:, np.newaxis]
    above, below = (
        np.asarray(np.quantile(each * found.errors - sign * moved, power, axis=-1, method="higher"))
        for each, sign in zip(critical, (1.0, -1.0), strict=True)
    )
    return above, below
