"""A study: a complete question about power, and its answer."""

from dataclasses import dataclass

from tellapart.populations.population import Population
from tellapart.significance.procedure import Procedure


@dataclass(frozen=True)
class Study:
    """If scores come from `population`, how often does `test` at `alpha` reject on `items` items?"""

    population: Population
    test: Procedure
    items: int
    alpha: float = 0.05


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
