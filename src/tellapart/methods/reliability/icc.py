from dataclasses import dataclass, field

import numpy as np

from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.spelling import ALWAYS, Range
from tellapart.methods.reliability.coefficient import COEFFICIENTS, BoundedCoefficient, Coefficient, UnitRatings
from tellapart.numerics.mixed_models.fit_samples import fit_differences

CELLS_AT_ONCE = 2_000_000
"""Ratings of resamples that are fitted together, which take some 100 MB."""


@COEFFICIENTS.add("icc")
@dataclass(frozen=True)
class Icc(Coefficient):
    """The intraclass correlation ICC(2, k): how far the mean of `k` ratings of a unit, by any raters, tells units apart.

    u / (u + (r + e)/k) with the variances u of units, r of raters' levels and e of the rest, by REML with any gaps: the correlation
    of two such means by different raters of the same kind. For ratings on a scale whose differences mean the same everywhere. The
    wrong choice for labels without order (`krippendorff`), and for how many raters a comparison needs, which depends on the spread
    of differences, not of levels (`tellapart plan`). Shrout & Fleiss (1979).
    """

    k: float = field(default=1.0, metadata={**ALWAYS, "range": Range(above=0)})

    @property
    def label(self) -> str:
        return "ICC of one rating" if self.k == 1.0 else f"ICC of the mean of {self.k:.3g} ratings"

    def fits(self, table: UnitRatings) -> bool:
        return min(table.ratings.shape) > 1 and bool((table.per_unit > 1).any())

    def value(self, table: UnitRatings, weights: FloatArray) -> FloatArray:
        rows = weights.reshape(-1, weights.shape[-1])
        together = max(1, CELLS_AT_ONCE // table.ratings.size)
        parts = [_variance_components(table, rows[i : i + together]) for i in range(0, len(rows), together)]
        of_raters, of_units, rest = np.moveaxis(np.concatenate(parts), -1, 0)
        total = of_units + (of_raters + rest) / self.k
        found = np.divide(of_units, total, out=np.full(total.shape, np.nan), where=total > 0.0)
        return np.asarray(found.reshape(weights.shape[:-1]))


def spearman_brown(one: BoundedCoefficient, k: float) -> BoundedCoefficient:
    """Reliability of the mean of k ratings from that of one: k·ρ / (1 + (k − 1)·ρ), which rises with ρ. Spearman (1910); Brown (1910)."""
    return BoundedCoefficient(*(k * rho / (1.0 + (k - 1.0) * rho) for rho in (one.value, one.low, one.high)))


def _variance_components(table: UnitRatings, weights: FloatArray) -> FloatArray:
    """Variance components of raters, units and the rest, `(row, 3)`; a unit drawn twice is two units."""
    most = int(weights.sum(axis=1).max())
    drawn = np.full((len(weights), table.ratings.shape[1], most), np.nan)
    for row, often in enumerate(weights.astype(np.int64)):
        chosen = np.repeat(np.arange(len(often)), often)
        drawn[row, :, : len(chosen)] = table.ratings[chosen].T
    return fit_differences(drawn).variances
