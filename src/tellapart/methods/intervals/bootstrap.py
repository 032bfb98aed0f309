from dataclasses import dataclass, field

from tellapart.data.summaries import Aggregation, Parts
from tellapart.foundation.seeds import Generator
from tellapart.foundation.spelling import ALWAYS
from tellapart.methods.intervals.interval import INTERVALS, Bounds, Interval, unbounded
from tellapart.numerics.resampling.bootstrap_bounds import bootstrap_bounds, enough_resamples
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


@INTERVALS.add("bootstrap")
@dataclass(frozen=True)
class Bootstrap(Interval):
    """How the effect would have varied had other items, or clusters, of the same kind been drawn.

    `studentised` measures each resample in its own standard error and is the one for small samples; `bca` corrects
    percentiles for bias and skew, not for small samples; it and `percentile` are refused below 50 items. Items are independent,
    or whole clusters are drawn where clusters are known. A resample in which nothing varies lies outside all others: where a bound
    falls among such, and of fewer than 6 units, there is none. The wrong choice where a rare item that was not drawn would decide: no
    resample holds it. Efron & Tibshirani (1993).
    """

    kind: Kind = field(default="studentised", metadata=ALWAYS)
    resamples: int = field(default=AUTOMATIC, metadata={"help": RESAMPLES_HELP})

    needs = Parts

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

    def interval(self, sample: Parts, level: float, rng: Generator) -> Bounds:
        # Percentiles of a few items are too short by design: what they promise would not hold.
        refuse_few_items(self.kind, sample.items)
        if 1 < sample.units < FEWEST_UNITS:
            return unbounded(sample.effect)
        resamples = enough_resamples(self.kind, sample, self.resamples, rng)
        low, high = map_replicates(
            sample, resamples, rng, lambda found: bootstrap_bounds(self.kind, found, level)
        )
        return low, high
