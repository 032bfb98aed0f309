"""Intervals of the systems' means that hold for all systems together."""

from dataclasses import dataclass, field, replace

import numpy as np

from tellapart.arrays import FloatArray, IntArray
from tellapart.intervals import INTERVALS
from tellapart.multiplicity.board import Board
from tellapart.multiplicity.meeting_intervals import meeting
from tellapart.multiplicity.simultaneous import level_of_products
from tellapart.scores.on_disk import is_large, let_go
from tellapart.seeds import stream
from tellapart.summaries import Coding, Differences, Proportion, count

Bounds = tuple[FloatArray, FloatArray]

EXACT = "clopper_pearson"
"""For right or wrong: approximate intervals miss accuracies near 1 too often, and many of them miss one together."""


@dataclass(frozen=True, eq=False)
class MeanIntervals:
    """Bounds `(system,)` by one method, each at a level at which all hold together; `widened` are those that were then made wider."""

    method: str
    level: float
    low: FloatArray
    high: FloatArray
    widened: IntArray = field(default_factory=lambda: np.zeros(0, dtype=np.int64))

    def meeting(self, a: IntArray, b: IntArray) -> "MeanIntervals":
        """The same, widened so that systems of these pairs, which were not told apart, have no gap between them."""
        low, high = meeting(self.low, self.high, a, b)
        widened = np.flatnonzero((low < self.low) | (high > self.high)).astype(np.int64)
        return replace(self, low=low, high=high, widened=widened)


@dataclass(frozen=True)
class _Method:
    """An interval by its spelling at one level, with the random numbers that are a board's own."""

    name: str
    level: float
    chance: tuple[int, ...]
    coding: Coding | None
    """What wrong and right answers score, where means are shares of right ones."""

    def bounds(self, values: FloatArray, clusters: IntArray | None) -> Bounds:
        interval, rng = INTERVALS.parse(self.name), stream(*self.chance)
        if self.name != EXACT or self.coding is None:
            return interval.interval(Differences(values, clusters), self.level, rng)
        return self.share(count(values == self.coding.right), values.shape[-1])

    def share(self, right: IntArray, items: int) -> Bounds:
        """Of systems that got so many items right."""
        assert self.coding is not None
        counted = Proportion(right, np.full_like(right, items))
        low, high = INTERVALS.parse(self.name).interval(counted, self.level, stream(*self.chance))
        return self.coding.wrong + self.coding.step * low, self.coding.wrong + self.coding.step * high


def mean_intervals(board: Board, level: float, chance: tuple[int, ...]) -> MeanIntervals:
    """All means at once: cluster t with clusters, Clopper–Pearson for right or wrong, else Student's t.

    `chance` are the numbers of the random stream that is this board's own.
    """
    each = level_of_products(board.products, board.units - 1, level, stream(*chance))
    method = _Method(_name(board), each, chance, board.coding)
    if board.marks is not None:
        right = board.marks.right.astype(np.int64)
        return MeanIntervals(method.name, each, *method.share(right, board.values.shape[1]))
    if board.complete and not is_large(board.values):
        return MeanIntervals(method.name, each, *method.bounds(board.values, board.clusters))
    low, high = zip(
        *(_own_bounds(board, system, method) for system in range(len(board.systems))), strict=True
    )
    return MeanIntervals(method.name, each, np.array(low), np.array(high))


def _name(board: Board) -> str:
    if board.clusters is not None:
        return "cluster_t"
    return EXACT if board.binary else "student_t"


def _own_bounds(board: Board, system: int, method: _Method) -> Bounds:
    """The interval of one system on the items that it has."""
    has = board.scored[system]
    own = board.values[system][has]
    let_go(board.values)
    return method.bounds(own, None if board.clusters is None else board.clusters[has])
