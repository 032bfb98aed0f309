"""Right-or-wrong scores of given accuracy: every table that can come out, with its probability."""

from dataclasses import dataclass

import numpy as np
from scipy import special

from tellapart.arrays import FloatArray, IntArray
from tellapart.calibration.judge import LEVEL
from tellapart.calibration.measure import ALPHA, holds
from tellapart.decision import rejects
from tellapart.intervals import Interval
from tellapart.seeds import stream
from tellapart.significance import Procedure
from tellapart.summaries import Discordance, Proportion, SeparateCounts, Summary


@dataclass(frozen=True, eq=False)
class WeightedTables:
    """A batch of tables and the chance of each; the chances add up to one."""

    sample: Summary
    chances: FloatArray

    def rejected(self, test: Procedure) -> float:
        """How often a test rejects."""
        pvalue = test.apply(self.sample, stream(0)).pvalue
        return float(self.chances[rejects(pvalue, ALPHA)].sum())

    def held(self, interval: Interval, effect: float) -> float:
        """How often an interval holds the effect."""
        bounds = interval.interval(self.sample, LEVEL, stream(0))
        return float(self.chances[holds(bounds, effect)].sum())


def one_system(items: int, accuracy: float) -> WeightedTables:
    right = np.arange(items + 1)
    return WeightedTables(Proportion(right, np.full_like(right, items)), _binomial(items, accuracy))


def separate_items(items: tuple[int, int], accuracies: tuple[float, float]) -> WeightedTables:
    """Two systems, each on its own items."""
    a, b = (axis.ravel() for axis in np.meshgrid(*(np.arange(n + 1) for n in items), indexing="ij"))
    chances = np.outer(*(_binomial(n, p) for n, p in zip(items, accuracies, strict=True))).ravel()
    counts = (Proportion(right, np.full_like(right, n)) for right, n in zip((a, b), items, strict=True))
    return WeightedTables(SeparateCounts(*counts), chances)


def same_items(items: int, discordance: float, effect: float, both_right: float) -> WeightedTables:
    """Two systems on the same items, of which a share differs; of the others, a share is right."""
    wins, losses, both, neither = _compositions(items)
    win = 0.5 * (discordance + effect)
    agreed = 1.0 - discordance
    shares = (win, discordance - win, agreed * both_right, agreed * (1.0 - both_right))
    chances = special.gammaln(items + 1.0) + sum(
        special.xlogy(count, share) - special.gammaln(count + 1.0)
        for count, share in zip((wins, losses, both, neither), shares, strict=True)
    )
    return WeightedTables(Discordance(both, wins, losses, neither), np.exp(chances))


def _binomial(items: int, share: float) -> FloatArray:
    right = np.arange(items + 1.0)
    ways = -special.betaln(right + 1.0, items - right + 1.0) - np.log(items + 1.0)
    return np.asarray(np.exp(ways + special.xlogy(right, share) + special.xlog1py(items - right, -share)))


def _compositions(items: int) -> tuple[IntArray, IntArray, IntArray, IntArray]:
    """Every way to sort items into four kinds."""
    grid = np.meshgrid(*[np.arange(items + 1)] * 3, indexing="ij")
    within = sum(grid) <= items
    first, second, third = (axis[within] for axis in grid)
    return first, second, third, items - first - second - third
