"""A line through simulated powers on the probit scale, which turns several noisy answers into one with its interval."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import special

from tellapart.arrays import FloatArray
from tellapart.planning.study import PowerResult


@dataclass(frozen=True)
class Line:
    """probit(power) = intercept + slope · x, with the covariance of the two."""

    intercept: float
    slope: float
    covariance: tuple[float, float, float]

    def solve(self, target: float) -> tuple[float, float, float]:
        """Where the line reaches the target, and the 95 % interval of that place (delta method)."""
        x = (float(special.ndtri(target)) - self.intercept) / self.slope
        var_intercept, var_slope, between = self.covariance
        error = math.sqrt(max(var_intercept + x * x * var_slope + 2.0 * x * between, 0.0)) / self.slope
        return x, max(x - 1.96 * error, 0.0), x + 1.96 * error


def probit_line(x: FloatArray, results: Sequence[PowerResult]) -> Line | None:
    """Weighted least squares on the probits of simulated powers; None where too few of them lie inside (0, 1)."""
    power = np.array([r.power for r in results])
    replicates = np.array([r.replicates or 1 for r in results], dtype=np.float64)
    inside = (power > 0.0) & (power < 1.0)
    if inside.sum() < 3:
        return None
    power, replicates, x = power[inside], replicates[inside], np.asarray(x, dtype=np.float64)[inside]
    z = special.ndtri(power)
    # The variance of a probit is p(1 − p)/R over the squared normal density there.
    weight = replicates * np.exp(-z * z) / (2.0 * np.pi) / (power * (1.0 - power))
    design = np.stack([np.ones_like(x), x], axis=1)
    covariance = np.linalg.inv(design.T @ (weight[:, np.newaxis] * design))
    intercept, slope = covariance @ (design.T @ (weight * z))
    if not slope > 0.0:
        return None
    return Line(
        float(intercept),
        float(slope),
        (float(covariance[0, 0]), float(covariance[1, 1]), float(covariance[0, 1])),
    )
