from dataclasses import dataclass

import numpy as np
from scipy import special

from tellapart.data.summaries import Proportion
from tellapart.foundation.seeds import Generator
from tellapart.methods.intervals.interval import INTERVALS, Bounds, Interval


@INTERVALS.add("jeffreys")
@dataclass(frozen=True)
class Jeffreys(Interval):
    """The middle of the Beta posterior that starts from half a success and half a failure.

    Quantiles of Beta(x + ½, n − x + ½) for x right answers of n. Close to its level on average for independent items. The
    lower bound is 0 when nothing was right and the upper 1 when all was. The wrong choice where no accuracy may be missed
    more often than promised, and for clusters. Brown, Cai & DasGupta (2001), with their end modification.
    """

    needs = Proportion
    label = "Jeffreys"
    target = "share of items right"

    def interval(self, sample: Proportion, level: float, rng: Generator) -> Bounds:  # noqa: ARG002  (no chance)
        tail = (1.0 - level) / 2.0
        right, wrong = sample.successes, sample.items - sample.successes
        # betainccinv takes the upper tail as it is: 1 − 1e-12 would lose its digits.
        low = special.betaincinv(right + 0.5, wrong + 0.5, tail)
        high = special.betainccinv(right + 0.5, wrong + 0.5, tail)
        return np.where(right == 0, 0.0, low), np.where(wrong == 0, 1.0, high)
