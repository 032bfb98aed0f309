"""The effect of every pair with its own standard error, from items or from clusters."""

from typing import NamedTuple

import numpy as np

from tellapart.arrays import FloatArray, IntArray
from tellapart.distributions.clusters import Variance, cluster_error, cluster_weights, degrees_of_freedom
from tellapart.distributions.moments import mean_and_variance
from tellapart.multiplicity.board import Board
from tellapart.multiplicity.family import Family, squares_of_products
from tellapart.scores.on_disk import is_large, let_go


class PairErrors(NamedTuple):
    """Effects B − A, their variances, degrees of freedom and items, each `(pair,)`."""

    effects: FloatArray
    variances: FloatArray
    dfs: FloatArray
    items: IntArray

    @property
    def spread(self) -> FloatArray:
        """The standard deviation of a difference that the standard error implies: it carries the clusters' design effect."""
        return np.sqrt(self.variances * self.items)


def pair_errors(board: Board, a: IntArray, b: IntArray, variance: Variance = "cr1") -> PairErrors:
    """Mean differences and their sampling variances (of this kind between clusters), each pair on the items it shares."""
    if not board.complete or _few(len(a), len(board.systems)):
        return _one_by_one(board, a, b, variance)
    items, effects = board.values.shape[1], board.effects(a, b)
    sizes = board.summed(np.ones(items))
    weights = cluster_weights(sizes, variance)
    variances = _weighted_squares(board, a, b, weights) / items**2
    dfs = np.full(len(a), float(degrees_of_freedom(sizes, variance)))
    return _settled(board, a, b, PairErrors(effects, variances, dfs, np.full(len(a), items)))


def _weighted_squares(board: Board, a: IntArray, b: IntArray, weights: FloatArray) -> FloatArray:
    """The sum of squared residuals of each pair, with a weight per unit."""
    if board.clusters is None and board.marks is None and is_large(board.values):
        return np.asarray(weights.flat[0] * _squares(board, a, b))
    if board.marks is None:
        return Family(board.residuals() * np.sqrt(weights), a, b, board.effects(a, b)).squares
    products = board.marks.about_means
    own = np.diagonal(products)
    # Without clusters all weigh the same.
    return np.asarray(weights.flat[0] * (own[a] + own[b] - 2.0 * products[a, b]))


def _squares(board: Board, a: IntArray, b: IntArray) -> FloatArray:
    """The sum of squared residuals of each pair of a board that is too large for a table of them."""

    def anew(pairs: IntArray) -> FloatArray:
        found = np.empty(len(pairs))
        for place, pair in enumerate(pairs):
            difference = board.centred[b[pair]] - board.centred[a[pair]]
            difference -= difference.mean()
            found[place] = difference @ difference
            let_go(board.centred)
        return found

    return squares_of_products(board.products, a, b, anew)


def _few(pairs: int, systems: int) -> bool:
    """Whether pairs are so few that the product of all systems, which serves every pair at once, would take longer."""
    return 2 * pairs < systems


def _settled(board: Board, a: IntArray, b: IntArray, found: PairErrors) -> PairErrors:
    """No variance where what is left of it is rounding: a constant difference has none."""
    varies = found.spread > board.noise(a, b)
    return found._replace(variances=np.where(varies, found.variances, 0.0))


def _one_by_one(board: Board, a: IntArray, b: IntArray, variance: Variance) -> PairErrors:
    found = [_one(board, int(first), int(second), variance) for first, second in zip(a, b, strict=True)]
    effects, variances, dfs, items = (np.array(column) for column in zip(*found, strict=True))
    return _settled(board, a, b, PairErrors(effects, variances, dfs, items.astype(np.int64)))


def _one(board: Board, a: int, b: int, variance: Variance) -> tuple[float, float, float, int]:
    shared = board.scored[a] & board.scored[b]
    values = (board.contributed(b, shared) - board.contributed(a, shared))[shared]
    if board.clusters is not None:
        mean, error, df = cluster_error(values, board.clusters[shared], variance)
        return float(mean), float(error) ** 2, float(df), len(values)
    mean, spread = mean_and_variance(values)
    return float(mean), float(spread) / len(values), len(values) - 1.0, len(values)
