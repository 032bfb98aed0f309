"""Before the evaluation: how many items, what effect could be found, how often it would be."""

import itertools
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from tellapart.errors import UsageError
from tellapart.planning.axis import Axis, EffectAxis, ItemsAxis
from tellapart.planning.budget import Budget
from tellapart.planning.power import power_of, powers_of
from tellapart.planning.solve import Solution, solve
from tellapart.planning.study import PowerResult, Study, level, number
from tellapart.planning.uncertainty import assured, with_pilot_uncertainty
from tellapart.populations import Population
from tellapart.populations.design import FEWEST
from tellapart.populations.quantities import whole
from tellapart.results.plan import Plan, PlanRow, SolvedFor
from tellapart.significance import Procedure
from tellapart.spelling import options
from tellapart.verbs import plan_notes, plan_phrases
from tellapart.verbs.default_test import default_test
from tellapart.verbs.signature import sign
from tellapart.workers import Runner, Workers

if TYPE_CHECKING:
    from tellapart.verbs.beliefs import Named

Populations = Population | str | Iterable[Population | str]
Tests = Procedure | str | Iterable[Procedure | str]


@dataclass(frozen=True)
class Ask:
    """One question of a grid: two of items, effect (in the population) and power; the third is solved."""

    population: Population
    test: Procedure
    items: int | None
    power: float | None
    alpha: float
    assurance: float | None = None

    @property
    def solved_for(self) -> SolvedFor:
        given = {"items": self.items, "effect": self.population.effect, "power": self.power}
        absent = [name for name, value in given.items() if value is None]
        if len(absent) != 1:
            have = ", ".join(name for name in given if name not in absent) or "none of them"
            more = "" if absent else "; leave out the one to solve for"
            raise UsageError(
                f"give two of items, effect and power, and the third is solved; given: {have}{more}"
            )
        found: SolvedFor = absent[0]  # type: ignore[assignment]  # the names above are its values
        return found

    def study(self, items: int) -> Study:
        return Study(self.population, self.test, items, self.alpha)


def plan(  # noqa: PLR0913  (a verb has as many words as its question)
    population: Populations,
    *,
    test: Tests | None = None,
    items: int | Iterable[int] | None = None,
    power: float | Iterable[float] | None = None,
    alpha: float = 0.05,
    comparisons: int = 1,
    systems: int | None = None,
    assurance: float | None = None,
    evidence: "Named" = None,
    engine: str | None = None,
    replicates: int = 10_000,
    seed: int = 0,
    executor: Workers = None,
    progress: Any = None,
) -> Plan:
    """Give two of items, effect (in the population) and power; the third is solved, in raw points, for that very test.

    Sequences make a grid. `comparisons` plans each test at the Bonferroni level of that many, `systems` at the level
    that all pairs of so many systems have together in `rank`; `assurance` asks for so many
    items that the power holds with that probability although the spread is only known from a pilot. A `paired_binary` with
    an accuracy and no overlap is planned from `evidence`: a name, a file of `evidence fit`, or what was seen nearest to it.

    >>> from tellapart import plan
    >>> plan("gaussian(sd=0.12, correlation=0.8, effect=0.01)", power=0.8).rows[0].items
    455
    """
    budget, runner = Budget(engine, replicates, seed), Runner(executor, progress)
    shared = _shared_level(alpha, comparisons, systems)
    asks = [
        _checked(Ask(who, how, n, target, shared, assurance))
        for who, named, n, target in itertools.product(
            _populations(population, evidence), _many(test), _many(items), _many(power)
        )
        for how in [default_test(who) if named is None else Procedure.parse(named)]
    ]
    if not asks:
        raise UsageError("an empty list asks for nothing; leave it out, or give at least one value")
    asked = asks[0].solved_for
    rows = _rows(asks, Solver.of(asks, budget, runner))
    told = plan_phrases.Told(asked, rows, tuple(asks), budget, runner, alpha, comparisons, systems)
    return Plan(asked, rows, plan_phrases.sentence(told), _notes(told), _signature(told))


def _rows(asks: list[Ask], solver: "Solver") -> tuple[PlanRow, ...]:
    """The answers one by one; when the keyboard interrupts, those there are."""
    rows: list[PlanRow] = []
    try:
        for ask in asks:
            rows.append(_with_evidence(ask, solver))
            if solver.runner.interrupted and ask.solved_for != "power":
                break
    except KeyboardInterrupt:
        if not rows:
            raise
    return tuple(rows)


def _with_evidence(ask: Ask, solver: "Solver") -> PlanRow:
    if ask.population.supposed is None:
        return solver.row(ask)
    from tellapart.verbs import from_evidence  # noqa: PLC0415  (most populations say all there is to know)

    return from_evidence.with_band(ask, solver.row)


def _many(value: Any) -> list[Any]:
    return list(value) if isinstance(value, Iterable) and not isinstance(value, str) else [value]


def _populations(population: Populations, evidence: "Named") -> list[Population]:
    found = [Population.parse(one) for one in _many(population)]
    if evidence is None and all(one.complete for one in found):
        return found
    from tellapart.verbs import beliefs, from_evidence  # noqa: PLC0415  (most populations say all there is to know)

    believed = beliefs.Beliefs.of(evidence)
    return [from_evidence.complete(one, believed) for one in found]


def _shared_level(alpha: float, comparisons: int, systems: int | None) -> float:
    alpha, comparisons = level(alpha), whole("comparisons", comparisons, least=1)
    if systems is None:
        return alpha / comparisons
    systems = whole("systems", systems, least=2)
    if comparisons > 1:
        raise UsageError(
            f"systems is {systems} and comparisons {comparisons}; give systems (all pairs) or comparisons"
        )
    from tellapart.distributions.studentized_range import family_level  # noqa: PLC0415  (only many systems need it)

    return alpha if systems == 2 else family_level(systems, alpha)


def _checked(ask: Ask) -> Ask:
    if (
        ask.test.claim != "difference" and ask.population.effect is None and None in {ask.items, ask.power}
    ):  # without an effect to find, systems that are equal are what a margin is asked about
        ask = replace(ask, population=ask.population.with_effect(0.0))
    # Refuses what is no study before anything is computed, and has plain numbers.
    study = ask.study(2 if ask.items is None else ask.items)
    ask = replace(
        ask,
        items=None if ask.items is None else study.items,
        power=None if ask.power is None else number("power", ask.power),
        assurance=None if ask.assurance is None else number("assurance", ask.assurance),
    )
    if ask.power is not None and not ask.alpha < ask.power < 1.0:
        likely = f"; {ask.power:g} % is {ask.power / 100:g}" if 1.0 < ask.power <= 100.0 else ""
        raise UsageError(f"power is {ask.power:g}; it should lie between alpha ({ask.alpha:g}) and 1{likely}")
    if ask.solved_for == "items" and ask.population.effect == 0.0 and ask.test.claim == "difference":
        raise UsageError(
            "an effect of 0 is found by no number of items; give the smallest effect that matters"
        )
    if ask.solved_for == "items" and ask.test.claim == "difference":
        _check_direction(ask)
    if ask.assurance is not None:
        _check_assurance(ask, ask.assurance)
    return ask


def _check_assurance(ask: Ask, assurance: float) -> None:
    if not 0.0 < assurance < 1.0:
        likely = f"; {assurance:g} % is {assurance / 100:g}" if 1.0 < assurance <= 100.0 else ""
        raise UsageError(f"assurance is {assurance:g}; it should lie between 0 and 1{likely}")
    if ask.solved_for != "items" or ask.population.from_spelling:
        asked = f"{ask.solved_for} of {ask.population.name}"
        raise UsageError(
            f"assurance is for solving items from a pilot, and this asks for the {asked}: plan pilot FILE --effect … --power …"
        )


def _check_direction(ask: Ask) -> None:
    against = {"less": 1.0, "greater": -1.0}.get(ask.test.alternative, 0.0) * ask.population.known_effect
    if against > 0.0:
        raise UsageError(
            f"{ask.test} looks in one direction, and an effect of {ask.population.known_effect:g} lies in the other: no number of items finds it"
        )


@dataclass(frozen=True, eq=False)
class Solver:
    """Answers one question at a time; powers that were asked for at given items are there already, found all together."""

    budget: Budget
    runner: Runner
    known: dict[Study, PowerResult]

    @classmethod
    def of(cls, asks: list[Ask], budget: Budget, runner: Runner) -> "Solver":
        studies = [ask.study(ask.items) for ask in asks if ask.items is not None and ask.power is None]
        return cls(budget, runner, powers_of(studies, budget, runner))

    def row(self, ask: Ask) -> PlanRow:
        return _as_row(self.solution(ask))

    def solution(self, ask: Ask) -> Solution:
        if ask.power is None:
            return self._power(ask)
        if ask.items is None:
            return self._items(ask, ask.power)
        return self._solved(EffectAxis(ask.study(ask.items), ask.power, self.budget, self.runner))

    def _power(self, ask: Ask) -> Solution:
        assert ask.items is not None
        study = ask.study(ask.items)
        found = self.known.get(study) or power_of(study, self.budget, self.runner)
        return with_pilot_uncertainty(Solution(study, found))

    def _solved(self, axis: Axis) -> Solution:
        return with_pilot_uncertainty(solve(axis))

    def _items(self, ask: Ask, target: float) -> Solution:
        axis = ItemsAxis(ask.study(FEWEST), target, self.budget, self.runner)
        if ask.assurance is None:
            return self._solved(axis)
        return assured(solve(axis), ask.assurance, self.budget, self.runner)


def _as_row(solution: Solution) -> PlanRow:
    study, found = solution.study, solution.result
    fields = {
        o.name: _plain(getattr(study.population, o.name))
        for o in options(type(study.population))
        if o.name != "effect"
    }
    return PlanRow(
        population=str(study.population),
        options=fields,
        test=str(study.test),
        alpha=study.alpha,
        items=solution.items,
        stable_from=solution.stable_from,
        effect=solution.effect,
        power=found.power,
        power_low=found.low,
        power_high=found.high,
        engine=found.engine,
        replicates=found.replicates,
        type_s=found.type_s,
        type_m=found.type_m,
        solved_low=solution.low,
        solved_high=solution.high,
    )


def _plain(value: Any) -> Any:
    return value if value is None or isinstance(value, (bool, int, float, str, tuple)) else str(value)


def _notes(told: "plan_phrases.Told") -> tuple[str, ...]:
    first, said = told.asks[0].population, plan_notes.notes(told)
    if first.supposed is None:
        return said
    from tellapart.verbs import from_evidence  # noqa: PLC0415  (most populations say all there is to know)

    return from_evidence.notes(first, told.rows[0], told.solved_for) + said


def _signature(told: "plan_phrases.Told") -> str:
    first = told.asks[0]
    simulated = any(row.engine == "monte_carlo" for row in told.rows)
    return sign(
        "plan",
        first.population.source + (f" (+{len(told.asks) - 1} more)" if len(told.asks) > 1 else ""),
        test=first.test,
        items=first.items,
        power=first.power,
        assurance=first.assurance,
        alpha=told.alpha,
        comparisons=told.comparisons if told.comparisons > 1 else None,
        systems=told.systems,
        engine=told.rows[0].engine,
        replicates=told.budget.replicates if simulated else None,
        seed=told.budget.seed if simulated else None,
    )
