"""What counting resamples cannot say: p-values too small to come out of them, and those too close to alpha."""

from collections.abc import Iterator

import numpy as np

from tellapart.arrays import FloatArray
from tellapart.distributions.tails import counting_error
from tellapart.results.note import Note
from tellapart.verbs.rank.judged_jointly import Jointly
from tellapart.verbs.rank.question import MOST_RESAMPLES
from tellapart.verbs.rank.ranked_board import RankedBoard

EDGE = 3.0
"""An adjusted p-value within so many Monte Carlo standard errors of alpha could fall on the other side next time."""


def counting_limits(ranked: RankedBoard) -> Iterator[Note]:
    """Whether the smallest p-value that can be counted is beyond alpha: by itself, or times what a correction makes of it."""
    judged, alone, question = ranked.judged.jointly, ranked.judged.alone, ranked.question
    if alone is not None and alone.least_pvalue > question.alpha:
        yield Note("too_few_units", {"units": alone.units})
    if judged is None:
        return
    joint = judged.joint.first
    if joint.exhaustive and joint.smallest > question.alpha:
        yield Note("too_few_units", {"units": judged.family.columns.shape[1]})
    elif joint.resamples + 1 < judged.needed:
        multiplied = judged.judge.multiplies_pvalues
        values = {"needed": judged.needed, "more": _more(judged), "multiplied": multiplied}
        yield Note("too_few_resamples", values)


def _more(judged: Jointly) -> str:
    """Whether more resamples can be had."""
    if judged.joint.first.exhaustive:
        return "exhausted"
    return "too many" if judged.needed > MOST_RESAMPLES else "possible"


def near_alpha(ranked: RankedBoard) -> Iterator[Note]:
    """Pairs whose decision could fall the other way with other resamples."""
    judged = ranked.judged.jointly
    if judged is None or judged.joint.exact:
        return
    off_by = EDGE * _adjusted_error(judged, ranked.question.alpha)
    near = np.abs(judged.adjusted - ranked.question.alpha) <= off_by
    if near.any():
        yield Note("near_alpha", {"pairs": int(near.sum()), "error": float(off_by[near].max())})


def _adjusted_error(judged: Jointly, alpha: float) -> FloatArray:
    """The Monte Carlo error of an adjusted p-value at alpha; a correction of single p-values multiplies their errors too."""
    resamples = judged.joint.resamples
    if not judged.judge.multiplies_pvalues:
        return np.full_like(judged.adjusted, counting_error(np.asarray(alpha), resamples))
    factor = judged.adjusted / judged.joint.raw
    return np.asarray(factor * counting_error(alpha / factor, resamples))
