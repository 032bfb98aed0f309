"""One board ranked: its places, its pairs judged together, and the standings and intervals that follow."""

from dataclasses import dataclass
from functools import cached_property
from itertools import repeat

import numpy as np

from tellapart.arrays import BoolArray
from tellapart.decision import Shown, Verdict, verdict
from tellapart.errors import TooFew
from tellapart.multiplicity.board import Board
from tellapart.multiplicity.omnibus import cochran_of_counts, cochran_q, friedman
from tellapart.multiplicity.shared_items import leads_on_shared_items
from tellapart.multiplicity.standings import RankPlaces, Standings, places
from tellapart.results.leaderboard import OmnibusResult
from tellapart.results.standing import PairResult, Separation, Standing
from tellapart.verbs.rank.judged_jointly import Pairs
from tellapart.verbs.rank.judged_pairs import JudgedPairs, asked_pairs, judge_pairs
from tellapart.verbs.rank.mean_intervals import MeanIntervals, mean_intervals
from tellapart.verbs.rank.question import RankQuestion

CLOSE = 0.1
"""A significant pair whose adjusted p-value is above this share of alpha is a close call."""


@dataclass(frozen=True, eq=False)
class RankedBoard:
    """A board, the question asked about it, and everything that was found."""

    board: Board
    question: RankQuestion
    judged: JudgedPairs
    standings: Standings
    intervals: MeanIntervals

    @property
    def names(self) -> tuple[str, ...]:
        """The systems from the best rank down."""
        return tuple(self.board.systems[i] for i in self.standings.places.order)

    def standing_results(self) -> tuple[Standing, ...]:
        board, found = self.board, self.standings
        return tuple(
            Standing(
                name=board.systems[i],
                mean=float(board.means[i]),
                low=float(self.intervals.low[i]),
                high=float(self.intervals.high[i]),
                rank=int(found.places.ranks[i]),
                rank_low=int(found.best_ranks[i]),
                rank_high=int(found.worst_ranks[i]),
                tier=int(found.tiers[i]),
                may_be_best=bool(found.unbeaten[i]),
                items=int(board.items[i]),
            )
            for i in found.places.order
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
    def shown(self) -> tuple[Shown, ...] | None:
        """What is shown of every other system beside the baseline; None without one."""
        if self.question.baseline is None:
            return None
        from tellapart.verbs.rank.beside_baseline import shown_beside_baseline  # noqa: PLC0415  (only a baseline needs it)

        return shown_beside_baseline(self.board, self.judged, self.question)

    def _verdicts(self) -> list[Verdict]:
        if self.shown is not None:
            return [verdict(shown) for shown in self.shown]
        return self.judged.verdicts(lower_is_better=self.question.lower_is_better)

    def _close_calls(self) -> BoolArray:
        judged = self.judged
        return np.asarray(judged.significant & (judged.adjusted > CLOSE * self.question.alpha))

    def _neighbours(self) -> BoolArray:
        place = np.argsort(self.standings.places.order)
        return np.asarray(np.abs(place[self.judged.a] - place[self.judged.b]) == 1)

    def separation(self) -> Separation:
        """What the pairs tell apart, counted; and where the others stand beside the baseline, if there is one."""
        better = self.standings.better
        counts = {
            "systems": len(self.board.systems),
            "pairs": len(self.judged.a),
            "told_apart": int(self.judged.significant.sum()),
            "neighbours": len(self.board.systems) - 1,
            "tiers": int(self.standings.tiers.max()),
            "may_be_best": int(self.standings.unbeaten.sum()),
        }
        if self.question.baseline is None:
            return Separation(**counts)
        place = self.board.systems.index(self.question.baseline)
        above, below = int(better[:, place].sum()), int(better[place].sum())
        counts |= {"better": above, "worse": below, "not_told_apart": len(better) - 1 - above - below}
        return Separation(**counts, **self._within_margin())

    def _within_margin(self) -> dict[str, int]:
        """How many systems are shown to be no worse than the baseline, and equivalent to it; nothing without a margin."""
        if self.shown is None or self.question.margin is None:
            return {}
        return {name: sum(shown.holds(name) for shown in self.shown) for name in ("not_worse", "equivalent")}

    def omnibus(self) -> OmnibusResult | None:
        """Cochran's Q for right or wrong, else Friedman; nothing where items are not independent or not shared by all."""
        if self.board.clusters is not None or not self.board.complete:
            return None
        board = self.board
        if board.marks is not None:
            found = cochran_of_counts(board.marks.right, board.marks.right_of_items)
        else:
            found = cochran_q(board.right.T) if board.binary else friedman(board.values.T)
        return OmnibusResult(found.name, found.statistic, found.df, found.pvalue)


def rank_board(board: Board, question: RankQuestion, piece: tuple[int, ...] = ()) -> RankedBoard:
    """Rank the systems of a board; `piece` names the random numbers that are this board's own."""
    if board.values.shape[1] < 2 or board.units < 2:
        found = "item" if board.clusters is None else "cluster"
        raise TooFew(f"there is one {found}; at least two are needed to see how scores vary")
    where = board_places(board, question)
    judged = judge_pairs(board, pairs_of(board, where, question), question, piece)
    better = judged.better(len(board.systems), lower_is_better=question.lower_is_better)
    intervals = mean_intervals(board, 1.0 - question.alpha, (question.seed, 1, *piece))
    undecided = ~judged.significant
    agreeing = intervals.meeting(judged.a[undecided], judged.b[undecided])
    return RankedBoard(board, question, judged, Standings(where, better), agreeing)


def board_places(board: Board, question: RankQuestion) -> RankPlaces:
    """By the systems' means, or, where gaps make these means of different items, on what each pair shares."""
    upward = -1.0 if question.lower_is_better else 1.0
    leads = board.leads() if board.complete else leads_on_shared_items(board)
    return places(upward * leads, upward * board.snapped_means())


def pairs_of(board: Board, where: RankPlaces, question: RankQuestion) -> Pairs:
    """The pairs that the question is about."""
    baseline = None if question.baseline is None else board.systems.index(question.baseline)
    return asked_pairs(where, baseline)
