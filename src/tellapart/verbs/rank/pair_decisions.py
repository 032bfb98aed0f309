"""Every pair that was asked about, judged: p-values of each alone and of all together, intervals, and who wins."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from tellapart.boards.board import Board
from tellapart.boards.corrections.correction import Correction
from tellapart.boards.family import against_one, all_pairs
from tellapart.boards.standings import Ranking, wins
from tellapart.foundation.arrays import BoolArray, FloatArray, IntArray
from tellapart.foundation.decision import EstablishedClaims, Verdict
from tellapart.foundation.errors import Degenerate
from tellapart.numerics.null_laws.tails import two_sided_quantile
from tellapart.verbs.rank.pair_intervals import JointTest, PairIntervals, Pairs, joint_test, pair_intervals
from tellapart.verbs.rank.question import RankQuestion

# One pair by itself: judged exactly as `compare` judges it.

if TYPE_CHECKING:
    from tellapart.verbs.compare.analysis import Analysis


@dataclass(frozen=True, eq=False)
class SinglePairTest:
    """The only pair of a board as `compare` sees it: nothing needs correcting, so its p-value is its adjusted one too."""

    analysis: "Analysis"
    shown: EstablishedClaims

    @property
    def test(self) -> str:
        return str(self.analysis.test)

    @property
    def tests(self) -> list[str]:
        return [self.test]

    @property
    def effects(self) -> FloatArray:
        return np.array([self.analysis.effect])

    @property
    def raw(self) -> FloatArray:
        return np.array([float(self.analysis.outcome.pvalue)])

    @property
    def adjusted(self) -> FloatArray:
        return self.raw

    @property
    def significant(self) -> BoolArray:
        return np.array([self.shown.holds("better") or self.shown.holds("worse")])

    @cached_property
    def intervals(self) -> PairIntervals:
        found = self.analysis.interval_result
        return PairIntervals(found.method, np.array([found.low]), np.array([found.high]))

    @property
    def units(self) -> int:
        """How many clusters there are, or on how many items the two differ."""
        return self.analysis.clusters or int(np.count_nonzero(self.analysis.differing))

    @property
    def least_pvalue(self) -> float:
        """The smallest p-value that these items could have given; 0 where there is no such limit."""
        return self.analysis.least_pvalue(self.analysis.differing) or 0.0

    def critical(self, alpha: float) -> float:
        """How many standard errors a difference must be: infinite where no p-value could have reached alpha."""
        return two_sided_quantile(1.0 - alpha) if self.least_pvalue <= alpha else float("inf")


def single_pair_test(board: Board, pairs: Pairs, question: RankQuestion) -> SinglePairTest | None:
    """The pair of a board of two; None where there are more, where a way to resample was named, and where `compare` has no answer."""
    if len(pairs[0]) != 1 or question.resolved_correction.resampled_by != "both":
        return None
    from tellapart.verbs.compare.claims import establish_claims  # noqa: PLC0415  (a board of more than two needs none of it)

    (a,), (b,) = pairs
    analysis = analyse_pair(board, int(a), int(b), question)
    try:
        return SinglePairTest(
            analysis, establish_claims(analysis, named=False, lower_is_better=question.lower_is_better)
        )
    except Degenerate:
        return None


def analyse_pair(board: Board, a: int, b: int, question: RankQuestion) -> "Analysis":
    """Two systems of a board as `compare` looks at them where nothing is named."""
    from tellapart.choosing.paired_sample import PairedSample, ScoreProfile  # noqa: PLC0415  (as above)
    from tellapart.choosing.pairs import choose  # noqa: PLC0415
    from tellapart.verbs.compare.analysis import Analysis  # noqa: PLC0415

    pair = board.scores.pair(board.systems[a], board.systems[b], "drop")
    sampled = PairedSample(pair, question.aggregation(board.scores))
    choice = choose(ScoreProfile.of(sampled))
    return Analysis(
        sampled.pair,
        sampled.metric,
        choice.test,
        choice.interval,
        question.alpha,
        question.margin,
        question.seed,
        made=sampled.made,
    )


@dataclass(frozen=True, eq=False)
class PairDecisions:
    """The pairs A, B of a board with what was found of them, `(pair,)` each, by resampling all jointly or by one pair alone.

    ``correction that was named, or max-T.
    """

    a: IntArray
    b: IntArray
    by: JointTest | SinglePairTest
    correction: Correction
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
    def jointly(self) -> JointTest | None:
        return self.by if isinstance(self.by, JointTest) else None

    @property
    def alone(self) -> SinglePairTest | None:
        return self.by if isinstance(self.by, SinglePairTest) else None

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


def pairs_in_rank_order(places: Ranking, baseline: int | None) -> Pairs:
    """B is the one with the better rank, or, with a baseline, the one against it; in the order of ranks."""
    order = places.order
    if baseline is None:
        upper, lower = all_pairs(len(order))
        return order[lower], order[upper]
    a, b = against_one(len(order), int(np.flatnonzero(order == baseline)[0]))
    return order[a], order[b]


def decide_pairs(
    board: Board, pairs: Pairs, question: RankQuestion, piece: tuple[int, ...] = ()
) -> PairDecisions:
    """Judge these pairs by the correction asked for, and one pair as `compare` does: there is nothing to correct for.

    `piece` names the random numbers that are this board's own.
    """
    alone = single_pair_test(board, pairs, question)
    if alone is not None:
        return PairDecisions(*pairs, alone, question.resolved_correction, alone.intervals)
    jointly = joint_test(board, pairs, question, piece)
    intervals = pair_intervals(board, pairs, jointly, question.alpha)
    return PairDecisions(*pairs, jointly, jointly.correction, intervals)
