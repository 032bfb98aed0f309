"""The pairs that are judged together."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import cast

import numpy as np

from tellapart.arrays import STATISTIC_NOISE, BoolArray, FloatArray, IntArray
from tellapart.multiplicity.board import Board
from tellapart.multiplicity.board_marks import BoardMarks, board_marks
from tellapart.multiplicity.shared_items import shared_columns
from tellapart.scores.on_disk import changed, is_large, let_go, products_of, rows_of

CANCELLED = 1e-9
"""A sum of squares this small beside the two it was subtracted from is computed again, without the subtraction.

Σ(b − a)² = Σa² + Σb² − 2Σab costs one product of matrices for all pairs, and loses nine of sixteen digits at this ratio.
"""

COARSER = 0.01
"""A number taken off scores counts so much in what rounding made: 1e-14 of it, where 1e-12 of a column does."""


@dataclass(frozen=True, eq=False)
class Family:
    """The pairs judged together: each is the difference B − A of two columns, `(column, unit)`, over what both share."""

    columns: FloatArray
    a: IntArray
    b: IntArray
    effects: FloatArray
    rounding: float = 0.0
    """The norm of a column whose rounding is like that of scores from which a large number was taken off."""
    places: tuple[IntArray, IntArray] | None = None
    """Where A and B of each pair stand on the board, if columns are not its systems."""

    @property
    def marks(self) -> BoardMarks | None:
        """The bytes that stand for the columns, where these are bytes."""
        return board_marks(self.columns)

    @cached_property
    def norms(self) -> FloatArray:
        """The root of the sum of squares of each column."""
        if self.marks is not None:
            return np.asarray(np.sqrt(self.marks.right))
        if not is_large(self.columns):
            return np.asarray(np.sqrt(np.einsum("cu,cu->c", self.columns, self.columns)))
        return np.sqrt([np.einsum("u,u->", row, row) for row in rows_of(self.columns)])

    @cached_property
    def sizes(self) -> FloatArray:
        """The size of the numbers that each pair's difference was computed from: rounding is judged relative to it."""
        return np.asarray(self.norms[self.a] + self.norms[self.b] + 2.0 * self.rounding)

    @cached_property
    def weights(self) -> FloatArray:
        """1 / √Σd² of each pair, 0 for pairs that never differ."""
        root = np.sqrt(self.squares)
        return np.divide(1.0, root, out=np.zeros_like(root), where=root > 0.0)

    @cached_property
    def totals(self) -> FloatArray:
        if self.marks is not None:
            return self.marks.right
        return np.array([row.sum() for row in rows_of(self.columns)])

    @cached_property
    def squares(self) -> FloatArray:
        """The sum of squared differences of each pair, exactly 0 for identical columns. No sign flip changes it."""
        if self.marks is not None:
            right, both = self.marks.right, self.marks.together[self.a, self.b]
            return np.asarray(right[self.a] + right[self.b] - 2.0 * both)
        # Pairwise items make more columns than pairs: then the product of all columns costs more than it saves.
        if len(self.columns) > len(self.a):
            return self._squares_of(np.arange(len(self.a)))
        return squares_of_products(products_of(self.columns), self.a, self.b, self._squares_of)

    @property
    def systems(self) -> tuple[IntArray, IntArray]:
        """A and B of each pair, as places on the board."""
        return self.places or (self.a, self.b)

    def differing(self, pairs: IntArray, first: int | None = None) -> BoolArray:
        """On which units, or the first so many, the systems of each pair differ by more than float noise, `(pair, unit)`."""
        one, other = self.columns[self.a[pairs], :first], self.columns[self.b[pairs], :first]
        return _differ(one, other, self.rounding)

    def _squares_of(self, pairs: IntArray) -> FloatArray:
        squares = np.empty(len(pairs))
        noise = (STATISTIC_NOISE * self.sizes) ** 2
        for place, pair in enumerate(pairs):
            difference = self.columns[self.b[pair]] - self.columns[self.a[pair]]
            squares[place] = difference @ difference
            let_go(self.columns)
        return np.where(squares > noise[pairs], squares, 0.0)


def all_pairs(systems: int) -> tuple[IntArray, IntArray]:
    a, b = np.triu_indices(systems, 1)
    return a.astype(np.int64), b.astype(np.int64)


def against_one(systems: int, baseline: int) -> tuple[IntArray, IntArray]:
    others = np.delete(np.arange(systems, dtype=np.int64), baseline)
    return np.full_like(others, baseline), others


def family_of(board: Board, a: IntArray, b: IntArray) -> Family:
    """The differences B − A of these pairs of systems, each over the items both are scored on."""
    rounding = COARSER * abs(board.middle) * float(np.sqrt(board.values.shape[1]))
    if not board.complete:
        columns, first, second, effects = shared_columns(board, a, b)
        return Family(board.summed(columns), first, second, effects, rounding, (a, b))
    if board.marks is not None:
        telling = cast("FloatArray", board.marks.telling())
        return Family(telling, a, b, board.effects(a, b), rounding)
    columns = board.summed(board.centred)
    informative = _informative(columns, rounding)
    if not informative.all():
        columns = changed(columns, lambda _, row: row[informative], int(np.count_nonzero(informative)))
    return Family(columns, a, b, board.effects(a, b), rounding)


def _informative(columns: FloatArray, rounding: float) -> BoolArray:
    """Units on which at least two systems differ by more than float noise: the others tell no pair apart."""
    found = np.zeros(columns.shape[1], dtype=np.bool_)
    first = columns[0].copy()
    for row in rows_of(columns):
        found |= _differ(first, row, rounding)
        if found.all():
            break
    return found


def squares_of_products(
    products: FloatArray, a: IntArray, b: IntArray, anew: Callable[[IntArray], FloatArray]
) -> FloatArray:
    """The sum of squared differences of each pair of columns from all sums of products; `anew` computes those of which too few digits are left."""
    own = np.diagonal(products)
    together = own[a] + own[b]
    squares = together - 2.0 * products[a, b]
    doubtful = np.flatnonzero(squares <= CANCELLED * together)
    squares[doubtful] = anew(doubtful)
    return np.asarray(squares)


def _differ(one: FloatArray, other: FloatArray, rounding: float) -> BoolArray:
    """Where two columns differ by more than float noise."""
    each = 2.0 * rounding / np.sqrt(max(one.shape[-1], 1))
    return np.asarray(np.abs(other - one) > STATISTIC_NOISE * (np.abs(other) + np.abs(one) + each))
