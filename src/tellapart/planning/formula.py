"""Power in closed form, by the test and the population.

Exact where differences are normal; normal approximations of counts only when a formula is asked for by name.
"""

import math
from collections.abc import Callable, Sequence

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
from tellapart.populations.repeated import Repeated
from tellapart.populations.wrapper import Wrapper

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


# The spread of normal differences in clusters and over several runs.


def wrapped_spread(own: float, wrappers: Sequence[Population]) -> float | None:
    """The standard deviation of a mean difference times the root of the number of items; None where a wrapper leaves it no normal one."""
    parts = [own]
    for wrapper in wrappers:
        if isinstance(wrapper, Clustered):
            parts.append(own * math.sqrt(wrapper.design_effect - 1.0))
        elif isinstance(wrapper, Repeated):
            parts.append(wrapper.within_sd * math.sqrt(2.0 / wrapper.runs))
        else:
            return None
    return math.hypot(*parts)


def cluster_size(wrappers: Sequence[Population]) -> int | None:
    return next((wrapper.size for wrapper in wrappers if isinstance(wrapper, Clustered)), None)


ENGINE = "formula"

Ratio = tuple[float, float]
"""The true standard error of a t ratio's mean, and its degrees of freedom."""


def formula(study: Study, *, approximate: bool = False) -> PowerResult | None:
    """The power of a study by a closed form; None if it has none.

    Exact ones are noncentral t: paired_t on `gaussian` without clip, also with repeated runs; cluster_t on whole
    clusters of such scores; equivalence and non-inferiority by either. On `delta_laplace` the same is nearly exact, and the
    interval says how nearly. With `approximate`, as when a user asks for a
    formula by name, also Connett's for mcnemar(variant=asymptotic) on `paired_binary` and the normal one for
    two_proportion_z on `proportions`; these count rejections in the direction of the effect only. Of items so many that too few
    evaluations could be simulated, and by name of any, tests of a mean have the power that the central limit theorem gives.
    """
    inner = _of_a_difference(study.test)
    key = _registered(type(inner)), _registered(type(study.population))
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
        f"{study.population}: every difference between the systems is the same number, on which a t test has no answer; "
        "give a correlation below 1 or different spreads"
    )


def _independent_ratio(population: Population, items: int) -> Ratio | None:
    """Normal differences of independent items."""
    spread = _item_spread(population)
    if spread is None or _cluster_size(population) is not None:
        return None
    return spread / math.sqrt(items), items - 1.0


def _averaged_ratio(population: Population, items: int) -> Ratio | None:
    """Averages over runs, whose spread the population knows."""
    return (population.sd_difference or 0.0) / math.sqrt(items), items - 1.0


def _clustered_ratio(population: Population, items: int) -> Ratio | None:
    """Normal differences in clusters of one size, all of them whole: t on the means of the clusters."""
    spread, size = _item_spread(population), _cluster_size(population)
    if spread is None or size is None or items % size or items < 2 * size:
        return None
    return spread / math.sqrt(items), items / size - 1.0


def _layers(population: Population) -> tuple[Population, ...]:
    return (population, *population.inside) if isinstance(population, Wrapper) else (population,)


def _item_spread(population: Population) -> float | None:
    """The standard deviation of a mean difference times the root of the number of items, where differences are normal."""
    *wrappers, source = _layers(population)
    if not isinstance(source, Gaussian) or source.clip is not None:
        return None
    if not wrappers:
        return source.sd_difference

    return wrapped_spread(source.sd_difference, wrappers)


def _cluster_size(population: Population) -> int | None:
    """How many items of a cluster come together, where there are clusters."""
    *wrappers, _ = _layers(population)
    if not wrappers:
        return None

    return cluster_size(wrappers)


_T_RATIOS: dict[tuple[str | None, str | None], Callable[[Population, int], Ratio | None]] = {
    ("paired_t", "gaussian"): _independent_ratio,
    ("paired_t", "repeated"): _independent_ratio,
    ("paired_t", "runs"): _averaged_ratio,
    ("cluster_t", "clustered"): _clustered_ratio,
    ("cluster_t", "repeated"): _clustered_ratio,
}
_NEARLY_NORMAL = {("paired_t", "delta_laplace")}
