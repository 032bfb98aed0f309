from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from tellapart.arrays import FloatArray, IntArray
from tellapart.summaries.contributions import contributions
from tellapart.summaries.right_or_wrong import count, right
from tellapart.summaries.summary import Aggregation, Summary


@dataclass(frozen=True, eq=False)
class Proportion(Summary):
    """How often one system was right: successes out of trials, which are its items; each `(*batch,)`."""

    successes: IntArray
    trials: IntArray

    # One system has no pair: it is made of that system's scores alone.
    made_of: ClassVar[type] = np.ndarray
    systems = 1
    binary = True

    @classmethod
    def of(cls, sample: FloatArray, metric: Aggregation) -> Self:
        """Of one system's scores, `(*batch, item, run, part)`, each right or wrong."""
        values = contributions(sample, metric)
        successes = count(right(values))
        return cls(successes, np.full_like(successes, values.shape[-1]))

    @property
    def items(self) -> IntArray:
        return self.trials

    @property
    def effect(self) -> FloatArray:
        return np.asarray(self.successes / self.trials)
