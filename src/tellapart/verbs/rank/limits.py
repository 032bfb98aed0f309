"""What counting resamples cannot say: p-values too small to come out of them, and those too close to alpha."""

import numpy as np

from tellapart.arrays import FloatArray
from tellapart.distributions.tails import counting_error
from tellapart.verbs.rank.question import MOST_RESAMPLES
from tellapart.verbs.rank.ranked_board import RankedBoard
from tellapart.wording import amount, significant, thousands

EDGE = 3.0
"""An adjusted p-value within so many Monte Carlo standard errors of alpha could fall on the other side next time."""


def out_of_reach(ranked: RankedBoard) -> str:
    joint, alpha = ranked.judged.joint, ranked.question.alpha
    if joint.smallest <= alpha or not joint.exhaustive:
        return ""
    unit = "items" if ranked.board.clusters is None else "clusters"
    return (
        f"systems differ on only {ranked.judged.family.columns.shape[1]} {unit}: no p-value below {joint.smallest:.3g} can come out of "
        f"them, so nothing can be significant at {alpha:g}"
    )


def floor(ranked: RankedBoard) -> str:
    """Whether the smallest p-value that counting can give, times what a correction of single p-values makes of it, is beyond alpha."""
    question, joint = ranked.question, ranked.judged.joint
    if joint.resamples + 1 >= ranked.judged.needed or (joint.exhaustive and joint.smallest > question.alpha):
        return ""
    drawn = "flips" if question.correction.resampled_by == "flips" else "resamples"
    none = f"{thousands(joint.resamples)} {drawn} give no p-value below {joint.smallest:.2g}"
    more = f"pass --resamples {ranked.judged.needed} or more"
    if joint.exhaustive:
        more = "there are no more"
    elif ranked.judged.needed > MOST_RESAMPLES:
        more = "more than can be drawn would be needed"
    if not question.correction.multiplies_pvalues:
        return f"{none}, so nothing can be significant at {question.alpha:g}: {more}"
    return (
        f"{none}, and {question.correction.label} over {amount(len(ranked.judged.adjusted), 'pair')} may multiply it beyond "
        f"{question.alpha:g}: {more}, or use max_t"
    )


def edge(ranked: RankedBoard) -> str:
    if ranked.judged.joint.exhaustive:
        return ""
    alpha, adjusted = ranked.question.alpha, ranked.judged.adjusted
    off_by = _counting_error(ranked)
    near = np.abs(adjusted - alpha) <= off_by
    if not near.any():
        return ""
    has = "has its" if near.sum() == 1 else "have their"
    return (
        f"{amount(int(near.sum()), 'pair')} {has} adjusted p-value within Monte Carlo error (±{significant(float(off_by[near].max()))}) of "
        f"{alpha:g}: raise --resamples to settle it"
    )


def _counting_error(ranked: RankedBoard) -> FloatArray:
    """How far counting may put each adjusted p-value off; a correction of single p-values multiplies their errors too."""
    alpha, joint = ranked.question.alpha, ranked.judged.joint
    if not ranked.question.correction.multiplies_pvalues:
        return np.full_like(ranked.judged.adjusted, EDGE * counting_error(np.asarray(alpha), joint.resamples))
    factor = ranked.judged.adjusted / joint.raw
    return np.asarray(EDGE * factor * counting_error(alpha / factor, joint.resamples))
