from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from tellapart.arrays import FloatArray
from tellapart.errors import Unsuitable
from tellapart.summaries.by_raters import ByRaters
from tellapart.summaries.summary import Aggregation


@dataclass(frozen=True, eq=False)
class ByOrder(ByRaters):
    """Votes that stand alone and were won by B, by nobody and by A: `(*batch, order)`, those that showed A first and then those that showed B."""

    wins: FloatArray
    ties: FloatArray
    losses: FloatArray
    fits: dict[str, Any] = field(default_factory=dict, repr=False, kw_only=True)

    @classmethod
    def suits(cls, sample: object, metric: Aggregation) -> bool:
        from tellapart.votes import VotePair  # noqa: PLC0415  (plain scores have no need of it)

        return isinstance(sample, VotePair) and metric.linear and sample.in_both_orders and not sample.shared

    @classmethod
    def of(cls, sample: Any, metric: Aggregation) -> Self:
        if isinstance(sample, cls):
            return sample
        if not cls.suits(sample, metric):
            raise Unsuitable(
                "this method needs votes that share no rater and no item, each of which says what was shown first, and both orders. Leave the "
                "method to be chosen"
            )
        orders = np.stack([sample.b_first == 0.0, sample.b_first == 1.0], axis=-1).astype(np.float64)
        wins, ties, losses = ((sample.values == value) @ orders for value in (1.0, 0.0, -1.0))
        return cls(wins, ties, losses)

    @property
    def votes(self) -> FloatArray:
        """How many there are in each order."""
        return self.wins + self.ties + self.losses

    @property
    def items(self) -> int:
        """Every vote is on an item of its own."""
        return int(self.votes.reshape(-1, 2)[0].sum())

    @property
    def raters(self) -> int:
        """Every vote is by a rater of its own."""
        return self.items

    @property
    def means(self) -> FloatArray:
        """Wins less losses of B in each order, as shares of its votes."""
        return (self.wins - self.losses) / self.votes

    @property
    def effect(self) -> FloatArray:
        return np.asarray(self.means.mean(axis=-1))
