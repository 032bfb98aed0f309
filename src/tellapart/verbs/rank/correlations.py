"""Correlations of the systems' scores over items."""

import math

import numpy as np

from tellapart.answers.leaderboard import Correlations
from tellapart.boards.board import Board
from tellapart.data.score_storage import rows_of
from tellapart.foundation.arrays import STATISTIC_NOISE, FloatArray
from tellapart.verbs.rank.ranked_board import RankedBoard


def correlations(ranked: RankedBoard) -> Correlations | None:
    """Pearson correlations of all pairs of systems on their shared items; None where no two systems vary."""
    order = ranked.standings.ranking.order
    matrix = _matrix(ranked.board)[np.ix_(order, order)]
    between = matrix[np.triu_indices(len(matrix), 1)]
    known = between[~np.isnan(between)]
    if not len(known):
        return None
    rows = [tuple(None if math.isnan(r) else r for r in row) for row in matrix.tolist()]
    return Correlations(float(known.min()), float(np.median(known)), float(known.max()), tuple(rows))


def _matrix(board: Board) -> FloatArray:
    """Correlations `(system, system)`; NaN where a system is constant on the shared items."""
    found = _complete(board) if board.complete else _on_shared_items(board)
    np.fill_diagonal(found, np.where(np.isnan(np.diagonal(found)), np.nan, 1.0))
    return np.clip(found, -1.0, 1.0)


def _complete(board: Board) -> FloatArray:
    if board.binary_scores is not None:
        products = board.binary_scores.about_means
        own = np.diagonal(products)
        root = np.sqrt(np.where(own > 0.0, own, np.nan))
        return np.asarray(products / root / root[:, np.newaxis])
    if board.large:
        return _of_many(board)
    left = board.centred - board.centred.mean(axis=1, keepdims=True)
    largest = np.abs(left).max(axis=1)
    # Scaled to 1 first against underflow; residuals of a constant column are rounding.
    scale = np.where(largest > board.noise(*[np.arange(len(left))] * 2), largest, np.nan)
    left /= scale[:, np.newaxis]
    products = left @ left.T
    size = np.sqrt(np.diagonal(products))
    return np.asarray(products / size / size[:, np.newaxis])


def _of_many(board: Board) -> FloatArray:
    """Correlations on a board too large for a table of residuals."""
    largest = np.array([np.abs(row - row.mean()).max() for row in rows_of(board.centred)])
    varies = largest > board.noise(*[np.arange(len(largest))] * 2)
    size = np.sqrt(np.where(varies, np.diagonal(board.products), np.nan))
    return np.asarray(board.products / size / size[:, np.newaxis])


def _on_shared_items(board: Board) -> FloatArray:
    """Correlations from sums over shared items, of scores centred for precision."""
    means = np.nanmean(board.centred, axis=1, keepdims=True)
    largest = np.nanmax(np.abs(board.centred - means), axis=1, keepdims=True)
    left = np.where(board.scored, (board.centred - means) / np.where(largest > 0.0, largest, 1.0), 0.0)
    has = board.scored.astype(np.float64)
    shared, sums, squares = has @ has.T, left @ has.T, left**2 @ has.T
    with np.errstate(divide="ignore", invalid="ignore"):
        spread = squares - sums**2 / shared
        together = left @ left.T - sums * sums.T / shared
        # Relative to numbers up to 1, smaller values are rounding.
        spread = np.where(spread > STATISTIC_NOISE * np.maximum(squares, 1.0), spread, np.nan)
        return np.asarray(together / np.sqrt(spread * spread.T))
