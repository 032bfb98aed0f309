"""The scores of many systems as one table of item contributions, and the pairs that are compared on it."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tellapart.arrays import BoolArray, FloatArray, IntArray, snap
from tellapart.distributions.clusters import cluster_sums
from tellapart.errors import DataError, ItemMismatch
from tellapart.scores import Scores
from tellapart.summaries import Aggregation, contributions

LARGEST = 1 << 28
"""Numbers in the largest table of columns that is built: 2 GB."""

CANCELLED = 1e-9
"""A sum of squares this small beside the two it was subtracted from is computed again, without the subtraction."""

NOISE = 1e-12
"""Columns that differ by less than this share of their size are the same column."""


@dataclass(frozen=True, eq=False)
class Board:
    """What every item contributes to every system's metric, `(system, item)`, NaN where a system has no score.

    Systems are in the order of their names, so that nothing depends on the order they came in.
    """

    systems: tuple[str, ...]
    values: FloatArray
    scores: Scores
    metric: Aggregation

    @classmethod
    def of(cls, scores: Scores, metric: Aggregation) -> "Board":
        names = tuple(sorted(scores.systems))
        values = np.full((len(names), len(scores.items)), np.nan)
        for row, name in zip(values, names, strict=True):
            has = scores.scored(name)
            row[has] = contributions(scores.values[scores.system(name)][has], metric)
        return cls(names, values, scores, metric)

    @property
    def clusters(self) -> IntArray | None:
        return self.scores.clusters

    @cached_property
    def scored(self) -> BoolArray:
        return ~np.isnan(self.values)

    @cached_property
    def complete(self) -> bool:
        return bool(self.scored.all())

    @cached_property
    def items(self) -> IntArray:
        """How many items each system is scored on."""
        return np.asarray(self.scored.sum(axis=1), dtype=np.int64)

    @cached_property
    def means(self) -> FloatArray:
        """Each system's metric."""
        if self.complete:
            return np.asarray(self.values.mean(axis=1))
        return np.array([row[has].mean() for row, has in zip(self.values, self.scored, strict=True)])

    def snapped(self, numbers: FloatArray) -> FloatArray:
        """Means or effects without the float noise that would break ties of equal systems."""
        return snap(numbers, self.largest)

    @cached_property
    def largest(self) -> float:
        """The largest score in size; row by row, because a copy would double the memory of a large leaderboard."""
        present = (row[has] for row, has in zip(self.values, self.scored, strict=True))
        return max(float(np.abs(row).max(initial=0.0)) for row in present)

    @property
    def units(self) -> int:
        """How many signs a flip has: one an item, or one a cluster."""
        return self.values.shape[1] if self.clusters is None else len(np.unique(self.clusters))

    def residuals(self) -> FloatArray:
        """Each system's deviations from its mean, summed within clusters, `(system, unit)`; 0 where there is no score."""
        left = self.values - self.means[:, np.newaxis]
        if not self.complete:
            left[~self.scored] = 0.0
        return self.summed(left)

    def tame(self, values: FloatArray) -> FloatArray:
        """Values whose squares neither overflow nor vanish: in units of the largest score where that is extreme."""
        extreme = self.largest > 0.0 and not 1e-100 < self.largest < 1e100
        return values / self.largest if extreme else values

    def summed(self, values: FloatArray) -> FloatArray:
        """Items summed within clusters, as they are flipped or drawn."""
        return values if self.clusters is None else cluster_sums(values, self.clusters)


@dataclass(frozen=True, eq=False)
class Family:
    """The pairs judged together: each is the difference B − A of two columns, `(column, unit)`, over what both share."""

    columns: FloatArray
    a: IntArray
    b: IntArray
    effects: FloatArray

    @cached_property
    def norms(self) -> FloatArray:
        """The root of the sum of squares of each column."""
        return np.asarray(np.sqrt(np.einsum("cu,cu->c", self.columns, self.columns)))

    @cached_property
    def weights(self) -> FloatArray:
        """1 / √Σd² of each pair, 0 for pairs that never differ."""
        root = np.sqrt(self.squares)
        return np.divide(1.0, root, out=np.zeros_like(root), where=root > 0.0)

    @cached_property
    def totals(self) -> FloatArray:
        return np.asarray(self.columns.sum(axis=1))

    @cached_property
    def squares(self) -> FloatArray:
        """The sum of squared differences of each pair, exactly 0 for identical columns. No sign flip changes it."""
        if len(self.columns) > len(self.a):
            return self._squares_of(np.arange(len(self.a)))
        products = self.columns @ self.columns.T
        own = np.diagonal(products)
        together = own[self.a] + own[self.b]
        squares = together - 2.0 * products[self.a, self.b]
        doubtful = np.flatnonzero(squares <= CANCELLED * together)
        squares[doubtful] = self._squares_of(doubtful)
        return np.asarray(squares)

    def _squares_of(self, pairs: IntArray) -> FloatArray:
        squares = np.empty(len(pairs))
        noise = (NOISE * (self.norms[self.a] + self.norms[self.b])) ** 2
        for place, pair in enumerate(pairs):
            difference = self.columns[self.b[pair]] - self.columns[self.a[pair]]
            squares[place] = difference @ difference
        return np.where(squares > noise[pairs], squares, 0.0)


def all_pairs(systems: int) -> tuple[IntArray, IntArray]:
    a, b = np.triu_indices(systems, 1)
    return a.astype(np.int64), b.astype(np.int64)


def against_one(systems: int, baseline: int) -> tuple[IntArray, IntArray]:
    others = np.delete(np.arange(systems, dtype=np.int64), baseline)
    return np.full_like(others, baseline), others


def family_of(board: Board, a: IntArray, b: IntArray) -> Family:
    """The differences B − A of these pairs of systems, each over the items both are scored on."""
    if not board.complete:
        return _sharing_family(board, a, b)
    columns = board.summed(board.tame(board.values))
    informative = _informative(columns)
    effects = board.means[b] - board.means[a]
    effects[board.snapped(effects) == 0.0] = 0.0
    return Family(columns if informative.all() else columns[:, informative], a, b, effects)


def _informative(columns: FloatArray) -> BoolArray:
    """Units on which at least two systems differ by more than float noise: the others tell no pair apart."""
    found = np.zeros(columns.shape[1], dtype=np.bool_)
    for row in columns[1:]:
        found |= np.abs(row - columns[0]) > NOISE * (np.abs(row) + np.abs(columns[0]))
    return found


def _sharing_family(board: Board, a: IntArray, b: IntArray) -> Family:
    """Columns for every system on every pattern of items that a partner of it has: few, as few patterns occur."""
    pattern, patterns = _patterns(board.scored)
    shared = patterns.astype(np.float64) @ patterns.T.astype(np.float64)
    common = shared[pattern[a], pattern[b]]
    _refuse_strangers(board, a, b, common)
    keys = np.concatenate([a * len(patterns) + pattern[b], b * len(patterns) + pattern[a]])
    known, place = np.unique(keys, return_inverse=True)
    if len(known) * board.values.shape[1] > LARGEST:
        raise DataError(
            f"{len(patterns)} different sets of items over {len(board.systems)} systems are too many to compare pairwise in memory; "
            "pass --missing drop (missing='drop' in Python)"
        )
    columns = np.stack(
        [_restricted(board, int(key // len(patterns)), patterns[key % len(patterns)]) for key in known]
    )
    first, second = place[: len(a)], place[len(a) :]
    totals = columns.sum(axis=1)
    effects = (totals[second] - totals[first]) / common
    effects[board.snapped(effects) == 0.0] = 0.0
    return Family(board.summed(board.tame(columns)), first, second, effects)


def _patterns(scored: BoolArray) -> tuple[IntArray, BoolArray]:
    """For each system which of the distinct sets of scored items it has."""
    known: dict[bytes, int] = {}
    codes = [known.setdefault(np.packbits(row).tobytes(), len(known)) for row in scored]
    firsts = [codes.index(code) for code in range(len(known))]
    return np.array(codes, dtype=np.int64), scored[firsts]


def _restricted(board: Board, system: int, pattern: BoolArray) -> FloatArray:
    """What the items of a pattern contribute to a system's metric when it is judged on them alone; 0 elsewhere."""
    shared = board.scored[system] & pattern
    column = np.zeros(board.values.shape[1])
    if board.metric.linear:
        column[shared] = board.values[system, shared]
    else:
        row = board.scores.system(board.systems[system])
        column[shared] = contributions(board.scores.values[row][shared], board.metric)
    return column


def _refuse_strangers(board: Board, a: IntArray, b: IntArray, common: FloatArray) -> None:
    strangers = np.flatnonzero(common < 2)
    if len(strangers):
        pair = int(strangers[0])
        names = board.systems[a[pair]], board.systems[b[pair]]
        raise ItemMismatch(
            f"systems {names[0]!r} and {names[1]!r} share {int(common[pair])} items; two are needed to compare them. Leave one of them "
            "out, or pass --missing drop (missing='drop' in Python)"
        )
