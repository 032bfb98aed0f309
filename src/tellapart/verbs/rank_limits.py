"""What counting resamples cannot say: p-values too small to come out of them, and those too close to alpha."""

import numpy as np

from tellapart.arrays import FloatArray
from tellapart.distributions.tails import counting_error
from tellapart.verbs.ranking import MOST_RESAMPLES, Ranking
from tellapart.wording import amount, significant, thousands

EDGE = 3.0
"""An adjusted p-value within so many Monte Carlo standard errors of alpha could fall on the other side next time."""


def out_of_reach(ranking: Ranking) -> str:
    evidence, alpha = ranking.evidence, ranking.question.alpha
    if evidence.smallest <= alpha or not evidence.exhaustive:
        return ""
    unit = "items" if ranking.board.clusters is None else "clusters"
    return (
        f"systems differ on only {ranking.family.columns.shape[1]} {unit}: no p-value below {evidence.smallest:.3g} can come out of "
        f"them, so nothing can be significant at {alpha:g}"
    )


def floor(ranking: Ranking) -> str:
    """Whether the smallest p-value that counting can give, times what a correction of single p-values makes of it, is beyond alpha."""
    question, evidence = ranking.question, ranking.evidence
    if evidence.resamples + 1 >= ranking.needed or (
        evidence.exhaustive and evidence.smallest > question.alpha
    ):
        return ""
    drawn = "flips" if question.correction.draws == "flips" else "resamples"
    none = f"{thousands(evidence.resamples)} {drawn} give no p-value below {evidence.smallest:.2g}"
    more = f"pass --resamples {ranking.needed} or more"
    if evidence.exhaustive:
        more = "there are no more"
    elif ranking.needed > MOST_RESAMPLES:
        more = "more than can be drawn would be needed"
    if not question.correction.counts_alone:
        return f"{none}, so nothing can be significant at {question.alpha:g}: {more}"
    return (
        f"{none}, and {question.correction.label} over {amount(len(ranking.adjusted), 'pair')} may multiply it beyond "
        f"{question.alpha:g}: {more}, or use max_t"
    )


def edge(ranking: Ranking) -> str:
    if ranking.evidence.exhaustive:
        return ""
    alpha, adjusted = ranking.question.alpha, ranking.adjusted
    reach = _counting_reach(ranking)
    near = np.abs(adjusted - alpha) <= reach
    if not near.any():
        return ""
    has = "has its" if near.sum() == 1 else "have their"
    return (
        f"{amount(int(near.sum()), 'pair')} {has} adjusted p-value within Monte Carlo error (±{significant(float(reach[near].max()))}) of "
        f"{alpha:g}: raise --resamples to settle it"
    )


def _counting_reach(ranking: Ranking) -> FloatArray:
    """How far counting may put each adjusted p-value off; a correction of single p-values multiplies their errors too."""
    alpha, evidence = ranking.question.alpha, ranking.evidence
    if not ranking.question.correction.counts_alone:
        return np.full_like(ranking.adjusted, EDGE * counting_error(np.asarray(alpha), evidence.resamples))
    factor = ranking.adjusted / evidence.pvalues
    return np.asarray(EDGE * factor * counting_error(alpha / factor, evidence.resamples))
