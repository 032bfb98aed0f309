"""Differences that lean to one side: random signs assume that they do not, and then claim more often than they promise."""

from dataclasses import dataclass

import numpy as np

from tellapart.arrays import FloatArray, IntArray
from tellapart.multiplicity.board import Board
from tellapart.multiplicity.residuals import Residuals
from tellapart.seeds import Generator

CONTROLS = 19
"""Boards with random signs that show how much skewness chance alone makes."""

WORRYING = 1.5
"""How many times alpha the error must be to be worth a word."""

MORE = 1.5
"""How many times what chance makes the squared skewness must be."""

TOO_LARGE = 1.2
"""How many times alpha the error may be before items are drawn again as well."""

SAME = 1
"""Controls that may be as skewed as the board, and it is still taken to lean: symmetric scores seldom have so few."""

MOST_UNITS = 1 << 14
"""With more items than this no skewness that scores have matters: its effect falls with the root of their number."""


@dataclass(frozen=True, eq=False)
class Skewness:
    """The squared skewness over the number of units, of each pair `(pair,)`, and that of boards with random signs `(control, pair)`."""

    squared: FloatArray
    by_chance: FloatArray

    def leans(self, critical: float, alpha: float) -> bool:
        """Whether sign flips err 1.2 times as often as they promise or more, by a skewness that random signs seldom make.

        All of it is counted, that of heavy tails too: which pairs lean is not known, only that some do. Of symmetric scores
        with heavy tails some three boards in twenty are taken to lean; normal ones hardly ever.
        """
        if error(self.squared, critical, alpha) < TOO_LARGE * alpha:
            return False
        as_skewed = np.count_nonzero(self.by_chance.sum(axis=1) >= self.squared.sum())
        return bool(as_skewed <= SAME)

    def told_error(self, critical: float, alpha: float) -> float | None:
        """The family-wise error of sign flips that promise `alpha`, where skewness makes it 1.5 times that or more.

        The skewness that the same items have with random signs is chance: it is taken off, and nothing is told if that is
        most of it, which keeps symmetric scores with heavy tails out. So it is rather too small: samples look less skewed
        than what they come from.
        """
        by_chance = self.by_chance.mean(axis=0)
        found = error(np.maximum(self.squared - by_chance, 0.0), critical, alpha)
        is_more = self.squared.sum() >= MORE * by_chance.sum()
        return found if found >= WORRYING * alpha and is_more else None


def seen_skewness(
    board: Board, left: Residuals, critical: float, alpha: float, rng: Generator
) -> Skewness | None:
    """The skewness of these pairs, where it could matter."""
    # In units of the largest score: cubes of squares of very large or very small scores would leave the range of doubles.
    columns = left.columns / (float(board.sizes.max()) or 1.0)
    squared = squared_skewness(columns, left.a, left.b)
    if error(squared, critical, alpha) < TOO_LARGE * alpha:
        return None
    signs = rng.choice([-1.0, 1.0], (CONTROLS, columns.shape[1]))
    return Skewness(squared, np.stack([squared_skewness(columns * sign, left.a, left.b) for sign in signs]))


def may_lean(board: Board) -> bool:
    """Not scores of two values, whose differences are symmetric whenever the means are equal, and not too many to matter."""
    return board.units <= MOST_UNITS and not _two_valued(board)


def _two_valued(board: Board) -> bool:
    if board.marks is not None:
        return True
    low, high = np.nanmin(board.values), np.nanmax(board.values)
    either = (board.values == low) | (board.values == high) | ~board.scored
    return board.clusters is None and bool(either.all())


def error(squared: FloatArray, critical: float, alpha: float) -> float:
    """The family-wise error from g²/n of each pair.

    Far out, a sum over the root of its squares exceeds x exp(−x³g/(3√n)) times as often as without the skewness g (Wang
    2005), on both sides together cosh(x³g/(3√n)) times; x is the critical value of the family. No tail becomes more likely
    than a coin's, exp(x²/2) times what it was.
    """
    exponent = np.minimum(np.sqrt(squared) * critical**3 / 3.0, critical**2 / 2.0)
    return float(-np.expm1(np.log1p(-alpha) * np.cosh(exponent).mean()))


def squared_skewness(left: FloatArray, a: IntArray, b: IntArray) -> FloatArray:
    """g²/n = (Σd³)²/(Σd²)³ of the differences B − A of these rows of `(column, unit)` about their means, `(pair,)`.

    0 for pairs that never vary. Units that a pair does not have count for nothing.
    """
    left = left - left.mean(axis=1, keepdims=True)
    products, mixed = left @ left.T, left**2 @ left.T
    own, third = np.diagonal(products), np.diagonal(mixed)
    squares = own[a] + own[b] - 2.0 * products[a, b]
    cubes = third[b] - third[a] - 3.0 * mixed[b, a] + 3.0 * mixed[a, b]
    # Squares are a difference of sums here: below nine digits of them they are rounding, as in `family`.
    varies = squares > 1e-9 * (own[a] + own[b])
    return np.asarray(np.divide(cubes**2, np.maximum(squares, 0.0) ** 3, out=np.zeros(len(a)), where=varies))
