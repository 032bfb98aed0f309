"""A family of pairs tested together: differences of two columns, their sums of squares and standard errors."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, cast

import numpy as np
from scipy import special

from tellapart.boards.binary_scores import BinaryScores, as_binary_scores
from tellapart.boards.board import Board
from tellapart.boards.gaps import shared_columns
from tellapart.data.score_storage import changed, is_large, products_of, release_pages, rows_of
from tellapart.foundation.arrays import STATISTIC_NOISE, BoolArray, FloatArray, IntArray, mean_and_variance
from tellapart.numerics.moments import Variance, cluster_error, cluster_weights, degrees_of_freedom

CANCELLED = 1e-9
"""Relative size below which a sum of squared differences is recomputed directly.

Σ(b − a)² = Σa² + Σb² − 2Σab takes one matrix product for all pairs, and loses nine of sixteen digits at this ratio.
"""

COARSER = 0.01
"""Weight of a subtracted constant in the rounding error: 1e-14 of it, against 1e-12 of a column."""


@dataclass(frozen=True, eq=False)
class Family:
    """Pairs tested together, each the difference B − A of two columns, `(column, unit)`, over the units that both share."""

    columns: FloatArray
    a: IntArray
    b: IntArray
    effects: FloatArray
    rounding: float = 0.0
    """The norm of the rounding error left by a constant that was subtracted from all scores."""
    places: tuple[IntArray, IntArray] | None = None
    """Systems A and B of each pair, where columns are not the systems of the board."""

    @cached_property
    def binary_scores(self) -> BinaryScores | None:
        """The columns where they are stored as bytes."""
        return as_binary_scores(self.columns)

    @cached_property
    def large(self) -> bool:
        """Whether the columns are looked at in blocks."""
        return is_large(self.columns)

    @cached_property
    def norms(self) -> FloatArray:
        """The Euclidean norm of each column."""
        if self.binary_scores is not None:
            return np.asarray(np.sqrt(self.binary_scores.right))
        if not self.large:
            return np.asarray(np.sqrt(np.einsum("cu,cu->c", self.columns, self.columns)))
        return np.sqrt([np.einsum("u,u->", row, row) for row in rows_of(self.columns)])

    @cached_property
    def sizes(self) -> FloatArray:
        """The magnitude of the numbers behind each difference, to which rounding is relative."""
        return np.asarray(self.norms[self.a] + self.norms[self.b] + 2.0 * self.rounding)

    @cached_property
    def weights(self) -> FloatArray:
        """1 / √Σd² of each pair, 0 for pairs that never differ."""
        root = np.sqrt(self.squares)
        return np.divide(1.0, root, out=np.zeros_like(root), where=root > 0.0)

    @cached_property
    def totals(self) -> FloatArray:
        if self.binary_scores is not None:
            return self.binary_scores.right
        return np.array([row.sum() for row in rows_of(self.columns)])

    @cached_property
    def squares(self) -> FloatArray:
        """The sum of squared differences of each pair, exactly 0 for identical columns; invariant under sign flips."""
        if self.binary_scores is not None:
            right, both = self.binary_scores.right, self.binary_scores.together[self.a, self.b]
            return np.asarray(right[self.a] + right[self.b] - 2.0 * both)
        # With pairwise items there are more columns than pairs, and a product of all columns costs more than it saves.
        if len(self.columns) > len(self.a):
            return self._squares_of(np.arange(len(self.a)))
        return squares_of_products(products_of(self.columns), self.a, self.b, self._squares_of)

    @property
    def systems(self) -> tuple[IntArray, IntArray]:
        """Systems A and B of each pair, by index on the board."""
        return self.places or (self.a, self.b)

    def differing(self, pairs: IntArray, first: int | None = None) -> BoolArray:
        """Whether the columns of each pair differ by more than rounding on the (first) units, `(pair, unit)`."""
        one, other = self.columns[self.a[pairs], :first], self.columns[self.b[pairs], :first]
        return _differs(one, other, self.rounding)

    def _squares_of(self, pairs: IntArray) -> FloatArray:
        squares = np.empty(len(pairs))
        noise = (STATISTIC_NOISE * self.sizes) ** 2
        for place, pair in enumerate(pairs):
            difference = self.columns[self.b[pair]] - self.columns[self.a[pair]]
            squares[place] = difference @ difference
            release_pages(self.columns)
        return np.where(squares > noise[pairs], squares, 0.0)


def all_pairs(systems: int) -> tuple[IntArray, IntArray]:
    a, b = np.triu_indices(systems, 1)
    return a.astype(np.int64), b.astype(np.int64)


def against_one(systems: int, baseline: int) -> tuple[IntArray, IntArray]:
    others = np.delete(np.arange(systems, dtype=np.int64), baseline)
    return np.full_like(others, baseline), others


def family_of(board: Board, a: IntArray, b: IntArray) -> Family:
    """The family of these pairs of systems, each over the items that both are scored on."""
    rounding = COARSER * abs(board.middle) * float(np.sqrt(board.values.shape[1]))
    if not board.complete:
        columns, first, second, effects = shared_columns(board, a, b)
        return Family(board.summed(columns), first, second, effects, rounding, (a, b))
    if board.binary_scores is not None:
        informative_scores = cast("FloatArray", board.binary_scores.informative())
        return Family(informative_scores, a, b, board.effects(a, b), rounding)
    columns = board.summed(board.centred)
    informative = _informative(columns, rounding)
    if not informative.all():
        columns = changed(columns, lambda _, row: row[informative], int(np.count_nonzero(informative)))
    return Family(columns, a, b, board.effects(a, b), rounding)


def _informative(columns: FloatArray, rounding: float) -> BoolArray:
    """Units on which at least two systems differ by more than rounding; the others do not affect any pair."""
    found = np.zeros(columns.shape[1], dtype=np.bool_)
    first = columns[0].copy()
    for row in rows_of(columns):
        found |= _differs(first, row, rounding)
        if found.all():
            break
    return found


def squares_of_products(
    products: FloatArray, a: IntArray, b: IntArray, recompute: Callable[[IntArray], FloatArray]
) -> FloatArray:
    """Sums of squared differences of pairs of columns from all products; `recompute` replaces those with too few digits left."""
    own = np.diagonal(products)
    together = own[a] + own[b]
    squares = together - 2.0 * products[a, b]
    doubtful = np.flatnonzero(squares <= CANCELLED * together)
    squares[doubtful] = recompute(doubtful)
    return np.asarray(squares)


def _differs(one: FloatArray, other: FloatArray, rounding: float) -> BoolArray:
    """Where two columns differ by more than rounding."""
    each = 2.0 * rounding / np.sqrt(max(one.shape[-1], 1))
    return np.asarray(np.abs(other - one) > STATISTIC_NOISE * (np.abs(other) + np.abs(one) + each))


# Standard errors of single pairs, from items or clusters.


class PairErrors(NamedTuple):
    """Effects B − A, their variances, degrees of freedom and items, each `(pair,)`."""

    effects: FloatArray
    variances: FloatArray
    dfs: FloatArray
    items: IntArray

    @property
    def spread(self) -> FloatArray:
        """The standard deviation of a difference implied by the standard error, design effect included."""
        return np.sqrt(self.variances * self.items)


def pair_errors(board: Board, a: IntArray, b: IntArray, variance: Variance = "cr1") -> PairErrors:
    """Mean differences and their sampling variances, with this estimator between clusters, each pair on its shared items."""
    if not board.complete or _pair_by_pair_is_faster(len(a), len(board.systems)):
        return _pair_by_pair(board, a, b, variance)
    items, effects = board.values.shape[1], board.effects(a, b)
    sizes = board.summed(np.ones(items))
    weights = cluster_weights(sizes, variance)
    variances = _weighted_squares(board, a, b, weights) / items**2
    dfs = np.full(len(a), float(degrees_of_freedom(sizes, variance)))
    return _drop_rounding(board, a, b, PairErrors(effects, variances, dfs, np.full(len(a), items)))


def _weighted_squares(board: Board, a: IntArray, b: IntArray, weights: FloatArray) -> FloatArray:
    """Weighted sums of squared residuals of each pair."""
    if board.clusters is None and board.binary_scores is None and board.large:
        return np.asarray(weights.flat[0] * _residual_squares(board, a, b))
    if board.binary_scores is None:
        return Family(board.residuals() * np.sqrt(weights), a, b, board.effects(a, b)).squares
    products = board.binary_scores.about_means
    own = np.diagonal(products)
    # Without clusters all weights are equal.
    return np.asarray(weights.flat[0] * (own[a] + own[b] - 2.0 * products[a, b]))


def _residual_squares(board: Board, a: IntArray, b: IntArray) -> FloatArray:
    """Sums of squared residuals on a board too large for a table of them."""

    def recompute(pairs: IntArray) -> FloatArray:
        found = np.empty(len(pairs))
        for place, pair in enumerate(pairs):
            difference = board.centred[b[pair]] - board.centred[a[pair]]
            difference -= difference.mean()
            found[place] = difference @ difference
            release_pages(board.centred)
        return found

    return squares_of_products(board.products, a, b, recompute)


def _pair_by_pair_is_faster(pairs: int, systems: int) -> bool:
    """Whether computing pair by pair is cheaper than a product of all systems."""
    return 2 * pairs < systems


def _drop_rounding(board: Board, a: IntArray, b: IntArray, found: PairErrors) -> PairErrors:
    """Exactly 0 variance where it is nothing but rounding."""
    varies = found.spread > board.noise(a, b)
    return found._replace(variances=np.where(varies, found.variances, 0.0))


def _pair_by_pair(board: Board, a: IntArray, b: IntArray, variance: Variance) -> PairErrors:
    found = [_pair_error(board, int(first), int(second), variance) for first, second in zip(a, b, strict=True)]
    effects, variances, dfs, items = (np.array(column) for column in zip(*found, strict=True))
    return _drop_rounding(board, a, b, PairErrors(effects, variances, dfs, items.astype(np.int64)))


def _pair_error(board: Board, a: int, b: int, variance: Variance) -> tuple[float, float, float, int]:
    shared = board.scored[a] & board.scored[b]
    values = (board.contributed(b, shared) - board.contributed(a, shared))[shared]
    if board.clusters is not None:
        mean, error, df = cluster_error(values, board.clusters[shared], variance)
        return float(mean), float(error) ** 2, float(df), len(values)
    mean, spread = mean_and_variance(values)
    return float(mean), float(spread) / len(values), len(values) - 1.0, len(values)


# Items needed to separate two systems at the critical value of the family.

MOST_ITEMS = 1e15
"""Largest number of items reported; beyond it doubles skip whole numbers."""


def separable_gap(spread: float, items: int, critical: float, power: float) -> float | None:
    """The smallest true gap that these items separate with this power.

    (c + z_power)·s/√n, where c is the max-T critical value of the family and s the standard deviation of the pair's
    differences (with clusters, √n times their standard error): normal approximation, single step, so a little cautious.
    """
    gap = (critical + float(special.ndtri(power))) * spread / math.sqrt(items)
    return gap if math.isfinite(gap) and gap > 0.0 else None


def items_to_separate(spread: float, gap: float, critical: float, power: float) -> int | None:
    """Items that separate a true gap of this size with this power: ((c + z_power)·s/gap)², rounded up; None beyond `MOST_ITEMS`."""
    ratio = (critical + float(special.ndtri(power))) * spread / gap
    return max(2, math.ceil(ratio * ratio)) if ratio * ratio <= MOST_ITEMS else None
