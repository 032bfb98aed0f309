"""A study: a complete question about power, and its answer."""

from dataclasses import dataclass
from typing import Any

from tellapart.errors import UsageError
from tellapart.populations.population import Population
from tellapart.significance.procedure import Procedure


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
        if not 0.0 < self.alpha < 1.0:
            raise UsageError(f"alpha is {self.alpha:g}; it should lie between 0 and 1, usually 0.05")


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


def whole(name: str, value: Any, *, least: int) -> int:
    """A whole number, at least so large, as a builtin one; anything else is refused by name."""
    try:
        number = None if isinstance(value, bool) else int(value.__index__())
    except AttributeError:
        number = None
    if number is None:
        raise UsageError(f"{name} is {value!r}; it should be a whole number")
    if number < least:
        raise UsageError(f"{name} is {number}; it should be at least {least}")
    return number
