"""A leaderboard over several datasets: each dataset alone, and every pair across them."""

from dataclasses import dataclass

from tellapart.results.heterogeneity import HeterogeneityResult
from tellapart.results.standing import PairResult, Separation, Standing


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


@dataclass(frozen=True)
class Datasets:
    """Every dataset alone, and the pairs across datasets; `unit` says whether effects are raw or standardised.

    `left_out` are datasets with too little to compare.
    """

    unit: str
    within: tuple[DatasetStanding, ...]
    across: tuple[AcrossResult, ...]
    left_out: tuple[str, ...]
