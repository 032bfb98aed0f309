from dataclasses import dataclass

import numpy as np

from tellapart.data.summaries import Differences, count
from tellapart.foundation.arrays import IntArray
from tellapart.foundation.seeds import Generator
from tellapart.methods.significance.procedure import TESTS, Outcome, Procedure
from tellapart.numerics.null_laws.tails import fair_pvalue


@TESTS.add("sign")
@dataclass(frozen=True)
class Sign(Procedure):
    """Does B win as many items as it loses, whatever the size of the differences? Ties are left out.

    Given the number of items that differ, wins are heads of a fair coin under the null: the p-value is a binomial tail,
    doubled for two sides. Exact for independent items, and deaf to outliers. The wrong choice for a question about
    means: a system that wins often by little and loses seldom by much has a good share of wins and a bad mean.
    Arbuthnot (1710).
    """

    needs = Differences
    label = "sign test"
    estimand = "share of items won"
    counts_signs = True

    def apply(self, sample: Differences, rng: Generator) -> Outcome:  # noqa: ARG002  (a test without chance)
        # Snapped, so that 0.3 − 0.1 against 0.2 is a tie and no win.
        return self.on_counts(count(sample.snapped > 0.0), count(sample.snapped < 0.0))

    def on_counts(self, wins: IntArray, losses: IntArray) -> Outcome:
        """The outcome when only the numbers of items won and lost are known: all that this test looks at."""
        pvalue = fair_pvalue(wins, wins + losses, self.alternative)
        direction = np.sign(wins - losses).astype(np.float64)
        return Outcome(pvalue, wins.astype(np.float64), direction, np.zeros_like(pvalue), "exact binomial")
