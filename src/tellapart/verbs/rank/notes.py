"""Notes on the limits of a leaderboard and the treatment of its scores, as codes and values."""

from collections.abc import Iterator

import numpy as np

from tellapart.answers.leaderboard.parts import AcrossResult, Datasets
from tellapart.answers.parts import Note
from tellapart.boards.gaps import ClosedGaps
from tellapart.boards.joint_bootstrap import FEWEST_DIFFERING
from tellapart.boards.scales import dataset_names
from tellapart.choosing.boards import skewed_pairs
from tellapart.choosing.pairs import VISIBLY_SKEWED
from tellapart.compute import Runner
from tellapart.data.scores import Scores
from tellapart.foundation.arrays import FloatArray
from tellapart.numerics.null_laws.tails import counted, counting_error
from tellapart.verbs.rank.pair_decisions import margin_correction
from tellapart.verbs.rank.pair_intervals import JointTest, is_step_down
from tellapart.verbs.rank.prepared_board import PreparedBoard
from tellapart.verbs.rank.question import MOST_RESAMPLES
from tellapart.verbs.rank.ranked_board import RankedBoard
from tellapart.verbs.seeds import seeds_of
from tellapart.verbs.source_notes import reading_notes

# What counting resamples cannot say: p-values too small to come out of them, and those too close to alpha.

EDGE = 3.0
"""An adjusted p-value within this many Monte Carlo standard errors of alpha could fall on the other side next time."""


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
        multiplied = judged.correction.multiplies_pvalues
        values = {"needed": judged.needed, "more": _more(judged), "multiplied": multiplied}
        yield Note("too_few_resamples", values)


def _more(judged: JointTest) -> str:
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


def _adjusted_error(judged: JointTest, alpha: float) -> FloatArray:
    """The Monte Carlo error of an adjusted p-value at alpha; a correction of single p-values multiplies their errors too."""
    resamples = judged.joint.resamples
    if not judged.correction.multiplies_pvalues:
        return np.full_like(judged.adjusted, counting_error(np.asarray(alpha), resamples))
    factor = judged.adjusted / judged.joint.raw
    return np.asarray(factor * counting_error(alpha / factor, resamples))


# What is noted of a board whose resamples were stopped before all were drawn.


def stopped_notes(ranked: RankedBoard, runner: Runner) -> Iterator[Note]:
    jointly = ranked.judged.jointly
    if runner.interrupted and jointly is not None:
        resamples = jointly.joint.resamples
        values = {
            "resamples": resamples,
            "asked_resamples": jointly.resamples,
            "smallest_pvalue": float(counted(np.zeros(()), resamples)),
        }
        yield Note("time_limit" if runner.stopped == "time" else "interrupted", values)


ALIKE = 0.5
"""A share of scatter that is not chance (I²) below which prediction intervals are too narrow: measured at 85 to 95 %."""


def notes(ranked: RankedBoard, prepared: PreparedBoard, datasets: Datasets | None) -> tuple[Note, ...]:
    """All that there is to note, in the order of the work."""
    return (
        *reading_notes(ranked.board.scores.remarks),
        *_seeds(prepared.given, ranked),
        *_gaps(prepared.gaps),
        *_scores(ranked, prepared),
        *_judged(ranked),
        *counting_limits(ranked),
        *_screen(ranked),
        *near_alpha(ranked),
        *_skewness(ranked),
        *_baseline(ranked),
        Note("simultaneous_intervals"),
        *_widened(ranked),
        *_pair_intervals(ranked),
        *_no_width(ranked),
        *_datasets(ranked, datasets),
    )


def _seeds(scores: Scores, ranked: RankedBoard) -> Iterator[Note]:
    """Whether the board is about other trainings, where a column says seeds; `scores` are as they were given."""
    if scores.seed_runs is None:
        return
    once = [name for name in ranked.names if seeds_of(scores, name) < 2]
    if once:
        yield Note("trained_once", {"systems": once})
    elif not ranked.judged.by_seeds:
        yield Note("seeds_averaged")
    else:
        fewest = min(seeds_of(scores, name) for name in ranked.names)
        yield Note("seeds_random", {"fewest": fewest})


def _gaps(gaps: ClosedGaps) -> Iterator[Note]:
    if gaps.blank_items:
        yield Note("blank_items", {"items": gaps.blank_items})
    for system, lacking in gaps.left_out:
        yield Note("system_left_out", {"system": system, "lacking": lacking})
    if gaps.dropped_items:
        yield Note("items_left_out", {"items": gaps.dropped_items, "of": gaps.of_items})
    if gaps.gappy_systems:
        yield Note("compared_pairwise", {"systems": gaps.gappy_systems})


def _scores(ranked: RankedBoard, prepared: PreparedBoard) -> Iterator[Note]:
    if prepared.unit == "standardised":
        yield Note("standardised")
    runs = ranked.board.scores.values.shape[2]
    if runs > 1 and not ranked.judged.by_seeds:
        yield Note("runs_averaged", {"runs": runs})


def _judged(ranked: RankedBoard) -> Iterator[Note]:
    """How the p-values came about."""
    alone = ranked.judged.alone
    if alone is None and ranked.judged.by_seeds:
        yield Note("each_pair_with_seeds", {"tests": sorted(set(ranked.judged.tests))})
    elif alone is None:
        yield Note("resampled")
    else:
        yield Note("judged_as_compare", {"test": alone.test, "label": alone.analysis.test.label})


def _screen(ranked: RankedBoard) -> Iterator[Note]:
    if ranked.judged.correction.guarantee != "family-wise":
        yield Note("screen")


def _skewness(ranked: RankedBoard) -> Iterator[Note]:
    """Of how many pairs differences are visibly skewed, and which of them cannot be drawn again."""
    judged = ranked.judged.jointly
    if judged is None:
        return
    if judged.resampled_by == "both":
        values = {"pairs": int(skewed_pairs(judged.board, judged.family).sum()), "drawn": int(judged.drawn.sum())}
        resamples = judged.joint.ways[-1].pvalues.resamples
        yield Note("skewed_pairs", {**values, "bound": VISIBLY_SKEWED, "resamples": resamples})
    unjudged = int(judged.not_bootstrappable.sum())
    if unjudged:
        yield Note("unjudged_pairs", {"pairs": unjudged, "fewest": FEWEST_DIFFERING})


def _baseline(ranked: RankedBoard) -> Iterator[Note]:
    question = ranked.question
    if question.baseline is None:
        return
    yield Note("baseline_only")
    if question.margin is not None and ranked.judged.alone is None:
        yield Note("margin_claims", {"margin": question.margin, "correction": margin_correction(question).label})


def _pair_intervals(ranked: RankedBoard) -> Iterator[Note]:
    """How the differences' intervals were made, and where they tell another story than the p-values."""
    judged = ranked.judged
    if judged.jointly is not None:
        yield Note("simultaneous_differences", {"steps": is_step_down(judged.correction)})
    excludes = (judged.intervals.low > 0.0) | (judged.intervals.high < 0.0)
    if claims := int((judged.significant & ~excludes).sum()):
        yield Note("claims_beyond_intervals", {"pairs": claims})
    if intervals := int((excludes & ~judged.significant).sum()):
        yield Note("intervals_beyond_claims", {"pairs": intervals})


def _widened(ranked: RankedBoard) -> Iterator[Note]:
    widened = set(ranked.intervals.widened.tolist())
    if widened:
        order = ranked.standings.ranking.order
        yield Note("intervals_widened", {"systems": [ranked.board.systems[i] for i in order if i in widened]})


def _no_width(ranked: RankedBoard) -> Iterator[Note]:
    intervals = ranked.intervals
    flat = [i for i in ranked.standings.ranking.order if intervals.low[i] == intervals.high[i]]
    if flat:
        yield Note("no_width", {"systems": [ranked.board.systems[i] for i in flat]})


def _datasets(ranked: RankedBoard, datasets: Datasets | None) -> Iterator[Note]:
    if datasets is None:
        yield from _pooled(ranked)
        return
    if datasets.left_out:
        yield Note("datasets_left_out", {"datasets": list(datasets.left_out)})
    if len(datasets.within) < 2:
        yield Note("too_few_datasets", {"datasets": len(datasets.within)})
    else:
        yield Note("across_datasets")
    if any(pair.new_dataset.prediction_low is None for pair in datasets.across):
        yield Note("no_prediction")
    alike = sum(_alike(pair) for pair in datasets.across)
    if alike:
        yield Note("narrow_predictions", {"pairs": alike, "below": ALIKE})
    if datasets.across and _clusters_span_datasets(ranked):
        yield Note("clusters_span_datasets")


def _pooled(ranked: RankedBoard) -> Iterator[Note]:
    """The note that items of several datasets count alike, unless datasets were asked for."""
    items = ranked.board.scores.items
    # In the order of their datasets: where the first and the last are of one, all are.
    if items[0][0] != items[-1][0]:
        yield Note("datasets_pooled", {"datasets": len(dataset_names(ranked.board.scores))})


def _alike(pair: AcrossResult) -> bool:
    """Whether a prediction is made although datasets scatter little more than their items make them."""
    return pair.new_dataset.prediction_low is not None and pair.heterogeneity.i_squared < ALIKE


def _clusters_span_datasets(ranked: RankedBoard) -> bool:
    """Whether some cluster has items in two datasets, which are then not independent."""
    scores = ranked.board.scores
    if scores.clusters is None:
        return False
    homes = {(int(code), home) for code, (home, _) in zip(scores.clusters, scores.items, strict=True)}
    return len(homes) > len(np.unique(scores.clusters))
