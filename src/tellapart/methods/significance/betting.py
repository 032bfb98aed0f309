"""Anytime-valid test of paired differences in order of arrival, by betting, and its confidence sequence."""

from dataclasses import dataclass, field
from typing import Self

import numpy as np

from tellapart.data.pair import Pair
from tellapart.data.summaries import Aggregation, Differences
from tellapart.foundation.arrays import FloatArray, IntArray
from tellapart.foundation.errors import Degenerate, Unsuitable
from tellapart.foundation.seeds import Generator
from tellapart.foundation.spelling import Range
from tellapart.foundation.surfaces import option
from tellapart.methods.intervals.interval import INTERVALS, Bounds
from tellapart.methods.significance.inversion import InversionInterval, InvertibleTest
from tellapart.methods.significance.procedure import TESTS, Outcome
from tellapart.numerics.betting import confidence_bounds, confidence_path, evidence
from tellapart.numerics.null_laws.tails import positive, sides


@dataclass(frozen=True, eq=False)
class OrderedDifferences(Differences):
    """Per-item differences B − A of plain scores, in the order in which the items arrived."""

    @classmethod
    def suits(cls, sample: object, metric: Aggregation) -> bool:
        return super().suits(sample, metric) and metric.linear

    @classmethod
    def of(cls, sample: Pair, metric: Aggregation) -> Self:
        if not metric.linear:
            raise Unsuitable(f"bets work on means of plain scores, and {metric} is not one; name another test")
        found = super().of(sample, metric)
        order = None if sample.arrival is None else np.argsort(sample.arrival, kind="stable")
        return found if order is None else cls(found.values[..., order], None, found.scale)


@TESTS.add("betting")
@dataclass(frozen=True)
class Betting(InvertibleTest):
    """Would a bettor grow rich on B being better, or on A, at whatever moment one looks?

    Seven bettors stake 2 to 96 % of their capital on the next difference being above zero, seven others on it being below. If the mean is
    zero, the capital of either side ever reaches 2/alpha with probability alpha/2 at most: p is 2 over the largest capital so far. Exact for
    bounded scores in random order, however often one looks; it takes 1.6 to 1.8 times the items of a test that looks once. `width` is the
    largest possible difference. With `benchmark` the claim is about these items and no others: those of a benchmark of that many, drawn
    without replacement. With `stake`, the assumed effect by its spread, half of the capital is staked near it. The wrong choice for clusters, for items in an order that scores depend on, and where looks can be planned.
    Waudby-Smith & Ramdas (2024).
    """

    width: float = field(default=1.0, metadata={"help": "the largest difference there can be", "range": Range(above=0)})
    benchmark: int | None = field(
        default=None, metadata={"help": "items of the whole benchmark", "range": Range(least=2)}
    )
    stake: float | None = field(
        default=None, metadata={"help": "the stake that suits an assumed effect", "range": Range(above=0, most=1)}
    )

    needs = OrderedDifferences
    label = "betting"
    ordered = True

    def apply(self, sample: OrderedDifferences, rng: Generator) -> Outcome:
        return self.against(sample, 0.0, rng)

    def against(self, sample: OrderedDifferences, null: float, rng: Generator) -> Outcome:  # noqa: ARG002  (no chance)
        above, below = self.evidence(sample, null)
        best = {"two-sided": np.maximum(above, below), "greater": above, "less": below}[self.alternative]
        pvalue = positive(sides(self.alternative) * np.exp(-best))
        direction = np.sign(sample.effect - null)
        return Outcome(pvalue, best, direction, np.zeros_like(best), "the largest capital of bets so far")

    def evidence(self, sample: OrderedDifferences, null: float) -> tuple[FloatArray, FloatArray]:
        """Logarithms of the largest capital so far of bets above and below a difference of `null`."""
        return evidence(self._scaled(sample), null / self.width, self.benchmark, self.stake)

    def bounds(self, sample: OrderedDifferences, level: float, rng: Generator) -> Bounds:  # noqa: ARG002  (no chance)
        low, high = confidence_bounds(
            self._scaled(sample), float(np.log(2.0 / (1.0 - level))), self.benchmark, self.stake
        )
        if np.any(low > high):
            raise Degenerate(
                "no difference fits these scores in this order: the order is not random, or scores have changed. Check the order of the items"
            )
        return self.width * low, self.width * high

    def path(self, sample: OrderedDifferences, level: float) -> tuple[IntArray, FloatArray, FloatArray]:
        """The items after which the confidence sequence has narrowed, and its bounds then."""
        items, low, high = confidence_path(
            self._scaled(sample), float(np.log(2.0 / (1.0 - level))), self.benchmark, self.stake
        )
        return items, self.width * low, self.width * high

    def _scaled(self, sample: OrderedDifferences) -> FloatArray:
        """Differences as shares of the largest one there can be."""
        largest = float(np.abs(sample.values).max(initial=0.0))
        if largest > self.width * (1.0 + 1e-12):
            raise Unsuitable(
                f"a difference of {largest:g} is beyond {self.width:g}, the largest that the bets allow; give the range of scores with {option('range', 'L:H')}"
            )
        if self.benchmark is not None and sample.items > self.benchmark:
            raise Unsuitable(
                f"{sample.items} items were scored, but the benchmark is said to have {self.benchmark}; raise {option('of')}"
            )
        return np.clip(sample.values / self.width, -1.0, 1.0)


@INTERVALS.add("betting")
@dataclass(frozen=True)
class BettingInterval(InversionInterval, inverts=Betting):
    """Confidence sequence: the mean differences that no bet has refuted so far.

    The values against which neither side's capital has ever reached 2/alpha. It holds at all moments together, so that looking again and
    stopping early cost nothing more; it is wider for that than Student's t. With `benchmark` it shrinks to a point when all items were seen.
    The wrong choice for clusters and for items in an order that scores depend on. Waudby-Smith & Ramdas (2024).
    """

    width: float = field(default=1.0, metadata={"help": "the largest difference there can be", "range": Range(above=0)})
    benchmark: int | None = field(
        default=None, metadata={"help": "items of the whole benchmark", "range": Range(least=2)}
    )
    stake: float | None = field(
        default=None, metadata={"help": "the stake that suits an assumed effect", "range": Range(above=0, most=1)}
    )

    label = "confidence sequence"
