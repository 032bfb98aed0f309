"""The one solver: how many items, or what effect, gives a study the wanted power, whichever engine answers.

Power of discrete tests goes up in a saw-tooth, so plain bisection on items is wrong for them: the answer is the first
number that reaches the target and, beside it, the number from which it stays there.
"""

import math
from dataclasses import dataclass, replace

import numpy as np

from tellapart.distributions.roots import increasing_root
from tellapart.errors import UsageError
from tellapart.planning.power import Settings, power_curve, power_of
from tellapart.planning.probit import probit_line
from tellapart.planning.study import PowerResult, Study

MOST_ITEMS = 10**9
SCANNED = 4_000
"""How many consecutive sizes are looked at one by one; saw-teeth are far shorter than that."""
AROUND = (0.7, 0.85, 1.0, 1.2, 1.4)
"""Multiples of a simulated root at which power is simulated again, to smooth its noise."""
SIMULATED_STEPS = 5
"""Halvings of a bracket around a simulated effect, before it is smoothed."""
EDGE = 1e-9
"""How near to the largest possible effect a solution may come; some populations cannot have it itself."""


@dataclass(frozen=True)
class Solution:
    """A number of items (with where it becomes stable) and the power there; `low` and `high` bound what was solved."""

    items: int
    stable_from: int | None
    result: PowerResult
    low: float | None = None
    high: float | None = None


class _ByItems:
    """Power by number of items, each computed once; items that come in clusters are asked about in whole clusters."""

    def __init__(self, study: Study, target: float, settings: Settings) -> None:
        self.study, self.target, self.settings = study, target, settings
        self._known: dict[int, PowerResult] = {}

    @property
    def unit(self) -> int:
        return self.study.population.unit

    def at(self, units: int) -> PowerResult:
        if units not in self._known:
            self._known[units] = power_of(replace(self.study, items=units * self.unit), self.settings)
        return self._known[units]

    def reach(self, units: int) -> bool:
        return self.at(units).power >= self.target

    def solution(self, units: int, stable: int, *bounds: float) -> Solution:
        return Solution(
            units * self.unit, stable * self.unit, self.at(units), *(x * self.unit for x in bounds)
        )


def solve_items(study: Study, target: float, settings: Settings) -> Solution:
    """The smallest number of items whose power reaches the target."""
    powers = _ByItems(study, target, settings)
    found = _bisect(powers, *_bracket(powers))
    if powers.at(found).replicates is not None:
        return _smoothed_items(powers, found)
    return _first_and_stable(powers, found)


def _bracket(powers: _ByItems) -> tuple[int, int]:
    """A number of items that falls short (or 1) and a larger one that does not."""
    low, high = 1, max(2, _guess(powers.study) // powers.unit)
    while not powers.reach(high):
        low, high = high, 2 * high
        if high > MOST_ITEMS:
            raise UsageError(
                f"even {low * powers.unit:,} items reach only {powers.at(low).power:.3f} power for {powers.study.population}; "
                "the effect is too small, or the test cannot find it"
            )
    while low == 1 and high > 3:
        if not powers.reach(high // 2):
            return high // 2, high
        high //= 2
    return low, high


def _guess(study: Study) -> int:
    """Where to start looking: about what a z test needs."""
    sd, effect = study.population.sd_difference, study.population.known_effect
    if not sd or effect == 0.0:
        return 64
    return int(min(max(8.0 * (sd / effect) ** 2, 4.0), MOST_ITEMS / 4))


def _bisect(powers: _ByItems, low: int, high: int) -> int:
    # A simulated root is only bracketed here, to an eighth of itself; the line through its neighbours does the rest.
    rough = powers.at(high).replicates is not None
    while high - low > (max(1, low // 8) if rough else 1):
        middle = (low + high) // 2
        low, high = (low, middle) if powers.reach(middle) else (middle, high)
    return high


def _first_and_stable(powers: _ByItems, found: int) -> Solution:
    """Look at every size around the one found: an earlier tooth may reach the target, a later one fall below it."""
    sizes = np.arange(max(2, found - SCANNED // 2), min(2 * found, found + SCANNED) + 1)
    curve = power_curve(replace(powers.study, items=found), sizes, powers.settings)
    if curve is None:
        return powers.solution(found, found)
    enough = curve >= powers.target
    first, short = int(sizes[np.argmax(enough)]), np.flatnonzero(~enough)
    stable = int(sizes[short[-1]]) + 1 if len(short) else first
    return powers.solution(first, max(stable, first))


def _smoothed_items(powers: _ByItems, found: int) -> Solution:
    """The root of a line through simulated powers around the first guess: probit power is nearly linear in √items."""
    sizes = sorted({max(2, round(found * f)) for f in AROUND})
    line = probit_line(np.sqrt(sizes), [powers.at(n) for n in sizes])
    if line is None:
        return powers.solution(found, found)
    units, low, high = (max(2, math.ceil(x * x)) for x in line.solve(powers.target))
    return powers.solution(units, units, float(low), float(high))


def solve_effect(study: Study, target: float, settings: Settings) -> tuple[float, Solution]:
    """The smallest effect, in the direction of the test, that this many items find with the target power."""
    if study.test.claim != "difference":
        raise UsageError(
            f"{study.test} asks about a margin, not about an effect to find; give the effect, and solve for items or power"
        )
    powers = _ByEffect(study, target, settings)
    high = powers.upper()
    if powers.at(high).replicates is not None:
        return _smoothed_effect(powers, high)
    root = increasing_root(np.vectorize(powers.gap), np.asarray(0.0), np.asarray(high))
    effect = powers.sign * float(root)
    return effect, Solution(study.items, None, powers.at(float(root)))


class _ByEffect:
    """Power by the size of the effect, each computed once; the sign is that of the alternative."""

    def __init__(self, study: Study, target: float, settings: Settings) -> None:
        self.study, self.target, self.settings = study, target, settings
        self.sign = -1.0 if study.test.alternative == "less" else 1.0
        self._known: dict[float, PowerResult] = {}

    def at(self, size: float) -> PowerResult:
        if size not in self._known:
            population = self.study.population.with_effect(self.sign * size)
            self._known[size] = power_of(replace(self.study, population=population), self.settings)
        return self._known[size]

    def gap(self, size: float) -> float:
        return self.at(float(size)).power - self.target

    def upper(self) -> float:
        """A size of effect that reaches the target, within what the population can have."""
        low, high = self.study.population.effect_range
        most = abs(low) if self.sign < 0 else high
        size = min(self._guess(), most * (1.0 - EDGE))
        while self.gap(size) < 0.0:
            if size >= most * (1.0 - EDGE):
                raise UsageError(
                    f"{self.study.items:,} items find even the largest effect these scores can have ({most:.4g}) with only "
                    f"{self.at(size).power:.3f} power; give more items, or ask for less power"
                )
            size = min(2.0 * size, most * (1.0 - EDGE))
        return size

    def _guess(self) -> float:
        population = self.study.population
        low, high = population.effect_range
        small = population.with_effect(min(1e-6, abs(low) / 2.0 or 1e-6, high / 2.0 or 1e-6))
        spread = small.sd_difference or 1.0
        return max(3.5 * spread / math.sqrt(self.study.items), 1e-12)


def _smoothed_effect(powers: _ByEffect, high: float) -> tuple[float, Solution]:
    """Halve the bracket on common random numbers, then smooth: probit power is nearly linear in the effect."""
    low = 0.0
    for _ in range(SIMULATED_STEPS):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if powers.gap(middle) >= 0.0 else (middle, high)
    most = powers.study.population.effect_range[0 if powers.sign < 0 else 1]
    sizes = sorted({min(high * f, abs(most) * (1.0 - EDGE)) for f in AROUND})
    line = probit_line(np.asarray(sizes), [powers.at(x) for x in sizes])
    if line is None:
        return powers.sign * high, Solution(powers.study.items, None, powers.at(high))
    size, least, greatest = line.solve(powers.target)
    bounds = sorted((powers.sign * least, powers.sign * greatest))
    return powers.sign * size, Solution(powers.study.items, None, powers.at(size), *bounds)
