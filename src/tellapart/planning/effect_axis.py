"""Power along the size of the effect."""

import math
from functools import cached_property

from tellapart.arrays import LARGEST
from tellapart.errors import UsageError
from tellapart.planning.axis import PowerAxis
from tellapart.planning.budget import Budget
from tellapart.planning.first_guess import item_spread
from tellapart.planning.study import Study
from tellapart.workers import Runner

FARTHEST = 1e15
"""Standard errors beyond which no effect is looked for: a test that misses it there never rejects, and near 1e16 scores
themselves are lost in the rounding of the effect."""
EDGE = 1e-9
"""How near to the largest possible effect a solution may come; some populations cannot have it itself."""


class EffectAxis(PowerAxis):
    """The size of the effect; its sign is that of the alternative."""

    solves_for = "effect"
    least = 0.0

    def __init__(self, study: Study, target: float, budget: Budget, runner: Runner | None = None) -> None:
        super().__init__(study, target, budget, runner)
        if study.test.claim != "difference":
            raise UsageError(
                f"{study.test} asks about a margin, not about an effect to find; give the effect, and solve for items or power"
            )

    @cached_property
    def downwards(self) -> bool:
        """Whether effects below 0 are looked for: by the alternative, or because there are no others."""
        alternative, (_, high) = self.study.test.alternative, self.study.population.effect_range
        return alternative == "less" or (alternative == "two-sided" and high <= 0.0)

    @property
    def sign(self) -> float:
        return -1.0 if self.downwards else 1.0

    @cached_property
    def most(self) -> float:
        low, high = self.study.population.effect_range
        most = -low if self.downwards else high
        if not (low <= 0.0 <= high and most > 0.0):
            raise UsageError(
                f"{self.study.population} can only have an effect between {low + 0.0:.4g} and {high + 0.0:.4g}, and the "
                f"smallest that is found is looked for from 0 {'down' if self.downwards else 'up'}; give the effect, and "
                "solve for items or power"
            )
        return min(most * (1.0 - EDGE), FARTHEST * self._error, LARGEST)

    def snapped(self, x: float) -> float:
        return float(x)

    def value_at(self, x: float) -> float:
        return self.sign * x

    def study_with(self, value: float) -> Study:
        return self.study.with_effect(value)

    @cached_property
    def start(self) -> float:
        most = self.most  # first, for it says what is wrong where there is nothing to look for
        return min(self.quantiles * self._error, most)

    @cached_property
    def _error(self) -> float:
        """About the standard error of the mean difference when there is next to nothing to find."""
        low, high = self.study.population.effect_range
        some = self.sign * min(1e-6, (-low if self.downwards else high) / 2.0)
        return item_spread(self.study.population.with_effect(some)) / math.sqrt(self.study.items)

    def refused(self, x: float) -> UsageError:
        low, high = self.study.population.effect_range
        largest = f"the largest effect these scores can have ({self.sign * x:.4g})"
        if math.isinf(low if self.downwards else high):
            largest = f"an effect of any size by {self.study.test}"
        return UsageError(
            f"{self.study.items:,} items find even {largest} with only {self.at(x).power:.3f} power; give more items, or ask "
            "for less power"
        )
