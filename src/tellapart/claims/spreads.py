"""The standard deviation of an item's difference, as far as printed numbers tell it."""

import math
from dataclasses import dataclass
from itertools import product

RoundedDeviation = tuple[float, float, float]
"""A standard deviation as reported, and the smallest and largest that rounds to it."""


@dataclass(frozen=True)
class PrintedSpreads:
    """The standard deviations of both systems' item scores, each with its rounding."""

    a: RoundedDeviation
    b: RoundedDeviation

    def at(self, correlation: float) -> float:
        """The standard deviation of an item's difference at the reported values."""
        return _of_difference(self.a[0], self.b[0], correlation)

    def bounds(self, low: float, high: float) -> tuple[float, float]:
        """Its smallest and largest value over correlations low to high and over what rounding allows."""
        sds_a, sds_b = self.a[1:], self.b[1:]
        corners = list(product(sds_a, sds_b))
        # The smallest may lie on an edge of the box, where one spread is the regression of the other.
        edges = [(min(max(high * b, sds_a[0]), sds_a[1]), b) for b in sds_b]
        edges += [(a, min(max(high * a, sds_b[0]), sds_b[1])) for a in sds_a]
        smallest = min(_of_difference(a, b, high) for a, b in corners + edges)
        return smallest, max(_of_difference(a, b, low) for a, b in corners)


def _of_difference(a: float, b: float, correlation: float) -> float:
    scale = max(a, b)
    if scale == 0.0:
        return 0.0
    # Squares of very small numbers would vanish.
    a, b = a / scale, b / scale
    return scale * math.sqrt(max((a - b) ** 2 + 2.0 * (1.0 - correlation) * a * b, 0.0))


@dataclass(frozen=True)
class DifferenceSpread:
    """The standard deviation of an item's difference: expected, over every correlation, and over their rounding too.

    `usual_least` is the smallest at any correlation that is usual, rounding included.
    """

    expected: float
    reported: tuple[float, float]
    rounded: tuple[float, float]
    usual_least: float
