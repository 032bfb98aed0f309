"""Where `compare`, asked about one pair alone, would decide otherwise than the board does for all pairs together."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from tellapart.arrays import BoolArray, FloatArray, IntArray
from tellapart.decision import rejects
from tellapart.distributions.binomial import fair_mid_pvalue
from tellapart.distributions.student import t_tails
from tellapart.distributions.tails import sided
from tellapart.errors import Degenerate
from tellapart.multiplicity.cluster_t_flips import variance_of
from tellapart.multiplicity.family import Family
from tellapart.multiplicity.pair_errors import pair_errors
from tellapart.results.note import Note
from tellapart.verbs.rank.judged_alone import analysed
from tellapart.verbs.rank.pair_intervals import discordance
from tellapart.verbs.rank.ranked_board import RankedBoard

BELOW, ABOVE = 5.0, 2.0
"""A p-value of Student's t within these factors of alpha may be beyond it by the test that `compare` chooses.

Above alpha only where fifty ratings or more differ: all other tests claim nothing that t does not, and that one is close to it.
"""

MANY = 50
"""From so many items that differ, or clusters, on what t and the board both claim by far `compare` claims as well."""

MOST_IN_FULL = 16
"""Pairs for which that test is run where its bounds do not tell: it may draw ten thousand resamples for each."""

LOOKED_AT = 1 << 24
"""Scores of pairs that t does not settle, nearest to alpha first, that are looked at for bounds: a second of them."""

COUNTED = 1024
"""Items on which it is counted how many differ: of most pairs more than fifty of so many do."""

HELD = 1 << 20
"""Scores held at once while they are counted."""


def decided_otherwise(ranked: RankedBoard) -> Iterator[Note]:
    """The pairs that `compare` alone would call different and the board does not, and those of which it is the other way round.

    For right or wrong by McNemar's mid-p, which `compare` takes. Else each pair that is named by the test that `compare` chooses for it:
    by bounds of its p-value, and where these do not tell, the nearest to alpha by running it. Those left over are counted, and not named.
    """
    if not ranked.board.metric.linear:
        return  # what misleads there is a metric that is not straight, and another note names such pairs
    if ranked.judged.alone is not None:
        return
    found = _counted(ranked) if _right_or_wrong(ranked) else _chosen(ranked)
    significant = ranked.judged.significant
    values = {
        "claimed": _named(ranked, found.claimed & ~significant),
        "not_claimed": _named(ranked, significant & ~found.claimed),
        "test": found.test,
        "unknown": found.unknown,
    }
    if values["claimed"] or values["not_claimed"] or found.unknown:
        yield Note("alone_otherwise", values)


class _Alone(NamedTuple):
    """Which pairs `compare` would call different, `(pair,)`; of how many that is not known, which are as the board has them; and by which test, if by one."""

    claimed: BoolArray
    unknown: int
    test: str | None


def _right_or_wrong(ranked: RankedBoard) -> bool:
    return ranked.board.binary and ranked.board.clusters is None


def _counted(ranked: RankedBoard) -> _Alone:
    counts = discordance(ranked.board, (ranked.judged.a, ranked.judged.b))
    pvalues = fair_mid_pvalue(counts.wins, counts.wins + counts.losses, "two-sided")
    claimed = rejects(pvalues, ranked.question.alpha) & (ranked.judged.effects != 0.0)
    return _Alone(np.asarray(claimed), 0, "mcnemar(variant=mid_p)")


def _chosen(ranked: RankedBoard) -> _Alone:
    from tellapart.verbs.rank.pvalues_alone import pvalues_alone  # noqa: PLC0415  (right or wrong is counted)

    alpha, quick = ranked.question.alpha, _student(ranked)
    claimed = np.asarray(rejects(quick, alpha) & (ranked.judged.effects != 0.0))
    doubtful, far = _within(LOOKED_AT, _doubtful(ranked, quick, claimed), ranked.board.values.shape[1])
    low, high = pvalues_alone(ranked, doubtful)
    claimed[doubtful] = rejects(high, alpha)
    unknown = doubtful[rejects(low, alpha) & ~rejects(high, alpha)]
    in_full = unknown[:MOST_IN_FULL]
    claimed[in_full] = [_claimed(ranked, int(pair)) for pair in in_full]
    left = np.append(unknown[MOST_IN_FULL:], far)
    claimed[left] = ranked.judged.significant[left]
    return _Alone(claimed, len(left), None)


def _within(scores: int, pairs: IntArray, items: int) -> tuple[IntArray, IntArray]:
    """The first pairs of so many items, as many as have so many scores and never none, and the others."""
    most = max(MOST_IN_FULL, scores // items)
    return pairs[:most], pairs[most:]


def _student(ranked: RankedBoard) -> FloatArray:
    """The p-value of every pair by Student's t between items or clusters; alpha itself where nothing varies, which it cannot judge."""
    board, pairs = ranked.board, (ranked.judged.a, ranked.judged.b)
    errors = pair_errors(board, *pairs, variance_of(board))
    root = np.sqrt(errors.variances)
    ratio = np.divide(errors.effects, root, out=np.zeros_like(root), where=root > 0.0)
    return np.where(root > 0.0, sided(*t_tails(ratio, errors.dfs), "two-sided"), ranked.question.alpha)


def _doubtful(ranked: RankedBoard, pvalues: FloatArray, claimed: BoolArray) -> IntArray:
    """The pairs that t does not settle, those nearest to alpha first.

    Far above alpha it does, for no test that `compare` chooses claims there. Far below it does where many items differ and the board claims them too.
    """
    ratio = np.maximum(pvalues, 1e-300) / ranked.question.alpha
    near = (ratio * BELOW >= 1.0) & (ratio <= ABOVE)
    unsettled = (near | (claimed & ~_told_by_many(ranked, claimed))) & (ranked.judged.effects != 0.0)
    order = np.argsort(np.abs(np.log(ratio)), kind="stable")
    return np.asarray(order[unsettled[order]], dtype=np.int64)


def _told_by_many(ranked: RankedBoard, claimed: BoolArray) -> BoolArray:
    """Which pairs the board claims, as t does, and with many items that differ or many clusters."""
    both = claimed & ranked.judged.significant
    if ranked.board.units < MANY or ranked.judged.jointly is None:
        return np.zeros_like(both)
    if ranked.board.clusters is None:
        some = np.flatnonzero(both).astype(np.int64)
        both[some] = _many_differ(ranked.judged.jointly.family, some)
    return both


def _many_differ(family: Family, pairs: IntArray) -> BoolArray:
    """Which pairs are seen to differ on many of their first items."""
    step = max(1, HELD // COUNTED)
    blocks = (pairs[start : start + step] for start in range(0, len(pairs), step))
    counts = [np.count_nonzero(family.differing(block, COUNTED), axis=1) for block in blocks]
    return np.concatenate([np.zeros(0), *counts]) >= MANY


def _claimed(ranked: RankedBoard, pair: int) -> bool:
    """Whether the test that `compare` chooses for this pair tells it apart; where it has no answer, what the board says."""
    a, b = int(ranked.judged.a[pair]), int(ranked.judged.b[pair])
    analysis = analysed(ranked.board, a, b, ranked.question)
    try:
        pvalue = float(analysis.outcome.pvalue)
    except Degenerate:
        return bool(ranked.judged.significant[pair])
    return bool(rejects(pvalue, ranked.question.alpha)) and analysis.effect != 0.0


def _named(ranked: RankedBoard, which: BoolArray) -> list[list[str]]:
    """A and B of these pairs."""
    systems = ranked.board.systems
    sides = zip(ranked.judged.a[which].tolist(), ranked.judged.b[which].tolist(), strict=True)
    return [[systems[a], systems[b]] for a, b in sides]
