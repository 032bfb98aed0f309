"""How many items a test needs, by the engines of `plan`."""

from tellapart.distributions.proportion_power import connett_items
from tellapart.errors import TellapartError
from tellapart.planning.budget import Budget
from tellapart.planning.items_axis import ItemsAxis
from tellapart.planning.solve import solve
from tellapart.planning.study import Study
from tellapart.populations.design import FEWEST
from tellapart.populations.paired_binary import PairedBinary
from tellapart.populations.population import Population
from tellapart.significance import Procedure
from tellapart.significance.margins import Equivalence, NonInferiority
from tellapart.summaries import Discordance
from tellapart.verbs.compare.analysis import Analysis
from tellapart.verbs.compare.planned_effect import MOST_ENUMERATED
from tellapart.workers import Runner


def by_counts(analysis: Analysis, test: Procedure, size: float, power: float) -> float | None:
    """Items on which a test that counts wins and losses finds an effect of this size; None where no number does."""
    sample: Discordance = analysis.summary(Discordance)
    side, lift = -1.0 if test.alternative == "less" else 1.0, size / sample.step
    population = PairedBinary(discordance=max(float(sample.share), lift), effect=side * lift)
    return _of_wins(population, test, analysis.alpha, power)


def _of_wins(population: PairedBinary, test: Procedure, alpha: float, power: float) -> float | None:
    share = sum(population.discordant_probabilities())
    about = float(connett_items(share, population.known_effect, power, alpha, test.alternative))
    return about if about > MOST_ENUMERATED else _items(population, test, alpha, power)


def shares_within_margin(
    analysis: Analysis, test: Equivalence | NonInferiority, power: float
) -> float | None:
    """Items on which the margin is shown if systems are equal and differ on as many items as was seen."""
    sample: Discordance = analysis.summary(Discordance)
    share = float(sample.share)
    if not share > 0.0:
        return None
    in_shares = test.replace(margin=test.known_margin / sample.step)
    return _items(PairedBinary(discordance=share, effect=0.0), in_shares, analysis.alpha, power)


def _items(population: Population, test: Procedure, alpha: float, power: float) -> float | None:
    try:
        return float(
            solve(ItemsAxis(Study(population, test, FEWEST, alpha), power, Budget(), Runner(1))).items
        )
    except TellapartError:  # more than anybody evaluates
        return None
