"""What is shown of every system beside the baseline, each kind of claim for all systems together."""

from collections.abc import Iterator

import numpy as np

from tellapart.boards import CORRECTIONS
from tellapart.boards.board import Board
from tellapart.boards.corrections.correction import PvalueCorrection
from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.decision import EstablishedClaims
from tellapart.verbs.rank.pair_decisions import PairDecisions, analyse_pair
from tellapart.verbs.rank.question import RankQuestion


def claims_against_baseline(
    board: Board, judged: PairDecisions, question: RankQuestion
) -> tuple[EstablishedClaims, ...]:
    """Better and worse by the adjusted p-values of the board; claims about the margin adjusted over the systems too.

    Systems that are alike are told from the baseline together by their joint law, and held against the margin one by one: what the
    first shows implies the second. A single system beside the baseline is judged as `compare` judges it.
    """
    if judged.alone is not None:
        return (judged.alone.shown,)
    sides = _sides(judged, question)
    claims = (*sides, *_margins(board, judged, question)) if question.margin is not None else sides
    return tuple(EstablishedClaims.at(question.alpha, *row) for row in _rows(claims))


def _rows(claims: tuple[FloatArray, ...]) -> Iterator[list[float | None]]:
    """The p-values of each system in the order of what is shown; None for what was not asked."""
    for row in zip(*(column.tolist() for column in claims), strict=True):
        yield [*row, None, None, None][:5]


def _sides(judged: PairDecisions, question: RankQuestion) -> tuple[FloatArray, FloatArray]:
    """The p-value on the side that the difference points to, and 1 on the other."""
    above, below = (np.where(way * judged.effects > 0.0, judged.adjusted, 1.0) for way in (1.0, -1.0))
    return (below, above) if question.lower_is_better else (above, below)


def _margins(
    board: Board, judged: PairDecisions, question: RankQuestion
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Not worse, not better, and equivalent, within the margin.

    Each system beside the baseline is held against the margin as `compare` does it. Equivalence is adjusted as a claim of
    its own: systems that miss the margin on either side count in the same family then.
    """
    from tellapart.verbs.compare.claims import margin_pvalues  # noqa: PLC0415  (only a margin needs it)

    pairs = zip(judged.a.tolist(), judged.b.tolist(), strict=True)
    found = np.array(
        [margin_pvalues(analyse_pair(board, a, b, question), named=False) for a, b in pairs], dtype=float
    )
    # No answer is no claim.
    over, under = np.where(np.isnan(found), 1.0, found).T
    correction = margin_correction(question)
    adjusted = [correction.adjust_list(pvalues) for pvalues in (over, under, np.maximum(over, under))]
    not_worse, not_better, equivalent = adjusted
    return (
        (not_better, not_worse, equivalent)
        if question.lower_is_better
        else (not_worse, not_better, equivalent)
    )


def margin_correction(question: RankQuestion) -> PvalueCorrection:
    """The one that was named if it takes single p-values, else Holm's: differences moved to a margin are not resampled jointly."""
    correction = question.resolved_correction
    if isinstance(correction, PvalueCorrection):
        return correction
    holm = CORRECTIONS.parse("holm")
    assert isinstance(holm, PvalueCorrection)
    return holm
