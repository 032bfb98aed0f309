from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.spelling import ALWAYS
from tellapart.methods.reliability.coefficient import COEFFICIENTS, Coefficient, UnitRatings, beyond_chance

POWERS = {"none": 0.0, "linear": 1.0, "quadratic": 2.0}
"""The weight of a disagreement, by the distance of its two categories. Cohen (1968)."""


@COEFFICIENTS.add("cohen_kappa")
@dataclass(frozen=True)
class CohenKappa(Coefficient):
    """Agreement of two raters, each with shares of labels of their own: Cohen's kappa.

    1 − observed / expected disagreement on units that both rated; expected is that of two ratings drawn from each rater's own
    shares of labels. `weights` say how far apart two labels are: `none` 1 unless equal, `linear` their difference, `quadratic` its
    square. The wrong choice for more than two raters (`krippendorff`), and where nearly all ratings are the same. Cohen (1960).
    """

    weights: Literal["none", "linear", "quadratic"] = field(default="none", metadata=ALWAYS)

    @property
    def label(self) -> str:
        return "Cohen's kappa" if self.weights == "none" else f"Cohen's kappa ({self.weights} weights)"

    def fits(self, table: UnitRatings) -> bool:
        two = table.ratings.shape[1] == 2 and table.few_levels
        return two and bool((table.per_unit == 2).any()) and (self.weights == "none" or table.whole)

    def value(self, table: UnitRatings, weights: FloatArray) -> FloatArray:
        both = (table.per_unit == 2).astype(np.float64)
        first, second = (
            (table.ratings[:, [rater]] == table.levels).astype(np.float64) * both[:, None] for rater in (0, 1)
        )
        size = np.abs(table.levels[:, None] - table.levels[None, :])
        apart = np.where(size > 0.0, size ** POWERS[self.weights], 0.0)
        disagreement = ((first @ apart) * second).sum(axis=1)
        units = weights @ both
        shares_of_first, shares_of_second = weights @ first, weights @ second
        by_chance = np.einsum("...a,ab,...b->...", shares_of_first, apart, shares_of_second)
        return beyond_chance((weights @ disagreement) * units, by_chance)
