"""A comparison of part of the items: one dataset, or one group of several, and what all of them say together."""

from dataclasses import dataclass
from typing import Literal

from tellapart.results.heterogeneity import HeterogeneityResult
from tellapart.results.interval import IntervalResult

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
