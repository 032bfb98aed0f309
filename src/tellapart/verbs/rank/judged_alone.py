"""One pair by itself: judged exactly as `compare` judges it."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from tellapart.arrays import BoolArray, FloatArray
from tellapart.decision import Shown
from tellapart.distributions.normal import two_sided_quantile
from tellapart.errors import Degenerate
from tellapart.multiplicity.board import Board
from tellapart.verbs.rank.judged_jointly import Pairs
from tellapart.verbs.rank.pair_intervals import PairIntervals
from tellapart.verbs.rank.question import RankQuestion

if TYPE_CHECKING:
    from tellapart.verbs.compare.analysis import Analysis


@dataclass(frozen=True, eq=False)
class OnePair:
    """The only pair of a board as `compare` sees it: nothing needs correcting, so its p-value is its adjusted one too."""

    analysis: "Analysis"
    shown: Shown

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


def judged_alone(board: Board, pairs: Pairs, question: RankQuestion) -> OnePair | None:
    """The pair of a board of two; None where there are more, where a way to resample was named, and where `compare` has no answer."""
    if len(pairs[0]) != 1 or question.judge.resampled_by != "both":
        return None
    from tellapart.verbs.compare.shown import shown  # noqa: PLC0415  (a board of more than two needs none of it)

    (a,), (b,) = pairs
    analysis = analysed(board, int(a), int(b), question)
    try:
        return OnePair(analysis, shown(analysis, named=False, lower_is_better=question.lower_is_better))
    except Degenerate:
        return None


def analysed(board: Board, a: int, b: int, question: RankQuestion) -> "Analysis":
    """Two systems of a board as `compare` looks at them where nothing is named."""
    from tellapart.choosing.paired_sample import PairedSample  # noqa: PLC0415
    from tellapart.choosing.pairs import choose  # noqa: PLC0415
    from tellapart.choosing.score_profile import ScoreProfile  # noqa: PLC0415
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
