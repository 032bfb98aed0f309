"""Power of the t test over seeds and items: simulated mean squares, with the effect integrated.

With 2 or 3 seeds the noncentral t at the expected mean squares says far too much; independent chi-squares are what normal scores give.
"""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import special

from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.seeds import Generator
from tellapart.numerics.null_laws.tails import Alternative
from tellapart.numerics.seed_variance import SeedMeanSquares, SeedRule


@dataclass(frozen=True)
class SeedSpreads:
    """Standard deviations of A and B, `(a, b)`: of seeds, and of a seed on an item; `item` is that of item differences with endless seeds."""

    seeds: tuple[int, int]
    seed: tuple[float, float]
    item: float
    seed_item: tuple[float, float]

    @property
    def of_endless_items(self) -> "SeedSpreads":
        """The part of the variance that remains with infinitely many items."""
        return SeedSpreads(self.seeds, self.seed, 0.0, (0.0, 0.0))

    def standard_error(self, items: int) -> float:
        """Of the effect, on other items with other seeds."""
        own = zip(self.seeds, self.seed, self.seed_item, strict=True)
        return math.sqrt(self.item**2 / items + sum((seed**2 + rest**2 / items) / count for count, seed, rest in own))

    def drawn(self, items: int, draws: int, rng: Generator) -> SeedMeanSquares:
        """Mean squares of simulated normal scores."""
        each = list(zip(self.seeds, self.seed, self.seed_item, strict=True))
        between = tuple(
            (seed**2 + rest**2 / items) / count * _mean_square(count - 1, draws, rng) for count, seed, rest in each
        )
        of_items = self.item**2 + sum(rest**2 / count for count, _, rest in each)
        within = tuple(
            rest**2 / (count * items) * _mean_square((items - 1) * (count - 1), draws, rng) for count, _, rest in each
        )
        own_items = of_items / items * _mean_square(items - 1, draws, rng)
        return SeedMeanSquares(self.seeds, items, between, own_items, within)


def _mean_square(df: int, draws: int, rng: Generator) -> FloatArray:
    """A mean square over its expectation."""
    return rng.chisquare(df, draws) / df


@dataclass(frozen=True, eq=False)
class SeedPower:
    """The power of the test at an effect, from mean squares drawn once: the effect is independent of them and is integrated."""

    spreads: SeedSpreads
    items: int
    alpha: float
    rule: SeedRule
    alternative: Alternative
    draws: int
    rng: Generator

    @cached_property
    def standard_error(self) -> float:
        return self.spreads.standard_error(self.items)

    @cached_property
    def critical(self) -> FloatArray:
        """How large an effect each drawn evaluation rejects at, in true standard errors."""
        sides = 2.0 if self.alternative == "two-sided" else 1.0
        found = self.spreads.drawn(self.items, self.draws, self.rng)
        widths = found.half_width(1.0 - self.alpha * 2.0 / sides, self.rule)
        return np.asarray(widths / self.standard_error)

    def within(self, margin: float, effect: float = 0.0) -> float:
        """How often both limits of the margin are excluded, each at alpha."""
        two_sided = self.spreads.drawn(self.items, self.draws, self.rng).half_width(1.0 - 2.0 * self.alpha, self.rule)
        room, shift = np.maximum(margin - two_sided, 0.0) / self.standard_error, effect / self.standard_error
        return float((special.ndtr(room - shift) - special.ndtr(-room - shift)).mean())

    def at(self, effect: float) -> tuple[float, float]:
        """How often the test rejects below zero, and above."""
        shift = effect / self.standard_error
        below = float(special.ndtr(-self.critical - shift).mean())
        above = float(special.ndtr(shift - self.critical).mean())
        shown = {"two-sided": (below, above), "less": (below, 0.0), "greater": (0.0, above)}
        return shown[self.alternative]
