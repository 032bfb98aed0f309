"""The ratio of two means of the same items, by Fieller's theorem: a difference B − θ·A is a mean for every θ."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from tellapart.foundation.arrays import FloatArray, IntArray, mean_and_variance
from tellapart.numerics.moments import cluster_error
from tellapart.numerics.null_laws.tails import positive, t_quantile, t_tails


class Ratio(NamedTuple):
    """The mean of B over that of A with its bounds, `(*batch,)`; infinite or NaN where A's mean is not surely above zero."""

    estimate: FloatArray
    low: FloatArray
    high: FloatArray


@dataclass(frozen=True, eq=False)
class PairedMeans:
    """Means of two systems on the same items, with the variances and the covariance of these means, `(*batch,)` each."""

    a: FloatArray
    b: FloatArray
    variance_a: FloatArray
    variance_b: FloatArray
    covariance: FloatArray
    df: FloatArray

    @classmethod
    def of(cls, a: FloatArray, b: FloatArray, clusters: IntArray | None = None) -> "PairedMeans":
        """Of `(*batch, item)`; the variance of B − θ·A is a parabola in θ, known from θ = 0, 1 and −1."""
        mean_a, _, _ = _mean_error(a, clusters)
        mean_b, of_b, df = _mean_error(b, clusters)
        (_, of_difference, _), (_, of_sum, _) = (_mean_error(x, clusters) for x in (b - a, b + a))
        variance_a = np.maximum(0.5 * (of_sum + of_difference) - of_b, 0.0)
        return cls(mean_a, mean_b, variance_a, of_b, 0.25 * (of_sum - of_difference), df)

    def ratio(self, level: float) -> Ratio:
        """All θ at which B − θ·A does not differ from zero. Fieller (1954)."""
        squared = t_quantile(0.5 + level / 2.0, self.df) ** 2
        square = self.a**2 - squared * self.variance_a
        middle = self.a * self.b - squared * self.covariance
        root = np.sqrt(np.maximum(middle**2 - square * (self.b**2 - squared * self.variance_b), 0.0))
        known = (square > 0.0) & (self.a > 0.0)
        bounds = [
            np.divide(middle + side * root, square, out=np.full_like(square, side * np.inf), where=known)
            for side in (-1.0, 1.0)
        ]
        return Ratio(np.divide(self.b, self.a, out=np.full_like(self.a, np.nan), where=known), *bounds)

    def beyond(self, ratio: float, *, above: bool) -> FloatArray:
        """The one-sided p-value that B's mean is above (or below) `ratio` times A's; 1 where nothing varies and it is not."""
        variance = self.variance_b - 2.0 * ratio * self.covariance + ratio**2 * self.variance_a
        size = np.sqrt(np.maximum(self.variance_b, ratio**2 * self.variance_a))
        error = np.sqrt(np.maximum(variance, 0.0))
        lead = (self.b - ratio * self.a) * (1.0 if above else -1.0)
        flat = error <= ROUNDING * size
        t = np.divide(lead, error, out=np.zeros_like(lead), where=~flat)
        beyond = t_tails(t, self.df)[1]
        # Without any spread only signs remain, which df + 1 units agree on.
        signs = np.where(lead > 0.0, 0.5 ** (self.df + 1.0), 1.0)
        return np.where(flat, positive(signs), beyond)


ROUNDING = 1e-9
"""An error this small beside its parts is rounding."""


def _mean_error(values: FloatArray, clusters: IntArray | None) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Mean, its squared error, and degrees of freedom."""
    if clusters is None:
        mean, variance = mean_and_variance(values)
        items = values.shape[-1]
        return mean, variance / items, np.full_like(mean, items - 1.0)
    mean, error, df = cluster_error(values, clusters, "cr2")
    return mean, error**2, df
