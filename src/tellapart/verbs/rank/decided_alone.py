"""Where `compare`, asked about one pair alone, would decide otherwise than the board does for all pairs together."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tellapart.arrays import BoolArray, FloatArray, IntArray
from tellapart.decision import rejects
from tellapart.distributions.binomial import fair_mid_pvalue
from tellapart.distributions.student import t_tails
from tellapart.distributions.tails import sided
from tellapart.errors import Degenerate
from tellapart.multiplicity.cluster_t_flips import variance_of
from tellapart.multiplicity.pair_errors import pair_errors
from tellapart.results.note import Note
from tellapart.verbs.rank.judged_alone import analysed
from tellapart.verbs.rank.pair_intervals import discordance
from tellapart.verbs.rank.ranked_board import RankedBoard

if TYPE_CHECKING:
    from tellapart.verbs.compare.analysis import Analysis

NEAR = 5.0
"""A p-value of Student's t within this factor of alpha may be beyond it by the test that `compare` chooses."""

MOST_IN_FULL = 16
"""Pairs for which that test is run: it may draw ten thousand resamples for each."""


def decided_otherwise(ranked: RankedBoard) -> Iterator[Note]:
    """The pairs that `compare` alone would call different and the board does not, and those of which it is the other way round.

    For right or wrong by the very test that `compare` takes, McNemar's mid-p. Else by t, and the pairs nearest to alpha by
    the test that `compare` chooses for them.
    """
    if not ranked.board.metric.linear:
        return  # what misleads there is a metric that is not straight, and another note names such pairs
    if ranked.judged.alone is not None:
        return
    quick = _quick(ranked)
    claimed = rejects(quick.pvalues, ranked.question.alpha) & (ranked.judged.effects != 0.0)
    in_full = np.array([], dtype=np.int64) if quick.as_compare else _nearest(quick.pvalues, ranked)
    for pair in in_full:
        claimed[pair] = _claimed(ranked, int(pair))
    significant = ranked.judged.significant
    values = {
        "claimed": _named(ranked, claimed & ~significant),
        "not_claimed": _named(ranked, significant & ~claimed),
        "test": quick.test,
        "in_full": len(in_full),
    }
    if values["claimed"] or values["not_claimed"]:
        yield Note("alone_otherwise", values)


class _Quick(NamedTuple):
    """The p-value of every pair alone, `(pair,)`, the test that gives it, and whether that is the one that `compare` takes."""

    test: str
    pvalues: FloatArray
    as_compare: bool


def _quick(ranked: RankedBoard) -> _Quick:
    board, pairs = ranked.board, (ranked.judged.a, ranked.judged.b)
    if board.binary and board.clusters is None:
        counts = discordance(board, pairs)
        pvalues = fair_mid_pvalue(counts.wins, counts.wins + counts.losses, "two-sided")
        return _Quick("mcnemar(variant=mid_p)", pvalues, as_compare=True)
    errors = pair_errors(board, *pairs, variance_of(board))
    root = np.sqrt(errors.variances)
    ratio = np.divide(errors.effects, root, out=np.zeros_like(root), where=root > 0.0)
    name = "paired_t" if board.clusters is None else "cluster_t"
    return _Quick(name, sided(*t_tails(ratio, errors.dfs), "two-sided"), as_compare=False)


def _nearest(pvalues: FloatArray, ranked: RankedBoard) -> IntArray:
    """The pairs nearest to alpha, as many as are run in full."""
    apart = np.abs(np.log(np.maximum(pvalues, 1e-300) / ranked.question.alpha))
    order = np.argsort(apart, kind="stable")[:MOST_IN_FULL]
    return np.asarray(order[apart[order] <= np.log(NEAR)], dtype=np.int64)


def _claimed(ranked: RankedBoard, pair: int) -> bool:
    """Whether the test that `compare` chooses for this pair tells it apart; where it has no answer, what the board says."""
    a, b = int(ranked.judged.a[pair]), int(ranked.judged.b[pair])
    analysis = analysed(ranked.board, a, b, ranked.question)
    try:
        pvalue = _pvalue(analysis, float(ranked.judged.raw[pair]), ranked.judged.by.test)
    except Degenerate:
        return bool(ranked.judged.significant[pair])
    return bool(rejects(pvalue, ranked.question.alpha)) and analysis.effect != 0.0


def _pvalue(analysis: "Analysis", flipped: float, law: str) -> float:
    """By the test that was chosen; where the law of all flips is half of that, the flips of the board stand for it."""
    from tellapart.significance.cautious import Cautious  # noqa: PLC0415  (not for right or wrong)

    test = analysis.test
    # All flips of forty numbers take a third of a second, and the board has drawn thousands of them.
    if not (isinstance(test, Cautious) and test.test.name == "permutation" and law == "joint_sign_flips"):
        return float(analysis.outcome.pvalue)
    bounds = test.inverted
    return max(flipped, float(bounds.apply(analysis.sample(bounds), analysis.stream("interval")).pvalue))


def _named(ranked: RankedBoard, which: BoolArray) -> list[list[str]]:
    """A and B of these pairs."""
    systems = ranked.board.systems
    sides = zip(ranked.judged.a[which].tolist(), ranked.judged.b[which].tolist(), strict=True)
    return [[systems[a], systems[b]] for a, b in sides]
