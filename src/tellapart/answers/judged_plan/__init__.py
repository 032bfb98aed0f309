"""Dataclasses of the `plan judged` answer: labels, judged items, an effect or power of a judge that labels correct."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from tellapart.answers.answer import Answer
from tellapart.answers.parts import Note


@dataclass(frozen=True)
class JudgedPlanRow:
    """One design: labels beside judged items (0: labels alone).

    `worth` is how many labels alone have the same standard error, `labels_alone_for_same` how many have the same power; `floor` is the
    standard error with endless labels. `power` is null where no effect was asked about.
    """

    labels: int
    """Items that a person labels."""
    items: int
    effect: float | None
    power: float | None
    standard_error: float
    half_width: float
    """Half the width of the confidence interval."""
    worth: float
    labels_alone_power: float | None
    """The power of these labels without the judge."""
    labels_alone_for_same: int
    cost: float | None
    """Of all labels and judgements, where prices were given."""
    floor: float | None
    engine: Literal["formula", "monte_carlo"] = "formula"


@dataclass(frozen=True)
class JudgedPilot:
    """A file with both scores that is planned from: its labels and judged items, and how the differences on labelled items go together."""

    a: str
    b: str
    labels: int
    items: int
    sd_difference: float
    discordance: float | None
    correlation: float
    correlation_low: float
    correlation_high: float
    clusters: int | None = None
    """Clusters of the labelled items, which the plan takes as independent."""
    cluster_factor: float | None = None
    """The pilot's standard error with its clusters over the one without."""


@dataclass(frozen=True)
class WidthPoint:
    """Half widths of the interval at so many labels, with the judge and by labels alone."""

    labels: int
    half_width: float
    labels_alone: float


@dataclass(frozen=True)
class JudgedPlan(Answer):
    """How many labels a judge needs beside it, which effect they find, or how often; or the best mix for a budget."""

    schema: ClassVar[str] = "tellapart/judged_plan/1"

    solved_for: Literal["labels", "items", "effect", "power", "mix"]
    """What the rows found; mix is labels and judged items for the budget."""
    rows: tuple[JudgedPlanRow, ...]
    sd_difference: float
    judge_correlation: float
    """Of the judge's differences with people's."""
    discordance: float | None
    alpha: float
    budget: float | None
    cost_label: float | None
    """Of one item labelled by a person, in the budget's unit."""
    cost_judgement: float | None
    """Of one item judged, both systems' answers together."""
    pilot: JudgedPilot | None
    """The file that was planned from."""
    curve: tuple[WidthPoint, ...]
    """Along labels, at the judged items of the first row."""
    notes: tuple[Note, ...]
    signature: str
    headline: str = ""
    sentence: str = ""
