from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from tellapart.arrays import FloatArray
from tellapart.distributions.score_of_orders import OrderCounts, degrees_of_orders
from tellapart.errors import Unsuitable
from tellapart.summaries.by_raters import ByRaters
from tellapart.summaries.summary import Aggregation


@dataclass(frozen=True, eq=False)
class ByOrder(ByRaters):
    """Votes that stand alone, counted by which system was shown first: `(*batch, order)`, A first and then B first."""

    counted: OrderCounts
    fits: dict[str, Any] = field(default_factory=dict, repr=False, kw_only=True)

    @classmethod
    def suits(cls, sample: object, metric: Aggregation) -> bool:
        from tellapart.votes import VotePair  # noqa: PLC0415  (plain scores have no need of it)

        return isinstance(sample, VotePair) and metric.linear and sample.in_both_orders and not sample.shared

    @classmethod
    def of(cls, sample: Any, metric: Aggregation) -> Self:
        if not cls.suits(sample, metric):
            raise Unsuitable(
                "this method needs votes that share no rater and no item, each of which says what was shown first, and both orders. Leave the "
                "method to be chosen"
            )
        orders = np.stack([sample.b_first == 0.0, sample.b_first == 1.0], axis=-1).astype(np.float64)
        wins, ties, losses = ((sample.values == value) @ orders for value in (1.0, 0.0, -1.0))
        return cls(OrderCounts(wins, ties, losses))

    @property
    def items(self) -> int:
        """Every vote is on an item of its own."""
        return int(self.counted.votes.reshape(-1, 2)[0].sum())

    @property
    def raters(self) -> int:
        """Every vote is by a rater of its own."""
        return self.items

    @property
    def df(self) -> FloatArray:
        """Degrees of freedom of what the score is held against."""
        return degrees_of_orders(self.counted.votes)

    @property
    def effect(self) -> FloatArray:
        return self.counted.effect
