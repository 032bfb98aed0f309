"""Fields of a comparison by a judge whose scores are corrected by human labels."""

from dataclasses import dataclass

from tellapart.answers.parts import IntervalResult


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
