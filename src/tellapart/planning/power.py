"""Power of a study by the first engine that applies: formula, exact enumeration or Monte Carlo."""

from collections.abc import Iterable, Sequence

from tellapart import planning
from tellapart.compute import Progress, Runner, Workers
from tellapart.compute.work import Budget
from tellapart.data.summaries import Discordance
from tellapart.foundation.arrays import FloatArray, IntArray
from tellapart.foundation.errors import TellapartError, Unsuitable, UsageError
from tellapart.foundation.surfaces import option
from tellapart.methods.significance.procedure import Procedure
from tellapart.planning.study import PowerResult, Study


def power(  # noqa: PLR0913  (a door: budget and runner field by field)
    study: Study,
    *,
    engine: str | None = None,
    replicates: int = 10_000,
    seed: int = 0,
    executor: Workers = None,
    progress: Progress | None = None,
) -> PowerResult:
    """How often the study's test rejects: by formula or enumeration where there is one, by simulation elsewhere."""
    if not isinstance(study, Study):
        raise UsageError(f"{study!r} is not a study; give Study(population, test, items, alpha)")
    return power_of(study, Budget(engine, replicates, seed), Runner(executor, progress))


def power_of(study: Study, budget: Budget, runner: Runner | None = None) -> PowerResult:
    """Power within a budget, computed by a given runner."""
    return powers_of([study], budget, runner)[study]


def powers_of(studies: Iterable[Study], budget: Budget, runner: Runner | None = None) -> dict[Study, PowerResult]:
    """The power of each study, those that need it simulated all together.

    Studies that share random numbers draw them once; no answer differs by a bit from asking one by one.
    """
    answers = {study: closed_power(study, budget.engine) for study in studies}
    simulated = [study for study, answer in answers.items() if answer is None]
    found = dict(zip(simulated, _simulated_powers(simulated, budget, runner), strict=True)) if simulated else {}
    return {study: answer or found[study] for study, answer in answers.items()}


def counted_powers(studies: Iterable[Study], engine: str | None = None) -> dict[Study, PowerResult]:
    """The power of those studies whose tests count, all summed together; of others none."""
    some = [one for one in studies if one.test.needs is Discordance] if engine in {None, "exact"} else []
    return planning.exact_powers(some) if some else {}


def closed_power(study: Study, engine: str | None = None) -> PowerResult | None:
    """The answer of an engine that needs no simulation; None where the simulation is to be asked."""
    _check_pairing(study)
    if study.population.by_raters:
        found = planning.closed(study, engine)
        if found is not None or engine in {None, "monte_carlo"}:
            return found
    elif engine == "formula":
        found = _formula_power(study, approximate=True)
    elif engine == "exact":
        found = _enumerated_power(study)
    elif engine == "monte_carlo":
        return None
    else:
        return _formula_power(study) or _enumerated_power(study)
    if found is None:
        raise Unsuitable(
            f"engine {engine} has no answer for {study.test} on {study.population}; "
            f"{_engine_advice(study, engine)}leave {option('engine')} out to use one that has"
        )
    return found


def _formula_power(study: Study, *, approximate: bool = False) -> PowerResult | None:
    """Tests that count are enumerated, unless a formula is asked for by name."""
    if study.test.needs is Discordance and not approximate:
        return None
    return planning.formula_power(study, approximate=approximate)


def _enumerated_power(study: Study) -> PowerResult | None:
    return planning.exact_powers([study]).get(study) or planning.separate(study)


def _engine_advice(study: Study, engine: str | None) -> str:
    """The test usual for such scores, where the engine has an answer for it."""
    usual = Procedure.parse(study.population.test)
    if usual == study.test:
        return ""
    try:
        closed_power(Study(study.population, usual, study.design, study.alpha), engine)
    except TellapartError:
        return ""
    return f"name a test that it supports,  {option('test', str(usual))}, or "


def power_curve(study: Study, budget: Budget) -> tuple[IntArray, FloatArray] | None:
    """Power at every number of items around the study's own, where it goes up in saw-teeth; None where it does not."""
    if budget.engine in {"formula", "monte_carlo"} or (budget.engine is None and _formula_power(study) is not None):
        return None
    return planning.exact_curve(study) or planning.separate_curve(study)


def _check_pairing(study: Study) -> None:
    if study.test.needs.paired != study.population.paired:
        kind, want = ("paired", "paired_t") if study.population.paired else ("unpaired", "two_proportion_z")
        raise Unsuitable(
            f"{study.test} cannot be run on {study.population.name}, whose scores are {kind}; name a test such as {want}"
        )


def _simulated_powers(studies: Sequence[Study], budget: Budget, runner: Runner | None) -> list[PowerResult]:
    return planning.simulate_many(studies, budget, runner or Runner())
