"""The Wilcoxon signed-rank test, and the Hodges–Lehmann interval."""

from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from scipy import special

from tellapart.data.summaries import Differences
from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.seeds import Generator
from tellapart.methods.intervals.interval import INTERVALS, Bounds, unbounded
from tellapart.methods.significance.inversion import InversionInterval, InvertibleTest
from tellapart.methods.significance.procedure import TESTS, Outcome
from tellapart.numerics.null_laws.signed_rank_law import signed_rank_quantile, signed_rank_tails
from tellapart.numerics.null_laws.signed_ranks import SignedRanks, Zeros
from tellapart.numerics.null_laws.tails import sided, sides
from tellapart.numerics.null_laws.walsh_averages import averages, order_statistics


@TESTS.add("wilcoxon")
@dataclass(frozen=True)
class Wilcoxon(InvertibleTest):
    """Are the differences symmetric about zero, judged by the ranks of their sizes?

    Sizes are ranked, ties sharing the mean of their ranks; V is the sum of the ranks of positive differences. Under the
    null every rank is positive or negative by a fair coin, and the law of V given the ties is computed exactly. The
    asymptotic variants take V as normal with its own mean and variance, `corrected` by 1/2 for continuity. Zeros are left
    out, or ranked first and then left out (`pratt`). For independent differences. The wrong choice for a question about
    means: it asks about the pseudo-median, and skewed differences with mean zero are rejected ever more often as items
    grow. Wilcoxon (1945); Pratt (1959) for zeros.
    """

    method: Literal["exact", "asymptotic", "corrected"] = field(
        default="exact", metadata={"help": "exact given the ties, normal, or normal with a correction for continuity"}
    )
    zeros: Zeros = field(default="drop", metadata={"help": "drop zeros, or rank them first and then drop them"})

    needs = Differences
    label = "Wilcoxon signed-rank"
    estimand = "pseudo-median of the differences"
    counts_signs = True

    @property
    def approximate(self) -> bool:
        return self.method == "asymptotic"

    def apply(self, sample: Differences, rng: Generator) -> Outcome:  # noqa: ARG002  (a test without chance)
        rows = sample.values.reshape(-1, sample.items)
        ranks = SignedRanks.of(rows, self.zeros, sample.largest)
        # V has its mean at half of all ranks: the sign of what is beyond tells the direction, and centres the normal law.
        lead = ranks.positive - 0.5 * ranks.total
        if self.method == "exact":
            tails = signed_rank_tails(rows, ranks, self.zeros, sample.largest)
            lower, upper, error, method = tails.lower, tails.upper, tails.error, tails.method
            error = error * sides(self.alternative)
        else:
            lower, upper = self._normal_tails(lead, np.sqrt(ranks.variance))
            error, method = np.zeros_like(lower), "normal distribution, variance given the ties"
        pvalue = sided(lower, upper, self.alternative)
        batch = sample.values.shape[:-1]
        return Outcome(
            pvalue.reshape(batch),
            ranks.positive.reshape(batch),
            np.sign(lead).reshape(batch),
            error.reshape(batch),
            method,
        )

    def bounds(self, sample: Differences, level: float, rng: Generator) -> Bounds:  # noqa: ARG002  (no chance)
        rank = signed_rank_quantile((1.0 - level) / 2.0, sample.items)
        if rank < 1:
            return unbounded(sample.effect)
        return order_statistics(sample.snapped, (rank, averages(sample.items) + 1 - rank))

    def _normal_tails(self, lead: FloatArray, deviation: FloatArray) -> tuple[FloatArray, FloatArray]:
        """P(V ≤ v) and P(V ≥ v) under the normal law; 1 and 1 where nothing differs."""
        # V moves in whole ranks, or halves among ties: half a step is what a continuous law leaves out on either side.
        shift = 0.5 if self.method == "corrected" else 0.0
        # Nothing differs: V is certain, infinitely far from what would contradict it, and both tails hold it.
        below, above = (
            np.divide(x, deviation, out=np.full_like(x, np.inf), where=deviation > 0.0)
            for x in (lead + shift, shift - lead)
        )
        return special.ndtr(below), special.ndtr(above)


@INTERVALS.add("hodges_lehmann")
@dataclass(frozen=True)
class HodgesLehmann(InversionInterval, inverts=Wilcoxon):
    """The centres of symmetry that the Wilcoxon signed-rank test does not reject.

    Of the n(n + 1)/2 averages of two differences (each with itself too) the k-th smallest and the k-th largest, k from the
    null law of the signed-rank sum. For independent differences that are symmetric about their centre. Zeros are kept and
    ties ignored; unbounded where no rank is small enough, as of five items at 95 %. The order statistics are exact up
    to 300 items and within a rank or two beyond. The wrong choice for a question about means of skewed differences: it
    bounds the pseudo-median, which is the mean only under symmetry. Hodges & Lehmann (1963).
    """

    label = "Hodges–Lehmann"
