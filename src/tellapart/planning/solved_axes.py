"""Axes that a study is solved along: the number of items, or the size of the effect."""

import math
from functools import cached_property
from typing import ClassVar

import numpy as np

from tellapart.compute import Runner
from tellapart.compute.work import Budget
from tellapart.data.summaries import contributions
from tellapart.foundation.arrays import LARGEST, STATISTIC_NOISE
from tellapart.foundation.errors import UsageError
from tellapart.foundation.seeds import stream
from tellapart.methods.significance.margins import Equivalence, NonInferiority
from tellapart.planning.axis import PowerAxis
from tellapart.planning.study import CountOfDesign, Study
from tellapart.populations.population import FEWEST, Population

# What a z test would need, where a search begins: how far an effect is from what cannot be found, and how
# far items spread.

LOOK = 500
"""Items, or clusters of them, drawn to see the spread of a population that cannot say it: within 7 %, and a search that
begins there has brackets of 25 %."""


def distance_to_claim(study: Study) -> float:
    """How far the true effect is from where the test could not find it: from 0, or from the margin."""
    test, effect = study.test, study.population.known_effect
    if test.claim == "difference":
        return abs(effect)
    if isinstance(test, Equivalence):
        return test.known_margin - abs(effect)
    if isinstance(test, NonInferiority):
        return test.known_margin + (-effect if test.alternative == "less" else effect)
    return abs(effect)


def item_spread(population: Population) -> float:
    """The standard deviation of an item's difference, such that a mean of independent clusters has it over √items."""
    known = population.sd_difference
    # Without any spread every unit will do, for a search only begins there; whole rounds of raters would hide how raters spread.
    if known is not None and (population.unit == 1 or population.by_raters):
        return known or 1.0
    drawn = population.draw(LOOK * population.unit, 1, stream(0))
    a, b = (contributions(scores, population.metric) for scores in (drawn.a, drawn.b))
    differences = (b - a).reshape(LOOK, population.unit)
    return float(np.std(differences.mean(axis=1)) * math.sqrt(population.unit)) or 1.0


# Power along the number of items, or of whatever else a design counts.

MOST_ITEMS = 10**9
"""More than anybody evaluates: a search that gets there ends with the reason."""
RESAMPLED = 4
"""Units that a resampling test takes beyond those of a z test: two for a spread that is not known, as a t test, and two of its own."""


class CountAxis(PowerAxis):
    """The root of a whole number in the design, such as that of items; what comes in units is asked about in whole ones."""

    solves_for: ClassVar[CountOfDesign]
    least = math.sqrt(FEWEST)

    @property
    def unit(self) -> int:
        return 1

    def units(self, x: float) -> int:
        return max(FEWEST, round(x * x))

    def enough(self, x: float) -> int:
        """The whole number of units at x, or the next."""
        # Squaring the root of a whole number must not make it one more.
        return max(FEWEST, math.ceil(x * x * (1.0 - STATISTIC_NOISE)))

    def snapped(self, x: float) -> float:
        # Places are roots: a standard error falls with the root of the number, and probits are straight in it.
        return math.sqrt(self.units(x))

    def value_at(self, x: float) -> int:
        return self.enough(x) * self.unit

    def study_with(self, value: float) -> Study:
        return self.study.resized(**{self.solves_for: round(value)})


class ItemsAxis(CountAxis):
    """The number of items; those that come in clusters are asked about in whole clusters."""

    solves_for = "items"

    @property
    def most(self) -> float:
        return math.sqrt(MOST_ITEMS // self.unit)

    @cached_property
    def unit(self) -> int:
        return self.study.population.unit

    @cached_property
    def start(self) -> float:
        distance = distance_to_claim(self.study)
        if distance <= 0.0:
            raise UsageError(
                f"{self.study.test} asks about an effect inside its margin, and {self.study.population.known_effect:g} lies "
                "outside: no number of items shows it"
            )
        x = self.quantiles * item_spread(self.study.population) / distance / math.sqrt(self.unit)
        if self.slow:
            x = math.sqrt(x * x + RESAMPLED)
        # Half of the way at most: whether power falls short there is seen with room left to go further.
        return self.snapped(min(max(x, 2.0), self.most / 2.0))

    def refused(self, x: float) -> UsageError:
        return UsageError(
            f"even {self.value_at(x):,} items reach only {self.at(x).power:.3f} power for {self.study.population}; "
            "the effect is too small, or the test cannot find it"
        )


FARTHEST = 1e15
"""Standard errors beyond which no effect is looked for: a test that misses it there never rejects, and near 1e16 scores
themselves are lost in the rounding of the effect."""
EDGE = 1e-9
"""How near to the largest possible effect a solution may come; some populations cannot have it itself."""


class EffectAxis(PowerAxis):
    """The size of the effect; its sign is that of the alternative."""

    solves_for = "effect"
    least = 0.0

    def __init__(self, study: Study, target: float, budget: Budget, runner: Runner | None = None) -> None:
        super().__init__(study, target, budget, runner)
        if study.test.claim != "difference":
            raise UsageError(
                f"{study.test} asks about a margin, not about an effect to find; give the effect, and solve for items or power"
            )

    @cached_property
    def downwards(self) -> bool:
        """Whether effects below 0 are looked for: by the alternative, or because there are no others."""
        alternative, (_, high) = self.study.test.alternative, self.study.population.effect_range
        return alternative == "less" or (alternative == "two-sided" and high <= 0.0)

    @property
    def sign(self) -> float:
        return -1.0 if self.downwards else 1.0

    @cached_property
    def most(self) -> float:
        low, high = self.study.population.effect_range
        most = -low if self.downwards else high
        if not (low <= 0.0 <= high and most > 0.0):
            raise UsageError(
                f"{self.study.population} can only have an effect between {low + 0.0:.4g} and {high + 0.0:.4g}, and "
                f"the search for the smallest starts at 0 and goes {'down' if self.downwards else 'up'}; give the "
                "effect, and solve for items or power"
            )
        return min(most * (1.0 - EDGE), FARTHEST * self._standard_error, LARGEST)

    def snapped(self, x: float) -> float:
        return float(x)

    def value_at(self, x: float) -> float:
        return self.sign * x

    def study_with(self, value: float) -> Study:
        return self.study.with_effect(value)

    @cached_property
    def start(self) -> float:
        most = self.most  # first, for it says what is wrong where there is nothing to look for
        if self._some_effect.sd_difference == 0.0:
            raise UsageError(
                f"{self.study.population}: every difference between the systems is the effect itself, so any effect "
                "is found; give a correlation below 1 or different spreads"
            )
        return min(self.quantiles * self._standard_error, most)

    @cached_property
    def _standard_error(self) -> float:
        """About the standard error of the mean difference when there is next to nothing to find."""
        return item_spread(self._some_effect) / math.sqrt(self.study.items)

    @cached_property
    def _some_effect(self) -> Population:
        """The population with next to nothing to find."""
        low, high = self.study.population.effect_range
        return self.study.population.with_effect(self.sign * min(1e-6, (-low if self.downwards else high) / 2.0))

    def refused(self, x: float) -> UsageError:
        low, high = self.study.population.effect_range
        largest = f"the largest effect these scores can have ({self.sign * x:.4g})"
        if math.isinf(low if self.downwards else high):
            largest = f"an effect of any size by {self.study.test}"
        return UsageError(
            f"{self.study.items:,} items find even {largest} with only {self.at(x).power:.3f} power; give more items, or ask "
            "for less power"
        )
