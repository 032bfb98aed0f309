from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.spelling import ALWAYS
from tellapart.methods.reliability.coefficient import COEFFICIENTS, Coefficient, UnitRatings, beyond_chance


@COEFFICIENTS.add("krippendorff")
@dataclass(frozen=True)
class Krippendorff(Coefficient):
    """Agreement of any number of raters with any gaps: Krippendorff's alpha.

    1 − observed / expected disagreement: the mean square of the differences of two ratings of one unit, beside that of two
    ratings of any units. The difference of two ratings is 1 at level `nominal` unless they are equal, the number of ratings
    between them at `ordinal`, and itself at `interval`. Units with a single rating say nothing. The wrong choice where nearly all
    ratings are the same: then chance agrees as well, and alpha is low however often raters agree. Krippendorff (1970).
    """

    level: Literal["nominal", "ordinal", "interval"] = field(default="interval", metadata=ALWAYS)

    @property
    def label(self) -> str:
        return f"Krippendorff's alpha ({self.level})"

    def fits(self, table: UnitRatings) -> bool:
        return bool((table.per_unit > 1).any()) and (self.level == "interval" or table.few_levels)

    def value(self, table: UnitRatings, weights: FloatArray) -> FloatArray:
        weights = weights * (table.per_unit > 1)
        return (
            self._alpha_by_squares(table, weights)
            if self.level == "interval"
            else self._alpha_by_levels(table, weights)
        )

    def _alpha_by_squares(self, table: UnitRatings, weights: FloatArray) -> FloatArray:
        """Alpha by sums of squares, for any number of levels; ratings around their mean, so that nothing cancels."""
        centred = table.ratings - np.nanmean(table.ratings)
        sums, squares, counts = np.nansum(centred, axis=1), np.nansum(centred**2, axis=1), table.per_unit
        within = 2.0 * (counts * squares - sums**2) / np.maximum(counts - 1.0, 1.0)
        total, mean, square = weights @ counts, weights @ sums, weights @ squares
        return beyond_chance((total - 1.0) * (weights @ within), 2.0 * (total * square - mean**2))

    def _alpha_by_levels(self, table: UnitRatings, weights: FloatArray) -> FloatArray:
        """Alpha by the counts of pairs of levels within units."""
        counts = table.counts
        meetings = counts[:, :, None] * counts[:, None, :] - counts[:, :, None] * np.eye(counts.shape[1])
        meetings /= np.maximum(table.per_unit - 1.0, 1.0)[:, None, None]
        met = np.tensordot(weights, meetings, axes=1)
        often, total = met.sum(axis=-1), met.sum(axis=(-2, -1))
        apart = self._apart(often)
        found = (met * apart).sum(axis=(-2, -1))
        by_chance = (often[..., :, None] * often[..., None, :] * apart).sum(axis=(-2, -1))
        return beyond_chance((total - 1.0) * found, by_chance)

    def _apart(self, often: FloatArray) -> FloatArray:
        """Squared differences of levels that came up so often, `(*batch, level, level)`."""
        if self.level == "nominal":
            levels = often.shape[-1]
            return np.broadcast_to(1.0 - np.eye(levels), (*often.shape, levels))
        middle = np.cumsum(often, axis=-1) - often / 2.0
        return np.asarray((middle[..., :, None] - middle[..., None, :]) ** 2)
