"""Power in closed form: the one table of which test on which population has one.

Exact where differences are normal; normal approximations of counts only when a formula is asked for by name.
"""

import math
from collections.abc import Callable
from dataclasses import replace

from tellapart.distributions.noncentral_t import equivalence_power, t_power, t_rejections
from tellapart.distributions.proportion_power import connett_power, two_proportion_power
from tellapart.distributions.rejections import Rejections
from tellapart.errors import Unsuitable
from tellapart.planning.error_rates import certain, from_rejections
from tellapart.planning.study import PowerResult, Study
from tellapart.populations.clustered import Clustered
from tellapart.populations.confusion import Confusion
from tellapart.populations.delta_laplace import DeltaLaplace
from tellapart.populations.gaussian import Gaussian
from tellapart.populations.paired_binary import PairedBinary
from tellapart.populations.population import Population
from tellapart.populations.proportions import Proportions
from tellapart.populations.repeated import Repeated
from tellapart.populations.wrapper import Wrapper
from tellapart.significance.cluster_t import ClusterT
from tellapart.significance.margins import Equivalence, NonInferiority
from tellapart.significance.mcnemar import McNemar
from tellapart.significance.paired_t import PairedT
from tellapart.significance.procedure import Procedure
from tellapart.significance.two_proportion_z import TwoProportionZ

ENGINE = "formula"

FEWEST_DIFFERING = 300
"""Items that contribute to a difference from which on its mean is so near to normal that the noncentral t will do."""
USUAL_LEVEL, OFF, OFF_BELOW = 0.05, 2.0, 4.0
"""How far that is off, times their number: at the usual level and above it, and below it. Measured from 300 of them up, with no
zeros and with 97 % of them, at levels from 0.05 to 0.001: at most 2 and 3.9."""

Ratio = tuple[float, float]
"""The true standard error of a t ratio's mean, and its degrees of freedom."""


def formula(study: Study, *, approximate: bool = False) -> PowerResult | None:
    """The power of a study by a closed form; None where there is none.

    Exact ones are noncentral t: paired_t on `gaussian` without clip, also with repeated runs; cluster_t on whole
    clusters of such scores; equivalence and non-inferiority by either. On `delta_laplace` the same is nearly exact, and the
    interval says how nearly. With `approximate`, as when a user asks for a
    formula by name, also Connett's for mcnemar(variant=asymptotic) on `paired_binary` and the normal one for
    two_proportion_z on `proportions`; these count rejections in the direction of the effect only.
    """
    inner = study.test.test if isinstance(study.test, Equivalence | NonInferiority) else study.test
    key = type(inner), study.population.law
    if study.alpha >= 0.5:  # one-sided rejections are then no longer all on their own side of 0
        return None
    if key in _T_RATIOS and study.items >= 2:
        ratio = _T_RATIOS[key](study.population, study.items)
        return None if ratio is None else by_t(study, *_with_spread(study, ratio))
    if key in _NEARLY_NORMAL and study.items >= 2:
        return _nearly(study, approximate=approximate)
    if approximate and key in _APPROXIMATIONS and inner is study.test:
        power = _APPROXIMATIONS[key](study)
        return None if power is None else certain(ENGINE, power)
    return None


def by_t(study: Study, error: float, df: float) -> PowerResult:
    """The power of a study whose test divides a normal mean with this standard error by an estimate of it."""
    effect, test = study.population.known_effect, study.test
    if isinstance(test, Equivalence):
        within = float(equivalence_power(effect / error, test.known_margin / error, df, study.alpha))
        return certain(ENGINE, min(within, 1.0))  # a sum of parts, which may round to above 1
    if isinstance(test, NonInferiority):
        return certain(ENGINE, float(_non_inferiority(test, effect, error, df, study.alpha)))
    found = t_rejections(effect / error, df, study.alpha, test.alternative)
    raw = Rejections(found.lower, found.upper, found.lower_size * error, found.upper_size * error)
    return from_rejections(study, ENGINE, raw)


def _non_inferiority(test: NonInferiority, effect: float, error: float, df: float, alpha: float) -> float:
    """B is shown to be above −margin, or below margin where lower is better."""
    if test.alternative == "less":
        return float(t_power((effect - test.known_margin) / error, df, alpha, "less"))
    return float(t_power((effect + test.known_margin) / error, df, alpha, "greater"))


def _nearly(study: Study, *, approximate: bool) -> PowerResult | None:
    """The noncentral t of differences that are not normal, with how far it can be off; too few of them are simulated."""
    population = study.population
    assert isinstance(population, DeltaLaplace)
    differing = (1.0 - population.zero_share) * study.items
    if differing < FEWEST_DIFFERING and not approximate:
        return None
    found = by_t(study, population.sd_difference / math.sqrt(study.items), study.items - 1.0)
    off = (OFF if study.alpha >= USUAL_LEVEL else OFF_BELOW) / differing
    return replace(found, low=max(found.power - off, 0.0), high=min(found.power + off, 1.0))


def _with_spread(study: Study, ratio: Ratio) -> Ratio:
    if ratio[0] > 0.0:
        return ratio
    raise Unsuitable(
        f"{study.population}: every difference between the systems is the same number, on which a t test has no answer; "
        "give a correlation below 1 or different spreads"
    )


def _independent(population: Population, items: int) -> Ratio | None:
    """Normal differences of independent items."""
    spread = _item_spread(population)
    if spread is None or any(isinstance(p, Clustered) for p in _layers(population)):
        return None
    return spread / math.sqrt(items), items - 1.0


def _clustered(population: Population, items: int) -> Ratio | None:
    """Normal differences in clusters of one size, all of them whole: t on the means of the clusters."""
    spread = _item_spread(population)
    clustered = next((p for p in _layers(population) if isinstance(p, Clustered)), None)
    if spread is None or clustered is None or items % clustered.size or items < 2 * clustered.size:
        return None
    return spread / math.sqrt(items), items / clustered.size - 1.0


def _layers(population: Population) -> tuple[Population, ...]:
    return (population, *population.inside) if isinstance(population, Wrapper) else (population,)


def _item_spread(population: Population) -> float | None:
    """The standard deviation of a mean difference times the root of the number of items, where differences are normal."""
    *wrappers, source = _layers(population)
    if not isinstance(source, Gaussian) or source.clip is not None:
        return None
    own = source.sd_difference
    parts = [own]
    for wrapper in wrappers:
        if isinstance(wrapper, Clustered):
            parts.append(own * math.sqrt(wrapper.design_effect - 1.0))
        elif isinstance(wrapper, Repeated):
            parts.append(wrapper.within_sd * math.sqrt(2.0 / wrapper.runs))
        else:
            return None
    return math.hypot(*parts)


def _connett(study: Study) -> float | None:
    test, population = study.test, study.population
    assert isinstance(test, McNemar)
    assert isinstance(population, PairedBinary)
    if test.variant != "asymptotic":
        return None
    share = sum(population.discordant_probabilities())
    return float(connett_power(study.items, share, population.known_effect, study.alpha, test.alternative))


def _eight_cells(study: Study) -> float:
    """The normal law with the spread that the gradient of the metric gives."""
    population = study.population
    assert isinstance(population, Confusion)
    ratio = population.known_effect * math.sqrt(study.items) / population.sd_difference
    return float(t_power(ratio, math.inf, study.alpha, study.test.alternative))


def _two_proportions(study: Study) -> float | None:
    population = study.population
    assert isinstance(population, Proportions)
    return float(
        two_proportion_power(study.items, *population.accuracies, study.alpha, study.test.alternative)
    )


_T_RATIOS: dict[tuple[type[Procedure], type[Population]], Callable[[Population, int], Ratio | None]] = {
    (PairedT, Gaussian): _independent,
    (PairedT, Repeated): _independent,
    (ClusterT, Clustered): _clustered,
    (ClusterT, Repeated): _clustered,
}
_NEARLY_NORMAL = {(PairedT, DeltaLaplace)}
_APPROXIMATIONS: dict[tuple[type[Procedure], type[Population]], Callable[[Study], float | None]] = {
    (McNemar, PairedBinary): _connett,
    (TwoProportionZ, Proportions): _two_proportions,
    (PairedT, Confusion): _eight_cells,
}
