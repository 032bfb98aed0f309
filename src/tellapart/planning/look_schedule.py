"""When scores are looked at before all of them are there."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Self

import numpy as np

from tellapart.foundation.errors import UsageError
from tellapart.foundation.surfaces import option
from tellapart.methods.significance.procedure import Procedure
from tellapart.numerics.looks import Boundaries, Sides, Spending, lan_demets


@dataclass(frozen=True)
class LookSchedule:
    """When scores are looked at, as shares of the planned items, and how alpha is spent over these looks."""

    shares: tuple[float, ...]
    spending: Spending

    @classmethod
    def equal(cls, looks: int, spending: Spending) -> Self:
        return cls(tuple((look + 1) / looks for look in range(looks)), spending)

    def items(self, most: int, unit: int = 1) -> tuple[int, ...]:
        """The items at each look, whole clusters of them."""
        units = np.rint(np.array(self.shares) * (most / unit)).astype(int)
        if np.any(np.diff(units, prepend=0) < 1):
            raise UsageError(
                f"{most} items are too few for {len(units)} looks; plan fewer, with {option('looks')} or {option('timing')}"
            )
        return tuple((units * unit).tolist())


def sides_of(test: Procedure) -> Sides:
    """How many sides a test's boundaries have."""
    return 2 if test.claim == "difference" and test.alternative == "two-sided" else 1


@lru_cache(maxsize=256)
def look_boundaries(items: tuple[int, ...], spending: Spending, alpha: float, sides: Sides) -> Boundaries:
    """The boundaries of looks at these numbers of items, the last of which are all."""
    return lan_demets(np.array(items) / items[-1], spending, alpha, sides)
