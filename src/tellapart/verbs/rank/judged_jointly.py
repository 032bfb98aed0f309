"""Many pairs judged together: joint p-values from the same resamples, and what a correction makes of them."""

from dataclasses import dataclass

import numpy as np

from tellapart.arrays import BoolArray, FloatArray, IntArray
from tellapart.choosing.boards import Resampled
from tellapart.decision import rejects
from tellapart.multiplicity.board import Board
from tellapart.multiplicity.corrections.correction import Correction
from tellapart.multiplicity.family import Family, family_of
from tellapart.multiplicity.joint_bootstrap import judged_pairs
from tellapart.multiplicity.joint_pvalues import Resampling
from tellapart.multiplicity.larger_pvalues import LargerPvalues
from tellapart.verbs.rank.question import RankQuestion

RESAMPLES, MOST_UNASKED = 10_000, 1_000_000
"""As many as are drawn unless asked otherwise, and where alpha needs more: beyond these it is told to be out of reach."""

Pairs = tuple[IntArray, IntArray]
"""A and B of every pair, as places on the board."""


@dataclass(frozen=True, eq=False)
class Jointly:
    """The p-values of a family of pairs, `(pair,)` each, and the ways to resample it that gave them.

    `resamples` were asked for and `needed` would let the smallest p-value be significant.
    """

    board: Board
    family: Family
    judge: Correction
    joint: LargerPvalues
    adjusted: FloatArray
    significant: BoolArray
    resamples: int
    needed: int

    @property
    def effects(self) -> FloatArray:
        return self.family.effects

    @property
    def raw(self) -> FloatArray:
        return self.joint.raw

    @property
    def resampled_by(self) -> Resampling:
        """How the pairs were resampled in fact: both ways only where some are visibly skewed."""
        first, *more = self.joint.ways
        return "both" if more else first.resampled_by

    @property
    def drawn(self) -> BoolArray:
        """Which pairs items were drawn again for."""
        last = self.joint.ways[-1]
        return last.decides if last.resampled_by == "bootstrap" else np.zeros_like(last.decides)

    @property
    def undrawable(self) -> BoolArray:
        """Those of them that differ on too few items for that."""
        return self.drawn & ~judged_pairs(self.family) if self.drawn.any() else self.drawn

    @property
    def tests(self) -> list[str]:
        """What gave the p-value of each pair."""
        unit = "" if self.board.clusters is None else "cluster_"
        names = {"flips": f"joint_{unit}sign_flips", "bootstrap": f"joint_{unit}bootstrap"}
        first, *more = (names[way.resampled_by] for way in self.joint.ways)
        both = f"larger of {first} and {more[0]}" if more else first
        return [both if drawn else first for drawn in self.drawn.tolist()]

    def critical(self, alpha: float) -> float:
        return max(way.pvalues.critical(alpha) for way in self.joint.ways)


def judged_jointly(
    board: Board, pairs: Pairs, question: RankQuestion, piece: tuple[int, ...] = ()
) -> Jointly:
    """Judge these pairs by the correction asked for, or by max-T; `piece` names the random numbers that are this board's own."""
    judge, needed = question.judge, needed_resamples(question, len(pairs[0]))
    resamples = planned_resamples(question, needed)
    family = family_of(board, *pairs)
    joint = Resampled(resamples, needed, (question.seed, piece)).pvalues(board, family, judge.resampled_by)
    adjusted = judge.adjust(joint)
    significant = np.asarray(rejects(adjusted, question.alpha) & (family.effects != 0.0))
    return Jointly(board, family, judge, joint, adjusted, significant, resamples, needed)


def needed_resamples(question: RankQuestion, pairs: int) -> int:
    """Resamples whose smallest p-value is at most alpha, times the pairs for corrections that multiply it."""
    factor = pairs if question.judge.multiplies_pvalues else 1
    return int(np.ceil(factor / question.alpha))


def planned_resamples(question: RankQuestion, needed: int) -> int:
    """As many as were asked for, else 10,000; more where the smallest p-value that these can give would not do."""
    if question.resamples is not None:
        return question.resamples
    if needed > MOST_UNASKED and not question.judge.multiplies_pvalues:
        return RESAMPLES
    # Five times what is needed settles p-values near the limit, as long as that stays quick.
    return max(RESAMPLES, min(5 * needed, 20 * RESAMPLES), min(needed, MOST_UNASKED))
