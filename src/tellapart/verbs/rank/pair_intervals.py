"""Intervals of the differences between systems, which say what the pairs' p-values say."""

from dataclasses import dataclass

import numpy as np

from tellapart.arrays import FloatArray
from tellapart.distributions.score_difference import score_bounds
from tellapart.multiplicity.board import Board
from tellapart.multiplicity.cluster_t_flips import VARIANCE
from tellapart.multiplicity.corrections.correction import Correction
from tellapart.multiplicity.corrections.max_t import MaxT
from tellapart.multiplicity.larger_pvalues import Way
from tellapart.multiplicity.pair_errors import pair_errors
from tellapart.scores.on_disk import products_of, rows_of
from tellapart.summaries import Discordance
from tellapart.verbs.rank.judged_jointly import Jointly, Pairs


@dataclass(frozen=True, eq=False)
class PairIntervals:
    """Bounds of B − A, `(pair,)`, infinite where nothing bounds it, by one method."""

    method: str
    low: FloatArray
    high: FloatArray


def pair_intervals(board: Board, pairs: Pairs, jointly: Jointly, alpha: float) -> PairIntervals:
    """At the critical value of the step that decided each pair: 0 is left out exactly where max-T tells the pair apart.

    For right or wrong Tango's, whose score is the statistic itself, else effect ± t·error; where flips and items drawn again decide,
    the wider one. Of a single step, and where another correction decides, at the critical value that the largest statistic of the
    family has. An interval never leaves zero out of a pair that is not told apart: it is widened up to zero, so that no page says both.
    """
    found = (_tango if _counted(board, jointly) else _student)(board, pairs, jointly, alpha)
    open_pairs = ~jointly.significant
    low = np.where(open_pairs, np.minimum(found.low, 0.0), found.low)
    high = np.where(open_pairs, np.maximum(found.high, 0.0), found.high)
    return PairIntervals(found.method, low, high)


def in_steps(judge: Correction) -> bool:
    """Whether the family is stepped down, and each pair is held against a critical value of its own."""
    return isinstance(judge, MaxT) and judge.steps == "down"


def _criticals(jointly: Jointly, way: Way, alpha: float) -> FloatArray:
    if in_steps(jointly.judge):
        return way.pvalues.criticals(alpha)
    return np.full(len(way.decides), way.pvalues.critical(alpha))


def _counted(board: Board, jointly: Jointly) -> bool:
    """Whether pairs are counts of right and wrong, judged by signs."""
    return board.binary and board.clusters is None and jointly.resampled_by == "flips"


def _tango(board: Board, pairs: Pairs, jointly: Jointly, alpha: float) -> PairIntervals:
    assert board.coding is not None
    counts, step = discordance(board, pairs), board.coding.step
    criticals = _criticals(jointly, jointly.joint.ways[0], alpha)
    low, high = score_bounds(counts.wins, counts.losses, counts.items, criticals)
    return PairIntervals("tango", step * low, step * high)


def discordance(board: Board, pairs: Pairs) -> Discordance:
    """Who was right on the items that each pair shares, counted, `(pair,)` each."""
    assert board.coding is not None
    a, b = pairs
    if board.marks is not None:
        both, right = board.marks.together[a, b], board.marks.right
        right_a, right_b, items = right[a], right[b], np.full(len(a), float(board.values.shape[1]))
    elif board.complete:
        both, right = products_of(board.right)[a, b], np.array([row.sum() for row in rows_of(board.right)])
        right_a, right_b, items = right[a], right[b], np.full(len(a), float(board.right.shape[1]))
    else:
        scores, has = np.where(board.scored, board.right, 0.0), board.scored.astype(np.float64)
        both, shared, items = (scores @ scores.T)[a, b], scores @ has.T, (has @ has.T)[a, b]
        right_a, right_b = shared[a, b], shared[b, a]
    counts = (both, right_b - both, right_a - both, items - right_a - right_b + both)
    whole = (np.asarray(np.rint(count), dtype=np.int64) for count in counts)
    return Discordance(*whole, step=board.coding.step)


def _student(board: Board, pairs: Pairs, jointly: Jointly, alpha: float) -> PairIntervals:
    plain = pair_errors(board, *pairs)

    def width(way: Way) -> FloatArray:
        flipped = way.resampled_by == "flips"
        critical = _criticals(jointly, way, alpha)
        if flipped and board.clusters is None:
            return _times(_as_t(critical, plain.dfs), plain.variances)
        # Flips of clusters are judged by the error that keeps its level on such clusters; those drawn again by the plain one.
        errors = pair_errors(board, *pairs, VARIANCE) if flipped else plain
        found = _times(critical, errors.variances)
        return found if flipped else np.where(jointly.undrawable, np.inf, found)

    widest = jointly.joint.largest(width)
    method = "student_t" if board.clusters is None else "cluster_t"
    return PairIntervals(method, plain.effects - widest, plain.effects + widest)


def _times(criticals: FloatArray, variances: FloatArray) -> FloatArray:
    """So many standard errors; a pair that can be told apart by nothing is not bounded, whether it varies or not."""
    endless = np.full(len(criticals), np.inf)
    return np.asarray(np.multiply(criticals, np.sqrt(variances), out=endless, where=np.isfinite(criticals)))


def _as_t(criticals: FloatArray, dfs: FloatArray) -> FloatArray:
    """Flips have Σd / √Σd², which t² = x²·df / (df + 1 − x²) turns into t."""
    squares = criticals**2
    left = dfs + 1.0 - squares
    squared = np.divide(squares * dfs, left, out=np.full(len(dfs), np.inf), where=left > 0.0)
    return np.asarray(np.sqrt(squared))
