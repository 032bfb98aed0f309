"""Summaries of two systems' ratings or votes by several raters, from which tests are computed."""

import math
from abc import abstractmethod
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Self

import numpy as np

from tellapart.data.rater_pairs import RatedPair, VotePair
from tellapart.data.summaries.differences import Aggregation, Summary
from tellapart.foundation.arrays import NOISE, BoolArray, FloatArray, IntArray, snap
from tellapart.foundation.errors import Unsuitable

# What several raters said of two systems: the kinds of it share this base, which brings none of them in.


class ByRaters(Summary):
    """Ratings or votes by raters and items: differences where every rater of an item rated both systems, single ratings else."""

    fits: dict[str, Any]
    """Models that were fitted to it, by method: one fit serves test, interval and whatever else is said."""

    @classmethod
    def suits(cls, sample: object, metric: Aggregation) -> bool:
        return isinstance(sample, RatedPair | VotePair) and metric.linear

    @classmethod
    def of(cls, sample: Any, metric: Aggregation) -> Any:
        """`Crossed` where there are pairs of ratings and nothing else, or votes; else `UnpairedRatings`; what was simulated is one already."""
        if isinstance(sample, ByRaters):
            return sample

        return (Crossed if Crossed.suits(sample, metric) else UnpairedRatings).of(sample, metric)

    @property
    @abstractmethod
    def items(self) -> int:
        """How many items there are, rated by anyone."""

    @property
    @abstractmethod
    def raters(self) -> int:
        """How many raters there are."""


def moved(fits: dict[str, Any], by: float) -> dict[str, Any]:
    """The fits after adding this to every rating of B: only the effect moves."""
    return {method: replace(fit, effect=fit.effect + by) for method, fit in fits.items()}


MOST_CELLS = 50_000_000
"""Raters times items that are taken: the table of their differences has to fit in memory."""


@dataclass(frozen=True, eq=False)
class Crossed(ByRaters):
    """By how much each rater rated B above A on each item, `(*batch, rater, item)`, NaN where a rater did not.

    A vote is such a difference already taken: 1, 0 or −1; several votes of a rater on an item are averaged.
    """

    values: FloatArray
    scale: float | None = None
    """The size of the largest rating, where ratings were subtracted."""
    order: FloatArray | None = None
    """Of votes that showed their systems in both orders: 1 in cells `(rater, item)` that showed B first, −1 A, 0 both."""
    fits: dict[str, Any] = field(default_factory=dict, repr=False, kw_only=True)

    @classmethod
    def suits(cls, sample: object, metric: Aggregation) -> bool:
        """True for votes, and for ratings in which every rater of an item rated both systems on it."""
        if not isinstance(sample, RatedPair):
            return isinstance(sample, VotePair) and metric.linear
        return metric.linear and bool(sample.complete.all())

    @classmethod
    def of(cls, sample: Any, metric: Aggregation) -> Self:
        if not cls.suits(sample, metric):
            raise Unsuitable(
                "this method needs ratings in pairs: every rater of an item rated both systems on it. Leave the method to be chosen"
            )
        if isinstance(sample, VotePair):
            return cls._of_votes(sample)
        a, b = (_rating_spread(sample, which) for which in (~sample.of_b, sample.of_b))
        scale = float(np.abs(sample.values).max(initial=0.0))
        return cls(_settled_values(b - a, scale), scale)

    @classmethod
    def _of_votes(cls, sample: VotePair) -> Self:
        if not sample.in_both_orders:
            return cls(_mean_votes(sample), 1.0)
        assert sample.b_first is not None, "every vote says what was shown first"
        # In a cell that showed both, they count alike, however many votes there are of each.
        in_orders = _mean_votes(sample, sample.b_first.astype(np.int64))
        shown = ~np.isnan(in_orders.reshape(-1, *in_orders.shape[-3:])[0])
        met = shown.any(axis=0)
        order = np.where(met, 1.0 * shown[1] - shown[0], np.nan)
        values = np.where(shown, in_orders, 0.0).sum(axis=-3) / np.where(met, shown.sum(axis=0), np.nan)
        return cls(values, 1.0, order if order[met].any() else None)

    @property
    def items(self) -> int:
        return int(self.values.shape[-1])

    @property
    def raters(self) -> int:
        return int(self.values.shape[-2])

    @cached_property
    def rated(self) -> BoolArray:
        """Which cells hold a difference."""
        return np.asarray(~np.isnan(self.values))

    @property
    def effect(self) -> FloatArray:
        """The plain average over all differences."""
        return np.asarray(np.nanmean(self.values, axis=(-2, -1)))

    def shifted(self, by: float) -> Self:
        scale = None if self.scale is None else max(self.scale, abs(by))
        return replace(self, values=self.values + by, scale=scale, fits=moved(self.fits, by))


def rater_means(sample: ByRaters, method: str) -> FloatArray:
    """The mean difference of each rater over the items that they rated, `(*batch, rater)`; raters without any are left out."""
    if not isinstance(sample, Crossed):
        raise Unsuitable(
            f"{method} needs every rater of an item to have rated both systems on it; use mixed_model, which takes single ratings"
        )
    if sample.order is not None:
        raise Unsuitable(f"{method} ignores the order of showing, and these votes have both orders; use mixed_model")
    rated = sample.rated.any(axis=-1)
    every = rated.reshape(-1, sample.raters).all(axis=0)
    return np.asarray(np.nanmean(sample.values[..., every, :], axis=-1))


def one_system_ratings(sample: RatedPair, which: BoolArray) -> Crossed:
    """The ratings of one system as if each were a difference from 0: its level varies with raters and items as a difference does."""
    scale = float(np.abs(sample.values).max(initial=0.0))
    rated = _rating_spread(sample, which)
    kept = ~np.isnan(rated)
    return Crossed(_settled_values(rated[np.ix_(kept.any(axis=1), kept.any(axis=0))], scale), scale)


def _rating_spread(sample: RatedPair, which: BoolArray) -> FloatArray:
    """The ratings of one system, `(*batch, rater, item)`."""
    raters, items = len(sample.raters), len(sample.items)
    table = np.full((*sample.values.shape[:-1], _cells(raters, items)), np.nan)
    table[..., sample.cell[which]] = sample.values[..., which]
    return table.reshape(*table.shape[:-1], raters, items)


def _mean_votes(sample: VotePair, order: IntArray | None = None) -> FloatArray:
    """The mean vote of each cell, `(*batch, rater, item)`, or of each order and cell; NaN where there is none."""
    raters, items = int(sample.rater.max(initial=-1)) + 1, int(sample.item.max(initial=-1)) + 1
    shape = (raters, items) if order is None else (2, raters, items)
    cells = _cells(*shape)
    cell = sample.rater * items + sample.item
    cell = cell if order is None else order * raters * items + cell
    sums = np.zeros((cells, *sample.values.shape[:-1]))
    np.add.at(sums, cell, np.moveaxis(sample.values, -1, 0))
    sums = np.moveaxis(sums, 0, -1)
    counts = np.bincount(cell, minlength=cells)
    means = np.divide(sums, counts, out=np.full_like(sums, np.nan), where=counts > 0)
    return np.asarray(means.reshape(*means.shape[:-1], *shape))


def _cells(*shape: int) -> int:
    *_, raters, items = shape
    if raters * items > MOST_CELLS:
        raise Unsuitable(
            f"{raters} raters times {items} items are more than the {MOST_CELLS} cells that fit in memory. Compare some of the items"
        )
    return math.prod(shape)


def _settled_values(values: FloatArray, scale: float) -> FloatArray:
    """Differences that are one number up to float noise exactly that number, so that rounding is not taken for spread."""
    low, high = (np.nanmin(values, axis=(-2, -1), keepdims=True), np.nanmax(values, axis=(-2, -1), keepdims=True))
    return np.where(high - low <= NOISE * scale, snap(values, scale), values)


@dataclass(frozen=True, eq=False)
class UnpairedRatings(ByRaters):
    """Single ratings, `(*batch, rating)`, with whose they are and of what: for raters who did not rate both systems on each item.

    `of_b`, `rater` and `item` are `(rating,)`, the same for the whole batch.
    """

    values: FloatArray
    of_b: BoolArray
    rater: IntArray
    item: IntArray
    fits: dict[str, Any] = field(default_factory=dict, repr=False, kw_only=True)

    @classmethod
    def suits(cls, sample: object, metric: Aggregation) -> bool:
        return isinstance(sample, RatedPair) and metric.linear

    @classmethod
    def of(cls, sample: Any, metric: Aggregation) -> Self:
        if not cls.suits(sample, metric):
            raise Unsuitable("this method needs ratings by several raters; name one for scores, such as paired_t")
        return cls(sample.values, sample.of_b, sample.rater, sample.item)

    @property
    def items(self) -> int:
        return int(self.item.max(initial=-1)) + 1

    @property
    def raters(self) -> int:
        return int(self.rater.max(initial=-1)) + 1

    @property
    def effect(self) -> FloatArray:
        """The plain difference of averages."""
        a, b = (self.values[..., which].mean(axis=-1) for which in (~self.of_b, self.of_b))
        return np.asarray(b - a)

    def shifted(self, by: float) -> Self:
        return replace(self, values=self.values + by * self.of_b, fits=moved(self.fits, by))


@dataclass(frozen=True, eq=False)
class VotesByOrder(ByRaters):
    """Single votes won by B, tied and won by A, `(*batch, order)`: those that showed A first, then those that showed B first."""

    wins: FloatArray
    ties: FloatArray
    losses: FloatArray
    fits: dict[str, Any] = field(default_factory=dict, repr=False, kw_only=True)

    @classmethod
    def suits(cls, sample: object, metric: Aggregation) -> bool:
        return isinstance(sample, VotePair) and metric.linear and sample.in_both_orders and not sample.shared

    @classmethod
    def of(cls, sample: Any, metric: Aggregation) -> Self:
        if isinstance(sample, cls):
            return sample
        if not cls.suits(sample, metric):
            raise Unsuitable(
                "this method needs votes without shared raters or items, with the order of showing known and both "
                "orders present. Leave the method to be chosen"
            )
        orders = np.stack([sample.b_first == 0.0, sample.b_first == 1.0], axis=-1).astype(np.float64)
        wins, ties, losses = ((sample.values == value) @ orders for value in (1.0, 0.0, -1.0))
        return cls(wins, ties, losses)

    @property
    def votes(self) -> FloatArray:
        """How many there are in each order."""
        return self.wins + self.ties + self.losses

    @property
    def items(self) -> int:
        """Every vote is on an item of its own."""
        return int(self.votes.reshape(-1, 2)[0].sum())

    @property
    def raters(self) -> int:
        """Every vote is by a rater of its own."""
        return self.items

    @property
    def means(self) -> FloatArray:
        """Wins less losses of B in each order, as shares of its votes."""
        return (self.wins - self.losses) / self.votes

    @property
    def effect(self) -> FloatArray:
        return np.asarray(self.means.mean(axis=-1))
