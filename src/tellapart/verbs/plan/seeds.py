"""Plans of training seeds: the power that endless items reach, and the seeds that a power takes."""

from typing import TYPE_CHECKING

from tellapart.compute.work import Budget
from tellapart.foundation.errors import UsageError
from tellapart.foundation.formatting import percent, significant
from tellapart.foundation.surfaces import option
from tellapart.methods.significance import Procedure
from tellapart.planning.power import power_of
from tellapart.planning.study import Study
from tellapart.populations.population import Population

if TYPE_CHECKING:
    from tellapart.populations.seeds import Seeds

ENDLESS = 1_000_000
"""Items that stand for endless ones."""
MOST_SEEDS = 1024


def seeds_ceiling(population: "Seeds", test: Procedure, alpha: float) -> float:
    """The power with endless items."""
    if population.seed_sd == 0.0:
        return 1.0
    endless = population.replace(item_sd=0.0, seed_item_sd=0.0)
    return power_of(Study(endless, test, ENDLESS, alpha), Budget()).power


def fewest_seeds(population: "Seeds", test: Procedure, alpha: float, power: float) -> int | None:
    """Seeds of each system with which enough items reach the power; None where 1,024 are too few."""

    def reaches(seeds: int) -> bool:
        more = population.replace(seeds=seeds, seeds_b=None)
        suited = Procedure.parse(more.test) if test.name == "seeds_t" else test
        return seeds_ceiling(more, suited, alpha) >= power

    low, high = 1, 2
    while not reaches(high):
        if high >= MOST_SEEDS:
            return None
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if reaches(middle) else (middle, high)
    return high


def check_seeds(population: Population, test: Procedure, alpha: float, power: float) -> None:
    """No number of items makes up for too few seeds."""
    if population.name != "seeds" or test.claim != "difference":
        return
    planned: Seeds = population  # type: ignore[assignment]  # by its name: its class is loaded only where it is asked for
    planned_test = test if test.name == "seeds_t" else Procedure.parse(planned.test)
    most = seeds_ceiling(planned, planned_test, alpha)
    if most >= power:
        return
    enough = fewest_seeds(planned, planned_test, alpha, power)
    way = (
        f"give more of them: {option('seeds', str(enough))} can"
        if enough is not None
        else f"ask for a larger effect than {significant(planned.known_effect)}"
    )
    raise UsageError(
        f"with {min(planned.seeds_of_each)} seeds an effect of {planned.known_effect:g} is found at most {percent(round(most, 3))} of the time, whatever the "
        f"items, and {percent(power)} was asked for; {way}"
    )
