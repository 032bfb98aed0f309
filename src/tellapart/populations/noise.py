"""Common random numbers, shared by the whole grid of assumed effects and correlations."""

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field
from typing import Any, Literal, Self, TypeVar

from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.seeds import Generator

Made = TypeVar("Made")
REMEMBERED = 8
"""How many intermediate arrays a block of noise keeps for the next population that wants the same ones."""


@dataclass(frozen=True)
class Draw:
    """Layers of random numbers of one law, each of this shape in every simulated evaluation."""

    law: Literal["normal", "uniform"]
    layers: int
    shape: tuple[int, ...]

    def numbers(self, size: int, rng: Generator) -> FloatArray:
        """The numbers of `size` evaluations, `(layer, size, *shape)`."""
        draw = rng.standard_normal if self.law == "normal" else rng.random
        return draw((self.layers, size, *self.shape))


@dataclass(frozen=True, eq=False)
class Noise:
    """The random numbers of a block of simulated evaluations, and what populations have already made of them."""

    layers: tuple[FloatArray, ...]
    _made: dict[Hashable, Any] = field(default_factory=dict)

    @classmethod
    def drawn(cls, draws: Iterable[Draw], size: int, rng: Generator) -> Self:
        """Equal draws from equal generators are equal noise: that is all there is to sharing it."""
        return cls(tuple(layer for draw in draws for layer in draw.numbers(size, rng)))

    def once(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """The result of `make`, cached for all populations that ask for the same `key`.

        Two populations that make different things must ask under different keys: the key names every option that counts.
        """
        if key not in self._made:
            if len(self._made) >= REMEMBERED:
                self._made.pop(next(iter(self._made)))
            self._made[key] = make()
        made: Made = self._made[key]
        return made
