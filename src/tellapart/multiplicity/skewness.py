"""Differences that lean to one side: random signs assume that they do not, and then claim more often than they promise."""

import numpy as np

from tellapart.arrays import FloatArray, IntArray
from tellapart.multiplicity.board import Board
from tellapart.seeds import Generator

CONTROLS = 19
"""Boards with random signs that show how much skewness chance alone makes."""

WORRYING = 1.5
"""How many times alpha the error must be to be worth a word."""

MORE = 1.5
"""How many times what chance makes the squared skewness must be."""

MOST_UNITS = 1 << 14
"""With more items than this no skewness that scores have matters: its effect falls with the root of their number."""


def error_under_skewness(
    board: Board, pairs: tuple[IntArray, IntArray], critical: float, alpha: float, rng: Generator
) -> float | None:
    """The family-wise error of sign flips that promise `alpha`, where these pairs' skewness makes it 1.5 times that or more.

    Far out, a sum over the root of its squares exceeds x exp(−x³g/(3√n)) times as often as without the skewness g (Wang
    2005), on both sides together cosh(x³g/(3√n)) times; x is the critical value of the family. The skewness that the
    same items have with random signs is chance: it is taken off, and nothing is told if that is most of it, which keeps
    symmetric scores with heavy tails out. So it is rather too small: samples look less skewed than what they come from.
    Judged only where all items are scored for all, and not for scores of two values, whose differences are symmetric
    whenever the means are equal.
    """
    if not board.complete or board.units > MOST_UNITS or not np.isfinite(critical) or _two_valued(board):
        return None
    left = board.residuals() / (float(board.sizes.max()) or 1.0)
    squared = skewness(left, *pairs) ** 2
    if _error(squared / board.units, critical, alpha) < WORRYING * alpha:
        return None
    signs = rng.choice([-1.0, 1.0], (CONTROLS, left.shape[1]))
    by_chance = np.mean([skewness(left * sign, *pairs) ** 2 for sign in signs], axis=0)
    error = _error(np.maximum(squared - by_chance, 0.0) / board.units, critical, alpha)
    return error if error >= WORRYING * alpha and squared.sum() >= MORE * by_chance.sum() else None


def _two_valued(board: Board) -> bool:
    low, high = board.values.min(), board.values.max()
    return board.clusters is None and bool(((board.values == low) | (board.values == high)).all())


def _error(squared: FloatArray, critical: float, alpha: float) -> float:
    """From g²/n of each pair; no tail becomes more likely than a coin's, exp(x²/2) times what it was."""
    exponent = np.minimum(np.sqrt(squared) * critical**3 / 3.0, critical**2 / 2.0)
    return float(-np.expm1(np.log1p(-alpha) * np.cosh(exponent).mean()))


def skewness(left: FloatArray, a: IntArray, b: IntArray) -> FloatArray:
    """The skewness of the differences B − A of these rows of `(system, unit)`, `(pair,)`; 0 for pairs that never vary."""
    left = left - left.mean(axis=1, keepdims=True)
    squares, products = left**2, left @ left.T
    mixed = squares @ left.T
    own, third = np.diagonal(products), np.diagonal(mixed)
    variance = (own[a] + own[b] - 2.0 * products[a, b]) / left.shape[1]
    cubes = (third[b] - third[a] - 3.0 * mixed[b, a] + 3.0 * mixed[a, b]) / left.shape[1]
    # A variance is a difference of sums here: below nine digits of them it is rounding, as in `family`.
    varies = variance > 1e-9 * (own[a] + own[b]) / left.shape[1]
    return np.asarray(np.divide(cubes, np.maximum(variance, 0.0) ** 1.5, out=np.zeros(len(a)), where=varies))
