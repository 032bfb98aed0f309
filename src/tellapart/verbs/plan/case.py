"""One case of a plan's grid, solved for items, effect or power, with the checks before any computation."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from tellapart.answers.plan import SolvedFor
from tellapart.compute import Runner
from tellapart.compute.work import Budget
from tellapart.foundation.errors import UsageError
from tellapart.foundation.surfaces import option
from tellapart.methods.significance import Procedure
from tellapart.planning.axis import PowerAxis
from tellapart.planning.solved_axes import EffectAxis, ItemsAxis
from tellapart.planning.study import Study
from tellapart.populations import Population
from tellapart.populations.population import FEWEST
from tellapart.verbs.plan import raters
from tellapart.verbs.plan.choices import Chosen, choices
from tellapart.verbs.plan.seeds import check_seeds

USUAL_POWER = 0.8
"""Planned for where only the items or only the effect are given."""


@dataclass(frozen=True)
class PlanCase:
    """Two of items, effect (in the population) and power; the third is solved. Of items and effect one alone will do."""

    population: Population
    test: Procedure
    items: int | None
    power: float | None
    alpha: float
    assurance: float | None = None
    prior: Population | None = None
    """The population with the names of the evidence that says some of its numbers; None where all are given."""

    @classmethod
    def of(cls, population: Population, test: Procedure, **question: Any) -> "PlanCase":
        """The case of a population by its numbers, whatever says them."""
        prior = population if population.rests_on_evidence else None
        return cls(population.with_numbers, test, prior=prior, **question)

    @property
    def source(self) -> str:
        """Where its scores come from, as a report cites it."""
        population = self.population
        return (population if self.prior is None else self.prior.with_effect(population.effect)).source

    @property
    def solved_for(self) -> SolvedFor:
        given: dict[SolvedFor, float | None] = {
            "items": self.items,
            "effect": self.population.effect,
            "power": self.power,
        }
        absent = [name for name, value in given.items() if value is None]
        if len(absent) != 1:
            have = ", ".join(name for name in given if name not in absent) or "none of them"
            more = (
                "; items or effect alone will do, at the usual power" if absent else "; leave out the one to solve for"
            )
            raise UsageError(f"give two of items, effect and power, and the third is solved; given: {have}{more}")
        return absent[0]

    @cached_property
    def _smallest(self) -> Study:
        return Study(self.population, self.test, FEWEST, self.alpha)

    def study(self, items: int) -> Study:
        return self._smallest if items == FEWEST else self._smallest.resized(items=items)

    @cached_property
    def guess(self) -> Study:
        """The study itself, or one about where a z test would have the power."""
        if self.power is None:
            assert self.items is not None
            return self.study(self.items)
        axis = self.axis(self.power)
        return axis.study_at(axis.start)

    def axis(self, power: float, runner: Runner | None = None) -> PowerAxis:
        """The axis along which this power is looked for: the effect where the items are given, else the items."""
        if self.items is not None:
            return EffectAxis(self.study(self.items), power, Budget(), runner)
        return ItemsAxis(self.study(FEWEST), power, Budget(), runner)

    def with_chosen_test(self) -> "PlanCase":
        """The same for the test that `compare` will choose, where nobody named one and one stands for all."""
        if self.items is None or self.population.effect is None or not isinstance(self.test, Chosen):
            return self
        return replace(self, test=choices(self.population, self.items).test)

    def checked(self) -> "PlanCase":
        """The same question, with systems that are equal where a margin is asked about and no effect given, and a power."""
        case = self
        if case.test.claim != "difference" and case.population.effect is None and None in {case.items, case.power}:
            case = replace(case, population=case.population.with_effect(0.0))
        if case.power is None and (case.items is None) != (case.population.effect is None):
            case = replace(case, power=USUAL_POWER)
        case.study(FEWEST if case.items is None else case.items)  # refuses what is no study
        case.check_power()
        if case.solved_for == "items" and case.test.claim == "difference":
            case.check_effect()
        if case.assurance is not None and (case.solved_for != "items" or case.population.from_spelling):
            raise UsageError(
                f"assurance is for solving items from a pilot, and this asks for the {case.solved_for} of {case.population.name}: "
                f"plan a pilot with {option('effect')} and {option('power')}"
            )
        return case.with_chosen_test()

    def check_power(self) -> None:
        if self.power is not None and not self.alpha < self.power < 1.0:
            likely = f"; {self.power:g} % is {self.power / 100:g}" if 1.0 < self.power <= 100.0 else ""
            raise UsageError(f"power is {self.power:g}; it should lie between alpha ({self.alpha:g}) and 1{likely}")

    def check_effect(self) -> None:
        """No number of items finds nothing, or what lies on the side where the test does not look."""
        effect = self.population.known_effect
        if effect == 0.0:
            raise UsageError("no number of items finds an effect of 0; give the smallest effect that matters")
        if self.population.by_raters:
            raters.check_reachable(self.study(FEWEST), self.power or USUAL_POWER)
        check_seeds(self.population, self.test, self.alpha, self.power or USUAL_POWER)
        if {"less": 1.0, "greater": -1.0}.get(self.test.alternative, 0.0) * effect > 0.0:
            raise UsageError(
                f"{self.test} looks in one direction, and an effect of {effect:g} lies in the other: no number of items finds it"
            )
