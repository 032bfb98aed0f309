"""Power along one axis, the number of items or the effect: each place is computed once, until the keyboard interrupts."""

import math
from abc import ABC, abstractmethod
from dataclasses import replace
from functools import cached_property
from typing import ClassVar

import numpy as np
from scipy import special

from tellapart.arrays import LARGEST, STATISTIC_NOISE
from tellapart.errors import UsageError
from tellapart.planning.budget import Budget
from tellapart.planning.power import power_of
from tellapart.planning.study import CountOfDesign, PowerResult, SolvedFor, Study
from tellapart.populations.design import FEWEST
from tellapart.populations.population import Population
from tellapart.seeds import stream
from tellapart.significance.margins import Equivalence, NonInferiority
from tellapart.summaries import contributions
from tellapart.workers import Runner

MOST_ITEMS = 10**9
"""More than anybody evaluates: a search that gets there ends with the reason."""
LOOK = 500
"""Items, or clusters of them, drawn to see the spread of a population that cannot say it: within 7 %, and a search that
begins there has brackets of 25 %."""
FARTHEST = 1e15
"""Standard errors beyond which no effect is looked for: a test that misses it there never rejects, and near 1e16 scores
themselves are lost in the rounding of the effect."""
RESAMPLED = 4
"""Units that a resampling test takes beyond those of a z test: two for a spread that is not known, as a t test, and two of its own."""
GLANCED = 10
"""Of how many replicates one is drawn where the others may not be needed, for a test that takes long."""
FEWEST_GLANCED = 25
"""Replicates below which a glance says next to nothing."""
EDGE = 1e-9
"""How near to the largest possible effect a solution may come; some populations cannot have it itself."""


class Axis(ABC):
    """Power at each place `x` along an axis on which the probit of power is nearly a straight line."""

    solves_for: ClassVar[SolvedFor]
    """What a place on the axis stands for: a field of the design, or the effect of the population."""
    least: ClassVar[float]

    def __init__(self, study: Study, target: float, budget: Budget, runner: Runner | None = None) -> None:
        self.study, self.target, self.budget, self.runner = study, target, budget, runner or Runner()
        self.known: dict[float, PowerResult] = {}
        self.glanced: dict[float, PowerResult] = {}
        """The same from a tenth of the replicates."""

    def at(self, x: float) -> PowerResult:
        """The power at a place; after an interrupt from the keyboard, only where it is known already."""
        x = self.snapped(x)
        if x not in self.known:
            if self.runner.interrupted:
                raise KeyboardInterrupt
            self.known[x] = power_of(self.study_at(x), self.budget, self.runner)
        return self.known[x]

    def reaches_target(self, x: float) -> bool:
        beyond_doubt = self.beyond_doubt(x)
        return self.at(x).power >= self.target if beyond_doubt is None else beyond_doubt

    def about(self, x: float) -> PowerResult:
        """The power at a place as it is known, if only from a glance."""
        x = self.snapped(x)
        return self.known.get(x) or self.glanced.get(x) or self.at(x)

    def beyond_doubt(self, x: float) -> bool | None:
        """Whether a tenth of the replicates shows power above the target, or below it; None where all are needed.

        An interval of twice its width, four standard errors to either side, is as good as certain.
        """
        x, budget = self.snapped(x), self.budget
        fewer = budget.replicates // GLANCED
        if x in self.known or self.runner.interrupted or not self.slow or fewer < FEWEST_GLANCED:
            return None
        if x not in self.glanced:
            self.glanced[x] = power_of(self.study_at(x), replace(budget, replicates=fewer), self.runner)
        found = self.glanced[x]
        return found.power > self.target if abs(found.power - self.target) > found.high - found.low else None

    @property
    def slow(self) -> bool:
        """Whether each evaluation is resampled, so that none is simulated that is not needed."""
        return self.study.test.resampling

    def settle_engine(self) -> None:
        """Where a formula holds from some number of items on, a search must not go back and forth between it and the simulation."""
        first = self.at(self.start)
        if self.budget.engine is None and first.low < first.high and first.engine != "exact":
            self.budget = replace(self.budget, engine=first.engine)

    @property
    def simulated(self) -> bool:
        """Whether the engine that answers is the simulation."""
        return self.at(self.start).replicates is not None

    @property
    @abstractmethod
    def most(self) -> float:
        """The farthest place there is."""

    @abstractmethod
    def snapped(self, x: float) -> float:
        """The nearest place there is."""

    @abstractmethod
    def value_at(self, x: float) -> float:
        """What a place stands for."""

    @abstractmethod
    def study_with(self, value: float) -> Study:
        """The study with this value of what is solved for."""

    def study_at(self, x: float) -> Study:
        return self.study_with(self.value_at(x))

    @property
    @abstractmethod
    def start(self) -> float:
        """Where to look first: about what a z test needs."""

    @abstractmethod
    def refused(self, x: float) -> UsageError:
        """Why no place has the target power, x being the farthest tried."""

    @cached_property
    def quantiles(self) -> float:
        """How many standard errors an effect needs to be found that often by a z test."""
        sides = (
            2.0
            if self.study.test.alternative == "two-sided" and self.study.test.claim == "difference"
            else 1.0
        )
        return max(float(special.ndtri(self.target) - special.ndtri(self.study.alpha / sides)), 0.1)


class CountAxis(Axis):
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
        return math.sqrt(MOST_ITEMS)

    @property
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
        x = self.quantiles * spread(self.study.population) / distance / math.sqrt(self.unit)
        if self.slow:
            x = math.sqrt(x * x + RESAMPLED)
        # Half of the way at most: whether power falls short there is seen with room left to go further.
        return self.snapped(min(max(x, 2.0), self.most / 2.0))

    def refused(self, x: float) -> UsageError:
        return UsageError(
            f"even {self.value_at(x):,} items reach only {self.at(x).power:.3f} power for {self.study.population}; "
            "the effect is too small, or the test cannot find it"
        )


class EffectAxis(Axis):
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
    def sign(self) -> float:
        only_below = (
            self.study.population.effect_range[1] <= 0.0 and self.study.test.alternative == "two-sided"
        )
        return -1.0 if only_below or self.study.test.alternative == "less" else 1.0

    @cached_property
    def most(self) -> float:
        low, high = self.study.population.effect_range
        most = -low if self.sign < 0.0 else high
        if not (low <= 0.0 <= high and most > 0.0):
            raise UsageError(
                f"{self.study.population} can only have an effect between {low + 0.0:.4g} and {high + 0.0:.4g}, and the "
                f"smallest that is found is looked for from 0 {'down' if self.sign < 0.0 else 'up'}; give the effect, and "
                "solve for items or power"
            )
        return min(most * (1.0 - EDGE), FARTHEST * self._error, LARGEST)

    def snapped(self, x: float) -> float:
        return float(x)

    def value_at(self, x: float) -> float:
        return self.sign * x

    def study_with(self, value: float) -> Study:
        return self.study.with_effect(value)

    @cached_property
    def start(self) -> float:
        most = self.most  # first, for it says what is wrong where there is nothing to look for
        return min(self.quantiles * self._error, most)

    @cached_property
    def _error(self) -> float:
        """About the standard error of the mean difference when there is next to nothing to find."""
        low, high = self.study.population.effect_range
        some = self.sign * min(1e-6, (-low if self.sign < 0.0 else high) / 2.0)
        return spread(self.study.population.with_effect(some)) / math.sqrt(self.study.items)

    def refused(self, x: float) -> UsageError:
        low, high = self.study.population.effect_range
        largest = f"the largest effect these scores can have ({self.sign * x:.4g})"
        if math.isinf(low if self.sign < 0.0 else high):
            largest = f"an effect of any size by {self.study.test}"
        return UsageError(
            f"{self.study.items:,} items find even {largest} with only {self.at(x).power:.3f} power; give more items, or ask "
            "for less power"
        )


def distance_to_claim(study: Study) -> float:
    """How far the true effect is from where the test could not find it: from 0, or from the margin."""
    test, effect = study.test, study.population.known_effect
    if isinstance(test, Equivalence):
        return test.known_margin - abs(effect)
    if isinstance(test, NonInferiority):
        return test.known_margin + (-effect if test.alternative == "less" else effect)
    return abs(effect)


def spread(population: Population) -> float:
    """The standard deviation of an item's difference, such that a mean of independent clusters has it over √items."""
    known = population.sd_difference
    # Without any spread every unit will do, for a search only begins there; whole rounds of raters would hide how raters spread.
    if known is not None and (population.unit == 1 or population.by_raters):
        return known or 1.0
    drawn = population.draw(LOOK * population.unit, 1, stream(0))
    a, b = (contributions(scores, population.metric) for scores in (drawn.a, drawn.b))
    differences = (b - a).reshape(LOOK, population.unit)
    return float(np.std(differences.mean(axis=1)) * math.sqrt(population.unit)) or 1.0
