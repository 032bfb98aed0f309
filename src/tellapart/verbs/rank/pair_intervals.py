"""Joint tests of all pairs, and intervals of the differences that agree with them."""

from dataclasses import dataclass
from functools import cached_property

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

# Joint p-values from the same resamples, adjusted by a correction.

RESAMPLES, MOST_UNASKED = 10_000, 1_000_000
"""Default resamples, and the most that are drawn by default where alpha needs more."""

Pairs = tuple[IntArray, IntArray]
"""Systems A and B of every pair, by index on the board."""


@dataclass(frozen=True, eq=False)
class JointTest:
    """P-values of a family of pairs, `(pair,)` each, and the resampling schemes behind them.

    `resamples` were requested; `needed` is the number from which the smallest p-value can be significant.
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

    @cached_property
    def resampled_by(self) -> Resampling:
        """The resampling schemes in use; both only where some pairs are visibly skewed."""
        first, *more = self.joint.ways
        return "both" if more else first.resampled_by

    @property
    def drawn(self) -> BoolArray:
        """Pairs with bootstrap p-values."""
        last = self.joint.ways[-1]
        return last.decides if last.resampled_by == "bootstrap" else np.zeros_like(last.decides)

    @property
    def not_bootstrappable(self) -> BoolArray:
        """Those of them that differ on too few items for a bootstrap."""
        return self.drawn & ~bootstrappable_pairs(self.family) if self.drawn.any() else self.drawn

    @property
    def tests(self) -> list[str]:
        """The name of the test behind each p-value."""
        unit = "" if self.board.clusters is None else "cluster_"
        names = {"flips": f"joint_{unit}sign_flips", "bootstrap": f"joint_{unit}bootstrap"}
        first, *more = (names[way.resampled_by] for way in self.joint.ways)
        both = f"larger of {first} and {more[0]}" if more else first
        return [both if drawn else first for drawn in self.drawn.tolist()]

    def critical(self, alpha: float) -> float:
        return max(way.pvalues.critical(alpha) for way in self.joint.ways)


def joint_test(board: Board, pairs: Pairs, question: RankQuestion, piece: tuple[int, ...] = ()) -> JointTest:
    """Test these pairs jointly with the correction of the question, or max-T; `piece` identifies the random streams."""
    correction, needed = question.resolved_correction, needed_resamples(question, len(pairs[0]))
    resamples = planned_resamples(question, needed)
    family = family_of(board, *pairs)
    joint = Resampled(resamples, needed, (question.seed, piece)).pvalues(board, family, correction.resampled_by)
    adjusted = correction.adjust(joint)
    significant = np.asarray(rejects(adjusted, question.alpha) & (family.effects != 0.0))
    return JointTest(board, family, correction, joint, adjusted, significant, resamples, needed)


def needed_resamples(question: RankQuestion, pairs: int) -> int:
    """Resamples from which the smallest p-value, multiplied by the correction, is at most alpha."""
    factor = pairs if question.resolved_correction.multiplies_pvalues else 1
    return int(np.ceil(factor / question.alpha))


def planned_resamples(question: RankQuestion, needed: int) -> int:
    """The requested resamples, else 10,000, or more where their smallest p-value could not be significant."""
    if question.resamples is not None:
        return question.resamples
    if needed > MOST_UNASKED and not question.resolved_correction.multiplies_pvalues:
        return RESAMPLES
    # Five times the need reduces Monte Carlo error near the limit, while that is quick.
    return max(RESAMPLES, min(5 * needed, 20 * RESAMPLES), min(needed, MOST_UNASKED))


@dataclass(frozen=True, eq=False)
class PairIntervals:
    """Bounds of B − A by one method, `(pair,)`; infinite where undetermined."""

    method: str
    low: FloatArray
    high: FloatArray


def pair_intervals(board: Board, pairs: Pairs, jointly: JointTest, alpha: float) -> PairIntervals:
    """Intervals at the critical value of the step that decided each pair: 0 is excluded exactly where max-T rejects.

    Tango's for right or wrong, whose score is the statistic itself, else effect ± t·error; the wider one where sign flips and
    bootstrap both decide. For a single step and other corrections, at the critical value of the family's largest statistic.
    The interval of a non-significant pair is widened up to 0 where needed.
    """
    found = (_tango if _counted(board, jointly) else _student)(board, pairs, jointly, alpha)
    open_pairs = ~jointly.significant
    low = np.where(open_pairs, np.minimum(found.low, 0.0), found.low)
    high = np.where(open_pairs, np.maximum(found.high, 0.0), found.high)
    return PairIntervals(found.method, low, high)


def is_step_down(correction: Correction) -> bool:
    """Whether each pair has the critical value of its own step."""
    return isinstance(correction, MaxT) and correction.steps == "down"


def _criticals(jointly: JointTest, way: ResamplingPvalues, alpha: float) -> FloatArray:
    if is_step_down(jointly.correction):
        return way.pvalues.criticals(alpha)
    return np.full(len(way.decides), way.pvalues.critical(alpha))


def _counted(board: Board, jointly: JointTest) -> bool:
    """Whether differences are of right and wrong, tested by sign flips."""
    return jointly.resampled_by == "flips" and board.clusters is None and board.binary


def _tango(board: Board, pairs: Pairs, jointly: JointTest, alpha: float) -> PairIntervals:
    assert board.coding is not None
    counts, step = discordance(board, pairs), board.coding.step
    criticals = _criticals(jointly, jointly.joint.ways[0], alpha)
    low, high = score_bounds(counts.wins, counts.losses, counts.items, criticals)
    return PairIntervals("tango", step * low, step * high)


def discordance(board: Board, pairs: Pairs) -> Discordance:
    """Counts of right and wrong on the shared items of each pair, `(pair,)` each."""
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
        # Cluster flips use CR2 errors, the bootstrap plain ones.
        errors = pair_errors(board, *pairs, VARIANCE) if flipped else plain
        found = _times(critical, errors.variances)
        return found if flipped else np.where(jointly.not_bootstrappable, np.inf, found)

    widest = jointly.joint.largest(width)
    method = "student_t" if board.clusters is None else "cluster_t"
    return PairIntervals(method, plain.effects - widest, plain.effects + widest)


def _times(criticals: FloatArray, variances: FloatArray) -> FloatArray:
    """Critical values times standard errors; infinite where the critical value is."""
    endless = np.full(len(criticals), np.inf)
    return np.asarray(np.multiply(criticals, np.sqrt(variances), out=endless, where=np.isfinite(criticals)))


def _as_t(criticals: FloatArray, dfs: FloatArray) -> FloatArray:
    """Critical values of Σd / √Σd² as t: t² = x²·df / (df + 1 − x²)."""
    squares = criticals**2
    left = dfs + 1.0 - squares
    squared = np.divide(squares * dfs, left, out=np.full(len(dfs), np.inf), where=left > 0.0)
    return np.asarray(np.sqrt(squared))
