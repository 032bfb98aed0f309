"""Arena leaderboard: fitted strengths, joint tests of all pairs, the ranks that follow, and notes on their limits."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from scipy import special

from tellapart.answers.arena import ArenaFit
from tellapart.answers.parts import Note
from tellapart.boards.standings import Ranking, Standings, rank_systems, win_matrix
from tellapart.boards.vote_board import ENOUGH_CLUSTERS, MOST_DRAWS, VotePairs, pair_variances, vote_errors
from tellapart.data.votes import NO_SYSTEM, Votes
from tellapart.foundation.arrays import FloatArray, IntArray
from tellapart.foundation.seeds import stream
from tellapart.numerics.pairwise.bradley_terry import FARTHEST, Strengths, TieModel, fit_strengths
from tellapart.verbs.arena.prepared import PreparedVotes
from tellapart.verbs.rank.question import RankQuestion

ELO = 400.0 / math.log(10.0)
"""Points of Elo's scale in one logit: 400 points are odds of ten to one."""
LEVEL = 1000.0
"""The mean rating where no system is the anchor."""
FEWEST_EXPECTED = 5.0
"""n·p·q of each pair from which Pearson's X² follows its law."""
ARENA_STREAM = 38
"""The random numbers that are an arena's own."""


@dataclass(frozen=True, eq=False)
class ArenaBoard:
    """Prepared votes and everything that was found about them."""

    prepared: PreparedVotes
    question: RankQuestion
    fit: Strengths
    pairs: VotePairs
    winner: str | None = None
    """Of two systems alone: the one that `compare` calls better, or an empty name."""

    @property
    def names(self) -> tuple[str, ...]:
        return self.prepared.names

    @property
    def scale(self) -> float:
        """Points of a rating in one logit."""
        return ELO if self.question.rating_scale == "elo" else 1.0

    @cached_property
    def ratings(self) -> FloatArray:
        """Strengths on the scale that is shown: the anchor at its number, or the mean at 1000 (Elo) or 0."""
        ratings = self.scale * self.fit.strengths
        if self.question.anchor is None:
            return np.asarray(ratings + (LEVEL if self.question.rating_scale == "elo" else 0.0))
        name, value = self.question.anchored
        return np.asarray(ratings - ratings[self.names.index(name)] + value)

    @cached_property
    def standings(self) -> Standings:
        strengths = self.fit.strengths
        ahead = strengths[:, np.newaxis] - strengths
        where: Ranking = rank_systems(np.where(np.abs(ahead) > 1e-10, ahead, 0.0), strengths)
        if self.winner is not None:
            best = [self.names.index(self.winner)] if self.winner else []
            return Standings(where, win_matrix(np.array(best, dtype=np.int64), 1 - np.array(best, dtype=np.int64), 2))
        significant, up = self.pairs.significant, self.pairs.differences > 0.0
        a, b = self.pairs.a[significant], self.pairs.b[significant]
        up = up[significant]
        return Standings(where, win_matrix(np.where(up, b, a), np.where(up, a, b), len(self.names)))

    @property
    def leading(self) -> tuple[int, int]:
        """The first two in rank."""
        first, second = self.standings.ranking.order[:2].tolist()
        return first, second

    def variance(self, first: int, second: int) -> float:
        """Of the difference of two strengths."""
        covariance = self.pairs.errors.covariance
        return max(float(pair_variances(covariance, np.array([first]), np.array([second]))[0]), 0.0)

    @cached_property
    def expected_wins(self) -> FloatArray:
        """The share of points of the row's system from the column's, both orders alike, `(system, system)`."""
        gap = self.fit.strengths[:, np.newaxis] - self.fit.strengths
        if self.fit.ties == "half":
            return np.asarray(special.expit(gap))
        gap = np.clip(gap, -4.0 * FARTHEST, 4.0 * FARTHEST)
        up, down, nu = np.exp(gap / 2.0), np.exp(-gap / 2.0), self.fit.nu or 0.0
        return np.asarray((up + nu / 2.0) / (up + down + nu))

    @cached_property
    def won(self) -> tuple[FloatArray, FloatArray]:
        """Points of the row's system from the column's, and their votes, `(system, system)` each."""
        votes = self.fit.votes
        points = votes.matrix(votes.weights * votes.points)
        lost = votes.matrix(votes.weights * (1.0 - votes.points))
        met = votes.matrix(votes.weights)
        return points + lost.T, met + met.T

    @cached_property
    def predicted(self) -> FloatArray:
        """Points that the fit says the row's system should have won of its votes with the column's."""
        win, tie, _ = self.fit.chances()
        share, votes = win + tie / 2.0, self.fit.votes
        return np.asarray(votes.matrix(votes.weights * share) + votes.matrix(votes.weights * (1.0 - share)).T)

    def goodness(self) -> ArenaFit:
        """Whether one line of strengths fits all pairs, by Pearson's X² over pairs that met."""
        reason = self._no_test()
        if reason is not None:
            return ArenaFit(None, None, None, None, None, reason)
        win, _, loss = self.fit.chances()
        votes = self.fit.votes
        variance = votes.matrix(votes.weights * win * loss)
        variance = variance + variance.T
        dispersion = 1.0 - votes.ties / (4.0 * float(np.triu(variance).sum()))
        a, b = np.nonzero(np.triu(self.won[1]) > 0.0)
        off = (self.won[0] - self.predicted)[a, b]
        parts = off**2 / variance[a, b]
        df = len(a) - len(self.names) + 1 - len(self.fit.covariates)
        if df < 1:
            return ArenaFit(None, None, None, None, None, "too few pairs met to test the fit")
        x2, worst = float(parts.sum()), int(np.argmax(parts))
        pair = (self.names[a[worst]], self.names[b[worst]])
        return ArenaFit(x2, df, float(special.chdtrc(df, x2 / dispersion)), dispersion, pair, None)

    def _no_test(self) -> str | None:
        """Why there is no test of the fit."""
        if self.prepared.cluster_by != "none":
            return "votes go together in clusters"
        if self.fit.ties == "davidson" or self.fit.penalised:
            return "the test is for ties as half a win, and for strengths without a penalty"
        win, _, loss = self.fit.chances()
        variance = self.fit.votes.matrix(self.fit.votes.weights * win * loss)
        met = np.triu(self.won[1]) > 0.0
        if float((variance + variance.T)[met].min()) < FEWEST_EXPECTED:
            return "some pairs met too seldom to test the fit"
        return None


def judge_votes(
    prepared: PreparedVotes, question: RankQuestion, winner: str | None = None, draws: int = MOST_DRAWS
) -> ArenaBoard:
    """Fit strengths and judge the pairs; separated boards fall back to ties as half, votes alone and Firth's penalty.

    Davidson's ν is finite where some votes are ties and some are not.
    """
    some = 0.0 < prepared.votes.ties < prepared.votes.total
    ties: TieModel = "davidson" if question.ties == "davidson" and some and not prepared.separated else "half"
    fit = fit_strengths(prepared.votes.collapsed(), ties, order=prepared.order, penalised=prepared.separated)
    if not fit.finite:
        plain = replace(prepared.votes, control=None).collapsed()
        fit = fit_strengths(plain, "half", order=prepared.order, penalised=True)
    clustered = prepared.clusters and not fit.penalised
    fit = replace(fit, votes=prepared.votes) if clustered else fit
    a, b = _asked_pairs(prepared, question)
    errors = vote_errors(fit, prepared.clusters if clustered else (), a, b)
    rng = stream(question.seed, ARENA_STREAM)
    pairs = VotePairs(fit, errors, a, b, question.alpha, question.vote_correction, rng, draws)
    return ArenaBoard(prepared, question, fit, pairs, winner)


def _asked_pairs(prepared: PreparedVotes, question: RankQuestion) -> tuple[IntArray, IntArray]:
    """All pairs, or those with the baseline as A."""
    count = len(prepared.names)
    if question.baseline is None:
        a, b = np.triu_indices(count, 1)
        return a.astype(np.int64), b.astype(np.int64)
    base = prepared.names.index(question.baseline)
    others = np.array([i for i in range(count) if i != base], dtype=np.int64)
    return np.full_like(others, base), others


# Notes on the limits of a board, as codes and values.

FEWEST_VOTES = 2
"""Votes below which a system is named."""
POOR_FIT = 0.01
"""A p-value of the fit at or below this is a note."""


def arena_notes(board: ArenaBoard) -> Iterator[Note]:
    prepared = board.prepared
    yield from _fallback_notes(board)
    yield from _order_notes(board)
    if prepared.given.control is not None:
        code = "control_adjusted" if board.fit.control is not None else "control_left_out"
        yield Note(code, {"column": prepared.given.control_name})
    repeats = _repeated_votes(prepared.given)
    if repeats:
        yield Note("repeated_votes", {"votes": repeats})
    lonely = [name for name, votes in zip(board.names, board.won[1].sum(axis=1), strict=True) if votes < FEWEST_VOTES]
    if lonely:
        yield Note("few_votes", {"systems": lonely})
    fit = board.goodness()
    if fit.pvalue is not None and fit.worst is not None and fit.pvalue <= POOR_FIT:
        yield Note("poor_fit", {"pvalue": fit.pvalue, "a": fit.worst[0], "b": fit.worst[1]})
    if len(board.names) > 2:
        yield Note("ratings_overlap", {})


def _fallback_notes(board: ArenaBoard) -> Iterator[Note]:
    """What could not be fitted or judged as asked: separated systems, ties, few clusters, systems that one cluster alone connects."""
    prepared, clusters = board.prepared, board.pairs.errors
    davidson = board.question.ties == "davidson"
    if prepared.separated:
        yield Note("separated", {"blocks": int(prepared.blocks.max()) + 1})
        if prepared.clusters or davidson:
            yield Note("separated_falls_back", {"clusters": bool(prepared.clusters), "davidson": davidson})
        return
    if board.fit.penalised:
        yield Note("covariates_separate", {})
        return
    if clusters.least_effective < ENOUGH_CLUSTERS:
        yield Note("few_effective_clusters", {"effective": clusters.least_effective, "by": prepared.cluster_by})
    if clusters.parted.any():
        lonely = [name for name, alone in zip(board.names, clusters.lonely, strict=True) if alone]
        unjudged = int((~clusters.judged).sum())
        yield Note("one_cluster_alone", {"systems": lonely, "by": prepared.cluster_by, "pairs": unjudged})
    if davidson and board.fit.ties == "half":
        yield Note("davidson_falls_back", {"ties": prepared.ties})


def _order_notes(board: ArenaBoard) -> Iterator[Note]:
    """What the order in which systems were shown did, or why that is not known."""
    given = board.prepared.given
    if board.prepared.order:
        decided = given.winner != NO_SYSTEM
        assert given.first is not None, "an order is adjusted for where every vote has one"
        share = float((given.winner == given.first)[decided].mean()) if decided.any() else 0.5
        yield Note("order_adjusted", {"first_wins": share})
    elif given.first is not None and board.question.order == "auto":
        known = float((given.first != NO_SYSTEM).mean())
        yield Note("order_not_adjusted", {"known": known})


def _repeated_votes(given: Votes) -> int:
    """How many votes are further ones of a rater on the same pair and item."""
    if given.rater is None or given.item is None:
        return 0
    if len(np.unique(given.rater)) == len(np.unique(given.item)) == 1:  # the columns say nothing
        return 0
    pairs = [np.minimum(given.a, given.b), np.maximum(given.a, given.b)]
    return len(given) - len(np.unique(np.stack([given.rater, given.item, *pairs]), axis=1)[0])
