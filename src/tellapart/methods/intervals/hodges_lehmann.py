from dataclasses import dataclass

from tellapart.data.summaries import Differences
from tellapart.foundation.seeds import Generator
from tellapart.methods.intervals.interval import INTERVALS, Bounds, Interval, unbounded
from tellapart.numerics.null_laws.signed_rank_law import signed_rank_quantile
from tellapart.numerics.null_laws.walsh_averages import averages, order_statistics


@INTERVALS.add("hodges_lehmann")
@dataclass(frozen=True)
class HodgesLehmann(Interval):
    """The centres of symmetry that the Wilcoxon signed-rank test does not reject.

    Of the n(n + 1)/2 averages of two differences (each with itself too) the k-th smallest and the k-th largest, k from the
    null law of the signed-rank sum. For independent differences that are symmetric about their centre. Zeros are kept and
    ties ignored; unbounded where no rank is small enough, as of five items at 95 %. The order statistics are exact up
    to 300 items and within a rank or two beyond. The wrong choice for a question about means of skewed differences: it
    bounds the pseudo-median, which is the mean only under symmetry. Hodges & Lehmann (1963).
    """

    needs = Differences
    label = "Hodges–Lehmann"
    target = "pseudo-median of the differences"

    def interval(self, sample: Differences, level: float, rng: Generator) -> Bounds:  # noqa: ARG002  (no chance)
        rank = signed_rank_quantile((1.0 - level) / 2.0, sample.items)
        if rank < 1:
            return unbounded(sample.effect)
        return order_statistics(sample.snapped, (rank, averages(sample.items) + 1 - rank))
