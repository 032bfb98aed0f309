from dataclasses import dataclass

import numpy as np

from tellapart.data.summaries.rater_samples import ByRaters
from tellapart.foundation.seeds import Generator
from tellapart.methods.significance.procedure import TESTS, Outcome, Procedure
from tellapart.numerics.moments import mean_and_variance, rater_means, t_ratio
from tellapart.numerics.null_laws.tails import sided, t_tails


@TESTS.add("rater_t")
@dataclass(frozen=True)
class RaterT(Procedure):
    """Do raters, each with items of their own, rate B above A on average?

    t = mean·√raters/s of the raters' mean differences, with raters − 1 degrees of freedom. Where no item has two raters these means are
    independent, whatever items do, and the level is kept however unevenly items are shared out: raters with different spreads only
    make the test more careful. The wrong choice where raters share items (`mixed_model`): their means then rise and fall together
    with the items, and the answer is about these items only. Student (1908); Ibragimov & Müller (2010).
    """

    needs = ByRaters
    label = "t over raters"
    interval = "rater_t"
    advice = "rater_sign_flip"

    def apply(self, sample: ByRaters, rng: Generator) -> Outcome:  # noqa: ARG002  (a test without chance)
        means = rater_means(sample, self.name)
        mean, variance = mean_and_variance(means)
        statistic = t_ratio(mean, np.sqrt(variance / means.shape[-1]))
        lower, upper = t_tails(statistic, means.shape[-1] - 1.0)
        pvalue = sided(lower, upper, self.alternative)
        return Outcome(
            pvalue, statistic, np.sign(mean), np.zeros_like(pvalue), "Student's t distribution over raters"
        )
