"""A study (population, test, alpha and design), its power, and the replicates to simulate it with."""

import numbers
from copy import copy
from dataclasses import dataclass
from typing import Any, Literal, Self

from tellapart.foundation.arrays import FINEST
from tellapart.foundation.errors import UsageError
from tellapart.foundation.quantities import LARGEST_COUNT
from tellapart.foundation.spelling import Range
from tellapart.methods.significance.procedure import Procedure
from tellapart.populations.population import FEWEST, Design, Population

CountOfDesign = Literal["items"]
"""The fields of a design that can be solved for."""
SolvedFor = CountOfDesign | Literal["effect", "power"]
LEVEL = 0.95
"""Of the interval that a finite number of replicates leaves."""
ALPHAS = Range(above=0, least=FINEST, below=1, usual="usually 0.05")
"""Levels at which power can be computed: finer ones are lost in rounding."""


@dataclass(frozen=True, init=False)
class Study:
    """If scores come from `population`, how often does `test` at `alpha` reject on a sample of this `design`?

    Population and test may be given by their spelling, a design of plain items by their number.
    """

    population: Population
    test: Procedure
    design: Design
    alpha: float

    def __init__(
        self, population: Population | str, test: Procedure | str, design: Design | int, alpha: float = 0.05
    ) -> None:
        if not isinstance(population, Population):
            population = Population.parse(population)
        object.__setattr__(self, "population", population.with_numbers)
        object.__setattr__(self, "test", test if isinstance(test, Procedure) else Procedure.parse(test))
        object.__setattr__(self, "design", Design.of(design))
        object.__setattr__(self, "alpha", level(alpha))

    @property
    def items(self) -> int:
        return self.design.items

    def resized(self, **changes: int) -> Self:
        """The study with other numbers in its design."""
        if any(type(value) is not int or not FEWEST <= value <= LARGEST_COUNT for value in changes.values()):
            return self._changed("design", self.design.replace(**changes))
        design = copy(self.design)
        for name, value in changes.items():
            object.__setattr__(design, name, value)
        return self._changed("design", design)

    @property
    def simulated(self) -> Self:
        """The study of scores as Monte Carlo draws them."""
        return self._changed("population", self.population.simulated)

    def with_effect(self, effect: float) -> Self:
        return self._changed("population", self.population.with_effect(effect))

    def of_population(self, population: Population) -> Self:
        """The study of another population."""
        return self._changed("population", population)

    def _changed(self, name: str, value: Design | Population) -> Self:
        # Everything else was checked when the study was made; a search makes dozens of them.
        study = copy(self)
        object.__setattr__(study, name, value)
        return study


@dataclass(frozen=True)
class PowerResult:
    """How often a study rejects, in either direction, with the interval that simulation leaves (none when exact).

    `type_s` is the share of rejections with the wrong sign, `type_m` the mean exaggeration |estimate / effect| among
    rejections; both None at zero effect.
    """

    power: float
    low: float
    high: float
    engine: str
    replicates: int | None
    type_s: float | None
    type_m: float | None


def level(alpha: Any) -> float:
    """The level of a test as a builtin number; one that no test has is refused."""
    found = number("alpha", alpha)
    if found not in ALPHAS:
        raise UsageError(f"alpha is {found:g}; it should {ALPHAS}")
    return found


def number(name: str, value: Any) -> float:
    """A number as a builtin one; anything else is refused by name."""
    if isinstance(value, numbers.Real) and not isinstance(value, bool):
        return float(value)
    raise UsageError(f"{name} is {value!r}; it should be a number")


# How much work a simulation of a study is, and how many replicates of it a plan can afford.

MANY, FEWER, LEAST = 10_000, 1_000, 100
"""Default numbers of simulated evaluations: usually, where each is resampled or fitted, and for the largest."""
NUMBERS = 25_000_000
"""Numbers in all of them together, so that no plan takes more than some seconds."""
DRAWN_AGAIN, RATED = 8, 4
"""For how many one counts that is drawn again, and one that a rater gave: their sums of squares take longer than a mean."""
STEPS = 1, 2, 5
ENOUGH = 1_000
"""Replicates below which a simulation, whose interval is then 5 points wide or more, says less than the central limit theorem does."""


def usual_replicates(study: Study) -> int:
    """A power of ten, twice or five times that: studies that hardly differ get the same."""
    usual = FEWER if study.test.resampling or study.population.fitted_one_by_one else MANY
    each = _numbers_per_evaluation(study)
    round_numbers = (step * tens for tens in (LEAST, 10 * LEAST) for step in STEPS)
    affordable = (number for number in round_numbers if number * each <= NUMBERS)
    return usual if usual * each <= NUMBERS else min(usual, max(affordable, default=LEAST))


def has_many_items(study: Study) -> bool:
    """Whether one evaluation is so large that too few can be simulated."""
    return ENOUGH * _numbers_per_evaluation(study) > NUMBERS


def _numbers_per_evaluation(study: Study) -> int:
    """Of one evaluation, each counted as often as it is used."""
    population, test = study.population, study.test
    weight = DRAWN_AGAIN if test.resampling else RATED if population.by_raters else 1
    return population.width(test.needs, study.design) * weight
