"""Bootstrap test of a difference, and the interval that it inverts."""

from dataclasses import dataclass, field

import numpy as np

from tellapart.data.summaries import Aggregation, Parts
from tellapart.foundation.seeds import Generator
from tellapart.foundation.spelling import ALWAYS
from tellapart.methods.intervals.interval import INTERVALS, Bounds, unbounded
from tellapart.methods.significance.inversion import InversionInterval, InvertibleTest
from tellapart.methods.significance.procedure import TESTS, Outcome
from tellapart.numerics.moments import t_ratio
from tellapart.numerics.null_laws.tails import counting_error, sided, sides
from tellapart.numerics.resampling.bootstrap_bounds import bootstrap_bounds, bootstrap_tails, enough_resamples
from tellapart.numerics.resampling.bootstrap_ranks import (
    AUTOMATIC,
    FEWEST_UNITS,
    NEAR_ALPHA,
    RESAMPLES_HELP,
    Kind,
    bootstrap_label,
    check_resamples,
    refuse_few_items,
)
from tellapart.numerics.resampling.draws import map_replicates


@TESTS.add("bootstrap")
@dataclass(frozen=True)
class Bootstrap(InvertibleTest):
    """At which level does the bootstrap interval begin to leave zero out?

    Items, or clusters where they are known, are drawn with replacement; the p-value is the smallest alpha
    whose interval excludes the null, never below 1/(1 + resamples) on a side. `studentised` measures each resample in its own
    standard error, which allows for skew; a resample without spread counts against rejecting, and of fewer than 6 units p is 1.
    `bca` corrects percentiles for bias and skew, `percentile` takes them as they are, and both are refused below 50 items.
    For independent items or clusters. The wrong choice where one item decides, for no resample can invent what was not drawn.
    Undefined when all items differ by the same non-zero number. Efron & Tibshirani (1993).
    """

    kind: Kind = field(default="studentised", metadata=ALWAYS)
    resamples: int = field(default=AUTOMATIC, metadata={"help": RESAMPLES_HELP})

    needs = Parts
    resampling = True

    def __post_init__(self) -> None:
        super().__post_init__()
        check_resamples(self.resamples)

    @property
    def label(self) -> str:
        return bootstrap_label(self.kind)

    @property
    def resample_count(self) -> int:
        return self.resamples or NEAR_ALPHA

    def sees_clusters(self, metric: Aggregation) -> bool:  # noqa: ARG002  (for every metric)
        return True

    def apply(self, sample: Parts, rng: Generator) -> Outcome:
        return self.against(sample, 0.0, rng)

    def against(self, sample: Parts, null: float, rng: Generator) -> Outcome:
        """The interval is inverted at `null`, so that metrics which cannot be shifted item by item are served too."""
        refuse_few_items(self.kind, sample.items)
        if 1 < sample.units < FEWEST_UNITS:
            certain = np.ones_like(sample.effect)
            direction = np.sign(sample.effect - null)
            return Outcome(certain, 0.0 * certain, direction, 0.0 * certain, "1 for units too few to resample")
        resamples = enough_resamples(self.kind, sample, self.resamples, rng)
        lower, upper, statistic, drawn = map_replicates(
            sample,
            resamples,
            rng,
            lambda found: (
                *bootstrap_tails(self.kind, found, null),
                t_ratio(found.effect - null, found.error),
                np.full_like(found.effect, found.effects.shape[-1]),
            ),
        )
        pvalue = sided(lower, upper, self.alternative)
        # Fewer than were asked for, where the work was stopped.
        resamples = int(drawn.min(initial=resamples))
        # A two-sided p is twice a counted share: so is what chance adds to it.
        tails = sides(self.alternative)
        return Outcome(
            pvalue,
            statistic,
            # The side that the interval is on: with much skew and p near 1 the effect itself may be on the other. Where half of the resamples
            # or more are on either side, as without any spread, it is on none.
            np.where(np.minimum(lower, upper) >= 0.5, np.sign(sample.effect - null), np.sign(lower - upper)),
            tails * counting_error(pvalue / tails, resamples),
            f"{resamples:,} resamples of {'items' if sample.clusters is None else 'clusters'}",
        )

    def bounds(self, sample: Parts, level: float, rng: Generator) -> Bounds:
        # Percentiles of a few items are too short by design: what they promise would not hold.
        refuse_few_items(self.kind, sample.items)
        if 1 < sample.units < FEWEST_UNITS:
            return unbounded(sample.effect)
        resamples = enough_resamples(self.kind, sample, self.resamples, rng)
        low, high = map_replicates(sample, resamples, rng, lambda found: bootstrap_bounds(self.kind, found, level))
        return low, high


@INTERVALS.add("bootstrap")
@dataclass(frozen=True)
class BootstrapInterval(InversionInterval, inverts=Bootstrap):
    """How the effect would have varied had other items, or clusters, of the same kind been drawn.

    `studentised` measures each resample in its own standard error and is the one for small samples; `bca` corrects
    percentiles for bias and skew, not for small samples; it and `percentile` are refused below 50 items. Items are independent,
    or whole clusters are drawn where clusters are known. A resample in which nothing varies lies outside all others: where a bound
    falls among such, and of fewer than 6 units, there is none. The wrong choice where a rare item that was not drawn would decide: no
    resample holds it. Efron & Tibshirani (1993).
    """

    kind: Kind = field(default="studentised", metadata=ALWAYS)
    resamples: int = field(default=AUTOMATIC, metadata={"help": RESAMPLES_HELP})

    def __post_init__(self) -> None:
        super().__post_init__()
        check_resamples(self.resamples)
