"""Dataclasses of the `score` answer: mean or metric of each system by itself, with a confidence interval."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar

from tellapart.answers.answer import Answer
from tellapart.answers.parts import IntervalResult, Note
from tellapart.data.provenance import Source
from tellapart.foundation.formatting.units import RAW, Unit, unit_of_right


@dataclass(frozen=True)
class DatasetScore:
    """A system on one dataset; `interval` is None where a single item was scored, `right` where scores are no right or wrong."""

    dataset: str
    mean: float
    interval: IntervalResult | None
    items: int
    right: int | None


@dataclass(frozen=True)
class SystemScore:
    """A system's mean or metric on the `items` that it has a score on; `missing` are those of the files that it has none on.

    `right` is how many answers are right, None where scores are no right or wrong; `clusters` is None where none are known.
    """

    name: str
    mean: float
    interval: IntervalResult
    items: int
    missing: int
    right: int | None
    runs: int
    clusters: int | None
    datasets: tuple[DatasetScore, ...]


@dataclass(frozen=True)
class FurtherSystem:
    """The score of another system on the same items that would be significant with this power, at this correlation.

    `effect` is the gain, `score` what it leads to; both are None where these items cannot find any gain that is possible.
    `population` is what was assumed, as `plan` takes it.
    """

    correlation: float
    power: float
    effect: float | None
    score: float | None
    population: str


@dataclass(frozen=True)
class ScoreReport(Answer):
    """How well systems do, each by itself, with an interval for other items like these; `further` is said of one system only."""

    schema: ClassVar[str] = "tellapart/score/1"
    table: ClassVar[str] = "systems"

    measure: str
    metric: str
    items: int
    level: float
    """Of the intervals, each by itself."""
    systems: tuple[SystemScore, ...]
    further: tuple[FurtherSystem, ...]
    lower_is_better: bool
    notes: tuple[Note, ...]
    signature: str
    headline: str = ""
    sentence: str = ""
    sources: tuple[Source, ...] | None = field(default=None, metadata={"optional": True})

    @cached_property
    def unit(self) -> Unit:
        """Right-or-wrong scores are printed in percent and their differences in points; the fields are fractions."""
        right = [one.right for one in self.systems if one.right is not None]
        if len(right) < len(self.systems):
            return RAW
        return unit_of_right(sum(right) / self.items, sum(one.mean for one in self.systems))
