"""Preparation of scores for a leaderboard: selected systems, metric, missing scores, and a common scale."""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from tellapart.boards.board import Board
from tellapart.boards.gaps import ClosedGaps, close_gaps, only
from tellapart.boards.scales import dataset_names, on_one_scale, standardised
from tellapart.data.scores import Scores
from tellapart.foundation.errors import DataError, UsageError
from tellapart.foundation.formatting import amount
from tellapart.foundation.surfaces import option
from tellapart.metrics import Metric
from tellapart.verbs import rank as rank_package
from tellapart.verbs.judging_options import refuse_one_item
from tellapart.verbs.rank.question import RankQuestion
from tellapart.verbs.run_summaries import summarise_runs
from tellapart.verbs.seeds import resolve_seeds

# A board of selected systems, on the items of these alone.


def select_systems(scores: Scores, names: tuple[str, ...]) -> Scores:
    """The scores of these systems, on the items and runs that any of them has; unknown systems are refused."""
    if len(scores.systems) < 2:
        rank_package.refuse_one_system(scores.systems)
    rows = sorted({scores.system(_as_known(name, scores.systems)) for name in names})
    if len(rows) == len(scores.systems):
        return scores
    known = tuple(scores.systems[row] for row in rows)
    met = np.any([scores.scored(name) for name in known], axis=0)
    kept, reading = _in_used_runs(only(scores, np.array(rows), met)), scores.reading
    if reading is None:
        return kept
    return replace(kept, reading=replace(reading, sources=tuple(one for one in reading.sources if one.system in known)))


def _as_known(name: str, systems: tuple[str, ...]) -> str:
    """The system of this name, up to blanks around it where that is unique."""
    alike = [known for known in systems if known.strip() == name.strip()]
    return alike[0] if name not in systems and len(alike) == 1 else name


def _in_used_runs(scores: Scores) -> Scores:
    """Scores without the runs that only other systems have."""
    runs = scores.values.shape[2]
    if runs == 1:
        return scores
    used = np.any(~np.isnan(scores.values).any(axis=3), axis=(0, 1))
    if scores.seed_runs is not None:
        used = np.repeat(used.reshape(-1, scores.seed_runs).any(axis=1), scores.seed_runs)
    return scores if used.all() else replace(scores, values=scores.values[:, :, used])


def _refuse_missing_seeds(scores: Scores, question: RankQuestion) -> None:
    """Items without some seed of a system, unless gaps were allowed; and datasets, whose differences are followed without seeds."""
    if scores.seed_runs is None:
        return
    if question.datasets:
        raise UsageError(
            f"{option('datasets')} works for these trainings only; pass {option('seeds_as', 'fixed')}, or leave it out"
        )
    for name in scores.systems if question.missing == "error" else ():
        lacking = int(np.sum(~scores.scored(name)))
        if lacking:
            raise DataError(
                f"{amount(lacking, 'item')} of {len(scores.items)} lack the score of some seed of {name!r}; pass {option('missing', 'drop')} to leave them "
                f"out, or {option('seeds_as', 'fixed')}"
            )


Unit = Literal["raw", "standardised"]


@dataclass(frozen=True, eq=False)
class PreparedBoard:
    """A board, the treatment of missing scores, and whether scores are raw or standardised."""

    board: Board
    metric: Metric
    gaps: ClosedGaps
    unit: Unit
    given: Scores
    """With the seeds of trainings, whether these are random or averaged on the board."""


def prepare_board(scores: Scores, question: RankQuestion) -> PreparedBoard:
    """The board of the question, or a refusal."""
    scores.refuse_groups()
    refuse_one_item(scores)
    scores = summarise_runs(scores, question.runs_as, question.missing)
    metric = question.aggregation(scores)
    if question.baseline is not None:
        scores.system(question.baseline)
    gaps = _closed(resolve_seeds(scores, scores.systems, question), question)
    _refuse_missing_seeds(gaps.scores, question)
    judged, unit = _one_unit(gaps.scores, metric)
    if unit == "standardised" and question.margin is not None:
        raise UsageError(
            f"datasets are on different scales, so a margin of {question.margin:g} does not mean the same on each; "
            f"leave {option('margin')} out, or rank the systems on one dataset"
        )
    return PreparedBoard(Board.of(judged, metric), metric, gaps, unit, scores)


def _closed(scores: Scores, question: RankQuestion) -> ClosedGaps:
    closed, baseline = close_gaps(scores, question.missing), question.baseline
    if baseline is not None and baseline not in closed.scores.systems:
        raise DataError(
            f"the baseline {baseline!r} lacks too many items to be kept; pass {option('missing', 'pairwise')} to "
            "compare each system with it on what they share"
        )
    return closed


def _one_unit(scores: Scores, metric: Metric) -> tuple[Scores, Unit]:
    """Scores that may be averaged over datasets, standardised where scales differ."""
    if not metric.linear or len(dataset_names(scores)) < 2 or on_one_scale(scores):
        return scores, "raw"
    return standardised(scores), "standardised"
