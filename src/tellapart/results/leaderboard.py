"""The answer of `rank`: many systems on the same items, with the ties that these items leave."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from tellapart.decision import Verdict
from tellapart.results.answer import Answer
from tellapart.results.note import Note

Guarantee = Literal["family-wise", "false discovery rate", "none"]


@dataclass(frozen=True)
class Standing:
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
class PairResult:
    """Two systems: `effect` is B − A in raw metric units; both p-values come from the same resamples.

    `verdict` names the better one where they differ significantly.
    """

    a: str
    b: str
    effect: float
    pvalue: float
    adjusted_pvalue: float
    significant: bool
    verdict: Verdict


@dataclass(frozen=True)
class Separation:
    """What the pairs of a board tell apart, counted: `told_apart` of `pairs` differ, and `may_be_best` systems are unbeaten.

    With a baseline `better`, `worse` and `not_told_apart` count the other systems by how they compare with it.
    """

    systems: int
    pairs: int
    told_apart: int
    tiers: int
    may_be_best: int
    better: int | None = None
    worse: int | None = None
    not_told_apart: int | None = None


@dataclass(frozen=True)
class Corrected:
    """The correction in the words of a report: what it is called, what it controls at alpha, and how pairs were resampled.

    `exhaustive` says that the resamples are all there are; `smallest_pvalue` is the smallest p-value that can come of them.
    """

    label: str
    controls: Guarantee
    resampling: Literal["flips", "bootstrap"]
    exhaustive: bool
    smallest_pvalue: float


@dataclass(frozen=True)
class MeanInterval:
    """How the intervals of means were made: by one method, each at `level`, so that all hold together at `joint_level`."""

    method: str
    level: float
    joint_level: float


@dataclass(frozen=True)
class OmnibusResult:
    """Whether the systems differ at all."""

    test: str
    statistic: float
    df: int
    pvalue: float


@dataclass(frozen=True)
class TierSize:
    """Items at which the top tier has at most so many systems, if the others trail the first one by the gap.

    The power is that of telling all of those from the first together.
    """

    systems: int
    items: int


@dataclass(frozen=True)
class MoreItems:
    """What more items would buy, at the spread seen here and the critical value of the whole family.

    `separable` is the true gap between the top two that these items separate with this power, `gap` the gap that the
    other numbers assume, and `top_two` the items that separate the top two at that gap. With a baseline the two are that
    and the best of the others. `text` says it in words.
    """

    power: float
    critical: float
    separable: float
    gap: float
    top_two: int
    top_tier: tuple[TierSize, ...]
    text: str = ""


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
    """The mean effect over datasets like these, and the interval that the effect on one new dataset should lie in."""

    mean: EstimateResult
    prediction_low: float
    prediction_high: float


@dataclass(frozen=True)
class HeterogeneityResult:
    """How much the effect varies between datasets beyond chance; `tau` is the standard deviation of true effects."""

    q: float
    pvalue: float
    i_squared: float
    tau: float


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


@dataclass(frozen=True)
class Datasets:
    """Every dataset alone, and the pairs across datasets; `unit` says whether effects are raw or standardised.

    `left_out` are datasets with too little to compare.
    """

    unit: str
    within: tuple[DatasetStanding, ...]
    across: tuple[AcrossResult, ...]
    left_out: tuple[str, ...]


@dataclass(frozen=True)
class Leaderboard(Answer):
    """Which systems these items tell apart: standings from the best rank down, and every pair behind them.

    `guarantee` says what holds for the significant pairs together. `neighbours_told_apart` counts systems that are significantly
    better than the next one in rank; it is not asked with a baseline. `unit` says whether scores are raw, or standardised
    because datasets are on different scales.
    """

    schema: ClassVar[str] = "tellapart/leaderboard/2"
    table: ClassVar[str] = "systems"

    systems: tuple[Standing, ...]
    pairs: tuple[PairResult, ...]
    letters: dict[str, str]
    separation: Separation
    correction: str
    corrected: Corrected
    family_wise: bool
    alpha: float
    metric: str
    measure: str
    unit: Literal["raw", "standardised"]
    items: int
    clusters: int | None
    baseline: str | None
    lower_is_better: bool
    resamples: int
    interval: MeanInterval
    neighbours_told_apart: int | None
    omnibus: OmnibusResult | None
    more_items: MoreItems | None
    datasets: Datasets | None
    notes: tuple[Note, ...]
    signature: str
    guarantee: str = ""
    headline: str = ""
    sentence: str = ""
