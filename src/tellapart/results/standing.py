"""Where one system stands among others, and what is known of two of them."""

import math
from dataclasses import dataclass
from typing import Any

from tellapart.decision import Shown, Verdict


@dataclass(frozen=True)
class Standing:
    """One system: its metric with an interval that holds for all systems together, and the ranks it can have.

    `rank` is 1 + the systems with a strictly better mean; `rank_low` and `rank_high` are what the significant pairs leave
    open; `tier` is 1 + the highest tier among systems significantly better; `details` are what a report of the metric tells beside it.
    """

    name: str
    mean: float
    low: float
    high: float
    rank: int
    rank_low: int
    rank_high: int
    tier: int
    may_be_best: bool
    items: int
    details: dict[str, Any] | None = None


@dataclass(frozen=True)
class PairResult:
    """Two systems: `effect` is B − A in raw metric units, with an interval from `low` to `high` at the critical value that decided.

    `test` names what gave `pvalue`, which looks at this pair alone; `adjusted_pvalue` holds for all pairs together. `verdict` names
    the better one where they differ significantly, and `close_call` says that they nearly did not; `neighbours` are next to each
    other in rank. Against a baseline A, `shown` has what is shown of B, each claim with its adjusted p-value.
    """

    a: str
    b: str
    effect: float
    low: float
    high: float
    pvalue: float
    test: str
    adjusted_pvalue: float
    significant: bool
    verdict: Verdict
    close_call: bool
    neighbours: bool
    shown: Shown | None = None

    @property
    def bounded(self) -> bool:
        """Whether these items bound the difference at all."""
        return math.isfinite(self.low) and math.isfinite(self.high)


@dataclass(frozen=True)
class Separation:
    """What the pairs of a board tell apart, counted: `told_apart` of `pairs` differ, and `may_be_best` systems are unbeaten.

    `neighbours` counts pairs that are next to each other in rank, whether asked about or not.
    With a baseline `better`, `worse` and `not_told_apart` count the other systems by how they compare with it, and with a
    margin `not_worse` and `equivalent` those that are shown to be so within it.
    """

    systems: int
    pairs: int
    told_apart: int
    neighbours: int
    tiers: int
    may_be_best: int
    better: int | None = None
    worse: int | None = None
    not_told_apart: int | None = None
    not_worse: int | None = None
    equivalent: int | None = None
