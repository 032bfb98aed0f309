from dataclasses import dataclass

import numpy as np

from tellapart.arrays import FloatArray
from tellapart.distributions.midranks import midranks
from tellapart.effects.effect import EFFECTS, Effect, ratio
from tellapart.summaries import Differences


@EFFECTS.add("rank_biserial")
@dataclass(frozen=True)
class RankBiserial(Effect):
    """The share of rank sums in favour of B minus the share in favour of A, zero differences left out.

    Sizes of the differences are ranked, ties sharing their ranks; (ranks of gains − ranks of losses) / all ranks, from −1
    (A ahead on every item that differs) to 1: the effect size of the Wilcoxon test. The wrong choice for means, of which it
    tells nothing; undefined when nothing differs. Kerby (2014).
    """

    needs = Differences
    label = "matched rank-biserial correlation"

    def value(self, sample: Differences) -> FloatArray:
        differences = sample.snapped
        zeros = (differences == 0.0).sum(axis=-1, keepdims=True)
        # Zeros are the smallest sizes: leaving them out lowers every other rank by their number.
        signed = np.sign(differences) * (midranks(np.abs(differences)) - zeros)
        return ratio(signed.sum(axis=-1), np.abs(signed).sum(axis=-1))
