"""Dataclasses of the `describe` answer: the contents of logs and tables, and the commands to try next."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from tellapart.answers.answer import Answer


@dataclass(frozen=True)
class DescribedSource:
    """A file, its format, why it is taken for that, and how many of its rows are scored, missing or errors, over all measures."""

    file: str
    format: str
    why: str
    systems: tuple[str, ...]
    datasets: tuple[str, ...]
    rows: int
    scored: int
    missing: int
    errors: int
    unfinished: str | None


@dataclass(frozen=True)
class DescribedSystem:
    name: str
    files: int
    items: int


@dataclass(frozen=True)
class DescribedMeasure:
    """`kind` says whether scores are right or wrong, numbers, or none of single items; `better` None where no file says it."""

    name: str
    kind: Literal["right or wrong", "number", "missing", "no scores of items"]
    better: Literal["higher", "lower"] | None
    primary: bool


@dataclass(frozen=True)
class DescribedAxis:
    """An axis beside the measure; where a choice is `needed`, one value has to be picked."""

    name: str
    values: tuple[str, ...]
    needed: bool


@dataclass(frozen=True)
class DescribedCluster:
    """A key that items can be grouped by, and how many groups it makes; `declared` where the file itself groups by it."""

    key: str
    groups: int
    declared: bool


@dataclass(frozen=True)
class DescribedMean:
    """The mean over items of the mean of their runs, and how these lie.

    All score from `lowest` to `highest`; a quarter of the items score at most `lower_quartile`, half at most `median`, three quarters at
    most `upper_quartile`.
    """

    system: str
    dataset: str | None
    measure: str
    where: dict[str, str]
    items: int
    mean: float
    lowest: float
    lower_quartile: float
    median: float
    upper_quartile: float
    highest: float


@dataclass(frozen=True)
class SkippedFiles:
    what: str
    count: int
    why: str
    first: str


@dataclass(frozen=True)
class Description(Answer):
    """The content of files: enough to know which questions they can answer."""

    schema: ClassVar[str] = "tellapart/description/1"
    table: ClassVar[str] = "means"

    sources: tuple[DescribedSource, ...]
    systems: tuple[DescribedSystem, ...]
    datasets: tuple[str, ...]
    measures: tuple[DescribedMeasure, ...]
    axes: tuple[DescribedAxis, ...]
    items: int
    runs: int
    clusters: tuple[DescribedCluster, ...]
    means: tuple[DescribedMean, ...]
    skipped: tuple[SkippedFiles, ...]
    commands: tuple[str, ...]
    headline: str = ""
    sentence: str = ""

    def total(self, count: Literal["rows", "scored", "missing", "errors"]) -> int:
        """Of all files together."""
        return sum(getattr(one, count) for one in self.sources)
