from dataclasses import dataclass
from typing import Self

import numpy as np

from tellapart.arrays import FloatArray, IntArray
from tellapart.errors import Unsuitable
from tellapart.scores import Pair
from tellapart.summaries.contributions import average_runs
from tellapart.summaries.right_or_wrong import count, is_right_or_wrong
from tellapart.summaries.summary import Aggregation, Summary


@dataclass(frozen=True, eq=False)
class Discordance(Summary):
    """Counts of items by which system was right: both, only B (`wins`), only A (`losses`), neither; each `(*batch,)`."""

    both: IntArray
    wins: IntArray
    losses: IntArray
    neither: IntArray

    binary = True

    @classmethod
    def suits(cls, sample: object, metric: Aggregation) -> bool:
        return is_right_or_wrong(sample, metric)

    @classmethod
    def of(cls, sample: Pair, metric: Aggregation) -> Self:
        if not cls.suits(sample, metric):
            raise Unsuitable(
                "this method needs right-or-wrong scores (0 and 1, one run per item); these are not. Leave the method "
                "to be chosen, or name one for numbers, such as paired_t or permutation"
            )
        # Any threshold between 0 and 1 would do: nothing else can be met here.
        a, b = (average_runs(x)[..., 0] > 0.5 for x in (sample.a, sample.b))
        return cls(count(a & b), count(b & ~a), count(a & ~b), count(~a & ~b))

    @property
    def items(self) -> IntArray:
        return np.asarray(self.both + self.wins + self.losses + self.neither)

    @property
    def effect(self) -> FloatArray:
        return np.asarray((self.wins - self.losses) / self.items)

    @property
    def share(self) -> FloatArray:
        """The share of items on which the systems differ."""
        return np.asarray((self.wins + self.losses) / self.items)
