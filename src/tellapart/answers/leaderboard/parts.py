"""Parts of a leaderboard: standings, pairs, and results by dataset and across datasets."""

import math
from dataclasses import dataclass
from typing import Any

from tellapart.answers.gate_rules import (
    KEPT,
    BoardFailure,
    Failure,
    Requirement,
    broken_beside,
    check_baseline,
    check_margin,
    known_rules,
    refuse,
)
from tellapart.answers.parts import HeterogeneityResult
from tellapart.answers.plan.file import PlanCheck, broken_plan
from tellapart.foundation.decision import EstablishedClaims, Verdict

# Where one system stands among others, and what is known of two of them.


@dataclass(frozen=True)
class RankedSystem:
    """One system: its metric with an interval that holds for all systems together, and the ranks it can have.

    `rank` is 1 + the systems with a strictly better mean; `rank_low` and `rank_high` are what the significant pairs leave
    open; `tier` is 1 + the highest tier among systems significantly better.
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


@dataclass(frozen=True)
class Standing(RankedSystem):
    """A system ranked by its scores; `details` are what a report of the metric tells beside it."""

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
    shown: EstablishedClaims | None = None

    @property
    def bounded(self) -> bool:
        """Whether these items bound the difference at all."""
        return math.isfinite(self.low) and math.isfinite(self.high)


class GatedBoard:
    """Tiers and gates of boards of scores and of votes."""

    systems: tuple[RankedSystem, ...]
    pairs: tuple[PairResult, ...]
    baseline: str | None
    margin: float | None
    plan: PlanCheck | None

    @property
    def tiers_are_contiguous(self) -> bool:
        """Whether tiers never rise again from one system to the next in rank."""
        tiers = [standing.tier for standing in self.systems]
        return tiers == sorted(tiers)

    def require(self, *required: Requirement, fail_on: BoardFailure | tuple[BoardFailure, ...] = ()) -> None:
        """Raise `GateFailed` unless all of these are shown of every system other than the baseline, and where a failure is of one.

        >>> from tellapart import Scores, rank
        >>> flags = {"base": [0, 1] * 40, "new": [0, 1] * 39 + [1, 1], "other": [0, 1] * 39 + [1, 0]}
        >>> answer = rank(Scores.from_arrays(flags), baseline="base", margin=0.2)
        >>> answer.require("not-worse", "equivalent", fail_on=("worse",))
        """
        required = known_rules("require", required, Requirement)
        fail_on = known_rules("fail_on", fail_on, BoardFailure)
        plain: tuple[Failure, ...] = tuple(one for one in fail_on if one != "deviation")
        beside = KEPT
        if required or plain:
            check_baseline(self.baseline)
            check_margin(required, self.margin)
            beside = broken_beside(str(self.baseline), self.pairs, required, plain)
        refuse(beside, broken_plan(self.plan, fail_on))


@dataclass(frozen=True)
class Separation:
    """Counts of the significant pairs of a board: `told_apart` of `pairs` differ, and `may_be_best` systems are unbeaten.

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


@dataclass(frozen=True)
class EstimateResult:
    """An effect B − A with its interval; the p-value alone, and Holm-adjusted over the pairs."""

    effect: float
    low: float
    high: float
    pvalue: float
    adjusted_pvalue: float


@dataclass(frozen=True)
class NewDatasetResult:
    """The mean effect over datasets like these with its interval, and the interval that the effect on one new dataset should lie in.

    The latter is None with two datasets: both of their degrees of freedom go into the mean and the scatter about it.
    """

    mean: EstimateResult
    prediction_low: float | None
    prediction_high: float | None


@dataclass(frozen=True)
class WinsResult:
    """On how many datasets B's mean is better, worse or the same, with a Wilson interval for the share of wins among the first two."""

    wins: int
    losses: int
    ties: int
    low: float | None
    high: float | None


@dataclass(frozen=True)
class AcrossResult:
    """Two systems over the datasets that both were scored on.

    `significant_wins` and `significant_losses` count datasets on which B is significantly better or worse, corrected over pairs
    and datasets; `wins_at_least` and `losses_at_least` how many there are of either kind by partial conjunction.
    """

    a: str
    b: str
    datasets: int
    equal_weight: EstimateResult
    item_weight: EstimateResult
    new_dataset: NewDatasetResult
    heterogeneity: HeterogeneityResult
    stouffer_pvalue: float
    stouffer_adjusted_pvalue: float
    wins: WinsResult
    significant_wins: int
    significant_losses: int
    wins_at_least: int
    losses_at_least: int


@dataclass(frozen=True)
class DatasetStanding:
    """The leaderboard of one dataset."""

    name: str
    items: int
    systems: tuple[Standing, ...]
    pairs: tuple[PairResult, ...]
    separation: Separation
    sentence: str = ""


@dataclass(frozen=True, kw_only=True)
class SliceStanding(DatasetStanding):
    """The leaderboard of one slice of a `column`, each at its level `alpha`, so that all slices hold together.

    `elsewhere` are systems whose possible ranks here and over all items have none in common.
    """

    column: str
    clusters: int | None
    alpha: float
    elsewhere: tuple[str, ...]


@dataclass(frozen=True)
class Datasets:
    """Every dataset alone, and the pairs across datasets; `unit` says whether effects are raw or standardised.

    `left_out` are datasets with too little to compare.
    """

    unit: str
    within: tuple[DatasetStanding, ...]
    across: tuple[AcrossResult, ...]
    left_out: tuple[str, ...]
