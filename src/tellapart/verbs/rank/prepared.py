"""From scores to a board that may be judged: a metric, no gaps that were not asked for, and one unit."""

from dataclasses import dataclass
from typing import Literal

from tellapart.doors import option
from tellapart.errors import DataError, UsageError
from tellapart.metrics import Metric
from tellapart.multiplicity.board import Board
from tellapart.multiplicity.gaps import ClosedGaps, close_gaps
from tellapart.multiplicity.scales import dataset_names, on_one_scale, standardised
from tellapart.scores import Scores
from tellapart.verbs.one_item import refuse_one_item
from tellapart.verbs.rank.question import RankQuestion

Unit = Literal["raw", "standardised"]


@dataclass(frozen=True, eq=False)
class Prepared:
    """A board, what was done about gaps, and whether its scores are raw or standardised."""

    board: Board
    metric: Metric
    gaps: ClosedGaps
    unit: Unit


def prepare(scores: Scores, question: RankQuestion) -> Prepared:
    """The board that is asked about."""
    scores.refuse_groups()
    refuse_one_item(scores)
    metric = question.aggregation(scores)
    if question.baseline is not None:
        scores.system(question.baseline)
    gaps = _closed(scores, question)
    judged, unit = _one_unit(gaps.scores, metric)
    if unit == "standardised" and question.margin is not None:
        raise UsageError(
            f"datasets are on different scales, so that a margin of {question.margin:g} means another difference on each; leave {option('margin')} out, "
            "or rank the systems on one dataset"
        )
    return Prepared(Board.of(judged, metric), metric, gaps, unit)


def _closed(scores: Scores, question: RankQuestion) -> ClosedGaps:
    closed, baseline = close_gaps(scores, question.missing), question.baseline
    if baseline is not None and baseline not in closed.scores.systems:
        raise DataError(
            f"the baseline {baseline!r} lacks too many items to be kept; pass {option('missing', 'pairwise')} to "
            "compare each system with it on what they share"
        )
    return closed


def _one_unit(scores: Scores, metric: Metric) -> tuple[Scores, Unit]:
    """Scores that may be averaged over datasets, and their unit."""
    if not metric.linear or len(dataset_names(scores)) < 2 or on_one_scale(scores):
        return scores, "raw"
    return standardised(scores), "standardised"
