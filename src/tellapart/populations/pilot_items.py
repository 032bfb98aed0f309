"""The items of a pilot: checks of its scores, clusters for resampling, and the uncertainty of a small pilot."""

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np
from scipy import special

from tellapart.data.pair import Pair
from tellapart.data.summaries import Differences, average_runs, item_contributions
from tellapart.foundation.arrays import FloatArray, IntArray, floats
from tellapart.foundation.errors import DataError, TooFew, UsageError
from tellapart.foundation.formatting import amount
from tellapart.foundation.seeds import digest, stream
from tellapart.metrics.metric import Metric
from tellapart.populations.noise import Noise

# A pilot's items in the groups they are drawn in: its clusters, or each item alone.

GOLDEN = (math.sqrt(5.0) - 1.0) / 2.0


@dataclass(frozen=True, eq=False)
class ItemClusters:
    """Clusters from the lowest mean difference to the highest: `order` lists items, `starts` and `sizes` cut it up."""

    order: IntArray
    starts: IntArray
    sizes: IntArray
    means: FloatArray

    @classmethod
    def of(cls, differences: FloatArray, codes: IntArray | None) -> Self:
        codes = np.arange(len(differences)) if codes is None else codes
        sizes = np.bincount(codes)
        means = np.bincount(codes, weights=differences) / sizes
        rank = np.argsort(np.argsort(means, kind="stable"))
        sizes, means = sizes[np.argsort(rank)], means[np.argsort(rank)]
        order = _mixed_within(np.lexsort((differences, rank[codes])), sizes)
        return cls(order, np.concatenate(([0], np.cumsum(sizes)[:-1])), sizes, means)

    def means_of(self, values: FloatArray) -> FloatArray:
        """The mean over each cluster of one value per item."""
        return np.add.reduceat(values[self.order], self.starts) / self.sizes

    def __len__(self) -> int:
        return len(self.sizes)

    def members(self, cluster: int) -> IntArray:
        return self.order[self.starts[cluster] :][: self.sizes[cluster]]

    def spread_over(self, items: int) -> IntArray:
        """The cluster of each of `items` planned items: sizes like the pilot's, small and large ones well mixed."""
        count = -(-items // int(self.sizes.min()))
        # Steps of the golden ratio go through the sorted sizes evenly, however early they stop.
        place = (np.arange(1, count + 1) * GOLDEN) % 1.0
        planned = np.sort(self.sizes)[(place * len(self)).astype(np.int64)]
        return np.repeat(np.arange(count), planned)[:items]


def _mixed_within(order: IntArray, sizes: IntArray) -> IntArray:
    """The items of each cluster in an order that says nothing of their differences, and is the same whatever order they came in.

    Where a place in a plan is smaller than the cluster that is drawn for it, it takes some that follow each other: of items in the order of
    their differences those would be all high or all low, as if clusters varied far more than they do.
    """
    if sizes.max(initial=1) == 1:
        return order
    cluster = np.repeat(np.arange(len(sizes)), sizes)
    return order[np.lexsort((stream(0).random(len(order)), cluster))]


# What the items of two systems contribute to the difference of a metric, however likely each item is drawn.


@dataclass(frozen=True, eq=False)
class ItemParts:
    """The parts of each item, `(item, part)` of both systems, their runs averaged."""

    a: FloatArray
    b: FloatArray
    metric: Metric

    @classmethod
    def of(cls, pair: Pair, metric: Metric) -> Self:
        return cls(average_runs(pair.a), average_runs(pair.b), metric)

    @cached_property
    def contributions(self) -> tuple[FloatArray, FloatArray]:
        """The contribution of each item to the metric of A and of B, all items being equally likely."""
        return item_contributions(self.a, self.metric), item_contributions(self.b, self.metric)

    @cached_property
    def differences(self) -> FloatArray:
        a, b = self.contributions
        return b - a

    def effect(self, weights: FloatArray) -> float:
        """The difference of the metric among endless items drawn with these chances."""
        a, b = (self.metric.value(weights @ parts, len(parts)) for parts in (self.a, self.b))
        return float(b - a)

    def weighted_differences(self, weights: FloatArray) -> FloatArray:
        """The differences about the mean parts that items drawn with these chances have: their weighted mean is the effect."""
        if self.metric.linear:
            return self.differences
        return self._weighted(self.b, weights) - self._weighted(self.a, weights)

    def _weighted(self, parts: FloatArray, weights: FloatArray) -> FloatArray:
        means, items = weights @ parts, len(parts)
        slopes = self.metric.gradient(means, items)
        return np.asarray((parts - means) @ slopes + self.metric.value(means, items))

    def drawn_differences(self, picked: IntArray) -> Differences:
        """The contribution of each item to the difference in samples drawn as `picked`, `(sample, draw)`: `(sample, item)`.

        One product per sample over distinct items, in place of the parts of every drawn one.
        """
        size, draws = picked.shape
        places = picked + len(self.a) * np.arange(size)[:, np.newaxis]
        shares = np.bincount(places.ravel(), minlength=size * len(self.a)).reshape(size, -1) / draws
        a, b = (self._contributions_at(parts, shares @ parts, draws) for parts in (self.a, self.b))
        return Differences.between(a, b)

    def _contributions_at(self, parts: FloatArray, means: FloatArray, items: int) -> FloatArray:
        """The contribution of each item at these mean parts, `(sample, item)`."""
        slopes = self.metric.gradient(means, items)
        about = self.metric.value(means, items) - np.einsum("sp,sp->s", slopes, means)
        return np.asarray(slopes @ parts.T + about[:, np.newaxis])


# Which of many unequal shares of the unit interval a number lies in, without a search among all of them.

CELLS = 4
"""Least number of cells per step: most numbers are then placed at once, or one step on."""


@dataclass(frozen=True, eq=False)
class Steps:
    """The ends of shares, rising, and per equal cell of the unit interval how many of them its beginning has passed.

    What `numpy.searchsorted(ends, numbers, side="right")` finds by halving, some ten times slower. Chen & Asau (1974).
    """

    ends: FloatArray
    """With infinity behind the last."""
    passed: IntArray

    @classmethod
    def of(cls, chances: FloatArray) -> Self:
        ends = np.append(np.cumsum(chances)[:-1], np.inf)
        # Times a power of two a number loses no digit: a number is never placed in a cell that begins behind it.
        cells = 1 << (CELLS * len(ends)).bit_length()
        return cls(ends, np.searchsorted(ends, np.arange(cells) / cells, side="right"))

    def places(self, numbers: FloatArray) -> IntArray:
        """Of numbers from 0 to below 1, in which share each lies."""
        found = self.passed.take((numbers * len(self.passed)).astype(np.intp))
        found += self.ends.take(found) <= numbers
        # Two ends or more in one cell are rare unless shares are very unequal; there the search is the safe way.
        behind = np.flatnonzero(self.ends.take(found) <= numbers)
        found.flat[behind] = np.searchsorted(self.ends, numbers.flat[behind], side="right")
        return found


@dataclass(frozen=True, eq=False)
class PickedItems:
    """Items that come in clusters, and the chance of each cluster to be drawn; `together` says whether a draw keeps them so."""

    clusters: ItemClusters
    chances: FloatArray
    together: bool

    @cached_property
    def _chance_steps(self) -> "Steps":

        return Steps.of(self.chances)

    def at(self, noise: Noise) -> tuple[IntArray, IntArray | None]:
        """Which item each draw is. Clusters are in order of their differences, so scores rise with the effect."""
        if not self.together:
            return self.clusters.order.take(self._chance_steps.places(noise.layers[0])), None
        codes = self.clusters.spread_over(noise.layers[0].shape[-1])
        first = np.searchsorted(codes, np.arange(codes[-1] + 1))
        chosen = self._chance_steps.places(noise.layers[0][:, first])
        sizes = self.clusters.sizes[chosen]
        turn = (noise.layers[1][:, first] * sizes).astype(np.int64)
        place = turn[:, codes] + (np.arange(len(codes)) - first[codes])
        place %= sizes[:, codes]
        place += self.clusters.starts[chosen][:, codes]
        return self.clusters.order.take(place), codes


# What the scores of a pilot must be, and what tells one pilot from another. It knows no effect and draws nothing.


def checked(pair: Pair, metric: Metric) -> Pair:
    a, b = floats(pair.a), floats(pair.b)
    if a.ndim != 3 or len(a) != len(b) or a.shape[-1] != b.shape[-1]:
        raise DataError("a pilot needs the scores of two systems on the same items")
    if not metric.takes(a.shape[-1]):
        raise DataError(
            f"a pilot for {metric} needs {', '.join(metric.parts())} of every item, and these scores are of "
            f"{a.shape[-1]} parts; name the metric they are made for"
        )
    if len(a) < 2:
        raise TooFew(f"a pilot of {amount(len(a), 'item')} has no spread to plan with; at least 2 are needed")
    if any(np.isnan(x).all(axis=1).any() or np.isinf(x).any() for x in (a, b)):
        raise DataError("a pilot's scores must be finite, with at least one run of each system on every item")
    codes = None if pair.clusters is None else np.unique(pair.clusters, return_inverse=True)[1].astype(np.int64)
    return replace(pair, a=a, b=b, clusters=codes)


def digest_of(pair: Pair, metric: Metric) -> str:
    arrays = [x for x in (pair.a, pair.b, pair.clusters) if x is not None]
    scores = b"|".join(str(x.shape).encode() + x.tobytes() for x in arrays)
    return digest([scores] if metric.linear else [scores, f"|{metric}".encode()])


# What a small pilot leaves open: how much larger the spread may be, and how uncertain the correlation is.


def variance_inflation(units: int, level: float, kurtosis: float = 0.0) -> float:
    """The upper limit of this level on a variance, over its estimate from `units` independent pieces.

    That factor on n makes the planned power hold with probability `level`. (m − 1) / χ², exact for normal differences;
    heavy tails (an excess kurtosis above 0) leave fewer degrees of freedom, and very few of them no limit. Browne (1995); O'Neill (2014).
    """
    _check_quantile(units, level, least=2)
    heavy = max(_unbiased(kurtosis, units), 0.0) / 2.0 * (units - 1) / units
    df = (units - 1) / (1.0 + heavy)
    quantile = float(special.chdtri(df, level))
    return df / quantile if quantile > 0.0 else math.inf


def _unbiased(kurtosis: float, units: int) -> float:
    """The excess kurtosis of a sample corrected for its size: small samples hide their tails. Joanes & Gill (1998)."""
    if units < 4 or kurtosis == 0.0:
        return kurtosis
    return (units - 1) / ((units - 2) * (units - 3)) * ((units + 1) * kurtosis + 6.0)


def correlation_interval(correlation: float, items: int, level: float = 0.95) -> tuple[float, float]:
    """Fisher's interval for a correlation estimated on `items` items; for bivariate normal scores. Fisher (1921)."""
    _check_quantile(items, level, least=4)
    if abs(correlation) >= 1.0:
        return correlation, correlation
    centre = math.atanh(correlation)
    half_width = float(special.ndtri(0.5 + level / 2.0)) / math.sqrt(items - 3)
    return math.tanh(centre - half_width), math.tanh(centre + half_width)


def _check_quantile(items: int, level: float, least: int) -> None:
    if items < least:
        raise UsageError(f"a pilot of {items} items says nothing about this; at least {least} are needed")
    if not 0.0 < level < 1.0:
        raise UsageError(f"a level of {level:g} should be between 0 and 1")
