"""Every pair that was asked about, judged: p-values of each alone and of all together, intervals, and who wins."""

from dataclasses import dataclass

import numpy as np

from tellapart.arrays import BoolArray, FloatArray, IntArray
from tellapart.decision import Verdict
from tellapart.multiplicity.board import Board
from tellapart.multiplicity.corrections.correction import Correction
from tellapart.multiplicity.family import against_one, all_pairs
from tellapart.multiplicity.standings import RankPlaces, wins
from tellapart.verbs.rank.judged_alone import OnePair, judged_alone
from tellapart.verbs.rank.judged_jointly import Jointly, Pairs, judged_jointly
from tellapart.verbs.rank.pair_intervals import PairIntervals, pair_intervals
from tellapart.verbs.rank.question import RankQuestion


@dataclass(frozen=True, eq=False)
class JudgedPairs:
    """The pairs A, B of a board with what was found of them, `(pair,)` each, by resampling all jointly or by one pair alone.

    `judge` is the correction that was named, or max-T.
    """

    a: IntArray
    b: IntArray
    by: Jointly | OnePair
    judge: Correction
    intervals: PairIntervals

    @property
    def effects(self) -> FloatArray:
        return self.by.effects

    @property
    def raw(self) -> FloatArray:
        return self.by.raw

    @property
    def adjusted(self) -> FloatArray:
        return self.by.adjusted

    @property
    def tests(self) -> list[str]:
        """What gave the p-value of each pair."""
        return self.by.tests

    @property
    def significant(self) -> BoolArray:
        return self.by.significant

    @property
    def jointly(self) -> Jointly | None:
        return self.by if isinstance(self.by, Jointly) else None

    @property
    def alone(self) -> OnePair | None:
        return self.by if isinstance(self.by, OnePair) else None

    def better(self, systems: int, *, lower_is_better: bool) -> BoolArray:
        """Whether the row's system is significantly better than the column's, in the order of the board."""
        a, b = self.a[self.significant], self.b[self.significant]
        b_wins = self._b_is_ahead(lower_is_better=lower_is_better)[self.significant]
        return wins(np.where(b_wins, b, a), np.where(b_wins, a, b), systems)

    def verdicts(self, *, lower_is_better: bool) -> list[Verdict]:
        """Which of each pair is significantly better, if one is."""
        ahead = self._b_is_ahead(lower_is_better=lower_is_better)
        named: list[Verdict] = np.where(ahead, "b better", "a better").tolist()
        found = zip(named, self.significant.tolist(), strict=True)
        return [verdict if significant else "undetermined" for verdict, significant in found]

    def _b_is_ahead(self, *, lower_is_better: bool) -> BoolArray:
        return np.asarray((self.effects > 0.0) != lower_is_better)


def asked_pairs(places: RankPlaces, baseline: int | None) -> Pairs:
    """B is the one with the better rank, or, with a baseline, the one against it; in the order of ranks."""
    order = places.order
    if baseline is None:
        upper, lower = all_pairs(len(order))
        return order[lower], order[upper]
    a, b = against_one(len(order), int(np.flatnonzero(order == baseline)[0]))
    return order[a], order[b]


def judge_pairs(
    board: Board, pairs: Pairs, question: RankQuestion, piece: tuple[int, ...] = ()
) -> JudgedPairs:
    """Judge these pairs by the correction asked for, and one pair as `compare` does: there is nothing to correct for.

    `piece` names the random numbers that are this board's own.
    """
    alone = judged_alone(board, pairs, question)
    if alone is not None:
        return JudgedPairs(*pairs, alone, question.judge, alone.intervals)
    jointly = judged_jointly(board, pairs, question, piece)
    intervals = pair_intervals(board, pairs, jointly, question.alpha)
    return JudgedPairs(*pairs, jointly, jointly.judge, intervals)
