"""The verb `plan`: the number of items, the detectable effect or the power of an evaluation, whichever is not given."""

import itertools
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, cast

from tellapart.answers.parts import Note
from tellapart.answers.plan import Plan, PlannedTest, PlanRow, SearchedDesigns, SmallerEffect
from tellapart.compute import Runner
from tellapart.foundation.errors import UsageError
from tellapart.foundation.files import refuse_unwritable
from tellapart.foundation.surfaces import option
from tellapart.methods.significance import Procedure
from tellapart.populations import Population
from tellapart.populations.population import as_pilot
from tellapart.verbs import evidence
from tellapart.verbs import plan as package
from tellapart.verbs.plan import raters
from tellapart.verbs.plan.case import PlanCase
from tellapart.verbs.plan.choices import CHOSEN, planned_test
from tellapart.verbs.plan.curve import curve
from tellapart.verbs.plan.notes import notes, search_design_notes
from tellapart.verbs.plan.population_options import (
    Described,
    Populations,
    every_option,
    list_populations,
    make_populations,
)
from tellapart.verbs.plan.question import PlanQuestion, several
from tellapart.verbs.plan.saved import refuse_several, save, write_order
from tellapart.verbs.plan.solver import Solver
from tellapart.verbs.python_verb import SubjectOptions, python_verb
from tellapart.verbs.signature import sign
from tellapart.verbs.work_options import open_store

if TYPE_CHECKING:
    from tellapart.populations.from_evidence import Incomplete


def planned(populations: Populations | Described, question: PlanQuestion) -> Plan:
    """Give two of items, effect and power; the third is solved, in raw points, for that very test. Power is 0.8 if only one is given.

    What the scores are like is a population by its spelling, by its name and its options, or by its options alone, where
    these describe only one. Sequences make a grid. `comparisons` plans each test at the Bonferroni level of that many, `systems` at the level
    that all pairs of so many systems have together in `rank`; `assurance` asks for so many
    items that the power holds with that probability although the spread is only known from a pilot. A `paired_binary` with
    an accuracy and no overlap is planned from `evidence`: a name, a file of `evidence fit`, or what was seen nearest to it.

    >>> from tellapart import plan
    >>> plan("gaussian(sd=0.12, correlation=0.8, effect=0.01)", power=0.8).rows[0].items
    455
    >>> plan("gaussian", sd=0.12, correlation=0.8, effect=0.01) == plan(sd=0.12, correlation=0.8, effect=0.01, power=0.8)
    True
    """
    cases, question, searched = _asked_cases(populations, question)
    if question.looks is not None or question.timing is not None:
        package.refuse_unsuitable(cases, question)
    if question.save is not None:
        refuse_several(cases, question)
    if (question.item_order is None) != (question.universe is None):
        lacking = ("item_order", "order.txt") if question.item_order is None else ("universe", "items.txt")
        raise UsageError(
            f"a random order is written to one file, of the items that another lists; give {option(*lacking)} too"
        )
    if question.item_order is not None:
        refuse_unwritable(Path(question.item_order))
    runner = Runner(
        question.executor, question.progress, partial=True, mixed=question.mixed, time_limit=question.time_limit
    )
    with open_store(question.store, mixed=question.mixed) as store, runner:
        runner.store = store
        answer = _plan_answer(cases, question, searched, runner)
    answer = replace(answer, notes=(*_inferred(populations, cases[0]), *answer.notes))
    if question.item_order is not None:
        answer = replace(answer, notes=(*answer.notes, write_order(max(row.items for row in answer.rows), question)))
    if question.save is not None:
        save(answer, cases[0], question)
    return answer


def _plan_answer(
    cases: list[PlanCase], question: PlanQuestion, searched: SearchedDesigns | None, runner: Runner
) -> Plan:
    solver = Solver.of(cases, question, runner)
    rows, first = solver.rows(cases), cases[0]
    pilot = as_pilot(first.population)
    looked = question.looks is not None or question.timing is not None
    tested, smaller = planned_test(rows[0]), None if looked else _smaller_effect(solver, cases, rows)
    if looked:
        cases, rows = package.with_looks(cases, rows, question)
    runner.settle()
    partial = runner.interrupted  # what comes now stands beside the answer
    return Plan(
        solved_for=first.solved_for,
        rows=rows,
        tested=PlannedTest(tested.label, tested.claim, tested.alternative),
        target_power=first.power,
        assurance=first.assurance,
        pilot_items=None if pilot is None else pilot.items,
        smaller=smaller,
        notes=(*search_design_notes(searched, rows, question), *notes(cases, rows, solver, question)),
        partial=partial,
        signature=_plan_signature(cases, rows, question, partial=partial),
        searched=searched,
        stopped=solver.runner.stopped,
        curve=None
        if looked
        else curve(solver, cases, rows)
        if searched is None
        else curve(solver, cases[:1], rows[:1]),
    )


def _asked_cases(
    populations: Populations | Described, question: PlanQuestion
) -> tuple[list[PlanCase], PlanQuestion, SearchedDesigns | None]:
    """The studies that are asked about; of designs that a budget decides, the best ones."""
    found = _populations(populations, question)
    if question.most_items is not None:
        question = replace(question, items=question.most_items, power=None)
    if question.budget is not None and all(one.name == "runs" for one in found):
        priced = [(one, package.items_for_budget(one, question)) for one in found]
        return [case for one, asked in priced for case in _asks([one], asked)], question, None
    rated = question.budget is not None or any(one.by_raters for one in found)
    if rated and raters.is_searched(found, question):
        cases, searched = raters.searched(found, question)
        return cases, raters.with_fewer_replicates(question, cases), searched
    return _asks(found, question), question, None


def _asks(populations: list[Population], question: PlanQuestion) -> list[PlanCase]:
    """Every combination of what was given, each with its test."""
    tested = itertools.product(populations, several(question.test))
    grid = [
        (who, items, test, power)
        for one, test in tested
        for (who, items), power in itertools.product(_sized(one, question), several(question.power))
    ]
    cases = [
        PlanCase.of(
            who,
            _planned_procedure(test, who, question),
            items=items,
            power=power,
            alpha=question.level,
            assurance=question.assurance,
        ).checked()
        for who, items, test, power in grid
    ]
    solved = list(dict.fromkeys(case.solved_for for case in cases))
    if len(solved) > 1:
        raise UsageError(
            f"a grid solves for one thing, and here some rows ask for {' and some for '.join(solved)}; ask them one after the other"
        )
    return cases


def _sized(population: Population, question: PlanQuestion) -> list[tuple[Population, int | None]]:
    """A population with each number of items: those of the question, or of the clusters that were given in place of them."""
    if population.fixed_items is None:
        return [(population, items) for items in several(question.items)]
    if question.items is not None:
        raise UsageError(f"{option('clusters')} and {option('items')} both say how many items; leave one out")
    return [(population.replace(clusters=None), population.fixed_items)]


def _planned_procedure(named: Any, population: Population, question: PlanQuestion) -> Procedure:
    """The test that was named, or what will be run: `compare` chooses for itself, `rank` and systems apart have their own."""
    if named not in {None, str(CHOSEN)}:
        return Procedure.parse(named)
    ranked = question.systems is not None and question.systems > 2
    return CHOSEN if population.paired and not ranked else Procedure.parse(population.test)


def _populations(given: Populations | Described, question: PlanQuestion) -> list[Population]:
    found = [Population.parse(one) for one in list_populations(given)]
    if not found:
        raise UsageError("an empty list asks for nothing; leave it out, or give at least one value")
    lacking = [_lacks_runs(one) for one in found]
    found = [
        package.with_one_run(cast("Incomplete", one)) if lacks else one
        for one, lacks in zip(found, lacking, strict=True)
    ]
    if question.evidence is not None or not all(one.complete for one in found):
        found = _complete_from_evidence(found, question)
    return [package.with_best_runs(one, question) if lacks else one for one, lacks in zip(found, lacking, strict=True)]


def _complete_from_evidence(found: list[Population], question: PlanQuestion) -> list[Population]:
    """With evidence in place of the numbers that nobody gave."""
    named_priors = evidence.Priors.of(question.evidence)
    sized = question.items is not None or any(one.fixed_items is not None for one in found)
    solves_effect = sized and question.power is not None
    return [evidence.complete(one, named_priors, solves_effect=solves_effect) for one in found]


def _lacks_runs(population: Any) -> bool:
    """Whether the number of runs is what is asked for; other numbers come from evidence, which is not loaded to see this."""
    return getattr(getattr(population, "kind", None), "name", "") == "runs"


def _inferred(populations: Populations | Described, first: PlanCase) -> tuple[Note, ...]:
    """What was taken for granted where options that would describe systems on different items were given without a name."""
    if not isinstance(populations, Described) or not populations.apart:
        return ()
    return (Note("same_items", {"population": first.population.name, "otherwise": list(populations.apart)}),)


def _smaller_effect(solver: Solver, cases: list[PlanCase], rows: tuple[PlanRow, ...]) -> SmallerEffect | None:
    """Only said where an effect is found with a power that was given, and all that was asked is answered."""
    first = cases[0]
    asked = first.solved_for != "power" and first.test.claim == "difference"
    return solver.half_effect(first, rows[0]) if asked and len(rows) == len(cases) else None


def _asked_replicates(cases: list[PlanCase], rows: tuple[PlanRow, ...], question: PlanQuestion) -> int:
    """How many were asked for, of the first row that is simulated."""
    case, simulated = next((a, r) for a, r in zip(cases, rows, strict=False) if r.replicates is not None)
    return question.effort(replace(case, test=planned_test(simulated)).guess).replicates


def _signed_replicates(
    cases: list[PlanCase], rows: tuple[PlanRow, ...], question: PlanQuestion, *, partial: bool
) -> int | None:
    """None where precision says how many."""
    if partial:
        return min(row.replicates for row in rows if row.replicates is not None)
    return None if question.until is not None else _asked_replicates(cases, rows, question)


def _plan_signature(cases: list[PlanCase], rows: tuple[PlanRow, ...], question: PlanQuestion, *, partial: bool) -> str:
    """Of a partial answer, which cannot be had again, with the fewest replicates that any of it comes from."""
    first = cases[0]
    simulated = [row.replicates for row in rows if row.replicates is not None]
    return sign(
        "plan",
        first.source + (f" (+{len(cases) - 1} more)" if len(cases) > 1 else ""),
        test=rows[0].test,
        items=first.items,
        power=first.power,
        assurance=first.assurance,
        alpha=question.alpha,
        budget=question.budget,
        comparisons=question.comparisons if question.comparisons > 1 else None,
        systems=question.systems,
        looks=rows[0].looks,
        timing=question.timing,
        spending=rows[0].spending,
        engine=rows[0].engine,
        until=question.until if simulated else None,
        replicates=_signed_replicates(cases, rows, question, partial=partial) if simulated else None,
        seed=question.seed if simulated else None,
        partial=partial or None,
    )


# `plan` as Python calls it: the options of every population are among its own, for which all of them are
# imported.


class _Planning(Protocol):
    """Populations have options of their own beside those of the question, and no checker of types knows them."""

    def __call__(self, populations: Populations | None = None, /, **options: Any) -> Plan: ...


plan = cast(
    _Planning, python_verb("plan", PlanQuestion, planned, SubjectOptions(tuple(every_option()), make_populations))
)
plan.__module__ = __name__  # where pickle finds it
