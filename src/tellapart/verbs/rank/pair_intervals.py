"""Intervals of the differences between systems, which say what the pairs' p-values say."""

from dataclasses import dataclass

import numpy as np

from tellapart.boards.board import Board
from tellapart.boards.cluster_t_flips import VARIANCE
from tellapart.boards.corrections.correction import Correction
from tellapart.boards.corrections.max_t import MaxT
from tellapart.boards.family import Family, family_of, pair_errors
from tellapart.boards.joint_bootstrap import bootstrappable_pairs
from tellapart.boards.joint_pvalues import LargestPvalues, Resampling, ResamplingPvalues
from tellapart.choosing.boards import Resampled
from tellapart.data.score_storage import products_of, rows_of
from tellapart.data.summaries import Discordance
from tellapart.foundation.arrays import BoolArray, FloatArray, IntArray
from tellapart.foundation.decision import rejects
from tellapart.numerics.null_laws.score_difference import score_bounds
from tellapart.verbs.rank.question import RankQuestion

# Many pairs judged together: joint p-values from the same resamples, and what a correction makes of them.

RESAMPLES, MOST_UNASKED = 10_000, 1_000_000
"""As many as are drawn unless asked otherwise, and where alpha needs more: beyond these it is told to be out of reach."""

Pairs = tuple[IntArray, IntArray]
"""A and B of every pair, as places on the board."""


@dataclass(frozen=True, eq=False)
class JointTest:
    """The p-values of a family of pairs, `(pair,)` each, and the ways to resample it that gave them.

    `resamples` were asked for and `needed` would let the smallest p-value be significant.
    """

    board: Board
    family: Family
    correction: Correction
    joint: LargestPvalues
    adjusted: FloatArray
    significant: BoolArray
    resamples: int
    needed: int

    @property
    def effects(self) -> FloatArray:
        return self.family.effects

    @property
    def raw(self) -> FloatArray:
        return self.joint.raw

    @property
    def resampled_by(self) -> Resampling:
        """How the pairs were resampled in fact: both ways only where some are visibly skewed."""
        first, *more = self.joint.ways
        return "both" if more else first.resampled_by

    @property
    def drawn(self) -> BoolArray:
        """Which pairs items were drawn again for."""
        last = self.joint.ways[-1]
        return last.decides if last.resampled_by == "bootstrap" else np.zeros_like(last.decides)

    @property
    def not_bootstrappable(self) -> BoolArray:
        """Those of them that differ on too few items for that."""
        return self.drawn & ~bootstrappable_pairs(self.family) if self.drawn.any() else self.drawn

    @property
    def tests(self) -> list[str]:
        """What gave the p-value of each pair."""
        unit = "" if self.board.clusters is None else "cluster_"
        names = {"flips": f"joint_{unit}sign_flips", "bootstrap": f"joint_{unit}bootstrap"}
        first, *more = (names[way.resampled_by] for way in self.joint.ways)
        both = f"larger of {first} and {more[0]}" if more else first
        return [both if drawn else first for drawn in self.drawn.tolist()]

    def critical(self, alpha: float) -> float:
        return max(way.pvalues.critical(alpha) for way in self.joint.ways)


def joint_test(board: Board, pairs: Pairs, question: RankQuestion, piece: tuple[int, ...] = ()) -> JointTest:
    """Judge these pairs by the correction asked for, or by max-T; `piece` names the random numbers that are this board's own."""
    correction, needed = question.resolved_correction, needed_resamples(question, len(pairs[0]))
    resamples = planned_resamples(question, needed)
    family = family_of(board, *pairs)
    joint = Resampled(resamples, needed, (question.seed, piece)).pvalues(
        board, family, correction.resampled_by
    )
    adjusted = correction.adjust(joint)
    significant = np.asarray(rejects(adjusted, question.alpha) & (family.effects != 0.0))
    return JointTest(board, family, correction, joint, adjusted, significant, resamples, needed)


def needed_resamples(question: RankQuestion, pairs: int) -> int:
    """Resamples whose smallest p-value is at most alpha, times the pairs for corrections that multiply it."""
    factor = pairs if question.resolved_correction.multiplies_pvalues else 1
    return int(np.ceil(factor / question.alpha))


def planned_resamples(question: RankQuestion, needed: int) -> int:
    """As many as were asked for, else 10,000; more where the smallest p-value that these can give would not do."""
    if question.resamples is not None:
        return question.resamples
    if needed > MOST_UNASKED and not question.resolved_correction.multiplies_pvalues:
        return RESAMPLES
    # Five times what is needed settles p-values near the limit, as long as that stays quick.
    return max(RESAMPLES, min(5 * needed, 20 * RESAMPLES), min(needed, MOST_UNASKED))


@dataclass(frozen=True, eq=False)
class PairIntervals:
    """Bounds of B − A, `(pair,)`, infinite where nothing bounds it, by one method."""

    method: str
    low: FloatArray
    high: FloatArray


def pair_intervals(board: Board, pairs: Pairs, jointly: JointTest, alpha: float) -> PairIntervals:
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


def is_step_down(correction: Correction) -> bool:
    """Whether the family is stepped down, and each pair is held against a critical value of its own."""
    return isinstance(correction, MaxT) and correction.steps == "down"


def _criticals(jointly: JointTest, way: ResamplingPvalues, alpha: float) -> FloatArray:
    if is_step_down(jointly.correction):
        return way.pvalues.criticals(alpha)
    return np.full(len(way.decides), way.pvalues.critical(alpha))


def _counted(board: Board, jointly: JointTest) -> bool:
    """Whether pairs are counts of right and wrong, judged by signs."""
    return board.binary and board.clusters is None and jointly.resampled_by == "flips"


def _tango(board: Board, pairs: Pairs, jointly: JointTest, alpha: float) -> PairIntervals:
    assert board.coding is not None
    counts, step = discordance(board, pairs), board.coding.step
    criticals = _criticals(jointly, jointly.joint.ways[0], alpha)
    low, high = score_bounds(counts.wins, counts.losses, counts.items, criticals)
    return PairIntervals("tango", step * low, step * high)


def discordance(board: Board, pairs: Pairs) -> Discordance:
    """Who was right on the items that each pair shares, counted, `(pair,)` each."""
    assert board.coding is not None
    a, b = pairs
    if board.binary_scores is not None:
        both, right = board.binary_scores.together[a, b], board.binary_scores.right
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


def _student(board: Board, pairs: Pairs, jointly: JointTest, alpha: float) -> PairIntervals:
    plain = pair_errors(board, *pairs)

    def width(way: ResamplingPvalues) -> FloatArray:
        flipped = way.resampled_by == "flips"
        critical = _criticals(jointly, way, alpha)
        if flipped and board.clusters is None:
            return _times(_as_t(critical, plain.dfs), plain.variances)
        # Flips of clusters are judged by the error that keeps its level on such clusters; those drawn again by the plain one.
        errors = pair_errors(board, *pairs, VARIANCE) if flipped else plain
        found = _times(critical, errors.variances)
        return found if flipped else np.where(jointly.not_bootstrappable, np.inf, found)

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
