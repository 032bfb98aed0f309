"""Candidate designs of raters and items, as arrays: sizes, costs and approximate precision."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Literal, Protocol, Self

import numpy as np
from scipy import special

from tellapart.foundation.arrays import BoolArray, FloatArray, IntArray
from tellapart.numerics.mixed_models.balanced import pooled_degrees
from tellapart.numerics.mixed_models.mean_square_law import MeanSquares, Stratum
from tellapart.numerics.null_laws.noncentral_t import t_critical, t_power
from tellapart.numerics.null_laws.tails import Alternative
from tellapart.populations.rating_designs import degrees_of_freedom
from tellapart.populations.ratings import RatedSystems

DesignKind = Literal["crossed", "alone", "shared"]
"""Whether every rater rates every item, one of them each, or some of them."""
MOST_ITEMS = 10**6
"""The most items of a design."""
ENOUGH = 1.0 + 1e-12
"""Slack of a price, for rounding."""
SMALLEST_REST = 1e-12
"""Of the other variances: what a rest of none is taken for, so that ratios to it have an end."""
EFFICIENCIES = 200
"""How finely an efficiency is looked for: to some hundredths of itself."""
BISECTIONS = 16
"""Of the logarithm of a number of items: to a few in ten thousand."""


class Pricing(Protocol):
    """The cost of one rating, one item and one rater."""

    @property
    def rating(self) -> float: ...
    @property
    def item(self) -> float: ...
    @property
    def rater(self) -> float: ...


@dataclass(frozen=True)
class RaterDesign:
    """Numbers of raters, raters per item and items, with cost and power."""

    raters: int
    per_item: int
    items: int
    cost: float
    power: float

    @property
    def crossed(self) -> bool:
        return self.per_item == self.raters

    @property
    def kind(self) -> DesignKind:
        if self.crossed:
            return "crossed"
        return "alone" if self.per_item == 1 else "shared"


@dataclass(frozen=True, eq=False)
class RaterDesigns:
    """Many designs as arrays."""

    raters: IntArray
    per_item: IntArray
    items: IntArray

    @classmethod
    def of(cls, raters: tuple[int, ...]) -> Self:
        """Every number of raters per item with each of these numbers of raters."""
        pairs = np.array([(p, k) for p in raters for k in range(1, p + 1)], dtype=np.int64)
        return cls(pairs[:, 0], pairs[:, 1], np.full(len(pairs), 2))

    def where(self, which: BoolArray) -> Self:
        return replace(self, raters=self.raters[which], per_item=self.per_item[which], items=self.items[which])

    def with_items(self, items: FloatArray | IntArray, *, up: bool) -> Self:
        """This design with another number of items; with one rater per item, all raters rate equally many."""
        step, paid = self.step, np.clip(np.asarray(items, dtype=np.float64), 0.0, float(MOST_ITEMS))
        whole = -(-paid // step) * step if up else paid // step * step
        return replace(self, items=whole.astype(np.int64))

    @property
    def step(self) -> IntArray:
        return np.where(self.per_item == 1, self.raters, 1)

    @property
    def possible(self) -> BoolArray:
        """Everybody rates something, and where raters share items something is left to tell the rest by."""
        cells = self.per_item * self.items
        left = (self.per_item == 1) | (cells >= self.items + self.raters)
        return np.asarray((self.items >= 2) & (cells >= self.raters) & left)

    def cost(self, prices: Pricing) -> FloatArray:
        of_ratings = 2.0 * prices.rating * self.per_item * self.items
        return np.asarray(of_ratings + prices.item * self.items + prices.rater * self.raters)

    def affordable(self, prices: Pricing, budget: float) -> Self:
        """With as many items as the budget leaves money for."""
        left = np.maximum(budget - prices.rater * self.raters, 0.0) * ENOUGH
        return self.with_items(left // (2.0 * prices.rating * self.per_item + prices.item), up=False)

    def precision(self, population: RatedSystems) -> tuple[FloatArray, FloatArray]:
        """The true standard error of the effect, and about its degrees of freedom."""
        spreads, cells = _spread_variances(population), self.per_item * self.items
        variance = spreads[0] / self.raters + spreads[1] / self.items + spreads[2] / cells
        shared = _effect_df(spreads, self.raters, self.per_item, self.items)
        return np.sqrt(variance), np.where(self.per_item == 1, self.raters - 1.0, np.maximum(shared, 1.0))

    def power(self, population: RatedSystems, alpha: float, alternative: Alternative) -> FloatArray:
        """About, by a noncentral t at the true variances."""
        error, df = self.precision(population)
        return t_power(population.known_effect / error, df, alpha, alternative)

    def quick_power(self, population: RatedSystems, alpha: float, alternative: Alternative) -> FloatArray:
        """The approximate power, by a normal law behind the critical value of t: within some hundredths."""
        error, df = self.precision(population)
        return special.ndtr(abs(population.known_effect) / error - t_critical(df, alpha, alternative))

    def in_order(self, key: FloatArray, prices: Pricing, power: FloatArray) -> Iterator[RaterDesign]:
        """One by one, the largest key first."""
        cost = self.cost(prices)
        for i in np.argsort(-key, kind="stable").tolist():
            counts = int(self.raters[i]), int(self.per_item[i]), int(self.items[i])
            yield RaterDesign(*counts, float(cost[i]), float(power[i]))


def _spread_variances(population: RatedSystems) -> FloatArray:
    """The variances of raters' and of items' differences, and of the rest of one."""
    raters, items, one = (population.variances[name] for name in ("rater_effect_sd", "item_effect_sd", "residual_sd"))
    return np.array([raters, items, max(2.0 * one, SMALLEST_REST * (raters + items))])


def _effect_df(spreads: FloatArray, raters: IntArray, per_item: IntArray, items: IntArray) -> FloatArray:
    """Degrees of freedom of the effect if all raters meet each other equally often.

    Contrasts of raters are then contrasts of items to the same extent, and each pair of them is a plane of its own; with fewer items than raters
    the contrasts that are left are those of raters alone.
    """
    p, k, q = (np.asarray(x, dtype=np.float64) for x in (raters, per_item, items))
    load, cells, nothing, one = k * q / p, k * q, np.zeros_like(k), np.ones_like(k)
    mixed = np.minimum(p, q) - 1.0
    overlap = np.minimum((p / k - 1.0) / mixed, 1.0)
    # Contrasts of raters alone, of items alone, and the rest.
    rows = np.array([[load, nothing, one], [nothing, k, one], [nothing, nothing, one]])
    made_of = np.moveaxis(rows, -1, 0)
    counts = np.stack([p - 1.0 - mixed, q - 1.0 - mixed, np.maximum(cells - q - p + 1.0, 0.0)], axis=-1)
    of_one = counts / (2.0 * (made_of @ spreads) ** 2)
    information = np.einsum("ns,nsi,nsj->nij", of_one, made_of, made_of)
    information += mixed[:, None, None] * _of_planes(spreads, load, k, overlap)
    gradient = np.stack([1.0 / p, 1.0 / q, 1.0 / cells], axis=-1)
    return degrees_of_freedom(gradient, spreads, information)


def _of_planes(spreads: FloatArray, load: FloatArray, per_item: FloatArray, overlap: FloatArray) -> FloatArray:
    """The variances of a contrast of raters and of the contrast of items that it overlaps with."""
    items = np.stack([np.sqrt(overlap), np.sqrt(1.0 - overlap)], axis=-1)
    parts = np.zeros((len(load), 3, 2, 2))
    parts[:, 0, 0, 0] = load
    parts[:, 1] = per_item[:, None, None] * items[:, :, None] * items[:, None, :]
    parts[:, 2] = np.eye(2)
    inverse = np.linalg.inv(np.einsum("v,nvij->nij", spreads, parts))
    scaled = np.einsum("nij,nvjk->nvik", inverse, parts)
    return np.asarray(0.5 * np.einsum("nvij,nwji->nvw", scaled, scaled))


def near_mean_squares(population: RatedSystems, items: int) -> MeanSquares:
    """Three mean squares that stand for a design with some raters per item: of the right variance and degrees of freedom.

    Raters who share only some items are known as well as by fewer or more ratings of all: that efficiency is looked for. Power by
    the rule itself is then within some hundredths of what is simulated.
    """
    raters, per_item = population.raters, population.rated_by
    spreads = _spread_variances(population)
    known = float(_effect_df(spreads, *(np.array([x]) for x in (raters, per_item, items)))[0])
    least = (1.0 - 1.0 / per_item) / (1.0 - 1.0 / raters)
    efficiency = np.geomspace(least / 4.0, 64.0, EFFICIENCIES)
    squares, degrees, weights = _expected_strata(spreads, (raters, per_item, items), efficiency)
    reached = np.maximum.accumulate(pooled_degrees(squares, degrees, weights))  # type: ignore[arg-type]  # numbers of many designs
    place = min(int(np.searchsorted(reached, known)), EFFICIENCIES - 1)
    strata = (
        Stratum(*(float(np.broadcast_to(x, efficiency.shape)[place]) for x in one))
        for one in zip(squares, degrees, weights, strict=True)
    )
    return MeanSquares(*strata)


Three = tuple[FloatArray | float, FloatArray | float, FloatArray | float]


def _expected_strata(
    spreads: FloatArray, design: tuple[int, int, int], efficiency: FloatArray
) -> tuple[Three, Three, Three]:
    """Expected mean squares, their degrees of freedom and their weights, if raters are known with such an efficiency."""
    (p, k, q), (of_raters, of_items, rest) = design, spreads.tolist()
    cells = k * q
    squares = rest + cells / p * efficiency * of_raters, rest + k * of_items, rest
    degrees = p - 1.0, q - 1.0, max(cells - q - p + 1.0, 1.0)
    return squares, degrees, (1.0 / (efficiency * cells), 1.0 / cells, 1.0 / (efficiency * cells))


def fewest_items(designs: RaterDesigns, reached: Callable[[RaterDesigns], BoolArray]) -> RaterDesigns:
    """The fewest items from which on each design reaches what it should; 0 where none do."""
    low, high = np.zeros(len(designs.raters)), np.full(len(designs.raters), np.log2(MOST_ITEMS))
    never = ~reached(designs.with_items(2.0**high, up=True))
    for _ in range(BISECTIONS):
        middle = (low + high) / 2.0
        enough = reached(designs.with_items(2.0**middle, up=True))
        low, high = np.where(enough, low, middle), np.where(enough, middle, high)
    return designs.with_items(np.where(never, 0.0, 2.0**high), up=True)
