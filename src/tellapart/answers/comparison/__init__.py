"""Dataclasses of the `compare` answer: two systems on the same items."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Literal, cast, get_args

from tellapart.answers.answer import Answer
from tellapart.answers.comparison.parts import (
    AcrossDatasets,
    ChangedItems,
    DatasetResult,
    GroupResult,
    JudgedResult,
    MeasureCorrelation,
    MeasureDecision,
    MeasureResult,
    RatingsResult,
    SliceResult,
    VotesResult,
)
from tellapart.answers.gate_rules import (
    KEPT,
    Broken,
    ComparisonFailure,
    ComparisonRequirement,
    Failure,
    Requirement,
    broken_by,
    broken_decision,
    broken_in_slices,
    check_groups,
    check_margin,
    check_sides,
    check_slices,
    failed_rules,
    known_rules,
    refuse,
)
from tellapart.answers.parts import (
    DifferenceBins,
    IntervalResult,
    NextPlan,
    Note,
    ScoreBins,
    SeedsResult,
    SliceFamily,
    TestedClaim,
)
from tellapart.answers.plan.file import PlanCheck, broken_plan
from tellapart.data.provenance import Direction, Source
from tellapart.foundation.decision import EstablishedClaims, Verdict
from tellapart.foundation.formatting.units import RAW, Unit, unit_of_right
from tellapart.foundation.surfaces import option


@dataclass(frozen=True)
class Tested:
    """What the test was about: a small p-value speaks for `claim`, of the `estimand`, on the side of `alternative`."""

    label: str
    claim: TestedClaim
    alternative: str
    estimand: str
    rejected: bool


@dataclass(frozen=True)
class SystemResult:
    """A system: its metric with an interval, and what a report of that metric tells beside it."""

    name: str
    mean: float
    interval: IntervalResult
    details: dict[str, Any] | None = None


@dataclass(frozen=True)
class Detectable:
    """The smallest true effect that this test finds with this power on so many items, at the correlation, discordance or share of right answers seen here.

    `engine` says how it is known; `bootstrap` is from the resamples of the test itself; where evaluations were simulated, how many, and the
    95 % interval that they leave.
    """

    effect: float
    power: float
    at: Literal["correlation", "discordance", "accuracy"] | None
    engine: Literal["formula", "exact", "bootstrap", "monte_carlo"]
    replicates: int | None = None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class EquivalenceResult:
    margin: float
    pvalue: float


@dataclass(frozen=True)
class Needed:
    """How many items would show the claim with this power: an effect of this size, or one within this margin."""

    claim: TestedClaim
    size: float
    items: int
    power: float
    question: str = ""


@dataclass(frozen=True)
class Repeats:
    """Runs of each system per item, and how much of the uncertainty is chance between them.

    Numbers that one run per item cannot tell are null; the last three also where scores are not right or wrong. The interval of `runs_share` is
    that of normal scores; the robust one, which the page shows of right or wrong, holds for any.
    """

    runs_a: int
    runs_b: int
    fewest_a: int
    fewest_b: int
    within_item_variance_a: float | None
    within_item_variance_b: float | None
    item_variance: float | None = None
    runs_share: float | None = None
    runs_share_low: float | None = None
    runs_share_high: float | None = None
    runs_share_robust_low: float | None = None
    runs_share_robust_high: float | None = None
    se_endless_runs: float | None = None
    se_one_run: float | None = None
    disagreement_a: float | None = None
    disagreement_b: float | None = None
    discordance_one_run: float | None = None


@dataclass(frozen=True)
class SequentialPoint:
    """A moment of a sequential comparison, after so many items.

    At a planned look the `pvalue` of these items alone beside the `nominal` level that it must meet, None before the look is made. At any
    moment the `effect` so far, between the bounds of the confidence sequence.
    """

    items: int
    nominal: float | None = field(default=None, metadata={"optional": True})
    pvalue: float | None = field(default=None, metadata={"optional": True})
    effect: float | None = field(default=None, metadata={"optional": True})
    low: float | None = field(default=None, metadata={"optional": True})
    high: float | None = field(default=None, metadata={"optional": True})


@dataclass(frozen=True)
class Sequential:
    """An answer that holds although scores are looked at early: at any moment, or at planned looks.

    It is about items like these, or about the items of a benchmark alone. `stop` says that nothing is gained by going on, `certain` that
    the items left cannot change the claim. At any moment `evidence_above` and `evidence_below` are natural logarithms of the largest capital
    that bets on B, and on A, have reached, null where the other sign has become impossible; `waiting` counts items that were completed
    before an earlier one of the order. At look `look` of `looks` with a share `information` of the planned items, the p-value of these items
    (`pvalue_alone`) must be at most `nominal`, so that alpha `spent` is spent by now; p-value and interval of the answer are those over all
    looks. `conditional_power` is the chance of a claim at a later look if the effect is as planned. `path` holds the moments up to this one,
    and the looks that are still planned.
    """

    kind: Literal["anytime", "looks"]
    about: Literal["items like these", "benchmark"]
    stop: bool
    certain: bool
    items: int
    waiting: int = 0
    evidence_above: float | None = None
    evidence_below: float | None = None
    benchmark_items: int | None = None
    look: int | None = field(default=None, metadata={"optional": True})
    looks: int | None = field(default=None, metadata={"optional": True})
    planned_items: int | None = field(default=None, metadata={"optional": True})
    information: float | None = field(default=None, metadata={"optional": True})
    nominal: float | None = field(default=None, metadata={"optional": True})
    spent: float | None = field(default=None, metadata={"optional": True})
    spending: str | None = field(default=None, metadata={"optional": True})
    pvalue_alone: float | None = field(default=None, metadata={"optional": True})
    next_items: int | None = field(default=None, metadata={"optional": True})
    conditional_power: float | None = field(default=None, metadata={"optional": True})
    record: str | None = field(default=None, metadata={"optional": True})
    path: tuple[SequentialPoint, ...] = ()

    @property
    def left(self) -> int:
        """Items of the benchmark that were not seen."""
        return 0 if self.benchmark_items is None else self.benchmark_items - self.items


@dataclass(frozen=True)
class Counts:
    """Items by which system was right on them: the 2×2 table of right-or-wrong scores."""

    both_right: int
    only_a: int
    only_b: int
    both_wrong: int


@dataclass(frozen=True)
class TestResult:
    __test__: ClassVar[bool] = False  # pytest takes the name for one of its own

    test: str
    label: str
    pvalue: float
    statistic: float


@dataclass(frozen=True)
class Comparison(Answer):
    """Whether B differs from A: `effect` is B − A in raw metric units, always."""

    schema: ClassVar[str] = "tellapart/comparison/2"
    main_columns: ClassVar[tuple[str, ...]] = (
        *("a.name", "b.name", "a.mean", "b.mean", "measure", "metric", "items", "clusters"),
        *("effect", "interval.low", "interval.high", "pvalue", "verdict", "test", "alpha", "margin"),
        *("standard_error", "correlation", "detectable.effect", "sentence"),
    )

    a: SystemResult
    b: SystemResult
    metric: str
    measure: str
    items: int
    clusters: int | None
    lost: dict[str, int]
    effect: float
    standard_error: float | None
    interval: IntervalResult
    pvalue: float
    pvalue_error: float
    test: str
    tested: Tested
    alpha: float
    margin: float | None
    correlation: float | None
    sd_difference: float | None
    discordance: float | None
    counts: Counts | None
    detectable: Detectable | None
    effects: dict[str, float | None]
    equivalence: EquivalenceResult | None
    needed: Needed | None
    repeats: Repeats | None
    lower_is_better: bool
    shown: EstablishedClaims
    verdict: Verdict
    reasons: tuple[Note, ...]
    notes: tuple[Note, ...]
    signature: str
    headline: str = ""
    sentence: str = ""
    to_settle: str = ""
    partial: bool = False
    """Whether it was stopped: test or interval are made of fewer resamples than were asked for."""
    stopped: Literal["time", "interrupt", "lost"] | None = field(default=None, metadata={"optional": True})
    """Why a partial answer ended early: the time limit, an interrupt, or work that ended every worker that took it."""
    metric_signature: str | None = None
    tests: tuple[TestResult, ...] | None = field(default=None, metadata={"optional": True})
    datasets: tuple[DatasetResult, ...] | None = field(default=None, metadata={"optional": True})
    across_datasets: AcrossDatasets | None = field(default=None, metadata={"optional": True})
    by: str | None = field(default=None, metadata={"optional": True})
    groups: tuple[GroupResult, ...] | None = field(default=None, metadata={"optional": True})
    omnibus_pvalue: float | None = field(default=None, metadata={"optional": True})
    drift: bool | None = field(default=None, metadata={"optional": True})
    slices: tuple[SliceResult, ...] | None = field(default=None, metadata={"optional": True})
    slice_family: SliceFamily | None = field(default=None, metadata={"optional": True})
    measures: tuple[MeasureResult, ...] | None = field(default=None, metadata={"optional": True})
    """Of several measures: each; the fields of the answer itself are about the first."""
    measure_correlations: tuple[MeasureCorrelation, ...] | None = field(default=None, metadata={"optional": True})
    """Of several measures: how the differences of each two go together over the items."""
    decision: MeasureDecision | None = field(default=None, metadata={"optional": True})
    """Of several measures with rules: whether all of them hold."""
    sources: tuple[Source, ...] | None = field(default=None, metadata={"optional": True})
    direction: Direction | None = field(default=None, metadata={"optional": True})
    cluster: str | None = field(default=None, metadata={"optional": True, "beside": "sources"})
    plan: PlanCheck | None = field(default=None, metadata={"optional": True})
    seeds: SeedsResult | None = field(default=None, metadata={"optional": True})
    next_plan: NextPlan | None = field(default=None, metadata={"optional": True})
    """Of items with several runs, or systems with several seeds: what to plan next."""
    sequential: Sequential | None = field(default=None, metadata={"optional": True})
    """Of an answer that holds at any moment, or at planned looks: what it rests on, and what it is about."""
    judged: JudgedResult | None = field(default=None, metadata={"optional": True})
    """Of a judge that a few human labels correct: what both said."""
    ratings: RatingsResult | None = field(default=None, metadata={"optional": True})
    votes: VotesResult | None = field(default=None, metadata={"optional": True})
    difference_bins: DifferenceBins | None = field(default=None, metadata={"optional": True})
    """Items counted by their difference; none of right-or-wrong scores, which have `counts`."""
    score_bins: ScoreBins | None = field(default=None, metadata={"optional": True})
    """Items counted by the scores of both systems."""
    changed: ChangedItems | None = field(default=None, metadata={"optional": True})
    """Items won and lost, where a mean of scores on the same items is compared."""

    @cached_property
    def unit(self) -> Unit:
        """Right-or-wrong scores are printed in percent and their differences in points; the fields are fractions."""
        if self.counts is None or self.ratings is not None or self.votes is not None:
            return RAW
        right = 2 * self.counts.both_right + self.counts.only_a + self.counts.only_b
        return unit_of_right(right / self.items, self.a.mean + self.b.mean)

    def require(
        self,
        *required: ComparisonRequirement,
        fail_on: ComparisonFailure | tuple[ComparisonFailure, ...] = (),
    ) -> None:
        """Raise `GateFailed` unless all of these are shown, and where one of the failures is.

        >>> from tellapart import Scores, compare
        >>> answer = compare(Scores.from_arrays({"a": [0, 1] * 40, "b": [0, 1] * 39 + [1, 1]}), margin=0.2)
        >>> answer.require("not-worse", "equivalent")
        """
        required = known_rules("require", required, ComparisonRequirement)
        fail_on = known_rules("fail_on", fail_on, ComparisonFailure)
        check_slices((*required, *fail_on), asked=self.slices is not None)
        sliced = broken_in_slices(self.slices or (), required, fail_on, self.alpha)
        if self.measures is not None:
            decided = broken_decision(self.decision, required, fail_on, self.headline)
            refuse(decided, sliced, self.broken_beforehand(self.plan, fail_on))
            return
        check_margin(required, self.margin)
        self.refuse_other_side(required, fail_on)
        if "drift" in fail_on:
            check_groups(asked=self.groups is not None)
        claims = cast("tuple[Requirement, ...]", tuple(one for one in required if one in get_args(Requirement)))
        plain = cast("tuple[Failure, ...]", tuple(one for one in fail_on if one in get_args(Failure)))
        broken = failed_rules(self.shown, self.verdict, claims, plain)
        if self.drift and "drift" in fail_on:
            broken.append(option("fail_on", "drift"))
        refuse(broken_by(broken, self.verdict, self.effect), sliced, self.broken_beforehand(self.plan, fail_on))

    def broken_beforehand(self, plan: PlanCheck | None, fail_on: Sequence[str]) -> Broken:
        """The rule that what was fixed beforehand was kept: the plan, or the random order of a benchmark's items."""
        if self.sequential is None or self.sequential.benchmark_items is None:
            return broken_plan(plan, fail_on)
        unlike = "deviation" in fail_on and any(note.code == "order_looks_sorted" for note in self.notes)
        return Broken((option("fail_on", "deviation"),), ("the order of the items looks sorted",)) if unlike else KEPT

    def refuse_other_side(self, required: tuple[str, ...], fail_on: tuple[str, ...]) -> None:
        """Refuse rules about the side that a one-sided test does not look at."""
        unlike = () if self.plan is None else (one.what for one in self.plan.deviations)
        planned = self.plan is not None and "test" not in unlike
        check_sides(self.shown, required, fail_on, self.test, planned=planned)
