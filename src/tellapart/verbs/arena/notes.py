"""Notes on the limits of an arena leaderboard, as codes and values."""

from collections.abc import Iterator

import numpy as np

from tellapart.answers.parts import Note
from tellapart.boards.vote_board import ENOUGH_CLUSTERS
from tellapart.data.votes import NO_SYSTEM, Votes
from tellapart.verbs.arena.board import ArenaBoard

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
    repeats = repeated_votes(prepared.given)
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


def repeated_votes(given: Votes) -> int:
    """How many votes are further ones of a rater on the same pair and item."""
    if given.rater is None or given.item is None:
        return 0
    if len(np.unique(given.rater)) == len(np.unique(given.item)) == 1:  # the columns say nothing
        return 0
    pairs = [np.minimum(given.a, given.b), np.maximum(given.a, given.b)]
    return len(given) - len(np.unique(np.stack([given.rater, given.item, *pairs]), axis=1)[0])
