"""One question, three engines: formula, exact, Monte Carlo. The first that can answers, and says so."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, get_args

from tellapart.arrays import FloatArray, IntArray
from tellapart.errors import Unsuitable, UsageError
from tellapart.planning.exact import exact, exact_curve
from tellapart.planning.formula import formula
from tellapart.planning.monte_carlo import Progress, simulate
from tellapart.planning.study import PowerResult, Study
from tellapart.summaries import Independent
from tellapart.workers import Workers

EngineName = Literal["formula", "exact", "monte_carlo"]


@dataclass(frozen=True)
class Settings:
    """How power may be computed: by which engine, and how much may be simulated, from which seed, by whom."""

    engine: str | None = None
    replicates: int = 10_000
    seed: int = 0
    executor: Workers = None
    progress: Progress | None = None

    def __post_init__(self) -> None:
        if self.engine is not None and self.engine not in get_args(EngineName):
            raise UsageError(f"no engine is called {self.engine!r}; known: {', '.join(get_args(EngineName))}")
        if self.replicates < 1:
            raise UsageError(f"replicates is {self.replicates}; it should be at least 1")


def power(  # noqa: PLR0913  (a door: the settings one by one)
    study: Study,
    *,
    engine: str | None = None,
    replicates: int = 10_000,
    seed: int = 0,
    executor: Workers = None,
    progress: Progress | None = None,
) -> PowerResult:
    """How often the study's test rejects: by formula or enumeration where there is one, by simulation elsewhere."""
    return power_of(study, Settings(engine, replicates, seed, executor, progress))


def power_of(study: Study, settings: Settings) -> PowerResult:
    """The same, with the settings in one piece."""
    _check_pairing(study)
    if settings.engine is not None:
        found = _ENGINES[settings.engine](study, settings)
        if found is None:
            raise Unsuitable(
                f"engine {settings.engine} has no answer for {study.test} on {study.population}; leave --engine out and the one that has is used"
            )
        return found
    for engine in _ENGINES.values():
        found = engine(study, settings)
        if found is not None:
            return found
    raise AssertionError("simulation answers every study")


def power_curve(study: Study, sizes: IntArray, settings: Settings) -> FloatArray | None:
    """Power at many numbers of items at once, where the exact engine answers; None where power has no saw-teeth."""
    if settings.engine in {"formula", "monte_carlo"} or (
        settings.engine is None and formula(study) is not None
    ):
        return None
    return exact_curve(study, sizes)


def _check_pairing(study: Study) -> None:
    unpaired = issubclass(study.test.needs, Independent)
    if unpaired == study.population.paired:
        kind, want = ("paired", "paired_t") if study.population.paired else ("unpaired", "two_proportion_z")
        raise Unsuitable(
            f"{study.test} cannot be run on {study.population.name}, whose scores are {kind}; name a test such as {want}"
        )


_ENGINES: dict[str, Callable[[Study, Settings], PowerResult | None]] = {
    "formula": lambda study, settings: formula(study, approximate=settings.engine == "formula"),
    "exact": lambda study, _: exact(study),
    "monte_carlo": lambda study, settings: simulate(
        study,
        replicates=settings.replicates,
        seed=settings.seed,
        executor=settings.executor,
        progress=settings.progress,
    ),
}
