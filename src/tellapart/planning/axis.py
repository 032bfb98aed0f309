"""Base class of the axes that a study is solved along, with the power at each place computed once."""

from abc import ABC, abstractmethod
from dataclasses import replace
from functools import cached_property
from typing import ClassVar

from scipy import special

from tellapart.compute import Runner
from tellapart.compute.work import Budget
from tellapart.foundation.errors import UsageError
from tellapart.numerics.null_laws.tails import sides
from tellapart.planning.power import power_of
from tellapart.planning.study import PowerResult, SolvedFor, Study

QUICK_SHARE = 10
"""Of how many replicates one is drawn where the others may not be needed, for a test that takes long."""
FEWEST_QUICK = 25
"""Replicates below which a glance says next to nothing."""


class PowerAxis(ABC):
    """Power at each place `x` along an axis on which the probit of power is nearly a straight line."""

    solves_for: ClassVar[SolvedFor]
    """The field of the design, or the effect of the population, that the axis varies."""
    least: ClassVar[float]

    def __init__(self, study: Study, target: float, budget: Budget, runner: Runner | None = None) -> None:
        self.study, self.target, self.budget, self.runner = study, target, budget, runner or Runner()
        self.known: dict[float, PowerResult] = {}
        self.quick_power: dict[float, PowerResult] = {}
        """The power by place from a tenth of the replicates."""

    def at(self, x: float) -> PowerResult:
        """The power at a place; after an interrupt from the keyboard, only where it is known already."""
        x = self.snapped(x)
        if x not in self.known:
            if self.runner.interrupted:
                raise KeyboardInterrupt
            self.known[x] = power_of(self.study_at(x), self.budget, self.runner)
        return self.known[x]

    def reaches_target(self, x: float) -> bool:
        quick_decision = self.quick_decision(x)
        return self.at(x).power >= self.target if quick_decision is None else quick_decision

    def about(self, x: float) -> PowerResult:
        """The power at a place as it is known, if only from a glance."""
        x = self.snapped(x)
        return self.known.get(x) or self.quick_power.get(x) or self.at(x)

    def quick_decision(self, x: float) -> bool | None:
        """Whether a tenth of the replicates shows power above the target, or below it; None where all are needed.

        An interval of twice its width, four standard errors to either side, is as good as certain.
        """
        x, budget = self.snapped(x), self.budget
        fewer = budget.replicates // QUICK_SHARE
        if x in self.known or self.runner.interrupted or not self.slow or fewer < FEWEST_QUICK:
            return None
        if x not in self.quick_power:
            self.quick_power[x] = power_of(self.study_at(x), replace(budget, replicates=fewer), self.runner)
        found = self.quick_power[x]
        return found.power > self.target if abs(found.power - self.target) > found.high - found.low else None

    @cached_property
    def slow(self) -> bool:
        """Whether each evaluation is resampled, so that none is simulated that is not needed."""
        return self.study.test.resampling

    def fix_engine(self) -> None:
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
        """The value at a place."""

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
        test = self.study.test
        tails = sides(test.alternative) if test.claim == "difference" else 1.0
        return max(float(special.ndtri(self.target) - special.ndtri(self.study.alpha / tails)), 0.1)
