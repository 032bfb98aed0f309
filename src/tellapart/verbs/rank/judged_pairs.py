"""Every pair that was asked about, judged together: joint p-values, what a correction makes of them, and who wins."""

from dataclasses import dataclass

import numpy as np

from tellapart.arrays import BoolArray, FloatArray, IntArray
from tellapart.decision import Verdict, rejects
from tellapart.doors import option
from tellapart.errors import Unsuitable
from tellapart.multiplicity.board import Board
from tellapart.multiplicity.family import Family, against_one, all_pairs, family_of
from tellapart.multiplicity.joint_bootstrap import JointBootstrap, joint_bootstrap
from tellapart.multiplicity.joint_flips import joint_flips
from tellapart.multiplicity.joint_pvalues import JointPvalues, joint_pvalues
from tellapart.multiplicity.standings import Places, wins
from tellapart.seeds import Generator, stream
from tellapart.verbs.rank.question import RankQuestion

RESAMPLES, MOST_UNASKED = 10_000, 1_000_000
"""As many as are drawn unless asked otherwise, and where alpha needs more: beyond these it is told to be out of reach."""

Pairs = tuple[IntArray, IntArray]
"""A and B of every pair, as places on the board."""


@dataclass(frozen=True, eq=False)
class JudgedPairs:
    """The pairs A, B of a board with their p-values, `(pair,)` each.

    `resamples` were asked for and `needed` would let the smallest p-value be significant; `unjudged` pairs differ on too few
    items to be judged by drawing items again.
    """

    a: IntArray
    b: IntArray
    family: Family
    joint: JointPvalues
    adjusted: FloatArray
    significant: BoolArray
    resamples: int
    needed: int
    unjudged: int = 0

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
        return np.asarray((self.family.effects > 0.0) != lower_is_better)


def asked_pairs(places: Places, baseline: int | None) -> Pairs:
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
    """Judge these pairs by the correction asked for; `piece` names the random numbers that are this board's own."""
    needed = needed_resamples(question, len(pairs[0]))
    resamples = planned_resamples(question, needed)
    family, chance = family_of(board, *pairs), stream(question.seed, 0, *piece)
    unjudged = 0
    if question.judge.resampled_by == "flips":
        joint = joint_pvalues(joint_flips(family, resamples, chance))
    else:
        draws = _bootstrap(board, family, question, resamples, chance)
        joint, unjudged = joint_pvalues([draws]), int((~draws.judged).sum())
    adjusted = question.judge.adjust(joint)
    significant = np.asarray(rejects(adjusted, question.alpha) & (family.effects != 0.0))
    return JudgedPairs(*pairs, family, joint, adjusted, significant, resamples, needed, unjudged)


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
