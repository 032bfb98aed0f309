from dataclasses import dataclass

import numpy as np

from tellapart.foundation.arrays import FloatArray
from tellapart.methods.reliability.coefficient import COEFFICIENTS, Coefficient, UnitRatings, beyond_chance


@COEFFICIENTS.add("fleiss_kappa")
@dataclass(frozen=True)
class FleissKappa(Coefficient):
    """Agreement on labels where every unit has the same number of ratings: Fleiss' kappa.

    1 − (1 − P) / (1 − Pₑ), with P the share of pairs of ratings of a unit that are equal, and Pₑ the chance that two ratings of any
    units are: Σ p² over the shares p of labels. Raters may differ from unit to unit. The wrong choice for ratings in an order,
    whose near misses count as much as any other (`krippendorff`), and where nearly all ratings are the same. Fleiss (1971).
    """

    label = "Fleiss' kappa"

    def fits(self, table: UnitRatings) -> bool:
        return table.few_levels and bool((table.per_unit == table.per_unit[0]).all()) and table.per_unit[0] > 1

    def value(self, table: UnitRatings, weights: FloatArray) -> FloatArray:
        ratings = table.per_unit[0]
        pairs = (table.counts * (table.counts - 1.0)).sum(axis=1) / (ratings * (ratings - 1.0))
        units = weights.sum(axis=-1)
        shares = (weights @ table.counts) / (units * ratings)[..., np.newaxis]
        return beyond_chance(1.0 - (weights @ pairs) / units, 1.0 - (shares**2).sum(axis=-1))
