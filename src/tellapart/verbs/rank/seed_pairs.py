"""Pairs of systems trained with several seeds: t tests over seeds and items, corrected for multiple comparisons."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from tellapart.boards import CORRECTIONS
from tellapart.boards.board import Board
from tellapart.boards.corrections.correction import PvalueCorrection
from tellapart.data.summaries.seeded import Seeded
from tellapart.foundation.arrays import BoolArray, FloatArray
from tellapart.foundation.decision import rejects
from tellapart.foundation.errors import UsageError
from tellapart.foundation.surfaces import option
from tellapart.methods.significance.seeds_t import own_seed_squares
from tellapart.verbs.compare.analysis import Analysis
from tellapart.verbs.rank.pair_intervals import PairIntervals, Pairs
from tellapart.verbs.rank.question import RankQuestion
from tellapart.verbs.rank.single_pair import analyse_pair


@dataclass(frozen=True, eq=False)
class SeedPairs:
    """The t test over seeds and items of every pair, and what a correction of p-values makes of it."""

    analyses: Sequence[Analysis]
    correction: PvalueCorrection
    alpha: float

    only: ClassVar[None] = None
    """There are several pairs."""

    @property
    def tests(self) -> list[str]:
        return [str(one.test) for one in self.analyses]

    @cached_property
    def effects(self) -> FloatArray:
        return np.array([one.effect for one in self.analyses])

    @cached_property
    def raw(self) -> FloatArray:
        return np.array([float(one.outcome.pvalue) for one in self.analyses])

    @cached_property
    def adjusted(self) -> FloatArray:
        return self.correction.adjust_list(self.raw)

    @property
    def significant(self) -> BoolArray:
        return np.asarray(rejects(self.adjusted, self.alpha) & (self.effects != 0.0))

    def critical(self, alpha: float) -> float:  # noqa: ARG002  (of other tests it depends on the level)
        """Infinite: however many items there are, trainings vary all the same."""
        return float("inf")

    @cached_property
    def intervals(self) -> PairIntervals:
        """At the level that all of them hold together, by Bonferroni."""
        level = self.alpha / len(self.analyses)
        bounds = [one.at_level(level) for one in self.analyses]
        low, high = (np.array([getattr(one, side) for one in bounds]) for side in ("low", "high"))
        return PairIntervals("seeds_t", low, high)


def pair_tests_with_seeds(board: Board, pairs: Pairs, question: RankQuestion) -> SeedPairs:
    """All pairs of a board whose seeds are random."""
    correction = CORRECTIONS.parse("holm") if question.correction is None else question.resolved_correction
    if not isinstance(correction, PvalueCorrection):
        raise UsageError(
            f"{option('correction', str(correction))} resamples items, not trainings; leave it out for Holm's, name "
            f"one that works on p-values, or pass {option('seeds_as', 'fixed')}"
        )
    a, b = pairs
    analyses = [analyse_pair(board, int(first), int(second), question) for first, second in zip(a, b, strict=True)]
    return SeedPairs(analyses, correction, question.alpha)


def seed_mean_bounds(board: Board, level: float) -> tuple[FloatArray, FloatArray]:
    """Bounds of every system's mean on other items with other seeds, at this level each."""
    bounds = []
    for name in board.systems:
        pair = board.scores.pair(name, name, "drop")
        sample = Seeded.of(pair, board.metric)
        width = float(own_seed_squares(sample.a, sample.scale).half_width(level, "satterthwaite"))
        mean = float(sample.a.mean())
        bounds.append((mean - width, mean + width))
    low, high = np.array(bounds).T
    return low, high
