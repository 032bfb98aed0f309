"""Planned labels and judged items: standard error, power, and the cheapest mix for a budget."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.seeds import Generator, stream
from tellapart.numerics.judge_regression import FEW_DIFFER, FEWEST_LABELS, regression_by_moments
from tellapart.numerics.null_laws.noncentral_t import t_power
from tellapart.numerics.null_laws.tails import t_quantile

FEW_EXPECTED = 20
"""Labelled items that are expected to differ, below which right or wrong is simulated: two added labels cost power there."""
REPLICATES = 10_000
MOST_ITEMS = 1_000_000_000
MOST_SEARCHED = 2_000_000
"""Numbers of labels that a search for a budget looks at one by one."""


def judged_error(
    spread: FloatArray | float, correlation: FloatArray | float, labels: FloatArray | float, items: FloatArray | float
) -> FloatArray:
    """Standard error of the difference: S√((1 − R²)/n·(1 + (1 − n/M)/(n − 3)) + R²/M), from n labels of M judged items.

    The middle factor is what estimating the slope costs. Cochran (1977), double sampling.
    """
    n, m, shared = np.asarray(labels, dtype=np.float64), np.asarray(items, dtype=np.float64), np.square(correlation)
    return np.asarray(spread * np.sqrt((1.0 - shared) / n * (1.0 + (1.0 - n / m) / (n - 3.0)) + shared / m))


def judged_power(error: FloatArray | float, effect: float, labels: FloatArray | float, alpha: float) -> FloatArray:
    """How often the two-sided t test with n − 2 degrees of freedom finds the effect."""
    power = t_power(np.abs(effect) / error, np.asarray(labels, dtype=np.float64) - 2.0, alpha, "two-sided")
    # Far out in the noncentral law nothing is left to lose.
    return np.where(np.isnan(power), 1.0, power)


def labels_power(spread: float, effect: float, labels: FloatArray | float, alpha: float) -> FloatArray:
    """The same of labels alone, by the paired t test."""
    n = np.asarray(labels, dtype=np.float64)
    power = t_power(np.abs(effect) * np.sqrt(n) / spread, n - 1.0, alpha, "two-sided")
    return np.where(np.isnan(power), 1.0, power)


def half_width(error: FloatArray | float, labels: FloatArray | float, alpha: float) -> FloatArray:
    return np.asarray(t_quantile(1.0 - alpha / 2.0, np.asarray(labels, dtype=np.float64) - 2.0) * error)


def fewest_enough(enough: Callable[[int], bool], least: int, most: int) -> int:
    """The smallest number that is enough, where more never are less; `most` where none is."""
    low, high = least - 1, least
    while not enough(high):
        if high >= most:
            return most
        low, high = high, min(2 * high, most)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


class BestMix(NamedTuple):
    """Labels and judged items that a budget buys, and whether they tell more than labels alone, which are `alone`."""

    labels: int
    items: int
    pays: bool
    alone: int


def best_mix(correlation: float, budget: float, label: float, judgement: float) -> BestMix:
    """The smallest standard error for label·n + judgement·M ≤ budget; a labelled item costs both.

    The judge pays only where R² exceeds 4ab/(a + b)², a and b the prices, and the mix beats labels alone.
    """
    alone = int(budget / label + 1e-9)
    most = int(budget / (label + judgement) + 1e-9)
    if most < FEWEST_LABELS:
        return BestMix(alone, 0, pays=False, alone=alone)
    step = max(1, most // MOST_SEARCHED)
    labels = np.arange(FEWEST_LABELS, most + 1, step, dtype=np.float64)
    items = np.floor((budget - label * labels) / judgement + 1e-9)
    errors = judged_error(1.0, correlation, labels, np.maximum(items, labels))
    best = int(np.argmin(errors))
    worth_it = correlation**2 > 4.0 * label * judgement / (label + judgement) ** 2
    pays = bool(worth_it and errors[best] < 1.0 / np.sqrt(alone))
    return BestMix(int(labels[best]), int(items[best]), pays, alone) if pays else BestMix(alone, 0, pays, alone)


def simulated_judged_power(  # noqa: PLR0913, PLR0917  (one argument per number of the design)
    discordance: float,
    effect: float,
    correlation: float,
    labels: int,
    items: int,
    alpha: float,
    replicates: int,
    rng: Generator,
) -> float:
    """How often right-or-wrong answers that differ on few labelled items are told apart, two labels added where fewer than ten do.

    The judge repeats a difference of people's with chance |R|, and else sees another drawn alike, which gives that correlation.
    """
    shares = np.array([0.5 * (discordance - effect), 1.0 - discordance, 0.5 * (discordance + effect)])
    human = rng.choice(np.array([-1.0, 0.0, 1.0]), (replicates, labels), p=shares)
    other = rng.choice(np.array([-1.0, 0.0, 1.0]), (replicates, labels), p=shares)
    judge = np.where(rng.random((replicates, labels)) < abs(correlation), human, other)
    lost, _, won = rng.multinomial(items - labels, shares, replicates).T
    sums = judge.sum(axis=-1) + won - lost
    squares = (judge**2).sum(axis=-1) + won + lost
    mean = sums / items
    variance = (squares - items * mean**2) / (items - 1.0)
    added = np.where((human != 0.0).sum(axis=-1) < FEW_DIFFER, 1.0, 0.0)
    found = regression_by_moments(human, judge, (mean, variance, items), added)
    critical = float(t_quantile(1.0 - alpha / 2.0, labels - 2.0))
    return float((np.abs(found.effect) >= critical * found.error).mean())


@dataclass(frozen=True)
class JudgedDesign:
    """Spread and correlation that rows are planned at."""

    spread: float
    correlation: float
    discordance: float | None
    alpha: float
    seed: int

    def error(self, labels: float, items: float) -> float:
        return float(judged_error(self.spread, self.correlation, labels, items))

    def power(self, effect: float, labels: int, items: int) -> float:
        return float(judged_power(self.error(labels, items), effect, labels, self.alpha))

    def simulated(self, labels: int) -> bool:
        """Whether so few labels differ that two are added often."""
        return self.discordance is not None and labels * self.discordance < FEW_EXPECTED

    def simulate(self, effect: float, labels: int, items: int) -> float:
        assert self.discordance is not None
        rng = stream(self.seed, 1)
        design = (self.discordance, effect, self.correlation, labels, items, self.alpha)
        return simulated_judged_power(*design, REPLICATES, rng)

    def alone(self, effect: float | None, labels: int) -> float | None:
        """The power of labels alone."""
        return None if effect is None else float(labels_power(self.spread, effect, labels, self.alpha))

    def alone_width(self, labels: int) -> float:
        # A judge's slope takes one degree of freedom, which labels alone keep.
        return float(half_width(self.spread / math.sqrt(labels), labels + 1, self.alpha))

    def labels_alone(self, effect: float, power: float) -> int:
        """Labels alone that find the effect with this power."""
        return fewest_enough(lambda n: float(labels_power(self.spread, effect, n, self.alpha)) >= power, 2, MOST_ITEMS)
