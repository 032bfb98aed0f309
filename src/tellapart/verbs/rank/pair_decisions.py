"""Decisions about pairs of systems: raw and adjusted p-values, intervals, the better system, and claims against a baseline."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tellapart.boards import CORRECTIONS
from tellapart.boards.board import Board
from tellapart.boards.corrections.correction import Correction, PvalueCorrection
from tellapart.boards.family import against_one, all_pairs
from tellapart.boards.standings import Ranking, win_matrix
from tellapart.foundation.arrays import BoolArray, FloatArray, IntArray
from tellapart.foundation.decision import EstablishedClaims, Verdict
from tellapart.verbs import rank as rank_package
from tellapart.verbs.rank.pair_intervals import JointTest, PairIntervals, Pairs, joint_test, pair_intervals
from tellapart.verbs.rank.question import RankQuestion

if TYPE_CHECKING:
    from tellapart.verbs.rank.seed_pairs import SeedPairs
    from tellapart.verbs.rank.single_pair import SinglePairTest


@dataclass(frozen=True, eq=False)
class PairDecisions:
    """The pairs A, B of a board with what was found of them, `(pair,)` each, by resampling all jointly or by one pair alone.

    `correction` is the one that was named, or max-T.
    """

    a: IntArray
    b: IntArray
    by: "JointTest | SinglePairTest | SeedPairs"
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
        """The tests behind the p-value of each pair."""
        return self.by.tests

    @property
    def significant(self) -> BoolArray:
        return self.by.significant

    @property
    def jointly(self) -> JointTest | None:
        return self.by if isinstance(self.by, JointTest) else None

    @property
    def alone(self) -> "SinglePairTest | None":
        return None if isinstance(self.by, JointTest) else self.by.only

    @property
    def by_seeds(self) -> bool:
        """Whether other trainings are meant too."""
        return not isinstance(self.by, JointTest) and "seeds_t" in self.by.tests[0]

    def better(self, systems: int, *, lower_is_better: bool) -> BoolArray:
        """Whether the row's system is significantly better than the column's, in the order of the board."""
        a, b = self.a[self.significant], self.b[self.significant]
        b_wins = self._b_is_ahead(lower_is_better=lower_is_better)[self.significant]
        return win_matrix(np.where(b_wins, b, a), np.where(b_wins, a, b), systems)

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


def _is_single_pair(pairs: Pairs, question: RankQuestion) -> bool:
    """Whether there is nothing to correct for, and no resampling scheme was named."""
    return len(pairs[0]) == 1 and question.resolved_correction.resampled_by == "both"


def decide_pairs(board: Board, pairs: Pairs, question: RankQuestion, piece: tuple[int, ...] = ()) -> PairDecisions:
    """Judge these pairs by the correction asked for, and one pair as `compare` does: there is nothing to correct for.

    `piece` names the random numbers that are this board's own.
    """
    if board.scores.seed_runs is not None and not _is_single_pair(pairs, question):
        each = rank_package.pair_tests_with_seeds(board, pairs, question)
        return PairDecisions(*pairs, each, each.correction, each.intervals)
    alone = rank_package.single_pair_test(board, pairs, question) if _is_single_pair(pairs, question) else None
    if alone is not None:
        return PairDecisions(*pairs, alone, question.resolved_correction, alone.intervals)
    jointly = joint_test(board, pairs, question, piece)
    intervals = pair_intervals(board, pairs, jointly, question.alpha)
    return PairDecisions(*pairs, jointly, jointly.correction, intervals)


# Claims about every system beside the baseline.


def claims_against_baseline(
    board: Board, judged: PairDecisions, question: RankQuestion
) -> tuple[EstablishedClaims, ...]:
    """Better and worse by the adjusted p-values of the board; claims about the margin adjusted over the systems too.

    Differences from the baseline are tested jointly, claims about the margin one by one, as "better" implies "not worse".
    A single system beside the baseline is analysed as `compare` does.
    """
    if judged.alone is not None:
        return (judged.alone.shown,)
    directions = _directions(judged, question)
    claims = (*directions, *_margin_claims(board, judged, question)) if question.margin is not None else directions
    return tuple(EstablishedClaims.at(question.alpha, *row) for row in _claim_rows(claims))


def _claim_rows(claims: tuple[FloatArray, ...]) -> Iterator[list[float | None]]:
    """P-values of each system in the order of the fields of `EstablishedClaims`; None for claims about no margin."""
    for row in zip(*(column.tolist() for column in claims), strict=True):
        yield [*row, None, None, None][:5]


def _directions(judged: PairDecisions, question: RankQuestion) -> tuple[FloatArray, FloatArray]:
    """One-directional claims: the adjusted p-value in the direction of the difference, 1 in the other."""
    above, below = (np.where(way * judged.effects > 0.0, judged.adjusted, 1.0) for way in (1.0, -1.0))
    return (below, above) if question.lower_is_better else (above, below)


def _margin_claims(
    board: Board, judged: PairDecisions, question: RankQuestion
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Not worse, not better, and equivalent, within the margin.

    Each system is tested against the margin as `compare` does it. Equivalence is a family of its own.
    """
    over, under = rank_package.pair_margin_pvalues(board, judged.a, judged.b, question)
    correction = margin_correction(question)
    adjusted = [correction.adjust_list(pvalues) for pvalues in (over, under, np.maximum(over, under))]
    not_worse, not_better, equivalent = adjusted
    return (not_better, not_worse, equivalent) if question.lower_is_better else (not_worse, not_better, equivalent)


def margin_correction(question: RankQuestion) -> PvalueCorrection:
    """The correction of the question where it works on p-values, else Holm's: shifted differences are not resampled jointly."""
    correction = question.resolved_correction
    if isinstance(correction, PvalueCorrection):
        return correction
    holm = CORRECTIONS.parse("holm")
    assert isinstance(holm, PvalueCorrection)
    return holm
