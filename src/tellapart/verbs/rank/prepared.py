"""From scores to a board that may be judged: a metric, no gaps that were not asked for, and one unit."""

from dataclasses import dataclass

from tellapart.errors import DataError, UsageError
from tellapart.metrics import METRICS, Metric
from tellapart.multiplicity.board import Board
from tellapart.multiplicity.gaps import MISSING, ClosedGaps, Missing, close_gaps
from tellapart.multiplicity.scales import dataset_names, on_one_scale, standardised
from tellapart.scores import Scores


@dataclass(frozen=True, eq=False)
class Prepared:
    """A board, what was done about gaps, and whether its scores are raw or standardised."""

    board: Board
    gaps: ClosedGaps
    unit: str


def prepare(scores: Scores, metric: Metric | str | None, missing: Missing, baseline: str | None) -> Prepared:
    """The board that is asked about."""
    chosen = _metric(scores, metric)
    if baseline is not None:
        scores.system(baseline)
    gaps = _closed(scores, missing, baseline)
    judged, unit = _one_unit(gaps.scores, chosen)
    return Prepared(Board.of(judged, chosen), gaps, unit)


def _metric(scores: Scores, metric: Metric | str | None) -> Metric:
    """The metric that was named, or the one whose parts these scores are."""
    if metric is None:
        known = [name for name in METRICS if METRICS.parse(name).parts() == scores.parts]
        metric = known[0] if known else "mean"
    chosen = Metric.parse(metric)
    chosen.check(scores)
    return chosen


def _closed(scores: Scores, missing: Missing, baseline: str | None) -> ClosedGaps:
    if missing not in MISSING:
        raise UsageError(f"missing is {missing!r}; it should be {', '.join(MISSING[:-1])} or {MISSING[-1]}")
    closed = close_gaps(scores, missing)
    if baseline is not None and baseline not in closed.scores.systems:
        raise DataError(
            f"the baseline {baseline!r} lacks too many items to be kept; pass --missing pairwise (missing='pairwise' in Python) to "
            "compare each system with it on what they share"
        )
    return closed


def _one_unit(scores: Scores, metric: Metric) -> tuple[Scores, str]:
    """Scores that may be averaged over datasets, and their unit."""
    if not metric.linear or len(dataset_names(scores)) < 2 or on_one_scale(scores):
        return scores, "raw"
    return standardised(scores), "standardised"
