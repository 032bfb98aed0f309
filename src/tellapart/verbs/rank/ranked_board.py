"""A ranked board: ranks, decisions about pairs, and the rank sets, tiers and intervals that follow from them."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import repeat

import numpy as np

from tellapart.answers.leaderboard import OmnibusResult
from tellapart.answers.leaderboard.parts import PairResult, Separation, Standing
from tellapart.boards.board import Board
from tellapart.boards.canonical_order import order_of_systems
from tellapart.boards.gaps import leads_on_shared_items
from tellapart.boards.omnibus import cochran_of_counts, cochran_q, friedman
from tellapart.boards.simultaneous_intervals import level_of_products, meeting
from tellapart.boards.standings import Ranking, Standings, rank_systems
from tellapart.data.score_storage import release_pages, rows_of
from tellapart.data.summaries import Coding, Differences, Proportion
from tellapart.foundation.arrays import BoolArray, FloatArray, IntArray
from tellapart.foundation.decision import EstablishedClaims, Verdict, verdict
from tellapart.foundation.errors import TooFew
from tellapart.foundation.seeds import stream
from tellapart.methods.intervals import INTERVALS
from tellapart.verbs import rank as rank_package
from tellapart.verbs.rank.pair_decisions import (
    PairDecisions,
    claims_against_baseline,
    decide_pairs,
    pairs_in_rank_order,
)
from tellapart.verbs.rank.pair_intervals import Pairs
from tellapart.verbs.rank.question import RankQuestion

# Simultaneous intervals of the systems' means.

Bounds = tuple[FloatArray, FloatArray]

EXACT = "clopper_pearson"
"""Interval for right or wrong: simultaneous approximate intervals miss accuracies near 1 too often."""


@dataclass(frozen=True, eq=False)
class MeanIntervals:
    """Simultaneous bounds `(system,)` by one method at one level; `widened` are the systems whose interval was then widened."""

    method: str
    level: float
    low: FloatArray
    high: FloatArray
    widened: IntArray = field(default_factory=lambda: np.zeros(0, dtype=np.int64))

    def meeting(self, a: IntArray, b: IntArray) -> "MeanIntervals":
        """Intervals widened so that those of these pairs, which do not differ significantly, overlap."""
        low, high = meeting(self.low, self.high, a, b)
        widened = np.flatnonzero((low < self.low) | (high > self.high)).astype(np.int64)
        return replace(self, low=low, high=high, widened=widened)


@dataclass(frozen=True)
class _Method:
    """An interval by its spelling at one level, with the random stream of a board."""

    name: str
    level: float
    chance: tuple[int, ...]
    coding: Coding | None
    """The scores of wrong and right answers, where means are shares of right ones."""

    def bounds(self, values: FloatArray, clusters: IntArray | None) -> Bounds:
        if self.name == EXACT and self.coding is not None:
            return self.share(np.count_nonzero(values == self.coding.right, axis=-1), values.shape[-1])
        return self._interval(Differences(values, clusters))

    def _interval(self, sample: Differences | Proportion) -> Bounds:
        return INTERVALS.parse(self.name).interval(sample, self.level, stream(*self.chance))

    def share(self, right: IntArray, items: int) -> Bounds:
        """Bounds of systems from their counts of right answers."""
        assert self.coding is not None
        low, high = self._interval(Proportion(right, np.full_like(right, items)))
        return self.coding.wrong + self.coding.step * low, self.coding.wrong + self.coding.step * high


def mean_intervals(board: Board, level: float, chance: tuple[int, ...]) -> MeanIntervals:
    """Simultaneous intervals: cluster t with clusters, Clopper–Pearson for right or wrong, else Student's t.

    `chance` identifies the random stream of this board.
    """
    if board.scores.seed_runs is not None:
        share = 1.0 - (1.0 - level) / len(board.systems)
        return MeanIntervals("seeds_t", share, *rank_package.seed_mean_bounds(board, share))
    rng = stream(*chance)
    name = "cluster_t" if board.clusters is not None else EXACT if board.binary else "student_t"
    rows = rows_of(board.values) if board.large else board.values
    order = order_of_systems(rows, np.diagonal(board.products))
    each = level_of_products(board.products[np.ix_(order, order)], board.units - 1, level, rng)
    method = _Method(name, each, chance, board.coding)
    if board.binary_scores is not None:
        right = board.binary_scores.right.astype(np.int64)
        return MeanIntervals(method.name, each, *method.share(right, board.values.shape[1]))
    if board.complete and not board.large:
        return MeanIntervals(method.name, each, *method.bounds(board.values, board.clusters))
    low, high = zip(*(_own_bounds(board, system, method) for system in range(len(board.systems))), strict=True)
    return MeanIntervals(method.name, each, np.array(low), np.array(high))


def _own_bounds(board: Board, system: int, method: _Method) -> Bounds:
    """The interval of one system on its scored items."""
    has = board.scored[system]
    own = board.values[system][has]
    release_pages(board.values)
    return method.bounds(own, None if board.clusters is None else board.clusters[has])


CLOSE = 0.1
"""Share of alpha above which the adjusted p-value of a significant pair makes it a close call."""


@dataclass(frozen=True, eq=False)
class RankedBoard:
    """A board, the question about it, and all results."""

    board: Board
    question: RankQuestion
    judged: PairDecisions
    standings: Standings
    intervals: MeanIntervals

    @property
    def names(self) -> tuple[str, ...]:
        """The systems in order of rank."""
        return tuple(self.board.systems[i] for i in self.standings.ranking.order)

    def standing_results(self) -> tuple[Standing, ...]:
        board, found = self.board, self.standings
        return tuple(
            Standing(
                name=board.systems[i],
                mean=float(board.means[i]),
                low=float(self.intervals.low[i]),
                high=float(self.intervals.high[i]),
                rank=int(found.ranking.ranks[i]),
                rank_low=int(found.best_ranks[i]),
                rank_high=int(found.worst_ranks[i]),
                tier=int(found.tiers[i]),
                may_be_best=bool(found.unbeaten[i]),
                items=int(board.items[i]),
            )
            for i in found.ranking.order
        )

    def pair_results(self) -> tuple[PairResult, ...]:
        judged = self.judged
        names = ([self.board.systems[i] for i in side] for side in (judged.a, judged.b))
        numbers = (judged.effects, judged.intervals.low, judged.intervals.high, judged.raw)
        found = (judged.adjusted.tolist(), judged.significant.tolist(), self._verdicts())
        marks = (self._close_calls().tolist(), self._neighbours().tolist())
        lists = (column.tolist() for column in numbers)
        shown = repeat(None) if self.shown is None else self.shown
        return tuple(map(PairResult, *names, *lists, judged.tests, *found, *marks, shown))

    @cached_property
    def shown(self) -> tuple[EstablishedClaims, ...] | None:
        """Claims about every other system against the baseline; None without one."""
        if self.question.baseline is None:
            return None
        return claims_against_baseline(self.board, self.judged, self.question)

    def _verdicts(self) -> list[Verdict]:
        if self.shown is not None:
            return [verdict(shown) for shown in self.shown]
        return self.judged.verdicts(lower_is_better=self.question.lower_is_better)

    def _close_calls(self) -> BoolArray:
        judged = self.judged
        return np.asarray(judged.significant & (judged.adjusted > CLOSE * self.question.alpha))

    def _neighbours(self) -> BoolArray:
        place = np.argsort(self.standings.ranking.order)
        return np.asarray(np.abs(place[self.judged.a] - place[self.judged.b]) == 1)

    def separation(self) -> Separation:
        """Counts of significant pairs, tiers and unbeaten systems; with a baseline, of systems better and worse."""
        baseline = None if self.question.baseline is None else self.board.systems.index(self.question.baseline)
        within = None if self.question.margin is None else self.shown
        return count_separation(self.standings, self.judged.significant.tolist(), baseline, within)

    def omnibus(self) -> OmnibusResult | None:
        """Cochran's Q for right or wrong, else Friedman; None with clusters, incomplete scores, or where other trainings are meant."""
        if self.board.clusters is not None or not self.board.complete or self.judged.by_seeds:
            return None
        board = self.board
        if board.binary_scores is not None:
            found = cochran_of_counts(board.binary_scores.right, board.binary_scores.right_of_items)
        else:
            found = cochran_q(board.right.T) if board.binary else friedman(board.values.T)
        return OmnibusResult(found.name, found.statistic, found.df, found.pvalue)


def rank_board(board: Board, question: RankQuestion, piece: tuple[int, ...] = ()) -> RankedBoard:
    """Rank the systems of a board; `piece` identifies its random streams."""
    if board.values.shape[1] < 2 or board.units < 2:
        found = "item" if board.clusters is None else "cluster"
        raise TooFew(f"there is one {found}; at least two are needed to see how scores vary")
    where = board_places(board, question)
    judged = decide_pairs(board, pairs_of(board, where, question), question, piece)
    better = judged.better(len(board.systems), lower_is_better=question.lower_is_better)
    intervals = mean_intervals(board, 1.0 - question.alpha, (question.seed, 1, *piece))
    undecided = ~judged.significant
    agreeing = intervals.meeting(judged.a[undecided], judged.b[undecided])
    return RankedBoard(board, question, judged, Standings(where, better), agreeing)


def board_places(board: Board, question: RankQuestion) -> Ranking:
    """Ranks by means, or on the shared items of each pair where scores are incomplete."""
    upward = -1.0 if question.lower_is_better else 1.0
    leads = board.leads() if board.complete else leads_on_shared_items(board)
    return rank_systems(upward * leads, upward * board.snapped_means())


def pairs_of(board: Board, where: Ranking, question: RankQuestion) -> Pairs:
    """The pairs that the question is about."""
    baseline = None if question.baseline is None else board.systems.index(question.baseline)
    return pairs_in_rank_order(where, baseline)


def count_separation(
    standings: Standings,
    significant: Sequence[bool],
    baseline: int | None,
    within: Sequence[EstablishedClaims] | None,
) -> Separation:
    """What the pairs of a board tell apart; beside a baseline who is better and worse, and within a margin who is not worse, and equivalent."""
    better = standings.better
    counts = {
        "systems": len(better),
        "pairs": len(significant),
        "told_apart": sum(significant),
        "neighbours": len(better) - 1,
        "tiers": int(standings.tiers.max()),
        "may_be_best": int(standings.unbeaten.sum()),
    }
    if baseline is not None:
        above, below = int(better[:, baseline].sum()), int(better[baseline].sum())
        counts |= {"better": above, "worse": below, "not_told_apart": len(better) - 1 - above - below}
        if within is not None:
            counts |= {name: sum(shown.holds(name) for shown in within) for name in ("not_worse", "equivalent")}
    return Separation(**counts)
