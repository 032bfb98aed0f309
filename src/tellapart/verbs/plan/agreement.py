"""What it costs in power that a second test has to agree with Student's t."""

from dataclasses import replace

from tellapart.results.note import Note
from tellapart.results.plan import PlanRow
from tellapart.significance import Procedure
from tellapart.significance.both import Both
from tellapart.verbs.plan.ask import Ask
from tellapart.verbs.plan.chosen import test_of
from tellapart.verbs.plan.solver import Solver

SHOWN = 0.0005
"""The smallest cost that is worth a word."""


def agreement_note(ask: Ask, row: PlanRow, solver: Solver) -> Note | None:
    """The power of the first of two tests alone, on the same simulated evaluations where the row is simulated; None where there is one test."""
    two = _two_tests(row)
    if two is None or solver.runner.interrupted:
        return None
    population = ask.population.with_effect(row.effect)
    alone = replace(ask, population=population, test=replace(two.first, alternative=two.alternative))
    found = solver.beside(alone.study(row.items), row.replicates)
    if found is None or found.power - row.power < SHOWN:
        return None
    told = {"alone": two.first.label, "agrees": two.second.label, "test": str(two.first)}
    return Note(
        "agreement_costs", {**told, "items": row.items, "power": found.power, "cost": found.power - row.power}
    )


def _two_tests(row: PlanRow) -> Both | None:
    """The two that must agree, always or on some of the evaluations."""
    tests = [test_of(row)] if row.choices is None else [Procedure.parse(test) for test in row.choices]
    return next((test for test in tests if isinstance(test, Both)), None)
