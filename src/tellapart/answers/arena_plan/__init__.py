"""Dataclasses of the `plan arena` answer: votes, a gap or power of a leaderboard from votes."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from tellapart.answers.answer import Answer
from tellapart.answers.parts import Note


@dataclass(frozen=True)
class ArenaPlanRow:
    """One design: so many votes find a gap with this power; one of the three was solved.

    `gap` is in points of Elo's scale, between neighbours or, of a top tier, from the first to all others. `per_pair` is the votes of each
    pair if all meet equally often, `standard_error` that of the difference, in points.
    """

    votes: int
    gap: float
    power: float
    ties: float
    per_pair: float
    standard_error: float


@dataclass(frozen=True)
class ArenaLog:
    """A log of votes that is planned from: the share of ties, what clusters cost, and what it can separate by itself.

    `first` and `second` lead its ranks, and `separable` is the gap between these two that its own votes find with 80 % power.
    `by` says what its votes are clustered by.
    """

    votes: int
    ties: float
    by: Literal["rater", "item", "both", "none"]
    first: str
    second: str
    separable: float


@dataclass(frozen=True)
class Allocation:
    """What meetings of neighbours would save: votes relative to pairs that all meet equally often.

    `span` is the points from the best to the worst; `neighbours` the relative votes for pairs next to each other in rank if only systems
    within `window` ranks meet, and `ends` those for the best and the worst.
    """

    span: float
    window: int
    neighbours: float
    ends: float
    text: str = ""


@dataclass(frozen=True)
class ArenaPlan(Answer):
    """How many votes an arena needs, which gap they find, or how often."""

    schema: ClassVar[str] = "tellapart/arena_plan/1"

    solved_for: Literal["votes", "gap", "power"]
    """Which of the three the rows found."""
    rows: tuple[ArenaPlanRow, ...]
    systems: int
    top: int | None
    """At most so many systems should stay in the top tier; None where a pair of neighbours is asked about."""
    spread: float
    """Standard deviation of the strengths, in points."""
    design_effect: float
    """How many times as many votes clusters take."""
    critical: float
    """Standard errors that a difference must exceed, so that all pairs hold together."""
    alpha: float
    log: ArenaLog | None
    """The log that was planned from."""
    allocation: Allocation | None
    """Whom to let meet whom; None where all systems are neighbours."""
    notes: tuple[Note, ...]
    signature: str
    headline: str = ""
    sentence: str = ""

    @property
    def pairs(self) -> int:
        return self.systems * (self.systems - 1) // 2
