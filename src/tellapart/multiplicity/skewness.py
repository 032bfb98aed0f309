"""Differences that lean to one side: where random signs, which assume that they do not, claim too much."""

import numpy as np

from tellapart.arrays import BoolArray, FloatArray, IntArray
from tellapart.multiplicity.board import Board

WORRYING = 0.2
"""Skewness over √n from which the family-wise error of sign flips was seen above its level."""

MOST_UNITS = 1 << 14
"""With more items than this no skewness that scores have is worrying."""


def leaning(board: Board, a: IntArray, b: IntArray) -> BoolArray:
    """Whether each pair's differences are skewed enough to matter, and beyond what chance does in symmetric ones.

    The error of a t-like statistic under skewness g is of the order g/√n (Hall 1992); in symmetric normal samples g has a
    standard error near √(6/n). Judged only where all items are scored for all.
    """
    units = board.units
    if not board.complete or units > MOST_UNITS:
        return np.zeros(len(a), dtype=np.bool_)
    return np.asarray(
        np.abs(skewness(board, a, b)) > np.sqrt(units) * max(WORRYING, 3.0 * np.sqrt(6.0) / units)
    )


def skewness(board: Board, a: IntArray, b: IntArray) -> FloatArray:
    """The skewness of the differences B − A of these pairs over items, or cluster sums, `(pair,)`; 0 for pairs that never vary."""
    left = board.residuals() / (board.largest or 1.0)
    left -= left.mean(axis=1, keepdims=True)
    squares, products = left**2, left @ left.T
    mixed = squares @ left.T
    own, third = np.diagonal(products), np.diagonal(mixed)
    variance = (own[a] + own[b] - 2.0 * products[a, b]) / left.shape[1]
    cubes = (third[b] - third[a] - 3.0 * mixed[b, a] + 3.0 * mixed[a, b]) / left.shape[1]
    varies = variance > 1e-9 * (own[a] + own[b]) / left.shape[1]
    return np.asarray(np.divide(cubes, np.maximum(variance, 0.0) ** 1.5, out=np.zeros(len(a)), where=varies))
