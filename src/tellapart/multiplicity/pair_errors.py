"""The effect of every pair with its own standard error, from items or from clusters."""

from typing import NamedTuple

import numpy as np

from tellapart.arrays import FloatArray, IntArray
from tellapart.distributions.clusters import cluster_error
from tellapart.distributions.moments import mean_and_variance
from tellapart.multiplicity.board import Board
from tellapart.multiplicity.family import Family


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


def pair_errors(board: Board, a: IntArray, b: IntArray) -> PairErrors:
    """Mean differences and their sampling variances (CR1 between clusters), each pair on the items it shares."""
    if not board.complete or _few(len(a), len(board.systems)):
        return _one_by_one(board, a, b)
    residuals, items = board.residuals(), board.values.shape[1]
    units = residuals.shape[1]
    effects = board.effects(a, b)
    squares = Family(residuals, a, b, effects).squares
    variances = squares * units / max(units - 1, 1) / items**2
    found = PairErrors(effects, variances, np.full(len(a), max(units - 1.0, 1.0)), np.full(len(a), items))
    return _settled(board, a, b, found)


def _few(pairs: int, systems: int) -> bool:
    """Whether pairs are so few that the product of all systems, which serves every pair at once, would take longer."""
    return 2 * pairs < systems


def _settled(board: Board, a: IntArray, b: IntArray, found: PairErrors) -> PairErrors:
    """No variance where what is left of it is rounding: a constant difference has none."""
    varies = found.spread > board.noise(a, b)
    return found._replace(variances=np.where(varies, found.variances, 0.0))


def _one_by_one(board: Board, a: IntArray, b: IntArray) -> PairErrors:
    found = [_one(board, int(first), int(second)) for first, second in zip(a, b, strict=True)]
    effects, variances, dfs, items = (np.array(column) for column in zip(*found, strict=True))
    return _settled(board, a, b, PairErrors(effects, variances, dfs, items.astype(np.int64)))


def _one(board: Board, a: int, b: int) -> tuple[float, float, float, int]:
    shared = board.scored[a] & board.scored[b]
    values = (board.contributed(b, shared) - board.contributed(a, shared))[shared]
    if board.clusters is not None:
        mean, error, df = cluster_error(values, board.clusters[shared], "cr1")
        return float(mean), float(error) ** 2, float(df), len(values)
    mean, variance = mean_and_variance(values)
    return float(mean), float(variance) / len(values), len(values) - 1.0, len(values)
