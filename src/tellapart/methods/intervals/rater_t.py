from dataclasses import dataclass

import numpy as np

from tellapart.data.summaries.rater_samples import ByRaters
from tellapart.foundation.seeds import Generator
from tellapart.methods.intervals.interval import INTERVALS, Bounds, Interval
from tellapart.numerics.moments import mean_and_variance, rater_means
from tellapart.numerics.null_laws.tails import t_quantile


@INTERVALS.add("rater_t")
@dataclass(frozen=True)
class RaterT(Interval):
    """Mean of the raters' mean differences ± Student's quantile times their standard error.

    mean ± t·s/√raters with raters − 1 degrees of freedom: what the test `rater_t` does not reject. True where no item has two
    raters. The wrong choice where raters share items (`mixed_model`): it is then about these items only. Student (1908).
    """

    needs = ByRaters
    label = "t over raters"

    def interval(self, sample: ByRaters, level: float, rng: Generator) -> Bounds:  # noqa: ARG002  (no chance)
        means = rater_means(sample, self.name)
        mean, variance = mean_and_variance(means)
        half_width = t_quantile((1.0 + level) / 2.0, means.shape[-1] - 1.0) * np.sqrt(
            variance / means.shape[-1]
        )
        return mean - half_width, mean + half_width
