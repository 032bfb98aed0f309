"""Right or wrong answers of two systems on items of their own: what they detect, and how many more would, by every pair of counts.

The share of right answers among all that were given is held as it was seen; more items are split between the systems as these are.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tellapart.arrays import FloatArray
from tellapart.distributions.noncentral_t import equivalence_power, t_power
from tellapart.distributions.proportion_power import two_proportion_power
from tellapart.distributions.roots import increasing_root
from tellapart.planning.items_axis import MOST_ITEMS
from tellapart.planning.separate import counted_rejections
from tellapart.results.comparison import Detectable
from tellapart.significance import Procedure
from tellapart.significance.margins import Equivalence, NonInferiority
from tellapart.summaries import SeparateCounts
from tellapart.verbs.compare.analysis import Analysis
from tellapart.verbs.compare.planned_effect import MOST_ENUMERATED, none_detectable
from tellapart.verbs.compare.sides import Found, on_sides

EDGE = 1e-9
"""How near to the largest possible effect one is looked for."""


@dataclass(frozen=True)
class Split:
    """How many items each system has, the share of all answers that are right, and on which side of A an effect puts B."""

    items: tuple[int, int]
    right: float
    side: float

    @property
    def most(self) -> float:
        """The largest effect with that share of right answers."""
        (a, b), up = self._shares, (self.side > 0.0)
        room_a, room_b = (self.right, 1.0 - self.right) if up else (1.0 - self.right, self.right)
        return min(room_a / b if b else np.inf, room_b / a if a else np.inf)

    def accuracies(self, effect: float) -> tuple[float, float]:
        """Those that differ by this effect."""
        a, b = self._shares
        apart = self.right - self.side * effect * b, self.right + self.side * effect * a
        return min(max(apart[0], 0.0), 1.0), min(max(apart[1], 0.0), 1.0)

    @property
    def _shares(self) -> tuple[float, float]:
        a, b = self.items
        return a / (a + b), b / (a + b)

    def power(self, test: Procedure, alpha: float, effect: float) -> float:
        """Of claims on this side: summed over every pair of counts, or of very many items by the normal law."""
        accuracies = self.accuracies(effect)
        if self.enumerated and (found := counted_rejections(test, alpha, self.items, accuracies)) is not None:
            return float(found.upper if self.side > 0.0 else found.lower)
        return float(two_proportion_power(self.items, *accuracies, alpha, test.alternative))

    def power_within(self, test: Equivalence | NonInferiority, alpha: float) -> float:
        """Of showing a margin of accuracies where there is no effect."""
        accuracies = self.right, self.right
        if self.enumerated and (found := counted_rejections(test, alpha, self.items, accuracies)) is not None:
            return float(found.power)
        error = math.sqrt(self.right * (1.0 - self.right) * sum(1.0 / n for n in self.items))
        if isinstance(test, NonInferiority):
            return float(t_power(test.known_margin / error, math.inf, alpha, "greater"))
        return float(equivalence_power(0.0, test.known_margin / error, math.inf, alpha))

    @property
    def enumerated(self) -> bool:
        return sum(self.items) <= MOST_ENUMERATED

    def grown(self, items: int) -> "Split":
        """With so many items in all."""
        of_a = min(max(round(items * self._shares[0]), 1), items - 1)
        return Split((of_a, items - of_a), self.right, self.side)


def detectable_apart(analysis: Analysis, test: Procedure, power: float) -> tuple[Found, ...]:
    """The smallest effect that is found, on each side that is tested."""
    step = analysis.summary(SeparateCounts).step

    def on_side(split: Split) -> Found:
        def short(size: FloatArray) -> FloatArray:
            return np.asarray(split.power(test, analysis.alpha, float(size)) - power)

        most = split.most * (1.0 - EDGE)
        if not most > 0.0 or float(short(np.asarray(most))) < 0.0:
            return none_detectable(analysis, test, step * most, power)
        effect = float(increasing_root(short, np.asarray(0.0), np.asarray(most)))
        return Detectable(step * effect, power, "accuracy", "exact" if split.enumerated else "formula")

    return on_sides(*map(on_side, _splits(analysis, test)))


def items_apart(analysis: Analysis, test: Procedure, size: float, power: float) -> float | None:
    """Items of both systems together that find an effect of this size on whichever side takes more; None where no number does."""
    lift = size / analysis.summary(SeparateCounts).step
    splits = [split for split in _splits(analysis, test) if lift < split.most]

    def fewest(split: Split) -> float | None:
        return _fewest(lambda items: split.grown(items).power(test, analysis.alpha, lift) >= power)

    found = [fewest(split) for split in splits]
    return None if not found or None in found else max(one for one in found if one is not None)


def items_apart_within(analysis: Analysis, test: Equivalence | NonInferiority, power: float) -> float | None:
    """The same to show a margin if both systems are right as often; None where all answers are right, or wrong."""
    in_shares = test.replace(margin=test.known_margin / analysis.summary(SeparateCounts).step)
    split = _splits(analysis, in_shares.test)[0]
    if not 0.0 < split.right < 1.0:
        return None
    return _fewest(lambda items: split.grown(items).power_within(in_shares, analysis.alpha) >= power)


def _splits(analysis: Analysis, test: Procedure) -> tuple[Split, ...]:
    sample: SeparateCounts = analysis.summary(SeparateCounts)
    right = float(sample.a.successes + sample.b.successes) / float(sample.items)
    sides = {"greater": (1.0,), "less": (-1.0,)}.get(test.alternative, (1.0, -1.0))
    return tuple(Split(analysis.items_of_each, right, side) for side in sides)


def _fewest(reached: Callable[[int], bool]) -> float | None:
    """A number that is enough where one less is not; None where none is."""
    low, high = 3, 4
    while not reached(high):
        low, high = high, 2 * high
        if high > MOST_ITEMS:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if reached(middle) else (middle, high)
    return float(high)
