"""Designs of raters and items by the thousand: how many of each, what they cost, and about how precise they are."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Protocol, Self

import numpy as np
from scipy import special

from tellapart.arrays import BoolArray, FloatArray, IntArray
from tellapart.components.balanced import pooled_degrees
from tellapart.components.mean_square_law import MeanSquares, Stratum
from tellapart.distributions.noncentral_t import t_critical, t_power
from tellapart.distributions.tails import Alternative
from tellapart.populations.ratings import RatedSystems

MOST_ITEMS = 10**6
"""In one design: more are rated by nobody."""
ENOUGH = 1.0 + 1e-12
"""What a price may be short of by rounding."""
SMALLEST_REST = 1e-12
BISECTIONS = 16
"""Of the logarithm of a number of items: to a few in ten thousand."""


class Pricing(Protocol):
    """What one rating, one item and one rater cost."""

    @property
    def rating(self) -> float: ...
    @property
    def item(self) -> float: ...
    @property
    def rater(self) -> float: ...


@dataclass(frozen=True)
class RaterDesign:
    """So many raters, so many of them per item, so many items; what that costs, and what power it has."""

    raters: int
    per_item: int
    items: int
    cost: float
    power: float

    @property
    def crossed(self) -> bool:
        return self.per_item == self.raters


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
        return replace(
            self, raters=self.raters[which], per_item=self.per_item[which], items=self.items[which]
        )

    def with_items(self, items: FloatArray | IntArray, *, up: bool) -> Self:
        """With so many items; where each has one rater, all raters rate as many."""
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
        left = (self.per_item == 1) | (cells - self.items - self.raters + 1 >= 1)
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
        squares, degrees, weights = _near(population, self.raters, self.per_item, self.items)
        variance = weights[0] * squares[0] + weights[1] * squares[1] - weights[2] * squares[2]
        shared = pooled_degrees(squares, degrees, weights)  # type: ignore[arg-type]  # numbers of many designs
        return np.sqrt(variance), np.where(self.per_item == 1, self.raters - 1.0, np.maximum(shared, 1.0))

    def power(self, population: RatedSystems, alpha: float, alternative: Alternative) -> FloatArray:
        """About, by a noncentral t at the true variances."""
        error, df = self.precision(population)
        return t_power(population.known_effect / error, df, alpha, alternative)

    def quick_power(self, population: RatedSystems, alpha: float, alternative: Alternative) -> FloatArray:
        """The same by a normal law behind the critical value of t: within some hundredths."""
        error, df = self.precision(population)
        return special.ndtr(abs(population.known_effect) / error - t_critical(df, alpha, alternative))

    def in_order(self, key: FloatArray, prices: Pricing, power: FloatArray) -> Iterator[RaterDesign]:
        """One by one, the largest key first."""
        cost = self.cost(prices)
        for i in np.argsort(-key, kind="stable").tolist():
            counts = int(self.raters[i]), int(self.per_item[i]), int(self.items[i])
            yield RaterDesign(*counts, float(cost[i]), float(power[i]))


Squares = tuple[FloatArray, FloatArray, FloatArray]


def _near(
    population: RatedSystems, raters: IntArray | int, per_item: IntArray | int, items: IntArray | int
) -> tuple[Squares, Squares, Squares]:
    """Mean squares, their degrees of freedom and their weights, if all raters meet each other equally often.

    What raters differ by is seen within items, with an efficiency that is 1 where everybody rates everything. Yates (1936).
    """
    p, k, q = (np.asarray(x, dtype=np.float64) for x in (raters, per_item, items))
    of_raters, of_items, one = (
        population.variances[n] for n in ("rater_effect_sd", "item_effect_sd", "residual_sd")
    )
    rest, cells = max(2.0 * one, SMALLEST_REST * (of_raters + of_items)), k * q
    alone = k == 1.0
    efficiency = np.where(alone, 1.0, (1.0 - 1.0 / k) / (1.0 - 1.0 / p))
    squares = rest + cells / p * efficiency * of_raters, rest + k * of_items, np.broadcast_to(rest, p.shape)
    degrees = p - 1.0, q - 1.0, np.maximum(cells - q - p + 1.0, 1.0)
    weights = 1.0 / (efficiency * cells), 1.0 / cells, 1.0 / (efficiency * cells)
    return squares, degrees, weights


def near_mean_squares(population: RatedSystems, items: int) -> MeanSquares:
    """The same of one design."""
    squares, degrees, weights = _near(population, population.raters, population.rated_by, items)
    strata = (
        Stratum(float(s), float(d), float(w)) for s, d, w in zip(squares, degrees, weights, strict=True)
    )
    return MeanSquares(*strata)


def fewest_items(
    designs: RaterDesigns, reached: Callable[[RaterDesigns], BoolArray], most: int = MOST_ITEMS
) -> RaterDesigns:
    """The fewest items from which on each design reaches what it should; 0 where none do."""
    low, high = np.zeros(len(designs.raters)), np.full(len(designs.raters), np.log2(most))
    never = ~reached(designs.with_items(2.0**high, up=True))
    for _ in range(BISECTIONS):
        middle = (low + high) / 2.0
        enough = reached(designs.with_items(np.ceil(2.0**middle), up=True))
        low, high = np.where(enough, low, middle), np.where(enough, middle, high)
    return designs.with_items(np.where(never, 0.0, np.ceil(2.0**high)), up=True)
