"""Power of the t test over seeds and items."""

from tellapart.foundation.seeds import stream
from tellapart.methods.significance.margins import Equivalence, Margin, NonInferiority
from tellapart.methods.significance.seeds_t import SeedsT
from tellapart.numerics.seed_power import SeedPower
from tellapart.planning.study import PowerResult, Study
from tellapart.planning.tally import certain
from tellapart.populations.seeds import Seeds

DRAWS = 50_000
"""Drawn mean squares: power is known to about 0.002."""


def by_seeds(study: Study) -> PowerResult:
    """The power from drawn mean squares, which normal scores have."""
    population, inner = study.population, study.test.test if isinstance(study.test, Margin) else study.test
    assert isinstance(population, Seeds)
    assert isinstance(inner, SeedsT)
    effect, test = population.known_effect, study.test
    side = "greater" if isinstance(test, NonInferiority) and test.alternative == "two-sided" else test.alternative
    drawn = SeedPower(population.spreads, study.items, study.alpha, inner.df, side, DRAWS, stream(0))
    if isinstance(test, Equivalence):
        return certain("formula", drawn.within(test.known_margin, effect))
    if isinstance(test, NonInferiority):
        away = -test.known_margin if side == "less" else test.known_margin
        return certain("formula", sum(drawn.at(effect + away)))
    below, above = drawn.at(effect)
    power = below + above
    wrong = below if effect > 0.0 else above
    return PowerResult(power, power, power, "formula", None, wrong / power if effect and power else None, None)
