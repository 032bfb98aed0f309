"""Dataclasses of the `rank` answer: many systems on the same items, with tiers of ties, ranks and all pairs."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar, Literal

from tellapart.answers.answer import Answer
from tellapart.answers.leaderboard.parts import Datasets, GatedBoard, PairResult, Separation, SliceStanding, Standing
from tellapart.answers.parts import Note, SliceFamily
from tellapart.answers.plan.file import PlanCheck
from tellapart.data.provenance import Direction, Source
from tellapart.foundation.formatting.units import POINTS, RAW, Unit

Guarantee = Literal["family-wise", "false discovery rate", "none"]


@dataclass(frozen=True)
class Corrected:
    """The correction in the words of a report: what it is called, what it controls at alpha, and how pairs were resampled.

    `exhaustive` says that the resamples are all there are; `smallest_pvalue` is the smallest p-value that can come of them. A
    board of one pair is judged as `compare` judges it, and `resampling` is None; it is both where the differences of some pairs are
    visibly skewed, which items are drawn again for.
    """

    label: str
    controls: Guarantee
    resampling: Literal["flips", "bootstrap", "both"] | None
    exhaustive: bool
    smallest_pvalue: float


@dataclass(frozen=True)
class MeanInterval:
    """How the intervals of means were made: by one method, each at `level`, so that all hold together at `joint_level`."""

    method: str
    level: float
    joint_level: float


@dataclass(frozen=True)
class Correlations:
    """Correlations of the systems' scores, item by item: the lowest, the median and the highest of two different systems.

    `matrix` has a row and a column per system, in the order of `systems`; None where one of the two never varies.
    """

    low: float
    median: float
    high: float
    matrix: tuple[tuple[float | None, ...], ...]


@dataclass(frozen=True)
class OmnibusResult:
    """Whether the systems differ at all."""

    test: str
    statistic: float
    df: int
    pvalue: float


@dataclass(frozen=True)
class TierSize:
    """The items at which the top tier has at most a given number of systems, if the others trail the first one by the gap.

    The power is that of telling all of those from the first together.
    """

    systems: int
    items: int


@dataclass(frozen=True)
class MoreItems:
    """The gain of more items, at the spread seen here and the critical value of the whole family.

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
class Leaderboard(GatedBoard, Answer):
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
    margin: float | None
    lower_is_better: bool
    resamples: int
    interval: MeanInterval
    pair_interval: str
    correlations: Correlations | None
    neighbours_told_apart: int | None
    omnibus: OmnibusResult | None
    more_items: MoreItems | None
    datasets: Datasets | None
    notes: tuple[Note, ...]
    signature: str
    guarantee: str = ""
    metric_signature: str | None = None
    headline: str = ""
    sentence: str = ""
    sources: tuple[Source, ...] | None = field(default=None, metadata={"optional": True})
    direction: Direction | None = field(default=None, metadata={"optional": True})
    cluster: str | None = field(default=None, metadata={"optional": True, "beside": "sources"})
    plan: PlanCheck | None = field(default=None, metadata={"optional": True})
    partial: bool = False
    """Whether it was stopped: pairs are judged by fewer resamples than were asked for."""
    stopped: Literal["time", "interrupt", "lost"] | None = field(default=None, metadata={"optional": True})
    """Why a partial answer ended early: the time limit, an interrupt, or work that ended every worker that took it."""

    slices: tuple[SliceStanding, ...] | None = field(default=None, metadata={"optional": True})
    slice_family: SliceFamily | None = field(default=None, metadata={"optional": True})
    letters_asked: bool | None = field(default=None, metadata={"optional": True})
    """Whether pages show the letters too."""

    @cached_property
    def printed_unit(self) -> Unit:
        """Right-or-wrong scores, whose intervals are exact, are printed in percent and points; the fields are fractions."""
        return POINTS if self.interval.method == "clopper_pearson" else RAW

    @property
    def patterns(self) -> int:
        """Patterns of signs, where the resamples are all others than the one that was seen."""
        return self.resamples + 1
