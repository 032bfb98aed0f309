from dataclasses import dataclass

import numpy as np

from tellapart.data.summaries import Differences
from tellapart.foundation.seeds import Generator
from tellapart.methods.significance.procedure import TESTS, Outcome, Procedure
from tellapart.numerics.moments import mean_and_variance, t_ratio
from tellapart.numerics.null_laws.tails import sided, t_tails


@TESTS.add("paired_t")
@dataclass(frozen=True)
class PairedT(Procedure):
    """Is the mean difference zero, measured in its standard error?

    t = mean / (s/√n) with s the standard deviation of the n differences, held against Student's t with n − 1 degrees of
    freedom. Exact for independent normal differences; for others it leans on the mean being nearly normal, which takes
    some fifty items, and more the more lopsided they are. The wrong choice for items in clusters (`cluster_t`), for a few
    dozen skewed differences (`bootstrap`), and undefined where all differences are the same non-zero number. Student (1908).
    """

    needs = Differences
    label = "paired t"

    def apply(self, sample: Differences, rng: Generator) -> Outcome:  # noqa: ARG002  (a test without chance)
        n = sample.items
        mean, variance = mean_and_variance(sample.values)
        statistic = t_ratio(mean, np.sqrt(variance / n))
        lower, upper = t_tails(statistic, n - 1)
        return Outcome(
            sided(lower, upper, self.alternative),
            statistic,
            np.sign(mean),
            np.zeros_like(mean),
            "Student's t distribution",
        )
