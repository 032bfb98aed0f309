"""Parts of a comparison beside its effect: changed items, datasets, groups, slices, ratings and votes."""

from dataclasses import dataclass, field
from typing import Literal

from tellapart.answers.parts import HeterogeneityResult, IntervalResult
from tellapart.foundation.decision import GateVerdict

# Items on which one system is better than the other, which whoever looks for the cause reads first.


@dataclass(frozen=True)
class ChangedItem:
    """The name of an `item`, the scores of both systems, `a` and `b`, averaged over runs, and as `text` what was asked, where a log says it."""

    item: str
    a: float
    b: float
    text: str | None = field(default=None, metadata={"optional": True})


@dataclass(frozen=True)
class ChangedItems:
    """Items on which B is better (`won`) and worse (`lost`) than A, the largest differences first; `won_items` and `lost_items` count them.

    Of more than ten thousand the largest are listed; the command line writes them all to a file.
    """

    won_items: int
    lost_items: int
    won: tuple[ChangedItem, ...]
    lost: tuple[ChangedItem, ...]


# A comparison of part of the items: one dataset, or one group of several, and what all of them say
# together.

BetterSystem = Literal["b better", "a better", "undetermined"]


@dataclass(frozen=True)
class DatasetResult:
    """The comparison on one dataset alone, by what suits it; `verdict` is after correction for the number of datasets.

    The interval is at the level of the dataset's step, so that it leaves zero out where the verdict names a system.
    """

    dataset: str
    items: int
    effect: float
    interval: IntervalResult
    pvalue: float
    adjusted_pvalue: float
    test: str
    verdict: BetterSystem
    label: str = ""
    """The test in words."""


@dataclass(frozen=True)
class AcrossDatasets:
    """What the datasets say together. `wins` counts those whose effect favours B, with Wilson's interval of their share."""

    correction: str
    correction_label: str
    datasets: int
    wins: int
    losses: int
    ties: int
    wins_low: float
    wins_high: float
    uncorrected_wins: int
    """Datasets on which B is significantly better before correction."""
    uncorrected_losses: int
    """Datasets on which B is significantly worse before correction."""
    significant_wins: int
    significant_losses: int
    heterogeneity: HeterogeneityResult
    left_out: tuple[str, ...]
    sentence: str = ""


@dataclass(frozen=True)
class GroupResult:
    """The comparison in one group alone, and its change since the first group, judged together with those of the others.

    The first group has no change. Bounds of all changes hold together at their level; a change is told where its adjusted
    p-value is at most alpha, and its bounds exclude 0.
    """

    label: str
    items: int
    effect: float
    interval: IntervalResult
    change: float | None
    change_interval: IntervalResult | None
    adjusted_pvalue: float | None


@dataclass(frozen=True)
class SliceResult:
    """The comparison on one slice alone, by what suits it; `verdict` is after correction for all slices that are judged.

    `shrunk` is the effect with chance allowed for: it is drawn towards the mean of the column's slices, the more the less is known of
    this one. It orders the slices, from where B loses most (`place` 1), and decides nothing. A slice with too few items has no test.
    """

    column: str
    slice: str
    items: int
    clusters: int | None
    effect: float
    judged: bool
    place: int
    shrunk: float | None = None
    shrunk_sd: float | None = None
    interval: IntervalResult | None = None
    pvalue: float | None = None
    adjusted_pvalue: float | None = None
    test: str = ""
    label: str = ""
    """The test in words."""
    verdict: BetterSystem = "undetermined"
    not_worse_pvalue: float | None = None
    """That B is not worse by the margin, uncorrected; None without a margin."""
    against_rest: float | None = None
    """The effect on this slice minus that on all other items of the column; bounds and p-values of a column hold together."""
    against_rest_interval: IntervalResult | None = None
    against_rest_adjusted_pvalue: float | None = None
    measure: str | None = field(default=None, metadata={"optional": True})
    """Of several measures, the one that the slice is judged by."""


@dataclass(frozen=True)
class RatingsResult:
    """Ratings by raters and items, and the model that was fitted to them.

    `mode` is paired where every rater of an item rated both systems, single where not, and fixed where these raters alone were
    asked about and averaged. `sds` are standard deviations in rating points: of raters' and of items' own B − A, of levels, and of
    one rating or vote; 0 where `singular` names them. `shares` are the parts of the effect's variance that go with more raters, with more
    items, and the rest. `se` is the plain error, `se_adjusted` Kenward and Roger's.
    """

    raters: int
    items: int
    ratings: int
    pairs: int
    mode: Literal["paired", "single", "fixed"]
    sds: dict[str, float]
    shares: dict[str, float]
    se: float | None
    se_adjusted: float | None
    df: float | None
    singular: tuple[str, ...]
    plain_difference: float
    dropped_terms: tuple[str, ...]


@dataclass(frozen=True)
class VotesResult:
    """How votes fell. `log_odds` and `nu` are Davidson's (1970) model of two systems, ln(wins B / wins A) and ties / √(wins A · wins B).

    `first_wins` counts decided votes for the system that was shown first, with the exact p-value that it wins as often as the
    other; `b_first` counts votes that showed B first. `raw_share_b` is B's share of the votes as they are, a tie counting half unless
    it is left out; where `order_adjusted` the comparison weighs both orders alike, and its own share may be another.
    """

    wins_a: int
    wins_b: int
    ties: int
    ties_rule: Literal["half", "drop"]
    first_wins: int | None
    first_pvalue: float | None
    b_first: int | None
    log_odds: float | None
    nu: float | None
    raw_share_b: float
    order_adjusted: bool

    @property
    def counted(self) -> int:
        """Votes that the comparison is made of."""
        return self.wins_a + self.wins_b + (self.ties if self.ties_rule == "half" else 0)


def sds_of_ratings(ratings: RatingsResult, votes: VotesResult | None) -> dict[str, float]:
    """The standard deviations as a plan of ratings takes them: a vote is the difference of two ratings, whose residuals it holds."""
    if votes is None or "residual_sd" not in ratings.sds:
        return ratings.sds
    return ratings.sds | {"residual_sd": ratings.sds["residual_sd"] * 0.5**0.5}


# Several measures of the same two systems, and one decision about them.


@dataclass(frozen=True)
class MeasureRule:
    """What must be shown on a measure; `pvalue` decides, None before anything is known."""

    rule: Literal["better", "not-worse"]
    measure: str
    margin: str | None = None
    """As it was given: 0.01 in units, 2% in hundredths, 5r% of A's mean."""
    margin_share: float | None = None
    """The margin as a share of A's mean, where it is one."""
    pvalue: float | None = None
    adjusted_pvalue: float | None = None
    """Of better rules of which one is enough: adjusted for their number by Holm."""
    shown: bool = False
    verdict: GateVerdict = "undetermined"
    """Pass where it is shown, fail where B is shown worse instead."""


@dataclass(frozen=True)
class MeasureDecision:
    """One decision about several measures: every rule must be shown at alpha, an intersection–union test (Berger 1982).

    With `any_better` one of the better rules is enough, after Holm. `verdict` is fail where a rule is contradicted.
    """

    rules: tuple[MeasureRule, ...]
    any_better: bool
    alpha: float
    shown: bool
    verdict: GateVerdict

    @property
    def level(self) -> float:
        """Of a bound that decides alone."""
        return 1.0 - self.alpha


@dataclass(frozen=True)
class MeasureResult:
    """Both systems by one measure, by what suits its scores; without rules all measures are one family.

    The interval is at the level of the measure's step in Holm's correction, or at 1 − alpha beside rules.
    """

    measure: str
    lower_is_better: bool
    items: int
    mean_a: float
    mean_b: float
    effect: float
    standard_error: float | None
    interval: IntervalResult
    pvalue: float
    adjusted_pvalue: float | None
    verdict: BetterSystem
    test: str
    label: str
    signature: str
    margin: float | None = None
    """The margin in units of the measure, where it was given in units or hundredths."""
    ratio: float | None = None
    """The mean of B over that of A, where the margin is a share of A's mean."""
    ratio_interval: IntervalResult | None = None
    """Of that ratio, by Fieller's theorem."""
    in_errors: tuple[float, float, float] | None = None
    """Low bound, effect and high bound in standard errors, counted towards better; None where nothing varies."""


@dataclass(frozen=True)
class MeasureCorrelation:
    """How the differences of two measures go together over the items that both have."""

    measure: str
    other: str
    items: int
    correlation: float | None


# A judge whose scores people's labels correct.


@dataclass(frozen=True)
class BoundedValue:
    """An estimate with its confidence interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class JudgedStratum:
    """One of the strata that labels were drawn from; `effect` is the mean difference of its labels."""

    name: str
    judged: int
    labels: int
    effect: float


@dataclass(frozen=True)
class LabelsAlone:
    """The difference by the labelled items alone, without the judge."""

    effect: float
    interval: IntervalResult
    pvalue: float


@dataclass(frozen=True)
class JudgedResult:
    """A judge on all items, corrected by people's labels on some: what both said, and what the judge is worth.

    `effect`, `interval` and `pvalue` of the comparison are the corrected ones. `slope` is that of people's differences on the judge's;
    `worth` how many labels alone would tell as much; `bias` the judge less people on labelled items, by system and of the difference;
    `randomness` compares the judge's differences on labelled and other items. Numbers in units of the scores are null where people and
    judge use other scales; what takes right or wrong is null for other scores.
    """

    human: str
    judge: str
    labels: int
    judged: int
    differ: int
    """Labelled items on which people see a difference."""
    slope: float
    correlation: dict[str, BoundedValue | None]
    """Of people's and the judge's `scores`, and of their `differences`."""
    labels_alone: LabelsAlone | None
    judge_alone: float | None
    worth: float
    bias: dict[str, BoundedValue] | None
    sensitivity: dict[str, BoundedValue | None] | None
    specificity: dict[str, BoundedValue | None] | None
    kappa: float | None
    strata: tuple[JudgedStratum, ...] | None
    plus_two: bool
    """Whether two labels were added, because fewer than ten differ."""
    randomness: dict[str, float] | None
    places: tuple[tuple[float, float, int], ...] = ()
    """Judge's and people's difference on labelled items, and how many lie there."""
