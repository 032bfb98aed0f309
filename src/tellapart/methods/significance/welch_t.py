"""Welch's t test of two systems on different items, and its interval."""

from dataclasses import dataclass

from tellapart.data.summaries import Independent
from tellapart.foundation.arrays import FloatArray
from tellapart.methods.intervals.interval import INTERVALS
from tellapart.methods.significance.inversion import InversionInterval, TTest
from tellapart.methods.significance.procedure import TESTS
from tellapart.numerics.moments import welch


@TESTS.add("welch_t")
@dataclass(frozen=True)
class WelchT(TTest):
    """Do two systems scored on different items have the same mean?

    t = (mean B − mean A) / √(s_A²/n_A + s_B²/n_B) against Student's t, with Welch's degrees of freedom, which weigh the
    two variances. For independent items and systems that share none of them; nearly exact for normal scores of unequal
    spread. The wrong choice for systems on the same items: pairing takes the difficulty of items out (`paired_t`).
    Welch (1947).
    """

    needs = Independent
    label = "Welch t"
    advice = "two_proportion_z"
    method = "Student's t, Welch's degrees of freedom"

    def estimate(self, sample: Independent) -> tuple[FloatArray, FloatArray, FloatArray]:
        return welch(sample.a, sample.b)


@INTERVALS.add("welch_t")
@dataclass(frozen=True)
class WelchTInterval(InversionInterval, inverts=WelchT):
    """Difference of the means of two systems on different items ± t-quantile times its standard error.

    (mean B − mean A) ± t·√(s_A²/n_A + s_B²/n_B) with Welch's degrees of freedom, so that the variances may differ; exact
    enough for normal scores, and for any once there are some fifty items of each system. The wrong choice for systems on
    the same items, whose pairing it throws away. Welch (1947).
    """
