from dataclasses import dataclass, field
from typing import Self

import numpy as np

from tellapart.arrays import FloatArray, IntArray
from tellapart.scores import Pair
from tellapart.summaries.proportion import Proportion
from tellapart.summaries.right_or_wrong import is_right_or_wrong, needed_coding
from tellapart.summaries.summary import Aggregation, Summary


@dataclass(frozen=True, eq=False)
class SeparateCounts(Summary):
    """How often each of two systems that share no item was right."""

    a: Proportion
    b: Proportion
    step: float = field(default=1.0, kw_only=True)
    """What a right answer scores more than a wrong one: effects are in the scores' own unit."""

    paired = False
    binary = True

    @classmethod
    def suits(cls, sample: object, metric: Aggregation) -> bool:
        return is_right_or_wrong(sample, metric)

    @classmethod
    def of(cls, sample: Pair, metric: Aggregation) -> Self:
        code = needed_coding(sample, metric, "Use welch_t for numbers")
        return cls(Proportion.of(sample.a, metric), Proportion.of(sample.b, metric), step=code.step)

    @property
    def items(self) -> IntArray:
        """The items of both systems together."""
        return np.asarray(self.a.trials + self.b.trials)

    @property
    def effect(self) -> FloatArray:
        return np.asarray(self.step * (self.b.effect - self.a.effect))
