"""Base class of populations that wrap another, such as `clustered`."""

from dataclasses import dataclass, field
from functools import cached_property

from tellapart.foundation.errors import UsageError
from tellapart.metrics.metric import Metric
from tellapart.populations.population import Design, Population


@dataclass(frozen=True, kw_only=True)
class Wrapper(Population):
    """Base of wrappers. The effect is the wrapper's own; one given inside is moved here, so that it is said once."""

    population: Population = field(metadata={"help": "the scores that are wrapped"})

    def __post_init__(self) -> None:
        super().__post_init__()
        within = self.population.effect
        if within is not None:
            if self.effect not in {None, within}:
                raise UsageError(
                    f"{self.name}: effect={self.effect:g} and the effect of {self.population} differ; give it once"
                )
            object.__setattr__(self, "effect", within)
            object.__setattr__(self, "population", self.population.with_effect(None))
        if self.effect is not None:
            # Building the wrapped population with the effect is what checks that it can have it.
            self.population.with_effect(self.effect)

    @cached_property
    def inner(self) -> Population:
        """The wrapped population with the effect."""
        return self.population.with_effect(self.known_effect)

    @property
    def inside(self) -> tuple[Population, ...]:
        """The wrapped populations, from the outermost in."""
        within = self.population
        return (within, *within.inside) if isinstance(within, Wrapper) else (within,)

    @property
    def effect_range(self) -> tuple[float, float]:
        return self.population.effect_range

    @property
    def complete(self) -> bool:
        return self.population.complete

    @property
    def rests_on_evidence(self) -> bool:
        return self.population.rests_on_evidence

    @property
    def with_numbers(self) -> Population:
        return self.replace(population=self.population.with_numbers)

    def at_place(self, place: float) -> Population:
        return self.replace(population=self.population.at_place(place))

    @property
    def metric(self) -> Metric:
        return self.population.metric

    @property
    def unit(self) -> int:
        return self.population.unit

    @property
    def latent(self) -> int:
        return self.population.latent

    def width(self, needs: type, design: Design) -> int:  # noqa: ARG002  (no wrapper draws a summary directly)
        return self.population.width(object, design)
