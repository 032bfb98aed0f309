from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np

from tellapart.arrays import BoolArray, FloatArray, IntArray
from tellapart.errors import Unsuitable
from tellapart.ratings import RatedPair
from tellapart.summaries.by_raters import ByRaters, moved
from tellapart.summaries.summary import Aggregation


@dataclass(frozen=True, eq=False)
class Rated(ByRaters):
    """Single ratings, `(*batch, rating)`, with whose they are and of what: for raters who did not rate both systems on each item.

    `of_b`, `rater` and `item` are `(rating,)`, the same for the whole batch.
    """

    values: FloatArray
    of_b: BoolArray
    rater: IntArray
    item: IntArray
    fits: dict[str, Any] = field(default_factory=dict, repr=False, kw_only=True)

    @classmethod
    def suits(cls, sample: object, metric: Aggregation) -> bool:
        return isinstance(sample, RatedPair) and metric.linear

    @classmethod
    def of(cls, sample: Any, metric: Aggregation) -> Self:
        if not cls.suits(sample, metric):
            raise Unsuitable(
                "this method needs ratings by several raters; name one for scores, such as paired_t"
            )
        return cls(sample.values, sample.of_b, sample.rater, sample.item)

    @property
    def items(self) -> int:
        return int(self.item.max(initial=-1)) + 1

    @property
    def raters(self) -> int:
        return int(self.rater.max(initial=-1)) + 1

    @property
    def effect(self) -> FloatArray:
        """The plain difference of averages."""
        a, b = (self.values[..., which].mean(axis=-1) for which in (~self.of_b, self.of_b))
        return np.asarray(b - a)

    def shifted(self, by: float) -> Self:
        return replace(self, values=self.values + by * self.of_b, fits=moved(self.fits, by))
