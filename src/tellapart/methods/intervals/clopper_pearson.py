from dataclasses import dataclass

import numpy as np
from scipy import special

from tellapart.data.summaries import Proportion
from tellapart.foundation.seeds import Generator
from tellapart.methods.intervals.interval import INTERVALS, Bounds, Interval


@INTERVALS.add("clopper_pearson")
@dataclass(frozen=True)
class ClopperPearson(Interval):
    """The accuracies that neither one-sided exact binomial test rejects.

    Bounds are quantiles of Beta(x, n − x + 1) and Beta(x + 1, n − x) at half of what is left out, for x right answers of
    n. Never below its level for independent items. The wrong choice where a short interval is wanted: its guarantee makes
    it wider than it need be (`wilson`). Clopper & Pearson (1934).
    """

    needs = Proportion
    label = "Clopper–Pearson"
    target = "share of items right"

    def interval(self, sample: Proportion, level: float, rng: Generator) -> Bounds:  # noqa: ARG002  (no chance)
        tail = (1.0 - level) / 2.0
        right, wrong = sample.successes, sample.items - sample.successes
        # Beta(0, …) is not defined; where nothing, or everything, was right the bound is the end itself.
        low = special.betaincinv(np.maximum(right, 1), wrong + 1.0, tail)
        high = special.betainccinv(right + 1.0, np.maximum(wrong, 1), tail)
        return np.where(right == 0, 0.0, low), np.where(wrong == 0, 1.0, high)
