from dataclasses import dataclass

import numpy as np

from tellapart.data.summaries import Differences
from tellapart.foundation.arrays import FloatArray
from tellapart.methods.effects.effect import EFFECTS, Effect


@EFFECTS.add("probability_of_superiority")
@dataclass(frozen=True)
class ProbabilityOfSuperiority(Effect):
    """The probability that B scores higher than A on an item, a tie counted half: 0.5 when neither is ahead.

    (items won + ties/2) / items. The wrong choice for how much B is better by: it counts items and weighs none.
    Grissom & Kim (2012).
    """

    needs = Differences
    label = "probability of superiority"
    neutral = 0.5

    def value(self, sample: Differences) -> FloatArray:
        # The mean sign is wins − losses as a share: half of it, beyond one half, is wins plus half of the ties.
        return np.asarray(0.5 + 0.5 * np.sign(sample.snapped).mean(axis=-1))
