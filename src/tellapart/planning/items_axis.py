"""Power along the number of items, or of whatever else a design counts."""

import math
from functools import cached_property
from typing import ClassVar

from tellapart.arrays import STATISTIC_NOISE
from tellapart.errors import UsageError
from tellapart.planning.axis import PowerAxis
from tellapart.planning.first_guess import distance_to_claim, item_spread
from tellapart.planning.study import CountOfDesign, Study
from tellapart.populations.design import FEWEST

MOST_ITEMS = 10**9
"""More than anybody evaluates: a search that gets there ends with the reason."""
RESAMPLED = 4
"""Units that a resampling test takes beyond those of a z test: two for a spread that is not known, as a t test, and two of its own."""


class CountAxis(PowerAxis):
    """The root of a whole number in the design, such as that of items; what comes in units is asked about in whole ones."""

    solves_for: ClassVar[CountOfDesign]
    least = math.sqrt(FEWEST)

    @property
    def unit(self) -> int:
        return 1

    def units(self, x: float) -> int:
        return max(FEWEST, round(x * x))

    def enough(self, x: float) -> int:
        """The whole number of units at x, or the next."""
        # Squaring the root of a whole number must not make it one more.
        return max(FEWEST, math.ceil(x * x * (1.0 - STATISTIC_NOISE)))

    def snapped(self, x: float) -> float:
        # Places are roots: a standard error falls with the root of the number, and probits are straight in it.
        return math.sqrt(self.units(x))

    def value_at(self, x: float) -> int:
        return self.enough(x) * self.unit

    def study_with(self, value: float) -> Study:
        return self.study.resized(**{self.solves_for: round(value)})


class ItemsAxis(CountAxis):
    """The number of items; those that come in clusters are asked about in whole clusters."""

    solves_for = "items"

    @property
    def most(self) -> float:
        return math.sqrt(MOST_ITEMS // self.unit)

    @property
    def unit(self) -> int:
        return self.study.population.unit

    @cached_property
    def start(self) -> float:
        distance = distance_to_claim(self.study)
        if distance <= 0.0:
            raise UsageError(
                f"{self.study.test} asks about an effect inside its margin, and {self.study.population.known_effect:g} lies "
                "outside: no number of items shows it"
            )
        x = self.quantiles * item_spread(self.study.population) / distance / math.sqrt(self.unit)
        if self.slow:
            x = math.sqrt(x * x + RESAMPLED)
        # Half of the way at most: whether power falls short there is seen with room left to go further.
        return self.snapped(min(max(x, 2.0), self.most / 2.0))

    def refused(self, x: float) -> UsageError:
        return UsageError(
            f"even {self.value_at(x):,} items reach only {self.at(x).power:.3f} power for {self.study.population}; "
            "the effect is too small, or the test cannot find it"
        )
