from dataclasses import dataclass

from tellapart.data.summaries.rater_samples import VotesByOrder
from tellapart.foundation.seeds import Generator
from tellapart.methods.intervals.interval import INTERVALS, Bounds, Interval
from tellapart.numerics.null_laws.score_difference import bounds_of_orders, degrees_of_orders
from tellapart.numerics.null_laws.tails import t_quantile


@INTERVALS.add("order_score")
@dataclass(frozen=True)
class OrderScore(Interval):
    """The effects, both orders weighted alike, that the test of the same name does not reject.

    All d at which |effect − d| is at most t times the standard error that the likeliest shares of wins, ties and losses in each order
    would have if d were true; never outside [−1, 1]. For votes that share no rater and no item, each of which says what was shown first.
    The wrong choice for votes that share raters or items (`mixed_model`). Miettinen & Nurminen (1985); Tango (1998) for ties; Bell & McCaffrey (2002).
    """

    needs = VotesByOrder
    label = "score, both orders alike"

    def interval(self, sample: VotesByOrder, level: float, rng: Generator) -> Bounds:  # noqa: ARG002  (no chance)
        return bounds_of_orders(sample, t_quantile((1.0 + level) / 2.0, degrees_of_orders(sample)))
