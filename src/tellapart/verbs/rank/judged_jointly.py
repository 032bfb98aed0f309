"""Many pairs judged together: joint p-values from the same resamples, and what a correction makes of them."""

from dataclasses import dataclass

import numpy as np

from tellapart.arrays import BoolArray, FloatArray, IntArray
from tellapart.decision import rejects
from tellapart.doors import option
from tellapart.errors import Unsuitable
from tellapart.multiplicity.board import Board
from tellapart.multiplicity.family import Family, family_of
from tellapart.multiplicity.joint_bootstrap import JointBootstrap, joint_bootstrap
from tellapart.multiplicity.joint_flips import joint_flips
from tellapart.multiplicity.joint_pvalues import JointPvalues, joint_pvalues
from tellapart.seeds import Generator, stream
from tellapart.verbs.rank.question import RankQuestion

RESAMPLES, MOST_UNASKED = 10_000, 1_000_000
"""As many as are drawn unless asked otherwise, and where alpha needs more: beyond these it is told to be out of reach."""

Pairs = tuple[IntArray, IntArray]
"""A and B of every pair, as places on the board."""


@dataclass(frozen=True, eq=False)
class Jointly:
    """The p-values of a family of pairs, `(pair,)` each, and the law that gave them.

    `resamples` were asked for and `needed` would let the smallest p-value be significant; `judged` says which pairs differ on
    enough items to be judged by drawing items again.
    """

    family: Family
    joint: JointPvalues
    adjusted: FloatArray
    significant: BoolArray
    test: str
    resamples: int
    needed: int
    judged: BoolArray

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
    """Judge these pairs by the correction asked for; `piece` names the random numbers that are this board's own."""
    needed = needed_resamples(question, len(pairs[0]))
    resamples = planned_resamples(question, needed)
    family, chance = family_of(board, *pairs), stream(question.seed, 0, *piece)
    judged = np.ones(len(pairs[0]), dtype=np.bool_)
    if question.judge.resampled_by == "flips":
        joint = joint_pvalues(joint_flips(family, resamples, chance))
    else:
        draws = _bootstrap(board, family, question, resamples, chance)
        joint, judged = joint_pvalues([draws]), draws.judged
    adjusted = question.judge.adjust(joint)
    significant = np.asarray(rejects(adjusted, question.alpha) & (family.effects != 0.0))
    return Jointly(family, joint, adjusted, significant, _law(board, question), resamples, needed, judged)


def _law(board: Board, question: RankQuestion) -> str:
    """What gives the p-value of a single pair: signs of items or clusters at random, or these drawn again."""
    law = "sign_flips" if question.judge.resampled_by == "flips" else "bootstrap"
    return f"joint_{law}" if board.clusters is None else f"joint_cluster_{law}"


def _bootstrap(
    board: Board, family: Family, question: RankQuestion, resamples: int, chance: Generator
) -> JointBootstrap:
    if not board.complete:
        raise Unsuitable(
            f"{question.judge} draws whole items again, so every system must be scored on them; pass "
            f"{option('missing', 'drop')}, or leave the correction to be max_t"
        )
    return joint_bootstrap(board, family, resamples, chance)


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
