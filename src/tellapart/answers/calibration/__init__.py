"""Dataclasses of the `calibrate` answer: measured error rates and coverage of tests and intervals by scenario."""

from dataclasses import dataclass, field
from typing import ClassVar, Literal

from tellapart.answers.answer import Answer
from tellapart.answers.parts import Note

Promise = Literal["holds", "not shown", "fails"]


@dataclass(frozen=True)
class Rate:
    """A share of simulated evaluations with its 99.9 % binomial band; enumerated ones (no replicates) have none."""

    share: float
    low: float
    high: float
    replicates: int | None


@dataclass(frozen=True)
class Calibrated:
    """A test and an interval on one kind of scores; an interval for one system stands alone, without size and power.

    `rule` is the one of the five that the row is about (1 right or wrong, 2 numbers, 3 metrics that are no averages, 4 clusters,
    5 raters and items), and none where a method is named or several groups are compared. `size` is how often the test rejects where
    it must not: without an effect, or at the margin it asks about. `power` is how often it does at `effect` (in standard deviations
    of a difference; raw for right-or-wrong scores and metrics); where differences lean to one side it is that of a gain towards
    the longer tail, and `power_against` that of as large a gain away from it. `coverage` is how often the interval holds
    the effect of `power`, which for one system is its share of right answers. `verdict` is "holds" where the bands of size and of
    what the interval misses end at or below .07 (.10 for fewer than 20 units), "fails" where one begins above that, else "not shown", with
    the known reason in `why`. Where a default is chosen anew for every evaluation, `test` and `interval` are those chosen most
    often, and unless that is 99.5 % of the time `choices` are all the tests that were chosen, each with its share of the
    evaluations without effect: size, coverage and power are those of choosing, of no one test.
    """

    group: str
    rule: int | None
    scenario: str
    items: int
    test: str | None
    interval: str
    effect: float
    size: Rate | None
    coverage: Rate
    power: Rate | None
    power_against: Rate | None
    verdict: Promise
    why: str
    choices: dict[str, float] | None = field(default=None, metadata={"optional": True})


@dataclass(frozen=True)
class CalibratedBoard:
    """`rank` on leaderboards of one kind: how often it claims anything false, and how often all true ranks are held.

    `why` is the known reason where that is not as promised.
    """

    truth: str
    systems: int
    items: int
    false_claims: Rate
    ranks_held: Rate
    verdict: Promise
    why: str = ""


@dataclass(frozen=True)
class CalibratedCorrection:
    """A correction on the paired t tests of all pairs of some systems: how often what its `guarantee` bounds by alpha happens.

    `errors` are families with any false claim; where a share of the claims is bounded, those of which one claim, drawn from all
    that were made, is false. `power` is how often a real gap, one drawn from each family, is claimed; there is none where all
    systems are equal. `why` is the known reason where errors are not as promised.
    """

    correction: str
    guarantee: str
    truth: str
    systems: int
    items: int
    errors: Rate
    power: Rate | None
    verdict: Promise
    why: str = ""


@dataclass(frozen=True)
class Calibration(Answer):
    """Measured error rates of every default and of every other method; `failures` names what fails without a known reason.

    `defaults` counts the verdicts of the default test and interval, `boards` those of leaderboards.
    """

    schema: ClassVar[str] = "tellapart/calibration/3"

    alpha: float
    level: float
    scale: float
    seed: int
    rows: tuple[Calibrated, ...]
    leaderboards: tuple[CalibratedBoard, ...]
    corrections: tuple[CalibratedCorrection, ...]
    """How every correction of p-values keeps its guarantee on families of pairs with a known truth."""
    failures: tuple[str, ...]
    defaults: dict[Promise, int]
    boards: dict[Promise, int]
    signature: str
    headline: str = ""
    sentence: str = ""
    partial: bool = False
    """Whether it was stopped: rows are missing, or the last one comes from fewer evaluations than were asked for."""
    stopped: Literal["time", "interrupt", "lost"] | None = field(default=None, metadata={"optional": True})
    """Why a partial answer ended early: the time limit, an interrupt, or work that ended every worker that took it."""
    notes: tuple[Note, ...] = ()

    @property
    def scenarios(self) -> int:
        """How many times the default test and interval were judged."""
        return sum(self.defaults.values())

    @property
    def boards_measured(self) -> int:
        """How many times leaderboards were."""
        return sum(self.boards.values())
