"""Power in closed form, by the test and the population.

Exact where differences are normal; normal approximations of counts only when a formula is asked for by name.
"""

import math
from collections.abc import Callable

from tellapart import planning
from tellapart.foundation.errors import Unsuitable
from tellapart.foundation.spelling import Spelled
from tellapart.methods.significance.margins import Equivalence, Margin, NonInferiority
from tellapart.methods.significance.procedure import Procedure
from tellapart.numerics.null_laws.noncentral_t import equivalence_power, t_power, t_rejections
from tellapart.numerics.null_laws.tails import Rejections
from tellapart.planning.study import PowerResult, Study, has_many_items
from tellapart.planning.tally import certain, from_rejections
from tellapart.populations.clustered import Clustered
from tellapart.populations.gaussian import Gaussian
from tellapart.populations.population import Population

# How often t tests against a margin show what they claim, where the difference is normal.


def margin_power(study: Study, error: float, df: float) -> float:
    """The power of equivalence or non-inferiority by a t ratio with this standard error of the mean."""
    effect, test = study.population.known_effect, study.test
    if isinstance(test, Equivalence):
        within = float(equivalence_power(effect / error, test.known_margin / error, df, study.alpha))
        return min(within, 1.0)  # a sum of parts, which may round to above 1
    assert isinstance(test, NonInferiority)
    # B is shown to be above −margin, or below margin where lower is better.
    if test.alternative == "less":
        return float(t_power((effect - test.known_margin) / error, df, study.alpha, "less"))
    return float(t_power((effect + test.known_margin) / error, df, study.alpha, "greater"))


ENGINE = "formula"

Ratio = tuple[float, float]
"""The true standard error of a t ratio's mean, and its degrees of freedom."""


def formula(study: Study, *, approximate: bool = False) -> PowerResult | None:
    """The power of a study by a closed form; None if it has none.

    Exact ones are noncentral t: paired_t on `gaussian` without clip and on `runs`; cluster_t on whole
    clusters of such scores; equivalence and non-inferiority by either. On `delta_laplace` the same is nearly exact, and the
    interval says how nearly. With `approximate`, as when a user asks for a
    formula by name, also Connett's for mcnemar(variant=asymptotic) on `paired_binary` and the normal one for
    two_proportion_z on `proportions`; these count rejections in the direction of the effect only. Of items so many that too few
    evaluations could be simulated, and by name of any, tests of a mean have the power that the central limit theorem gives.
    """
    inner = _of_a_difference(study.test)
    # Runs whose discordance comes from evidence are of another class, and have the same formula.
    population = "runs" if study.population.name == "runs" else _registered(type(study.population))
    key = _registered(type(inner)), population
    if study.alpha >= 0.5:  # one-sided rejections are then no longer all on their own side of 0
        return None
    ratio = _T_RATIOS[key](study.population, study.items) if key in _T_RATIOS else None
    if ratio is not None:
        return by_t(study, *_with_spread(study, ratio))
    if key == ("seeds_t", "seeds"):
        return planning.by_seeds(study)
    if key in _NEARLY_NORMAL and study.items >= 2:
        return planning.nearly_normal(study, approximate=approximate)
    found = _by_central_limit(study) if has_many_items(study) else None
    if found is None and approximate:
        found = _asked_for(study, key) if inner is study.test else None
        return found or _by_central_limit(study)
    return found


def _asked_for(study: Study, key: tuple[str | None, str | None]) -> PowerResult | None:
    """A normal law of counts."""
    power = planning.APPROXIMATIONS[key](study) if key in planning.APPROXIMATIONS else None
    return None if power is None else certain(ENGINE, power)


def _by_central_limit(study: Study) -> PowerResult | None:
    return planning.by_central_limit(study)


def _registered(kind: type[Spelled]) -> str | None:
    """The name that stands for this class and none that inherits it: the table names what it does not import."""
    return kind.name if kind in kind.registry.at_hand else None


def _of_a_difference(test: Procedure) -> Procedure:
    """The test that a margin is asked about, or the test itself."""
    if test.claim == "difference":
        return test
    return test.test if isinstance(test, Margin) else test


def by_t(study: Study, error: float, df: float) -> PowerResult:
    """The power of a study whose test divides a normal mean with this standard error by an estimate of it."""
    effect, test = study.population.known_effect, study.test
    if test.claim != "difference":
        return certain(ENGINE, margin_power(study, error, df))
    found = t_rejections(effect / error, df, study.alpha, test.alternative)
    raw = Rejections(found.lower, found.upper, found.lower_size * error, found.upper_size * error)
    return from_rejections(study, ENGINE, raw)


def _with_spread(study: Study, ratio: Ratio) -> Ratio:
    if ratio[0] > 0.0:
        return ratio
    raise Unsuitable(
        f"{study.population}: every difference between the systems is the same number, so a t test has no answer; "
        "give a correlation below 1 or different spreads"
    )


def _independent_ratio(population: Population, items: int) -> Ratio | None:
    """Normal differences of independent items, and averages over runs, whose spread the population knows."""
    if isinstance(population, Gaussian) and population.clip is not None:
        return None
    return (population.sd_difference or 0.0) / math.sqrt(items), items - 1.0


def _clustered_ratio(population: Population, items: int) -> Ratio | None:
    """Normal differences in clusters of one size, all of them whole: t on the means of the clusters."""
    assert isinstance(population, Clustered)
    source, size = population.population, population.size
    if not _is_normal(source) or items % size or items < 2 * size:
        return None
    own = source.sd_difference or 0.0
    return own * math.sqrt(population.design_effect / items), items / size - 1.0


def _is_normal(population: Population) -> bool:
    return isinstance(population, Gaussian) and population.clip is None


_T_RATIOS: dict[tuple[str | None, str | None], Callable[[Population, int], Ratio | None]] = {
    ("paired_t", "gaussian"): _independent_ratio,
    ("paired_t", "runs"): _independent_ratio,
    ("cluster_t", "clustered"): _clustered_ratio,
}
_NEARLY_NORMAL = {("paired_t", "delta_laplace")}
