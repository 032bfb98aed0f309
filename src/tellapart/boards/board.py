"""A board: the scores of many systems as one table of item contributions."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import cast

import numpy as np

from tellapart.boards.binary_scores import BinaryScores, as_binary_scores
from tellapart.boards.canonical_order import RepeatableRows, canonical_order, order_of_rows
from tellapart.data.records import recode
from tellapart.data.score_storage import (
    ByteArray,
    array_on_disk,
    blocks_of,
    changed,
    is_large,
    on_disk,
    products_of,
    release_pages,
    rows_of,
    stored_bytes,
)
from tellapart.data.scores import Scores, contribution_rows, contribution_table
from tellapart.data.summaries import CODINGS, Aggregation, Coding, coding, contributions
from tellapart.foundation.arrays import NOISE, BoolArray, FloatArray, IntArray, snap
from tellapart.numerics.moments import cluster_sums

FAR = 1e4
"""Scores further from 0 than this many times their range are centred first, to keep digits."""


@dataclass(frozen=True, eq=False)
class Board:
    """The contribution of every item to every system's metric, `(system, item)`, NaN for missing scores.

    Systems are sorted by name and items in canonical order, so that no result depends on the order of the input; `places` are the
    indices of the items in `scores`.
    """

    systems: tuple[str, ...]
    values: FloatArray
    clusters: IntArray | None
    places: IntArray
    scores: Scores
    metric: Aggregation

    @classmethod
    def of(cls, scores: Scores, metric: Aggregation) -> "Board":
        names = tuple(sorted(scores.systems))
        held = stored_bytes(scores.values)
        if held is not None and metric.linear and scores.clusters is None:
            return cls._of_marks(scores, names, held, metric)
        shape = len(names), len(scores.items)
        if on_disk(scores.values):
            again = RepeatableRows(lambda: contribution_rows(scores, names, metric), shape)
            places = order_of_rows(again, scores.clusters)
            values = array_on_disk((row[places] for row in again), shape)
        else:
            values = contribution_table(scores, names, metric)
            places = canonical_order(values, scores.clusters)
            # Row by row: a board of a million items and a hundred systems is not held twice.
            for row in values:
                row[:] = row[places]
        clusters = None if scores.clusters is None else recode(scores.clusters[places])
        return cls(names, values, clusters, places, scores, metric)

    @classmethod
    def _of_marks(cls, scores: Scores, names: tuple[str, ...], held: ByteArray, metric: Aggregation) -> "Board":
        """A large board of right and wrong answers, kept as bytes."""
        rows = np.array([scores.system(name) for name in names], dtype=np.int64)
        marks = BinaryScores.of(held, rows)
        # BinaryScores has the interface of an array of doubles.
        return cls(names, cast("FloatArray", marks), None, marks.places, scores, metric)

    @cached_property
    def binary_scores(self) -> BinaryScores | None:
        """The scores where they are stored as bytes: complete, 0 or 1."""
        return as_binary_scores(self.values)

    def contributed(self, system: int, pattern: BoolArray) -> FloatArray:
        """Centred item contributions to a system's metric computed on the items of a pattern alone; 0 elsewhere."""
        shared = self.scored[system] & pattern
        column = np.zeros(self.values.shape[1])
        if self.metric.linear:
            column[shared] = self.values[system, shared] - self.middle
        else:
            row = self.scores.system(self.systems[system])
            column[shared] = contributions(self.scores.values[row][self.places[shared]], self.metric)
        return column

    @cached_property
    def _on_disk(self) -> bool:
        return on_disk(self.values)

    @cached_property
    def large(self) -> bool:
        """Whether the scores are looked at in blocks."""
        return is_large(self.values)

    def _rows(self, values: FloatArray) -> Iterator[FloatArray]:
        """The rows of this board's scores, or of what was made of them, which then lies in a file too."""
        return rows_of(values) if self._on_disk else iter(values)

    @cached_property
    def scored(self) -> BoolArray:
        if self.complete:
            return np.broadcast_to(np.True_, self.values.shape)
        return ~np.isnan(self.values)

    @cached_property
    def complete(self) -> bool:
        return self.binary_scores is not None or not any(np.isnan(row).any() for row in self._rows(self.values))

    @cached_property
    def coding(self) -> Coding | None:
        """The two numbers that say wrong and right, where every score is one of them and each item was run once."""
        if self.binary_scores is not None:
            return CODINGS[0]
        single = self.metric.linear and self.scores.values.shape[-2:] == (1, 1)
        if not single:
            return None
        found = coding(*self.values)
        if self._on_disk:
            release_pages(self.values)
        return found

    @property
    def binary(self) -> bool:
        return self.coding is not None

    @cached_property
    def right(self) -> FloatArray:
        """1 where a system was right and 0 where it was wrong, `(system, item)`, NaN where there is no score."""
        assert self.coding is not None
        if self.coding == (0.0, 1.0):
            return self.values
        right = self.coding.right
        return changed(self.values, lambda _, row: np.where(row == right, 1.0, 0.0 * row), self.values.shape[1])

    @cached_property
    def items(self) -> IntArray:
        """Scored items of each system."""
        if self.complete:
            return np.full(len(self.systems), self.values.shape[1], dtype=np.int64)
        return np.asarray(self.scored.sum(axis=1), dtype=np.int64)

    @cached_property
    def middle(self) -> float:
        """The centre of scores that are far from 0 and close together, by the median system; else 0."""
        if not self.metric.linear or self.binary_scores is not None:
            return 0.0
        rows = zip(self._rows(self.values), self.scored, strict=True)
        present = (row if self.complete else row[has] for row, has in rows)
        means_of, ranges = zip(*((row.mean(), float(np.ptp(row))) for row in present), strict=True)
        means = np.sort(means_of)
        middle = float(means[(len(means) - 1) // 2])
        # The median range: one system that explodes, or never varies, does not say what is far.
        typical_range = sorted(ranges)[len(means) // 2]
        together = bool((np.abs(means - middle) <= 0.5 * abs(middle)).all())
        return middle if together and abs(middle) > FAR * typical_range > 0.0 else 0.0

    @cached_property
    def centred(self) -> FloatArray:
        """Contributions minus the middle: the same differences with more digits."""
        middle = self.middle
        return changed(self.values, lambda _, row: row - middle, self.values.shape[1]) if middle else self.values

    @cached_property
    def means(self) -> FloatArray:
        """Each system's metric."""
        return self.middle + self._centred_means

    @cached_property
    def _centred_means(self) -> FloatArray:
        """Each system's mean minus the middle, with the digits in which close means differ."""
        if self.binary_scores is not None:
            return np.asarray(self.binary_scores.right / self.values.shape[1])
        rows = zip(self._rows(self.centred), self.scored, strict=True)
        return np.array([(row if self.complete else row[has]).mean() for row, has in rows])

    def leads(self) -> FloatArray:
        """The mean of the row's system minus that of the column's, `(system, system)`; 0 for equal systems."""
        return self.without_noise(self._centred_means[:, np.newaxis] - self._centred_means)

    def effects(self, a: IntArray, b: IntArray) -> FloatArray:
        """The differences B − A of these systems' means, 0 for equal systems."""
        effects = self._centred_means[b] - self._centred_means[a]
        return np.where(np.abs(effects) > self.noise(a, b), effects, 0.0)

    def without_noise(self, apart: FloatArray) -> FloatArray:
        """Differences between the row's and the column's system, with those within rounding set to 0."""
        everyone = np.arange(len(self.systems))
        return np.where(np.abs(apart) > self.noise(everyone[:, np.newaxis], everyone), apart, 0.0)

    def noise(self, a: IntArray, b: IntArray) -> FloatArray:
        """The largest difference of two systems due to rounding: below the 14th digit of their largest score."""
        return np.asarray(0.5 * NOISE * np.maximum(self.sizes[a], self.sizes[b]))

    def snapped_means(self) -> FloatArray:
        """Means rounded so that float noise does not order equal systems."""
        return np.array([float(snap(np.asarray(m), s)) for m, s in zip(self.means, self.sizes, strict=True)])

    @cached_property
    def sizes(self) -> FloatArray:
        """The largest absolute score of each system."""
        if self.binary_scores is not None:
            return np.minimum(self.binary_scores.right, 1.0)
        return np.array([float(np.abs(row[~np.isnan(row)]).max(initial=0.0)) for row in self._rows(self.values)])

    @property
    def units(self) -> int:
        """Sampling units: items, or clusters."""
        return self.values.shape[1] if self.clusters is None else len(np.unique(self.clusters))

    def residuals(self) -> FloatArray:
        """Each system's deviations from its mean, summed within clusters, `(system, unit)`; 0 where there is no score."""
        means = self._centred_means

        def left(place: int, row: FloatArray) -> FloatArray:
            off = row - means[place]
            return off if self.complete else np.where(np.isnan(row), 0.0, off)

        return self.summed(changed(self.centred, left, self.values.shape[1]))

    @cached_property
    def products(self) -> FloatArray:
        """Sums of products of two systems' residuals, `(system, system)`."""
        if self.binary_scores is not None:
            return self.binary_scores.about_means
        if self.clusters is not None or not self.complete:
            return products_of(self.residuals())
        found = np.zeros((len(self.systems), len(self.systems)))
        for block in blocks_of(self.centred):
            left = block - self._centred_means[:, np.newaxis]
            found += left @ left.T
        return found

    def summed(self, values: FloatArray) -> FloatArray:
        """Item values summed within clusters."""
        return values if self.clusters is None else cluster_sums(values, self.clusters)
