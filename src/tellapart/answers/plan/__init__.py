"""Dataclasses of the `plan` answer: power, sample size or detectable effect of planned evaluations."""

import math
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from tellapart.answers.answer import Answer, plain
from tellapart.answers.parts import Note, TestedClaim
from tellapart.answers.plan.file import Spending
from tellapart.foundation.spelling import name_of

SolvedFor = Literal["power", "items", "effect"]


@dataclass(frozen=True)
class PlanRow:
    """One study: what was assumed, what was given and what was solved.

    `power` counts rejections in either direction and `type_s` the share of them with the wrong sign; `stable_from` is the
    number of items from which power stays at or above the target up to twice that number. Where more than one rejection in a
    hundred has the wrong sign, `power_right` is the power that counts the others alone. `solved_low` and `solved_high`
    bound the solved number where it comes from simulation, from a pilot or from evidence; the farther
    from zero alone is null where a small pilot leaves its variance open to more than a hundred times what it seems. Where `test` is "chosen",
    `choices` are the tests that `compare` will choose between on such scores, each with the share of evaluations. Of ratings by
    several raters, `raters` and `ratings` are how many there are in all, `cost` what they cost, `df` the degrees of freedom at the
    assumed spreads, and `ceiling_items` and `ceiling_raters` the power with endless items and with endless raters. Of repeated runs `ceiling_runs` is
    the power with endless runs, and `items_endless_runs` how many items would then do. With planned `looks`, `items` is the most it takes:
    the test meets the level `nominal` at each of `items_at_looks` and stops there with chance `stops_at`; `expected_items` are those
    taken on average, `expected_items_none` if there is no difference, and `fixed_items` those of a test with one look.
    """

    population: str
    options: dict[str, Any] = field(metadata={"spread": True})
    """Numbers that the population assumes; in JSON each stands beside the other fields, under its own name."""
    test: str
    alpha: float
    items: int
    stable_from: int | None
    effect: float
    power: float
    power_low: float
    power_high: float
    engine: str
    replicates: int | None
    type_s: float | None
    type_m: float | None
    power_right: float | None = None
    solved_low: float | None = None
    solved_high: float | None = None
    choices: dict[str, float] | None = field(default=None, metadata={"optional": True})
    raters: int | None = field(default=None, metadata={"optional": True})
    ratings: int | None = field(default=None, metadata={"optional": True})
    cost: float | None = field(default=None, metadata={"optional": True})
    df: float | None = field(default=None, metadata={"optional": True})
    ceiling_items: float | None = field(default=None, metadata={"optional": True})
    ceiling_raters: float | None = field(default=None, metadata={"optional": True})
    ceiling_runs: float | None = field(default=None, metadata={"optional": True})
    items_endless_runs: int | None = field(default=None, metadata={"optional": True})
    looks: int | None = field(default=None, metadata={"optional": True})
    spending: Spending | None = field(default=None, metadata={"optional": True})
    """How alpha is spent over the looks."""
    items_at_looks: tuple[int, ...] | None = field(default=None, metadata={"optional": True})
    nominal: tuple[float, ...] | None = field(default=None, metadata={"optional": True})
    stops_at: tuple[float, ...] | None = field(default=None, metadata={"optional": True})
    expected_items: float | None = field(default=None, metadata={"optional": True})
    expected_items_none: float | None = field(default=None, metadata={"optional": True})
    fixed_items: int | None = field(default=None, metadata={"optional": True})

    @property
    def right_or_wrong(self) -> bool:
        """Whether effects are differences of shares, which are printed in points."""
        return not {"accuracy", "discordance"}.isdisjoint(self.options)

    @property
    def counts(self) -> str:
        """What its items are, in a word: one vote stands on an item of its own."""
        return "votes" if name_of(self.population) == "votes" else "items"

    @property
    def saved_share(self) -> float | None:
        """How many fewer items looks take on average than one look; None where nothing is saved."""
        if self.fixed_items is None or self.expected_items is None or self.expected_items >= self.fixed_items:
            return None
        return 1.0 - self.expected_items / self.fixed_items

    @property
    def cluster_size(self) -> int | None:
        """Items of a cluster; None where items are independent."""
        return int(self.options["size"]) if name_of(self.population) == "clustered" else None

    @property
    def clusters(self) -> int:
        return math.ceil(self.items / (self.cluster_size or 1))

    def to_dict(self) -> dict[str, Any]:
        """The row with the population's options beside the rest, as a table has them.

        What a wrapper wraps is in the spelling of the whole, which has that name.
        """
        told: dict[str, Any] = plain(self)
        options: dict[str, Any] = told.pop("options")
        return {"population": told.pop("population"), **options, **told} | {"population": self.population}


@dataclass(frozen=True)
class PlannedTest:
    """The test of the first study in words: what a small p-value would claim, and on which side."""

    label: str
    claim: TestedClaim
    alternative: str


@dataclass(frozen=True)
class SmallerEffect:
    """What about half the effect of the first study would meet on as many items."""

    effect: float
    power: float
    type_m: float | None

    @property
    def missed(self) -> float:
        """How often it would not be found."""
        return 1.0 - self.power


@dataclass(frozen=True)
class PowerPoint:
    """The power of the study with another number of items or raters, or another effect; `over` says which of them was moved.

    `power_low` and `power_high` bound it where it was simulated (from so many `replicates`) and where spreads come from a pilot or from
    evidence, and are `power` itself elsewhere. Of rejections, `type_s` is the share with the wrong sign, and `type_m` how many times too
    large their effects are on average.
    """

    over: Literal["items", "effect", "raters"]
    items: int
    effect: float
    power: float
    power_low: float
    power_high: float
    type_s: float | None
    type_m: float | None
    raters: int | None = field(default=None, metadata={"optional": True})
    replicates: int | None = field(default=None, metadata={"optional": True})


@dataclass(frozen=True)
class DesignForCost:
    """The strongest design of its kind for about this cost: every rater rates every item ("crossed"), one of them each ("alone"), or some."""

    kind: Literal["crossed", "alone", "shared"]
    cost: float
    """What it costs, in the unit of the prices."""
    raters: int
    per_item: int
    """How many of the raters rate each item."""
    items: int
    power: float


@dataclass(frozen=True)
class SearchedDesigns:
    """What designs of ratings were searched for: the most power for a budget, or the lowest cost of a power, at which prices.

    `for_costs` are the strongest designs that less and more money would pay for, as the search found them: the power of those in which
    some raters rate an item is within some hundredths.
    """

    budget: float | None
    power: float | None
    cost_rating: float
    cost_item: float
    cost_rater: float
    fewest_raters: int
    most_raters: int
    for_costs: tuple[DesignForCost, ...] = field(default=(), metadata={"optional": True})


@dataclass(frozen=True)
class Plan(Answer):
    """Power, items or effect of every study of a grid; `solved_for` says which of the three was not given.

    `target_power`, `assurance`, `pilot_items`, `tested` and `smaller` are those of the first study, which the sentence is about.
    `partial` says that it was interrupted: studies are missing, or come from fewer replicates than were asked for. Where designs of
    ratings were `searched`, the first row is the best of all and the second, if there is one, the best in which every rater
    rates every item.
    """

    schema: ClassVar[str] = "tellapart/plan/2"

    solved_for: SolvedFor
    rows: tuple[PlanRow, ...]
    tested: PlannedTest
    target_power: float | None
    assurance: float | None
    pilot_items: int | None
    smaller: SmallerEffect | None
    notes: tuple[Note, ...]
    partial: bool
    signature: str
    headline: str = ""
    sentence: str = ""
    searched: SearchedDesigns | None = field(default=None, metadata={"optional": True})
    stopped: Literal["time", "interrupt", "lost"] | None = field(default=None, metadata={"optional": True})
    """Why a partial answer ended early: the time limit, an interrupt, or work that ended every worker that took it."""
    curve: tuple[PowerPoint, ...] | None = field(default=None, metadata={"optional": True})
    """Power around the one study that was asked about, where it costs next to nothing; a grid has its rows."""

    def to_dict(self) -> dict[str, Any]:
        return {**super().to_dict(), "rows": [row.to_dict() for row in self.rows]}
