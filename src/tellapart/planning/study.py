"""A study: a complete question about power, and its answer."""

import numbers
from dataclasses import dataclass
from typing import Any

from tellapart.arrays import FINEST
from tellapart.errors import UsageError
from tellapart.populations.population import Population
from tellapart.significance.procedure import Procedure

LARGEST_COUNT = 10**18
"""Of items, replicates or comparisons: beyond it even formulas would only compute with rounding errors."""


@dataclass(frozen=True)
class Study:
    """If scores come from `population`, how often does `test` at `alpha` reject on `items` items?

    Population and test may be given by their spelling.
    """

    population: Population
    test: Procedure
    items: int
    alpha: float = 0.05

    def __post_init__(self) -> None:
        object.__setattr__(self, "population", Population.parse(self.population))
        object.__setattr__(self, "test", Procedure.parse(self.test))
        object.__setattr__(self, "items", whole("items", self.items, least=2))
        object.__setattr__(self, "alpha", level(self.alpha))


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
    if not 0.0 < found < 1.0:
        raise UsageError(f"alpha is {found:g}; it should lie between 0 and 1, usually 0.05")
    if found < FINEST:
        raise UsageError(f"alpha is {found:g}; below {FINEST:g} no power can be computed")
    return found


def number(name: str, value: Any) -> float:
    """A number as a builtin one; anything else is refused by name."""
    if isinstance(value, numbers.Real) and not isinstance(value, bool):
        return float(value)
    raise UsageError(f"{name} is {value!r}; it should be a number")


def whole(name: str, value: Any, *, least: int, most: float = LARGEST_COUNT) -> int:
    """A whole number between these two, as a builtin one; anything else is refused by name."""
    try:
        found = None if isinstance(value, bool) else int(value.__index__())
    except AttributeError:
        found = None
    if found is None:
        raise UsageError(f"{name} is {value!r}; it should be a whole number")
    if found < least:
        raise UsageError(f"{name} is {found}; it should be at least {least}")
    if found > most:
        raise UsageError(f"{name} has {len(str(found))} digits; it should be no larger than {most:.0e}")
    return found
