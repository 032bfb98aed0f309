"""What a population is: an assumed source of paired scores with its true effect. It knows no test."""

from abc import abstractmethod
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

from tellapart.errors import UsageError
from tellapart.scores import Pair
from tellapart.seeds import Generator
from tellapart.spelling import Registry, Spelled

POPULATIONS: "Registry[Population]" = Registry("population")


@dataclass(frozen=True)
class Population(Spelled):
    """Base of every population. `effect` is the true difference of means B − A; None leaves it open, to be solved for."""

    effect: float | None = field(
        default=None, kw_only=True, metadata={"help": "true difference of means, B − A"}
    )

    registry = POPULATIONS
    label: ClassVar[str]
    test: ClassVar[str]
    """The spelling of the test that is planned for when none is named."""

    def with_effect(self, effect: float) -> Self:
        return self.replace(effect=effect)

    @property
    def known_effect(self) -> float:
        if self.effect is None:
            raise UsageError(f"{self} has no effect; give one, or solve for it by giving items and power")
        return self.effect

    @abstractmethod
    def draw(self, items: int, size: int, rng: Generator) -> Pair:
        """`size` simulated evaluations of `items` items each: arrays `(size, item, run, part)`."""

    def draw_summary(self, needs: type, items: int, size: int, rng: Generator) -> Any | None:
        """The same evaluations as a summary drawn directly, where that is faster; None where there is no such way."""
        return None
