"""Whether a population is a pilot, asked without importing what only pilots need."""

from typing import TYPE_CHECKING

from tellapart.populations.population import Population

if TYPE_CHECKING:
    from tellapart.populations.pilot import Pilot


def as_pilot(population: Population) -> "Pilot | None":
    """The population itself where its scores are those of a pilot's file; None where it is assumed."""
    if population.from_spelling:
        return None
    from tellapart.populations.pilot import Pilot  # noqa: PLC0415  (most populations are assumed)

    return population if isinstance(population, Pilot) else None
