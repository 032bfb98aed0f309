"""Score test of votes with both presentation orders weighted alike, and its interval."""

from dataclasses import dataclass

import numpy as np

from tellapart.data.summaries.rater_samples import VotesByOrder
from tellapart.foundation.seeds import Generator
from tellapart.methods.intervals.interval import INTERVALS, Bounds
from tellapart.methods.significance.inversion import InversionInterval, InvertibleTest
from tellapart.methods.significance.procedure import TESTS, Outcome
from tellapart.numerics.null_laws.score_difference import bounds_of_orders, degrees_of_orders, score_of_orders
from tellapart.numerics.null_laws.tails import sided, t_quantile, t_tails


@TESTS.add("order_score")
@dataclass(frozen=True)
class OrderScore(InvertibleTest):
    """Do votes prefer B to A, whichever of them was shown first?

    t = (effect − null) / its standard error if the null were true, where the effect is the mean of two averages: wins less losses of B
    among votes that showed A first, and among those that showed B first, however many there are of each. The error is that of the
    likeliest shares of wins, ties and losses in each order that average to the null, times √(N/(N − 1)); degrees of freedom are those
    of Welch's t with as many votes. For votes that share no rater and no item: of equal systems it calls at most 6 % different, however
    few votes one order has and however often the first one wins. The wrong choice for votes that share raters or items (`mixed_model`,
    which takes the order as a fixed effect). Miettinen & Nurminen (1985); Tango (1998) for ties; Bell & McCaffrey (2002).
    """

    needs = VotesByOrder
    label = "score test of both orders alike"
    advice = "mcnemar"

    def apply(self, sample: VotesByOrder, rng: Generator) -> Outcome:
        return self.against(sample, 0.0, rng)

    def against(self, sample: VotesByOrder, null: float, rng: Generator) -> Outcome:  # noqa: ARG002  (a test without chance)
        """Votes cannot be moved to the null, but their likeliest shares under it are known."""
        z = score_of_orders(sample, np.asarray(null))
        pvalue = sided(*t_tails(z, degrees_of_orders(sample)), self.alternative)
        return Outcome(
            pvalue, z, np.sign(z), np.zeros_like(pvalue), "Student's t distribution, variance under the null"
        )

    def bounds(self, sample: VotesByOrder, level: float, rng: Generator) -> Bounds:  # noqa: ARG002  (no chance)
        return bounds_of_orders(sample, t_quantile((1.0 + level) / 2.0, degrees_of_orders(sample)))


@INTERVALS.add("order_score")
@dataclass(frozen=True)
class OrderScoreInterval(InversionInterval, inverts=OrderScore):
    """The effects, both orders weighted alike, that the test of the same name does not reject.

    All d at which |effect − d| is at most t times the standard error that the likeliest shares of wins, ties and losses in each order
    would have if d were true; never outside [−1, 1]. For votes that share no rater and no item, each of which says what was shown first.
    The wrong choice for votes that share raters or items (`mixed_model`). Miettinen & Nurminen (1985); Tango (1998) for ties; Bell & McCaffrey (2002).
    """

    label = "score, both orders alike"
