"""Where `compare`, asked about one pair alone, would decide otherwise than the board does for all pairs together."""

from collections.abc import Iterator

import numpy as np

from tellapart.arrays import BoolArray, FloatArray
from tellapart.choosing.boards import skewed_pairs
from tellapart.choosing.pairs import FEW_CLUSTERS
from tellapart.decision import rejects
from tellapart.distributions.binomial import fair_mid_pvalue
from tellapart.distributions.student import t_tails
from tellapart.distributions.tails import sided
from tellapart.multiplicity.cluster_t_flips import VARIANCE
from tellapart.multiplicity.pair_errors import pair_errors
from tellapart.results.note import Note
from tellapart.verbs.rank.judged_jointly import Jointly
from tellapart.verbs.rank.pair_intervals import discordance
from tellapart.verbs.rank.ranked_board import RankedBoard


def decided_otherwise(ranked: RankedBoard) -> Iterator[Note]:
    """The pairs that `compare` alone would call different and the board does not, and those of which it is the other way round."""
    judged, jointly = ranked.judged, ranked.judged.jointly
    if jointly is None or not ranked.board.metric.linear:
        return
    counted = ranked.board.binary and ranked.board.clusters is None
    if not counted and jointly.judge.resampled_by != "both":
        return  # which pairs are to be drawn again was not asked
    pvalues = _counted(ranked) if counted else _student(ranked, jointly)
    claimed = np.asarray(rejects(pvalues, ranked.question.alpha) & (judged.effects != 0.0))
    values = {
        "claimed": _named(ranked, claimed & ~judged.significant),
        "not_claimed": _named(ranked, judged.significant & ~claimed),
        "test": "mcnemar(variant=mid_p)" if counted else None,
    }
    if values["claimed"] or values["not_claimed"]:
        yield Note("alone_otherwise", values)


def _counted(ranked: RankedBoard) -> FloatArray:
    """McNemar's mid-p of right or wrong answers."""
    counts = discordance(ranked.board, (ranked.judged.a, ranked.judged.b))
    return fair_mid_pvalue(counts.wins, counts.wins + counts.losses, "two-sided")


def _student(ranked: RankedBoard, jointly: Jointly) -> FloatArray:
    """Student's t between items or clusters, and where differences are visibly skewed the larger p-value of it and of items drawn again.

    Where nothing varies, what the board says; of very few clusters the signs must agree.
    """
    board, pairs = ranked.board, (ranked.judged.a, ranked.judged.b)
    errors = pair_errors(board, *pairs, VARIANCE)
    root = np.sqrt(errors.variances)
    ratio = np.divide(errors.effects, root, out=np.zeros_like(root), where=root > 0.0)
    student = np.where(root > 0.0, sided(*t_tails(ratio, errors.dfs), "two-sided"), jointly.adjusted)
    if board.clusters is not None and board.units < FEW_CLUSTERS:
        return np.maximum(student, jointly.joint.first.raw)
    skewed = jointly.drawn & skewed_pairs(board, jointly.family)
    return np.where(skewed, np.maximum(student, jointly.joint.ways[-1].pvalues.raw), student)


def _named(ranked: RankedBoard, which: BoolArray) -> list[list[str]]:
    """A and B of these pairs."""
    systems = ranked.board.systems
    sides = zip(ranked.judged.a[which].tolist(), ranked.judged.b[which].tolist(), strict=True)
    return [[systems[a], systems[b]] for a, b in sides]
