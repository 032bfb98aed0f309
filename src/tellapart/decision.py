"""The only place where a p-value meets alpha, and where a decision becomes a verdict."""

from typing import Literal

import numpy as np

from tellapart.arrays import BoolArray, FloatArray

Verdict = Literal["b better", "a better", "equivalent", "undetermined"]


def rejects(pvalue: FloatArray | float, alpha: float) -> BoolArray:
    """Whether the null is rejected: at p = alpha it is; an undefined p (NaN) rejects nothing."""
    return np.asarray(np.asarray(pvalue) <= alpha)


def verdict(
    direction: float, pvalue: float, alpha: float, *, within_margin: bool, lower_is_better: bool
) -> Verdict:
    """What may be said: a significant difference names the better system; else equivalence if the margin was met.

    `direction` is the sign of B − A in the eyes of the test.
    """
    if bool(rejects(pvalue, alpha)) and direction != 0:
        return "b better" if (direction > 0) != lower_is_better else "a better"
    return "equivalent" if within_margin else "undetermined"
