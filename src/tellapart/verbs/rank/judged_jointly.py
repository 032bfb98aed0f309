"""Many pairs judged together: joint p-values from the same resamples, and what a correction makes of them."""

from dataclasses import dataclass

import numpy as np

from tellapart.arrays import BoolArray, FloatArray, IntArray
from tellapart.decision import rejects
from tellapart.multiplicity.board import Board
from tellapart.multiplicity.corrections.correction import Correction
from tellapart.multiplicity.family import Family, family_of
from tellapart.multiplicity.flipped_pvalues import PairLaw
from tellapart.multiplicity.joint_pvalues import JointPvalues
from tellapart.multiplicity.judging import Judging
from tellapart.multiplicity.pair_failures import PairFailures
from tellapart.multiplicity.unseen_failures import UnseenFailures
from tellapart.verbs.rank.question import RankQuestion

RESAMPLES, MOST_UNASKED = 10_000, 1_000_000
"""As many as are drawn unless asked otherwise, and where alpha needs more: beyond these it is told to be out of reach."""

Pairs = tuple[IntArray, IntArray]
"""A and B of every pair, as places on the board."""


@dataclass(frozen=True, eq=False)
class Jointly:
    """The p-values of a family of pairs, `(pair,)` each, and the law that gave them.

    `judge` is the correction that was named, or the one chosen by what the scores show; `expected_error` is how often boards like
    this hold a false claim, where that is known to be more than alpha. `resamples` were asked for and `needed` would let the smallest p-value be significant; `judged` says which pairs differ on
    enough items to be judged by drawing items again, and `borne` which failures that no item showed each had to bear;
    `spared` are those that some pairs show one or two of, and had to bear more of.
    """

    family: Family
    judge: Correction
    joint: JointPvalues
    adjusted: FloatArray
    significant: BoolArray
    test: str
    pair_law: PairLaw | None
    resamples: int
    needed: int
    judged: BoolArray
    expected_error: float | None
    borne: UnseenFailures | None
    spared: PairFailures | None

    @property
    def effects(self) -> FloatArray:
        return self.family.effects

    @property
    def raw(self) -> FloatArray:
        return self.joint.raw

    @property
    def unjudged(self) -> int:
        return int((~self.judged).sum())

    def critical(self, alpha: float) -> float:
        return self.joint.critical(alpha)


def judged_jointly(
    board: Board, pairs: Pairs, question: RankQuestion, piece: tuple[int, ...] = ()
) -> Jointly:
    """Judge these pairs by the correction asked for, or by the one that suits; `piece` names the random numbers that are this board's own."""
    needed = needed_resamples(question, len(pairs[0]))
    resamples = planned_resamples(question, needed)
    family = family_of(board, *pairs)
    judging = Judging(board, family, question.alpha, resamples, (question.seed, piece))
    judge = judging.chosen() if question.correction is None else question.judge
    joint = judging.joint(judge)
    adjusted = judge.adjust(joint)
    return Jointly(
        family=family,
        judge=judge,
        joint=joint,
        adjusted=adjusted,
        significant=np.asarray(rejects(adjusted, question.alpha) & (family.effects != 0.0)),
        test=judging.law(judge),
        pair_law=judging.pair_law(judge),
        resamples=resamples,
        needed=needed,
        judged=judging.judged(judge),
        expected_error=judging.expected_error(judge, joint),
        borne=judging.borne(judge),
        spared=judging.spared(judge),
    )


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
