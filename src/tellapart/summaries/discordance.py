from dataclasses import dataclass, field
from typing import Self

import numpy as np

from tellapart.arrays import FloatArray, IntArray
from tellapart.scores import Pair
from tellapart.summaries.contributions import average_runs
from tellapart.summaries.right_or_wrong import count, is_right_or_wrong, needed_coding, right
from tellapart.summaries.summary import Aggregation, Summary


@dataclass(frozen=True, eq=False)
class Discordance(Summary):
    """Counts of items by which system was right: both, only B (`wins`), only A (`losses`), neither; each `(*batch,)`."""

    both: IntArray
    wins: IntArray
    losses: IntArray
    neither: IntArray
    step: float = field(default=1.0, kw_only=True)
    """What a right answer scores more than a wrong one: effects are in the scores' own unit."""

    binary = True

    @classmethod
    def suits(cls, sample: object, metric: Aggregation) -> bool:
        return is_right_or_wrong(sample, metric)

    @classmethod
    def of(cls, sample: Pair, metric: Aggregation) -> Self:
        way = "Leave the method to be chosen, or name one for numbers, such as paired_t or permutation"
        code = needed_coding(sample, metric, way)
        a, b = (right(average_runs(x)[..., 0]) for x in (sample.a, sample.b))
        return cls(count(a & b), count(b & ~a), count(a & ~b), count(~a & ~b), step=code.step)

    @property
    def items(self) -> IntArray:
        return np.asarray(self.both + self.wins + self.losses + self.neither)

    @property
    def effect(self) -> FloatArray:
        return np.asarray(self.step * ((self.wins - self.losses) / self.items))

    @property
    def share(self) -> FloatArray:
        """The share of items on which the systems differ."""
        return np.asarray((self.wins + self.losses) / self.items)
