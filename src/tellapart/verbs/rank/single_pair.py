"""Single pairs of a leaderboard, each analysed as `compare` does by default."""

from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np

from tellapart.boards.board import Board
from tellapart.choosing.pairs import ScoreProfile, choose
from tellapart.data.paired_sample import PairedSample
from tellapart.foundation.arrays import BoolArray, FloatArray, IntArray
from tellapart.foundation.decision import EstablishedClaims
from tellapart.foundation.errors import Degenerate
from tellapart.methods.intervals import Interval
from tellapart.numerics.null_laws.tails import two_sided_quantile
from tellapart.verbs.compare.analysis import Analysis
from tellapart.verbs.compare.claims import establish_claims, margin_pvalues
from tellapart.verbs.rank.pair_intervals import PairIntervals, Pairs
from tellapart.verbs.rank.question import RankQuestion


@dataclass(frozen=True, eq=False)
class SinglePairTest:
    """The only pair of a board as `compare` sees it: nothing needs correcting, so its p-value is its adjusted one too."""

    analysis: Analysis
    shown: EstablishedClaims

    @property
    def only(self) -> Self:
        return self

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
    """The only pair of a board; None where `compare` has no answer."""
    (a,), (b,) = pairs
    analysis = analyse_pair(board, int(a), int(b), question)
    try:
        return SinglePairTest(
            analysis, establish_claims(analysis, named=False, lower_is_better=question.lower_is_better)
        )
    except Degenerate:
        return None


def analyse_pair(board: Board, a: int, b: int, question: RankQuestion) -> Analysis:
    """Two systems of a board as `compare` looks at them where nothing is named."""
    pair = board.scores.pair(board.systems[a], board.systems[b], "drop")
    sampled = PairedSample(pair, question.aggregation(board.scores))
    choice = choose(ScoreProfile.of(sampled))
    return Analysis(
        sampled.pair,
        sampled.metric,
        choice.test,
        Interval.parse(choice.interval),
        question.alpha,
        question.margin,
        question.seed,
        made=sampled.made,
    )


def pair_margin_pvalues(board: Board, a: IntArray, b: IntArray, question: RankQuestion) -> FloatArray:
    """P-values of "not worse" and "not better by more than the margin", `(2, pair)`, each pair by itself; 1 where undefined."""
    pairs = zip(a.tolist(), b.tolist(), strict=True)
    found = np.array(
        [margin_pvalues(analyse_pair(board, first, second, question), named=False) for first, second in pairs],
        dtype=float,
    )
    return np.where(np.isnan(found), 1.0, found).T
