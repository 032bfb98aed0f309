"""What several raters said of two systems: the kinds of it share this base, which brings none of them in."""

from abc import abstractmethod
from dataclasses import replace
from typing import Any

from tellapart.summaries.summary import Aggregation, Summary


class ByRaters(Summary):
    """Ratings or votes by raters and items: differences where every rater of an item rated both systems, single ratings else."""

    fits: dict[str, Any]
    """Models that were fitted to it, by method: one fit serves test, interval and whatever else is said."""

    @classmethod
    def suits(cls, sample: object, metric: Aggregation) -> bool:
        from tellapart.ratings import RatedPair  # noqa: PLC0415  (plain scores have no need of it)
        from tellapart.votes import VotePair  # noqa: PLC0415  (as above)

        return isinstance(sample, RatedPair | VotePair) and metric.linear

    @classmethod
    def of(cls, sample: Any, metric: Aggregation) -> Any:
        """`Crossed` where there are pairs of ratings and nothing else, or votes; else `Rated`; what was simulated is one already."""
        if isinstance(sample, ByRaters):
            return sample
        from tellapart.summaries.crossed import Crossed  # noqa: PLC0415  (as above)
        from tellapart.summaries.rated import Rated  # noqa: PLC0415  (as above)

        return (Crossed if Crossed.suits(sample, metric) else Rated).of(sample, metric)

    @property
    @abstractmethod
    def items(self) -> int:
        """How many items there are, rated by anyone."""

    @property
    @abstractmethod
    def raters(self) -> int:
        """How many raters there are."""


def moved(fits: dict[str, Any], by: float) -> dict[str, Any]:
    """The same fits of ratings of B that are this much higher: the effect moves with them, and nothing else does."""
    return {method: replace(fit, effect=fit.effect + by) for method, fit in fits.items()}
