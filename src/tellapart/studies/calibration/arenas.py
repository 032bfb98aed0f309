"""Calibration on simulated leaderboards from votes, judged as `rank` judges them, and what happens without clusters or orders."""

import zlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

import numpy as np

from tellapart.boards.standings import ranks
from tellapart.boards.vote_board import FEWEST_DRAWS
from tellapart.data.votes import NO_SYSTEM, ClusterBy, Votes
from tellapart.foundation.arrays import FloatArray, IntArray
from tellapart.foundation.errors import DataError
from tellapart.foundation.seeds import Generator, block_of, stream
from tellapart.studies.calibration.boards import BoardLine, BoardTally, most_failures
from tellapart.studies.calibration.measure import ALPHA, StreamBlock
from tellapart.verbs.arena.board import ArenaBoard, judge_votes
from tellapart.verbs.arena.prepared import prepare_votes
from tellapart.verbs.rank.question import RankQuestion

Voters = Callable[[int, Generator], IntArray]
"""Who casts each vote."""
BY_VOTE = "not what rank does: votes of one rater or item are counted as independent"
UNADJUSTED = "not what rank does: systems shown first more often are taken for better"


@dataclass(frozen=True, eq=False, kw_only=True)
class SimulatedArena:
    """Votes between systems: equal ones unless strengths are given. Raters and items have strengths of their own with these deviations.

    The one shown first has an advantage, and the system of the lower number is first in 8 votes of 10. `known` says why the level is not kept.
    """

    truth: str
    systems: int
    votes: int
    strengths: tuple[float, ...] = ()
    voters: Voters | None = None
    rater_sd: float = 0.0
    items: int = 0
    item_sd: float = 0.0
    ties: float = 0.2
    first: float = 0.0
    cluster: ClusterBy | None = None
    order: Literal["auto", "ignore"] = "auto"
    only_separated: bool = False
    known: str = ""

    @property
    def strength(self) -> FloatArray:
        return np.array(self.strengths or (0.0,) * self.systems)

    def draw(self, rng: Generator) -> Votes:
        """The votes of one board."""
        a = rng.integers(0, self.systems, self.votes)
        b = (a + rng.integers(1, self.systems, self.votes)) % self.systems
        gap = self.strength[a] - self.strength[b]
        rater = None if self.voters is None else self.voters(self.votes, rng)
        item = rng.integers(0, self.items, self.votes) if self.items else None
        for codes, sd in ((rater, self.rater_sd), (item, self.item_sd)):
            if codes is not None:
                own = rng.normal(0.0, sd, (int(codes.max()) + 1, self.systems))
                gap += own[codes, a] - own[codes, b]
        shown = np.where((rng.random(self.votes) < 0.8) == (a < b), a, b)
        up = 1.0 / (1.0 + np.exp(-gap - self.first * np.where(shown == a, 1.0, -1.0)))
        tied = 2.0 * self.ties * up * (1.0 - up)  # half the chance of a tie, so that points have the mean of the model
        luck = rng.random(self.votes)
        winner = np.where(luck < up - tied, a, np.where(luck < up + tied, NO_SYSTEM, b))
        names = tuple(f"s{place:02d}" for place in range(self.systems))
        first = shown if self.first else None
        return Votes(names, a, b, winner, item=item, rater=rater, first=first, cluster_by=self.cluster)

    def judge(self, rng: Generator) -> ArenaBoard:
        """One board as `rank` judges it, with fewer draws of the joint law; systems that never met are drawn again."""
        question = RankQuestion(order=self.order, seed=int(rng.integers(1 << 31)))
        while True:
            try:
                prepared = prepare_votes(self.draw(rng), question)
            except DataError:
                continue
            if len(prepared.names) == self.systems and (prepared.separated or not self.only_separated):
                return judge_votes(prepared, question, draws=FEWEST_DRAWS)


def _uneven(count: int, spread: float, votes: int, rng: Generator) -> IntArray:
    """Raters whose activity is lognormal."""
    activity = rng.lognormal(0.0, spread, count)
    return rng.choice(count, votes, p=activity / activity.sum())


def _ten_with_half(votes: int, rng: Generator) -> IntArray:
    return np.concatenate([rng.integers(0, 10, votes // 2), rng.integers(10, 210, votes - votes // 2)])


def _one_each(votes: int, _: Generator) -> IntArray:
    return np.arange(votes)


def _raters(
    truth: str, systems: int, votes: int, voters: Voters, rater_sd: float = 0.6, **more: float
) -> SimulatedArena:
    return replace(SimulatedArena(truth=truth, systems=systems, votes=votes, voters=voters, rater_sd=rater_sd), **more)  # type: ignore[arg-type]


TEN, HALF = partial(_uneven, 10, 1.0), _raters("votes, ten voters with half", 8, 2000, _ten_with_half)
TWO_WAY = replace(_raters("votes, raters and items", 6, 1500, partial(_uneven, 60, 1.0), 0.5), items=80, item_sd=0.5)
UNBALANCED = SimulatedArena(truth="votes, order always unbalanced", systems=6, votes=1200, first=0.6)
TIED = (0.0, 0.0, 0.0, 0.4, 0.4, 0.8, 0.8, 0.8)
ARENAS = (
    _raters("votes, one of each voter", 8, 800, _one_each),
    HALF,
    _raters("votes, 10 uneven raters", 8, 1000, TEN),
    _raters("votes, 30 uneven raters", 3, 600, partial(_uneven, 30, 1.0)),
    _raters("votes, 30 uneven raters", 5, 900, partial(_uneven, 30, 1.0), 0.9),
    _raters("votes, 100 very uneven raters", 6, 1500, partial(_uneven, 100, 1.5), 0.8),
    _raters("votes, 120 raters, no ties", 4, 1200, partial(_uneven, 120, 0.0), 1.0, ties=0.0),
    _raters("votes, 150 uneven raters", 40, 8000, partial(_uneven, 150, 1.0)),
    replace(_raters("votes, 50 raters, three tied groups", 8, 1500, partial(_uneven, 50, 0.0)), strengths=TIED),
    TWO_WAY,
    UNBALANCED,
    SimulatedArena(truth="votes, separated (Firth)", systems=4, votes=16, ties=0.0, only_separated=True),
    SimulatedArena(truth="votes, separated (Firth)", systems=8, votes=60, ties=0.0, only_separated=True),
    replace(_raters("votes, 10 uneven raters, by vote", 8, 1000, TEN), cluster="none", known=BY_VOTE),
    replace(HALF, truth="votes, ten voters with half, by vote", cluster="none", known=BY_VOTE),
    replace(TWO_WAY, truth="votes, raters and items, by vote", cluster="none", known=BY_VOTE),
    replace(UNBALANCED, truth="votes, order always unbalanced, ignored", order="ignore", known=UNADJUSTED),
)
"""As `rank` judges by default, then what its defaults protect from."""


def counted_arenas(arena: SimulatedArena, block: StreamBlock) -> tuple[int, int]:
    """Of one block of boards: with a false claim, and with every true rank in its set."""
    rng = block_of(stream(block.seed, 38, zlib.crc32(arena.truth.encode()), arena.systems), block.number)
    wrong, true_ranks = arena.strength[:, np.newaxis] <= arena.strength, ranks(arena.strength)
    false_claims = covered = 0
    for _ in range(block.size):
        found = arena.judge(rng).standings
        false_claims += bool((found.better & wrong).any())
        covered += bool(((found.best_ranks <= true_ranks) & (true_ranks <= found.worst_ranks)).all())
    return false_claims, covered


def as_arena_line(arena: SimulatedArena, found: BoardTally) -> BoardLine:
    allowed = most_failures(found.replicates, ALPHA)
    return BoardLine(arena.truth, arena.systems, arena.votes, found, allowed, arena.known, chosen=not arena.known)
