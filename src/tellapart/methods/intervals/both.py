"""The hull of two intervals."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tellapart.data.summaries import Aggregation, Summary, as_needed, common_summary
from tellapart.foundation.errors import SpellingError
from tellapart.foundation.seeds import Generator
from tellapart.foundation.spelling import ALWAYS
from tellapart.methods.intervals.bootstrap import Bootstrap
from tellapart.methods.intervals.interval import INTERVALS, Bounds, Interval
from tellapart.methods.intervals.student_t import StudentT


@INTERVALS.add("both")
@dataclass(frozen=True)
class Both(Interval):
    """From the lower of two lower bounds to the higher of two upper ones.

    It holds the truth whenever one of the two does, and leaves zero out exactly where the test `both` of the same two rejects (an
    intersection–union test: Berger (1982)). The wrong choice where one of the two is known to hold: the hull is wider than needed.
    """

    first: Interval = field(default=StudentT(), metadata=ALWAYS)
    second: Interval = field(default=Bootstrap(), metadata=ALWAYS)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.first.target != self.second.target or any(isinstance(one, Both) for one in self.two):
            raise SpellingError(
                f"both: {self.first} and {self.second} should be two plain intervals about the same number"
            )
        if common_summary(self.first.needs, self.second.needs) is None:
            raise SpellingError(
                f"both: {self.first} and {self.second} look at scores of different kinds, and cannot bound the same effect"
            )

    @property
    def two(self) -> tuple[Interval, Interval]:
        return self.first, self.second

    @property
    def needs(self) -> type[Summary]:
        found = common_summary(self.first.needs, self.second.needs)
        assert found is not None, "refused where it was made"
        return found

    @property
    def label(self) -> str:
        return f"the wider of {self.first.label} and {self.second.label}"

    @property
    def target(self) -> str:  # type: ignore[override]  # that of the two it holds
        return self.first.target

    @property
    def needs_clusters(self) -> bool:  # type: ignore[override]
        return any(one.needs_clusters for one in self.two)

    @property
    def resample_count(self) -> int:
        return max(one.resample_count for one in self.two)

    def sees_clusters(self, metric: Aggregation) -> bool:
        # The hull is at least as wide as the one that sees them.
        return any(one.sees_clusters(metric) for one in self.two)

    def interval(self, sample: Any, level: float, rng: Generator) -> Bounds:
        bounds = [one.interval(as_needed(one.needs, sample), level, rng) for one in self.two]
        (low, high), (other_low, other_high) = bounds
        return np.minimum(low, other_low), np.maximum(high, other_high)
