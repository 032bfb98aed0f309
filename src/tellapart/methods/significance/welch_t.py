from dataclasses import dataclass

import numpy as np

from tellapart.data.summaries import Independent
from tellapart.foundation.seeds import Generator
from tellapart.methods.significance.procedure import TESTS, Outcome, Procedure
from tellapart.numerics.moments import t_ratio, welch
from tellapart.numerics.null_laws.tails import sided, t_tails


@TESTS.add("welch_t")
@dataclass(frozen=True)
class WelchT(Procedure):
    """Do two systems scored on different items have the same mean?

    t = (mean B − mean A) / √(s_A²/n_A + s_B²/n_B) against Student's t, with Welch's degrees of freedom, which weigh the
    two variances. For independent items and systems that share none of them; nearly exact for normal scores of unequal
    spread. The wrong choice for systems on the same items: pairing takes the difficulty of items out (`paired_t`).
    Welch (1947).
    """

    needs = Independent
    label = "Welch t"
    interval = "welch_t"
    advice = "two_proportion_z"

    def apply(self, sample: Independent, rng: Generator) -> Outcome:  # noqa: ARG002  (a test without chance)
        gap, error, df = welch(sample.a, sample.b)
        statistic = t_ratio(gap, error)
        lower, upper = t_tails(statistic, df)
        return Outcome(
            sided(lower, upper, self.alternative),
            statistic,
            np.sign(gap),
            np.zeros_like(gap),
            "Student's t, Welch's degrees of freedom",
        )
