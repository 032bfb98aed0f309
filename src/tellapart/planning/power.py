"""One question, three engines: formula, exact, Monte Carlo. The first that can answers, and says so."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, Self, get_args

from tellapart.arrays import FloatArray, IntArray
from tellapart.errors import Unsuitable, UsageError
from tellapart.planning.exact import exact, exact_curve
from tellapart.planning.formula import formula
from tellapart.planning.study import PowerResult, Study, whole
from tellapart.summaries import Independent
from tellapart.workers import Keyboard, Progress, Workers

EngineName = Literal["formula", "exact", "monte_carlo"]


@dataclass(frozen=True)
class Settings:
    """How power may be computed: by which engine, and how much may be simulated, from which seed, by whom."""

    engine: str | None = None
    replicates: int = 10_000
    seed: int = 0
    executor: Workers = None
    progress: Progress | None = None
    known: Mapping[Study, PowerResult] = field(default_factory=dict)
    """Answers there are already."""
    keyboard: Keyboard = field(default_factory=Keyboard, repr=False, compare=False)
    """Shared by all that is asked with these settings: after an interrupt nothing more is simulated."""

    def __post_init__(self) -> None:
        if self.engine is not None and self.engine not in get_args(EngineName):
            raise UsageError(f"no engine is called {self.engine!r}; known: {', '.join(get_args(EngineName))}")
        object.__setattr__(self, "replicates", whole("replicates", self.replicates, least=1))
        object.__setattr__(self, "seed", whole("seed", self.seed, least=0, most=math.inf))
        if self.progress is not None and not callable(self.progress):
            raise UsageError(
                f"progress is {self.progress!r}; it should be a function that takes how much is done and of how much"
            )

    def cut_short(self, replicates: int | None) -> bool:
        """Whether an interrupt from the keyboard left an answer with fewer replicates than were asked for."""
        return replicates is not None and replicates < self.replicates

    def knowing(self, studies: Sequence[Study]) -> Self:
        """The same settings, with these studies answered, those that need it simulated all together.

        Studies that share random numbers draw them once; no answer differs by a bit from asking one by one.
        """
        answers = {study: _closed(study, self) for study in studies}
        asked = [study for study, answer in answers.items() if answer is None]
        known = {study: answer for study, answer in answers.items() if answer is not None}
        found = _simulate_many(asked, self) if asked else []
        return replace(self, known=known | dict(zip(asked, found, strict=True)))


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
    if not isinstance(study, Study):
        raise UsageError(f"{study!r} is no study; give Study(population, test, items, alpha)")
    return power_of(study, Settings(engine, replicates, seed, executor, progress))


def power_of(study: Study, settings: Settings) -> PowerResult:
    """The same, with the settings in one piece."""
    if study in settings.known:
        return settings.known[study]
    return _closed(study, settings) or _simulate_many([study], settings)[0]


def _closed(study: Study, settings: Settings) -> PowerResult | None:
    """The answer of an engine that needs no simulation; None where the simulation is to be asked."""
    _check_pairing(study)
    if settings.engine == "formula":
        found = formula(study, approximate=True)
    elif settings.engine == "exact":
        found = exact(study)
    elif settings.engine == "monte_carlo":
        return None
    else:
        return formula(study) or exact(study)
    if found is None:
        raise Unsuitable(
            f"engine {settings.engine} has no answer for {study.test} on {study.population}; leave --engine out and the one that has is used"
        )
    return found


def power_curve(study: Study, settings: Settings) -> tuple[IntArray, FloatArray] | None:
    """Power at every number of items around the study's own, where it goes up in saw-teeth; None where it does not."""
    if settings.engine in {"formula", "monte_carlo"} or (
        settings.engine is None and formula(study) is not None
    ):
        return None
    return exact_curve(study)


def _check_pairing(study: Study) -> None:
    unpaired = issubclass(study.test.needs, Independent)
    if unpaired == study.population.paired:
        kind, want = ("paired", "paired_t") if study.population.paired else ("unpaired", "two_proportion_z")
        raise Unsuitable(
            f"{study.test} cannot be run on {study.population.name}, whose scores are {kind}; name a test such as {want}"
        )


def _simulate_many(studies: Sequence[Study], settings: Settings) -> list[PowerResult]:
    from tellapart.planning.monte_carlo import simulate_many  # noqa: PLC0415  (formulas answer before it is loaded)

    return simulate_many(
        studies,
        replicates=settings.replicates,
        seed=settings.seed,
        executor=settings.executor,
        progress=settings.progress,
        keyboard=settings.keyboard,
    )
