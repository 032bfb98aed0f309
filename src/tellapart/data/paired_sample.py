"""Scores of two systems under one metric, with cached summaries for tests and intervals."""

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Protocol

from tellapart.data.pair import Pair
from tellapart.data.summaries import Aggregation, Coding, Differences, Parts, Summary, coding_of
from tellapart.data.summaries.counts import coded_entries
from tellapart.foundation.arrays import BoolArray
from tellapart.foundation.errors import Unsuitable


class Method(Protocol):
    """A test or an interval, as far as samples are concerned."""

    @property
    def needs(self) -> type[Summary]:
        """The summary that it is computed from."""


@dataclass(frozen=True, eq=False)
class PairedSample:
    """The scores of two systems and the metric that is compared; `made` holds the summaries made so far."""

    pair: Pair
    metric: Aggregation
    made: dict[Any, Any] = field(default_factory=dict, repr=False, kw_only=True)

    def summary(self, needs: Any) -> Any:
        """The summary of this kind."""
        if needs not in self.made:
            self.made[needs] = self.differences if needs is Differences else needs.of(self.pair, self.metric)
        return self.made[needs]

    def entries(self, which: list[int]) -> "PairedSample":
        """Some evaluations of a batch."""
        pair = replace(self.pair, a=self.pair.a[which], b=self.pair.b[which])
        return PairedSample(pair, self.metric)

    def sample(self, method: Method) -> Any:
        """The summary that a method needs, or an error that names the method."""
        try:
            return self.summary(method.needs)
        except Unsuitable as error:
            raise Unsuitable(f"{method}: {error.message}") from None

    @cached_property
    def parts(self) -> Parts:
        made: Parts = self.summary(Parts)
        return made

    @cached_property
    def differences(self) -> Differences:
        return self.parts.differences

    @cached_property
    def binary(self) -> bool:
        """Whether every score is right or wrong, and their mean is what counts."""
        return self.coding is not None

    @cached_property
    def coding(self) -> Coding | None:
        """The two numbers that say wrong and right, where every score is one of them and their mean is what counts."""
        if coding_of not in self.made:
            self.made[coding_of] = coding_of(self.pair) if self.metric.linear else None
        found: Coding | None = self.made[coding_of]
        return found

    @property
    def binary_entries(self) -> BoolArray:
        """Which evaluations of a batch hold right-or-wrong scores alone, `(*batch,)`."""
        return coded_entries(self.pair) & self.metric.linear
