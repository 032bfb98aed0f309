"""Dataclasses of the `rank` answer for votes: an arena leaderboard with ratings, possible ranks and pairs."""

from dataclasses import dataclass, field
from typing import ClassVar, Literal

from tellapart.answers.answer import Answer
from tellapart.answers.leaderboard import Guarantee, MoreItems
from tellapart.answers.leaderboard.parts import GatedBoard, PairResult, RankedSystem, Separation
from tellapart.answers.parts import Note
from tellapart.answers.plan.file import PlanCheck
from tellapart.data.provenance import Source


@dataclass(frozen=True)
class ArenaStanding(RankedSystem):
    """A system ranked by its rating (`mean`); `items` and `votes` count the votes that it took part in.

    `strength` is the rating in logits, the mean of all systems being 0, and `se` its standard error; `wins` is the share of points that it
    would win if it met every other system equally often.
    """

    strength: float
    se: float
    wins: float
    votes: int


@dataclass(frozen=True, kw_only=True)
class ArenaPair(PairResult):
    """Two systems: `effect` is the rating of B less that of A; its interval and `se` are in points of the rating.

    `points_a` are what A won of their `votes` (a tie counts half), `expected_a` what the ratings say it should have won;
    `effective_clusters` is how many equal clusters the pair rests on, None without clusters.
    """

    votes: int
    points_a: float
    expected_a: float
    se: float
    effective_clusters: float | None


@dataclass(frozen=True)
class ArenaModel:
    """How ratings were made: the rule for ties, the scale, and what was adjusted for.

    `nu` is how likely ties are in Davidson's model; `order` is the advantage of being shown first in logits, with its standard error
    `order_se`; `anchor` is the system whose rating is fixed, and at what; `penalty` is Firth's where some systems won or lost every vote
    against the others, and `separated` then lists those blocks of systems, best first.
    """

    ties: Literal["half", "davidson", "drop"]
    nu: float | None
    order: float | None
    order_se: float | None
    scale: Literal["elo", "logit"]
    anchor: tuple[str, float] | None
    penalty: Literal["firth"] | None
    separated: tuple[tuple[str, ...], ...] | None
    control: float | None = None
    """What one standard deviation of the control adds, in logits; None where strengths are adjusted for none."""
    control_se: float | None = None
    """Its standard error."""
    control_name: str | None = None
    """The column of the control: a number of a less that of b."""

    @property
    def order_margin(self) -> float | None:
        """Half the width of the order effect's 95 % interval, by the normal law."""
        return None if self.order_se is None else 1.959964 * self.order_se

    @property
    def control_margin(self) -> float | None:
        """Half the width of the 95 % interval of what the control adds, by the normal law."""
        return None if self.control_se is None else 1.959964 * self.control_se


@dataclass(frozen=True)
class ArenaClusters:
    """Votes that go together: by what, and how many clusters there are.

    `least_effective` is the smallest number of equal clusters that any pair rests on; `law` is how pairs were judged.
    """

    by: Literal["rater", "item", "both", "none"]
    raters: int | None
    items: int | None
    least_effective: float | None
    law: Literal["joint normal", "joint t", "holm of own t", "compare"]


@dataclass(frozen=True)
class ArenaFit:
    """Whether one line of strengths fits all pairs; None with a reason where that cannot be tested.

    `x2` is Pearson's X², `dispersion` what ties leave of the variance, `pvalue` that of X² over it, `worst` the pair that differs most,
    and `reason` why there is no test.
    """

    x2: float | None
    df: int | None
    pvalue: float | None
    dispersion: float | None
    worst: tuple[str, str] | None
    reason: str | None


@dataclass(frozen=True)
class WinMatrix:
    """Who won how much from whom, in the order of `systems`.

    `points` are those of the row's system from its votes with the column's, a tie counting half; `votes` is how many these were.
    """

    systems: tuple[str, ...]
    points: tuple[tuple[float, ...], ...]
    votes: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Arena(GatedBoard, Answer):
    """Which of many systems these votes tell apart: ratings from the best rank down, and every pair behind them."""

    schema: ClassVar[str] = "tellapart/arena/1"
    table: ClassVar[str] = "systems"

    systems: tuple[ArenaStanding, ...]
    pairs: tuple[ArenaPair, ...]
    letters: dict[str, str]
    separation: Separation
    model: ArenaModel
    """How votes became ratings."""
    clusters: ArenaClusters
    fit: ArenaFit
    """Whether one line of strengths fits all pairs."""
    matrix: WinMatrix
    """Who won how many points from whom."""
    votes: int
    ties: int
    correction: str
    controls: Guarantee
    """What alpha bounds: any false claim about a pair, or nothing joint."""
    alpha: float
    baseline: str | None
    margin: float | None
    more_votes: MoreItems | None
    """What more votes would buy, allotted as these were."""
    notes: tuple[Note, ...]
    signature: str
    guarantee: str = ""
    """What holds for the significant pairs together, in words."""
    headline: str = ""
    sentence: str = ""
    sources: tuple[Source, ...] | None = field(default=None, metadata={"optional": True})
    plan: PlanCheck | None = field(default=None, metadata={"optional": True})
    letters_asked: bool | None = field(default=None, metadata={"optional": True})
    """Whether pages show the letters too."""

    @property
    def unit(self) -> str:
        """What ratings are told in."""
        return "points" if self.model.scale == "elo" else "logits"
