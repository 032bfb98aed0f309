"""The hull of two intervals."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tellapart.errors import SpellingError
from tellapart.intervals.bootstrap import Bootstrap
from tellapart.intervals.interval import INTERVALS, Bounds, Interval
from tellapart.intervals.student_t import StudentT
from tellapart.seeds import Generator
from tellapart.spelling import ALWAYS
from tellapart.summaries import Aggregation, Summary, needed_by_both, seen_as


@INTERVALS.add("widest")
@dataclass(frozen=True)
class Widest(Interval):
    """From the lower of two lower bounds to the higher of two upper ones.

    It holds the truth whenever one of the two does: Student's t is too short on the side to which differences lean, the
    studentised bootstrap corrects that and is too short where tails are heavy. It leaves zero out exactly where the test
    `cautious` made of the same two rejects (an intersection–union test: Berger (1982)). The wrong choice where one of the two is
    known to hold: the hull is wider than needed then.
    """

    first: Interval = field(default=StudentT(), metadata=ALWAYS)
    second: Interval = field(default=Bootstrap(), metadata=ALWAYS)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.first.target != self.second.target or any(
            isinstance(x, Widest) for x in (self.first, self.second)
        ):
            raise SpellingError(
                f"widest: {self.first} and {self.second} should be two plain intervals about the same number"
            )

    @property
    def needs(self) -> type[Summary]:
        return needed_by_both(self.first.needs, self.second.needs)

    @property
    def label(self) -> str:
        return f"the wider of {self.first.label} and {self.second.label}"

    @property
    def target(self) -> str:  # type: ignore[override]  # that of the two it holds
        return self.first.target

    @property
    def drawn_again(self) -> int:
        return max(self.first.drawn_again, self.second.drawn_again)

    def sees_clusters(self, metric: Aggregation) -> bool:
        # The hull is at least as wide as the one that sees them.
        return self.first.sees_clusters(metric) or self.second.sees_clusters(metric)

    def interval(self, sample: Any, level: float, rng: Generator) -> Bounds:
        bounds = [one.interval(seen_as(one.needs, sample), level, rng) for one in (self.first, self.second)]
        (low, high), (other_low, other_high) = bounds
        return np.minimum(low, other_low), np.maximum(high, other_high)
