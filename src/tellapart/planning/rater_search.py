"""The best design of raters, items and raters per item: the highest power for a budget, or the lowest cost of a power.

All designs are looked at through a noncentral t; those that seem best are then judged by the very rule. Between one rater per item and all of them a fit is no function of three mean squares, and those of a design in
which raters meet equally often stand for it.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np

from tellapart.compute.work import Budget
from tellapart.foundation.arrays import BoolArray
from tellapart.methods.significance.procedure import Procedure
from tellapart.methods.significance.rater_t import RaterT
from tellapart.numerics.mixed_models.mean_square_law import COARSE
from tellapart.numerics.null_laws.tails import Alternative
from tellapart.planning.power import power_of
from tellapart.planning.rater_designs import Pricing, RaterDesign, RaterDesigns, fewest_items, near_mean_squares
from tellapart.planning.raters import FitsComponents, from_mean_squares
from tellapart.planning.study import Study
from tellapart.populations.ratings import RatedSystems

TIED = 5e-7
"""Powers that differ by no more are the same, and the cheaper design is the better one."""
MOST_JUDGED = 50
"""The noncentral t lies above the power of a rule with few raters, and below with six and a small alpha: by 0.01 at 0.05, 0.1 at 0.0001."""
NEAR = 0.005
"""Margin on the power of a number of raters per item, which mean squares give only approximately."""
CHEAPER = 0.9
"""The share of the cost at which a design seems to have a power, below which it hardly has it."""
STRIDES = 16
"""Parts of the first guess by which the search goes up or down until it has passed the answer."""
SOME = 24
"""Items on which a test is looked at."""
ONCE = Budget(replicates=1_000)
"""The budget of a design without a formula, such as one whose raters rate unequal numbers of items."""

Found = tuple[RaterDesign | None, RaterDesign | None]
"""The best design, and the best of those in which every rater rates every item."""


@dataclass(frozen=True)
class RaterSearch:
    """Designs of one population, whose own number of raters is no part of the question, each judged by the test that suits it."""

    population: RatedSystems
    test_for: Callable[[RatedSystems, int], Procedure]
    alpha: float
    prices: Pricing
    raters: tuple[int, ...]
    """The numbers of raters that are tried."""

    def strongest(self, budget: float) -> Found:
        """The highest power for a budget."""
        found = self._suited.affordable(self.prices, budget)
        found = found.where(found.possible)
        crossed = self._strongest(found.where(found.per_item == found.raters), None)
        sure = self._strongest(found.where(found.per_item == 1), crossed)
        some = self._strongest(found.where((found.per_item > 1) & (found.per_item < found.raters)), None)
        if sure is None or (some is not None and some.power > sure.power + NEAR):
            return some, crossed
        return sure, crossed

    def for_costs(self, costs: Iterable[float]) -> Iterator[RaterDesign]:
        """Of each kind the design that seems strongest for each cost, with its power by the rule itself."""
        every = self._suited
        for cost in costs:
            found = every.affordable(self.prices, cost)
            found = found.where(found.possible)
            crossed, alone = found.per_item == found.raters, found.per_item == 1
            for some in map(found.where, (crossed, alone, ~crossed & ~alone)):
                screened = some.quick_power(self.population, self.alpha, self.alternative)
                for best in islice(some.in_order(screened, self.prices, screened), 1):
                    yield self.judged(best)

    @property
    def _suited(self) -> RaterDesigns:
        """All designs that the test is for: t over raters where each item has one, mixed models where raters share items."""
        every = RaterDesigns.of(self.raters)
        alone, shared = (self.test_for(self.population.replace(raters=4, per_item=k), SOME) for k in (1, None))
        suits = np.where(every.per_item == 1, isinstance(alone, RaterT), isinstance(shared, FitsComponents))
        return every.where(suits)

    def _strongest(self, designs: RaterDesigns, so_far: RaterDesign | None) -> RaterDesign | None:
        """The best of these designs, or the best so far if that is better."""
        screened = designs.power(self.population, self.alpha, self.alternative)
        judged = [] if so_far is None else [so_far]
        judged += map(self.judged, islice(designs.in_order(screened, self.prices, screened), MOST_JUDGED))
        if not judged:
            return None
        most = max(one.power for one in judged)
        return min((one for one in judged if one.power >= most - TIED), key=lambda one: one.cost)

    def cheapest(self, power: float) -> Found:
        """The lowest cost of a power."""
        every = self._suited

        def reached(designs: RaterDesigns) -> BoolArray:
            quick = designs.quick_power(self.population, self.alpha, self.alternative)
            return np.asarray(designs.possible & (quick >= power))

        found = fewest_items(every, reached)
        found = found.where(found.possible)
        crossed = self._cheapest(found.where(found.per_item == found.raters), None, power)
        sure = self._cheapest(found.where(found.per_item == 1), crossed, power)
        some = found.where((found.per_item > 1) & (found.per_item < found.raters))
        return self._cheapest(some, sure, power + NEAR), crossed

    def _cheapest(self, designs: RaterDesigns, best: RaterDesign | None, power: float) -> RaterDesign | None:
        screened = designs.quick_power(self.population, self.alpha, self.alternative)
        cost = designs.cost(self.prices)
        for design in islice(designs.in_order(-cost, self.prices, screened), MOST_JUDGED // 2):
            if best is not None and CHEAPER * design.cost > best.cost:
                break
            real = self._sufficient(design, power)
            if real is not None and (best is None or real.cost < best.cost):
                best = real
        return best

    def _sufficient(self, design: RaterDesign, power: float) -> RaterDesign | None:
        """The design with the fewest items that the exact rule needs, searched around an approximate number."""
        step = design.raters if design.per_item == 1 else 1
        known: dict[int, RaterDesign] = {}

        def reaches(units: int) -> bool:
            if units not in known:
                known[units] = self.judged(self._sized(design, units * step))
            return known[units].power >= power

        first = design.items // step
        stride = max(first // STRIDES, 1)
        low = high = first
        while not reaches(high):
            low, high = high, high + stride
            if high > 2 * first + STRIDES:
                return None
        while low >= high or (low > 0 and reaches(low)):
            low, high = max(low - stride, 0), low
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if reaches(middle) else (middle, high)
        return known[high]

    def _sized(self, design: RaterDesign, items: int) -> RaterDesign:
        one = RaterDesigns(*(np.array([x]) for x in (design.raters, design.per_item, items)))
        return replace(design, items=items, cost=float(one.cost(self.prices)[0]))

    def judged(self, design: RaterDesign) -> RaterDesign:
        """The design with its power by the rule itself, or by what stands for it; none where it cannot be tested."""
        if design.items < 2 or design.per_item * design.items < design.raters:
            return replace(design, power=0.0)
        study = self.study(design)
        population = study.population
        assert isinstance(population, RatedSystems)
        if not design.crossed and isinstance(study.test, FitsComponents):
            near = near_mean_squares(population, design.items)
            return replace(design, power=from_mean_squares(study, near, COARSE).power)
        return replace(design, power=power_of(study, ONCE).power)

    def study(self, design: RaterDesign) -> Study:
        per_item = None if design.crossed else design.per_item
        population = self.population.replace(raters=design.raters, per_item=per_item)
        return Study(population, self.test_for(population, design.items), design.items, self.alpha)

    @property
    def alternative(self) -> Alternative:
        return self.test_for(self.population, self.population.raters).alternative
