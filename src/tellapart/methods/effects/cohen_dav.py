from dataclasses import dataclass

import numpy as np

from tellapart.data.summaries import Parts
from tellapart.foundation.arrays import FloatArray, mean_and_variance
from tellapart.methods.effects.effect import EFFECTS, Effect, ratio


@EFFECTS.add("cohen_dav")
@dataclass(frozen=True)
class CohenDav(Effect):
    """The mean difference in standard deviations of the scores, the mean of the two systems' ones.

    mean difference / ((s_A + s_B)/2): comparable with unpaired studies, unlike dz. The wrong choice for planning a paired
    study, which the correlation makes easier than it tells; undefined when neither system's scores vary. Lakens (2013).
    """

    needs = Parts
    label = "Cohen's d_av"

    def value(self, sample: Parts) -> FloatArray:
        spread_a, spread_b = (np.sqrt(mean_and_variance(x)[1]) for x in sample.contributions)
        # The mean of differences rounds less than the difference of two means far from zero.
        mean, _ = sample.differences.moments
        return ratio(mean, 0.5 * (spread_a + spread_b))
