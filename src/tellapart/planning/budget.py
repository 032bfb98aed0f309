"""What may be spent on an answer about power."""

import math
from dataclasses import dataclass
from typing import Literal, get_args

from tellapart.errors import UsageError
from tellapart.populations.quantities import whole

EngineName = Literal["formula", "exact", "monte_carlo"]


@dataclass(frozen=True)
class Budget:
    """By which engine power is computed (None: the first that can), and how much is simulated, from which seed.

    With `until`, only so much of the replicates that power is known to within so much on either side.
    """

    engine: str | None = None
    replicates: int = 10_000
    seed: int = 0
    until: float | None = None

    def __post_init__(self) -> None:
        if self.engine is not None and self.engine not in get_args(EngineName):
            raise UsageError(f"no engine is called {self.engine!r}; known: {', '.join(get_args(EngineName))}")
        object.__setattr__(self, "replicates", whole("replicates", self.replicates, least=1))
        object.__setattr__(self, "seed", whole("seed", self.seed, least=0, most=math.inf))

    def exceeds(self, replicates: int | None) -> bool:
        """Whether more was asked for than these replicates, which an interrupt cut short (None: nothing is simulated)."""
        return replicates is not None and replicates < self.replicates and self.until is None
