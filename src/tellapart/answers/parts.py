"""Parts that several kinds of answers share: notes, intervals, bad rows, histograms and heterogeneity."""

import math
from dataclasses import dataclass, field
from typing import Any, Literal

# A note: something a careful reader should know, as a code and values that a program can ask for, and as a
# sentence.

TestedClaim = Literal["difference", "equivalence", "non-inferiority"]
"""The claim that a test is asked to support."""


@dataclass(frozen=True)
class Note:
    """`code` says which kind of note it is, `values` what it is about, as plain values; `text` is its sentence.

    A verb gives code and values. The sentence is made of them in `words`, in the spelling of the door that shows it.
    """

    code: str
    values: dict[str, Any] = field(default_factory=dict)
    text: str = ""


def codes(notes: "tuple[Note, ...]") -> tuple[str, ...]:
    """The codes of all notes, in order."""
    return tuple(note.code for note in notes)


def texts(notes: "tuple[Note, ...]") -> tuple[str, ...]:
    """The texts of all notes, in order."""
    return tuple(note.text for note in notes)


# An interval in an answer.


@dataclass(frozen=True)
class IntervalResult:
    """Bounds at a level; `target` says what they are about, which is not always the difference of means."""

    low: float
    high: float
    level: float
    method: str
    """The spelling of the interval, as it can be typed."""
    target: str = "mean difference"
    label: str = ""
    """Its name in words, where it has one."""

    @property
    def bounded(self) -> bool:
        """Whether it leaves out anything at all."""
        return math.isfinite(self.low) or math.isfinite(self.high)

    @property
    def shown_method(self) -> str:
        return self.label or self.method


# A row of a table that could not be used.


@dataclass(frozen=True)
class BadRow:
    """The line it is on, and what is wrong with it."""

    line: int
    problem: str


# How scores lie, counted in bins: few numbers, whatever the number of items, and enough to draw them.


@dataclass(frozen=True)
class DifferenceBins:
    """Items by their difference B − A: `edges` part the bins, `items` counts those within each, and `ties` those at 0 exactly.

    `higher` and `lower` count those where B's score is the higher and the lower one. No bin holds differences of both signs; one on
    an edge counts to the bin on the side away from 0. Where differences are multiples of one step, bins lie around these.
    """

    edges: tuple[float, ...]
    items: tuple[int, ...]
    ties: int
    higher: int
    lower: int


@dataclass(frozen=True)
class ScoreBins:
    """Items by both scores, over the same `edges` for each system: `items[i][j]` lie in bin i by A's score and in bin j by B's.

    `items` has a row per bin of A. The lower edge belongs to a bin, and the last upper one too.
    """

    edges: tuple[float, ...]
    items: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class HeterogeneityResult:
    """How much the effect varies between datasets beyond chance; `tau` is the standard deviation of true effects."""

    q: float
    pvalue: float
    i_squared: float
    tau: float


@dataclass(frozen=True)
class SliceColumn:
    """A column that items are sliced by: how many slices, those too small to be judged, and items that are in none."""

    column: str
    slices: int
    left_out: tuple[str, ...]
    blank_items: int
    overlap: bool
    """Whether an item may be in several slices."""
    omnibus_pvalue: float | None = None
    """That the difference is alike in all slices: the smallest adjusted p-value of a slice against the rest."""
    tau: float | None = None
    mean: float | None = None
    """Of the true effects that slices are shrunk by: their standard deviation (tau) and their mean."""


@dataclass(frozen=True)
class SliceFamily:
    """The slices that are judged together, over all columns: how they are corrected for, and from how many units on."""

    correction: str
    correction_label: str
    slices: int
    least: int
    columns: tuple[SliceColumn, ...]


@dataclass(frozen=True)
class SeedsResult:
    """How many seeds each system was trained with, and what they have of the uncertainty where other trainings are meant.

    `sds` are of seeds, of item differences with endless seeds and of seed times item; `shares` of the variance of B − A.
    """

    seeds_a: int
    seeds_b: int
    mode: Literal["random", "fixed"]
    sds: dict[str, float] | None = None
    shares: dict[str, float] | None = None
    df: float | None = None
    df_rule: str | None = None


@dataclass(frozen=True)
class NextPlan:
    """A plan with the numbers seen here: a population, its numbers, how many runs, seeds and items to ask about, and an effect to detect."""

    population: str
    numbers: dict[str, float]
    sizes: dict[str, tuple[int, ...]]
    effect: float
