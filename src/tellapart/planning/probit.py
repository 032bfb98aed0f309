"""Simulated powers on the probit scale, where they lie on a line: several noisy answers become one with its interval."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import special

from tellapart.arrays import STATISTIC_NOISE, FloatArray
from tellapart.distributions.normal import density, two_sided_quantile
from tellapart.planning.study import PowerResult

QUANTILE = two_sided_quantile(0.95)
"""Standard errors to either side of an estimate that make its 95 % interval."""


@dataclass(frozen=True)
class ProbitLine:
    """probit(power) = intercept + slope · x, the covariance of the two, and how many replicates each point has."""

    intercept: float
    slope: float
    covariance: tuple[float, float, float]
    replicates: int

    def solve(self, target: float) -> tuple[float, float, float]:
        """Where the line reaches the target, and the 95 % interval of that place (delta method).

        Points share their random numbers, so what one replicate less would leave uncertain at the root does not average
        out over them; away from them the scatter of the slope counts for more.
        """
        wanted = float(special.ndtri(target))
        x = (wanted - self.intercept) / self.slope
        shared = 1.0 / float(information(np.asarray(target), self.replicates))
        half_width = QUANTILE * math.sqrt(max(shared, self._scatter(x))) / self.slope
        return x, max(x - half_width, 0.0), x + half_width

    def _scatter(self, x: float) -> float:
        var_intercept, var_slope, between = self.covariance
        return var_intercept + x * x * var_slope + 2.0 * x * between


def information(power: FloatArray, replicates: FloatArray | int) -> FloatArray:
    """One over the variance of a simulated power's probit, which is p(1 − p)/R over the squared normal density there."""
    return np.asarray(replicates * density(special.ndtri(power)) ** 2 / (power * (1.0 - power)))


def replicates_of(found: PowerResult) -> int:
    assert found.replicates is not None, "only simulated powers are put on a line"
    return found.replicates


def probit_line(x: FloatArray, results: Sequence[PowerResult]) -> ProbitLine | None:
    """Weighted least squares on the probits of simulated powers; None where too few lie inside (0, 1) or none rises."""
    power = np.array([r.power for r in results])
    replicates = np.array([replicates_of(r) for r in results], dtype=np.float64)
    inside = (power > 0.0) & (power < 1.0)
    power, replicates, x = power[inside], replicates[inside], np.asarray(x, dtype=np.float64)[inside]
    if len(np.unique(x)) < 2:
        return None
    weight, design = information(power, replicates), np.stack([np.ones_like(x), x], axis=1)
    try:
        covariance = np.linalg.inv(design.T @ (weight[:, np.newaxis] * design))
    except (
        np.linalg.LinAlgError
    ):  # places so near to each other, or so little known of any, that no line has a slope
        return None
    intercept, slope = (float(b) for b in covariance @ (design.T @ (weight * special.ndtri(power))))
    # Equal powers leave a slope of rounding noise, whose root would lie anywhere.
    if not slope * float(np.ptp(x)) > STATISTIC_NOISE:
        return None
    spread = float(covariance[0, 0]), float(covariance[1, 1]), float(covariance[0, 1])
    return ProbitLine(intercept, slope, spread, int(replicates.max()))
