"""Intervals of the differences between systems that hold for all pairs together."""

from dataclasses import dataclass

import numpy as np
from scipy import special

from tellapart.arrays import FloatArray
from tellapart.intervals import INTERVALS
from tellapart.multiplicity.board import Board
from tellapart.multiplicity.cluster_t_flips import variance_of
from tellapart.multiplicity.pair_errors import pair_errors
from tellapart.scores.on_disk import products_of, rows_of
from tellapart.seeds import stream
from tellapart.summaries import Discordance
from tellapart.verbs.rank.judged_jointly import Jointly, Pairs


@dataclass(frozen=True, eq=False)
class PairIntervals:
    """Bounds of B − A, `(pair,)`, infinite where nothing bounds it, by one method."""

    method: str
    low: FloatArray
    high: FloatArray


def pair_intervals(board: Board, pairs: Pairs, jointly: Jointly, alpha: float) -> PairIntervals:
    """All pairs at once, at the critical value that the largest statistic of the family has.

    For right or wrong Tango's, whose score is the statistic itself, else effect ± t·error. An interval never leaves zero out of
    a pair that is not told apart: it is widened up to zero, so that no page says both.
    """
    critical = jointly.critical(alpha)
    found = (
        _tango(board, pairs, critical)
        if _counted(board, jointly)
        else _student(board, pairs, jointly, critical)
    )
    open_pairs = ~jointly.significant
    low = np.where(open_pairs, np.minimum(found.low, 0.0), found.low)
    high = np.where(open_pairs, np.maximum(found.high, 0.0), found.high)
    return PairIntervals(found.method, low, high)


def _counted(board: Board, jointly: Jointly) -> bool:
    """Whether pairs are counts of right and wrong, judged by signs."""
    return board.binary and jointly.test == "joint_sign_flips"


def _tango(board: Board, pairs: Pairs, critical: float) -> PairIntervals:
    if not np.isfinite(critical):
        assert board.coding is not None
        most = np.full(len(pairs[0]), board.coding.step)
        return PairIntervals("tango", -most, most)
    level = 1.0 - 2.0 * float(special.ndtr(-critical))
    counts = discordance(board, pairs)
    return PairIntervals("tango", *INTERVALS.parse("tango").interval(counts, level, stream(0)))


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


def _student(board: Board, pairs: Pairs, jointly: Jointly, critical: float) -> PairIntervals:
    # Student's t of a pair is judged by the error that keeps its level on such clusters; flips of max-T have one of their own.
    errors = pair_errors(board, *pairs, variance_of(board) if jointly.judge.critical_is_t else "cr1")
    times = _in_errors(critical, errors.dfs, jointly)
    width = np.multiply(
        times, np.sqrt(errors.variances), out=np.full(len(times), np.inf), where=np.isfinite(times)
    )
    width[~jointly.judged] = np.inf
    return PairIntervals(
        "student_t" if board.clusters is None else "cluster_t", errors.effects - width, errors.effects + width
    )


def _in_errors(critical: float, dfs: FloatArray, jointly: Jointly) -> FloatArray:
    """The critical value in standard errors: flips have Σd / √Σd², which t² = x²·df / (df + 1 − x²) turns into t."""
    if jointly.judge.critical_is_t:
        return np.full(len(dfs), critical)
    left = dfs + 1.0 - critical**2
    squared = np.divide(critical**2 * dfs, left, out=np.full(len(dfs), np.inf), where=left > 0.0)
    return np.asarray(np.sqrt(squared))
