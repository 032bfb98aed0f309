"""The t test over the raters' mean differences, and its interval."""

from dataclasses import dataclass

import numpy as np

from tellapart.data.summaries.rater_samples import ByRaters, rater_means
from tellapart.foundation.arrays import FloatArray, mean_and_variance
from tellapart.methods.intervals.interval import INTERVALS
from tellapart.methods.significance.inversion import InversionInterval, TTest
from tellapart.methods.significance.procedure import TESTS


@TESTS.add("rater_t")
@dataclass(frozen=True)
class RaterT(TTest):
    """Do raters, each with items of their own, rate B above A on average?

    t = mean·√raters/s of the raters' mean differences, with raters − 1 degrees of freedom. Where no item has two raters these means are
    independent, whatever items do, and the level is kept however unevenly items are shared out: raters with different spreads only
    make the test more careful. The wrong choice where raters share items (`mixed_model`): their means then rise and fall together
    with the items, and the answer is about these items only. Student (1908); Ibragimov & Müller (2010).
    """

    needs = ByRaters
    label = "t over raters"
    advice = "rater_sign_flip"
    method = "Student's t distribution over raters"

    def estimate(self, sample: ByRaters) -> tuple[FloatArray, FloatArray, float]:
        means = rater_means(sample, self.name)
        raters = means.shape[-1]
        mean, variance = mean_and_variance(means)
        return mean, np.sqrt(variance / raters), raters - 1.0


@INTERVALS.add("rater_t")
@dataclass(frozen=True)
class RaterTInterval(InversionInterval, inverts=RaterT):
    """Mean of the raters' mean differences ± Student's quantile times their standard error.

    mean ± t·s/√raters with raters − 1 degrees of freedom: what the test `rater_t` does not reject. True where no item has two
    raters. The wrong choice where raters share items (`mixed_model`): it is then about these items only. Student (1908).
    """
