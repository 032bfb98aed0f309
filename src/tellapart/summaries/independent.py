from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from tellapart.arrays import FloatArray
from tellapart.scores import Pair
from tellapart.summaries.contributions import contributions
from tellapart.summaries.summary import Aggregation, Summary


@dataclass(frozen=True, eq=False)
class Independent(Summary):
    """Per-item values of two systems that share no item, `(*batch, item)` each with its own number of items."""

    a: FloatArray
    b: FloatArray

    paired = False

    @classmethod
    def of(cls, sample: Pair, metric: Aggregation) -> Self:
        return cls(contributions(sample.a, metric), contributions(sample.b, metric))

    @property
    def items(self) -> int:
        """The items of both systems together."""
        return int(self.a.shape[-1] + self.b.shape[-1])

    @property
    def effect(self) -> FloatArray:
        return np.asarray(self.b.mean(axis=-1) - self.a.mean(axis=-1))

    def shifted(self, by: float) -> Self:
        # Moving B alone moves the difference, and leaves both spreads as they are.
        return replace(self, b=self.b + by)
