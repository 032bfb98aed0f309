from dataclasses import dataclass

import numpy as np

from tellapart.data.summaries import Differences
from tellapart.foundation.arrays import FloatArray
from tellapart.methods.effects.effect import EFFECTS, Effect, ratio


@EFFECTS.add("cohen_dz")
@dataclass(frozen=True)
class CohenDz(Effect):
    """The mean difference in standard deviations of the differences.

    mean / s of the differences: what the power of a paired t depends on, for t = dz·√n. The wrong choice for comparing
    pairs of systems, for it grows with the correlation between them (`cohen_dav`); undefined when all differences are
    the same. Cohen (1988).
    """

    needs = Differences
    label = "Cohen's dz"

    def value(self, sample: Differences) -> FloatArray:
        return standardised_mean(sample)


def standardised_mean(sample: Differences) -> FloatArray:
    """Mean over standard deviation of the differences."""
    mean, variance = sample.moments
    return ratio(mean, np.sqrt(variance))
