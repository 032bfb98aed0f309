from dataclasses import dataclass

import numpy as np
from scipy import special

from tellapart.data.summaries import Differences
from tellapart.foundation.arrays import FloatArray
from tellapart.methods.effects.cohen_dz import standardised_mean
from tellapart.methods.effects.effect import EFFECTS, Effect


@EFFECTS.add("hedges_g")
@dataclass(frozen=True)
class HedgesG(Effect):
    """Cohen's dz without its small-sample bias.

    dz·Γ(m/2) / (√(m/2)·Γ((m − 1)/2)) with m = n − 1: the exact correction, about 1 − 3/(4m − 1). Unbiased for independent
    normal differences; undefined below three items. The wrong choice wherever dz is, for it shares its denominator.
    Hedges (1981).
    """

    needs = Differences
    label = "Hedges' g"

    def value(self, sample: Differences) -> FloatArray:
        return standardised_mean(sample) * _correction(sample.items - 1)


def _correction(df: int) -> float:
    """Γ(df/2) / (√(df/2) Γ((df − 1)/2)), in logarithms."""
    # Γ(0) at one degree of freedom: the bias of two items has no bound.
    if df < 2:
        return np.nan
    return float(np.exp(special.gammaln(df / 2.0) - special.gammaln((df - 1) / 2.0)) / np.sqrt(df / 2.0))
