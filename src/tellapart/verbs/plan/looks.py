"""Plans with looks: the most items that a test takes which may stop early, and those it takes on average."""

from dataclasses import replace

import numpy as np

from tellapart import planning
from tellapart.answers.parts import Note
from tellapart.answers.plan import PlanRow
from tellapart.foundation.errors import Unsuitable, UsageError
from tellapart.foundation.surfaces import option
from tellapart.numerics.looks import planned_cost
from tellapart.planning.look_schedule import LookSchedule, sides_of
from tellapart.planning.study import Study
from tellapart.populations import Population
from tellapart.verbs.plan.case import USUAL_POWER, PlanCase
from tellapart.verbs.plan.choices import planned_test
from tellapart.verbs.plan.question import PlanQuestion, several

FEWEST_BETWEEN = 10
"""Items that a look needs beyond those of the look before."""
OFFERED, WORTH_OFFERING = 5, 0.15
"""Looks that are offered where they save more than this share of the items on average."""

Answered = tuple[list[PlanCase], tuple[PlanRow, ...]]


def schedules(question: PlanQuestion) -> list[LookSchedule]:
    """When scores are looked at, for every number of looks that was asked about."""
    if question.timing is None:
        return [LookSchedule.equal(looks, question.spending) for looks in several(question.looks) if looks is not None]
    if question.looks is not None and len(several(question.looks)) > 1:
        raise UsageError(f"{option('timing')} is for one number of looks, and {option('looks')} names several")
    shares = _timing_shares(question.timing)
    if question.looks is not None and several(question.looks)[0] != len(shares):
        raise UsageError(
            f"{option('timing', question.timing)} has {len(shares)} looks, and {option('looks')} says {several(question.looks)[0]}; leave one of them out"
        )
    return [LookSchedule(shares, question.spending)]


def _timing_shares(spelled: str) -> tuple[float, ...]:
    try:
        shares = tuple(float(part) for part in spelled.split("/"))
    except ValueError:
        shares = ()
    if not 2 <= len(shares) <= 20 or shares[-1] != 1.0 or not np.all(np.diff(shares, prepend=0.0) > 0.0):
        raise UsageError(
            f"timing is {spelled!r}; it should be 2 to 20 rising shares of the items, the last of which is 1, such as 0.25/0.6/1"
        )
    return shares


def refuse_unsuitable(cases: list[PlanCase], question: PlanQuestion) -> None:
    """Studies that cannot be looked at early, with the way out."""
    asked = option("looks") if question.looks is not None else option("timing")
    for case in cases:
        population = case.population
        if not _of_pairs(population):
            raise Unsuitable(
                f"looks are planned for scores of two systems on the same items, and {population.name} is another design; leave {asked} out"
            )
        if case.test.claim == "equivalence":
            raise UsageError(f"looks may stop once one side is shown, and {case.test} needs both; leave {asked} out")
        if case.solved_for == "effect":
            raise UsageError(f"looks are planned for an effect: give {option('effect')}, or leave {asked} out")
    _refuse_options(question, asked)


def _of_pairs(population: Population) -> bool:
    """Whether it is one of scores of two systems on the same items."""
    return population.paired and not population.by_raters and population.name not in {"runs", "seeds", "votes"}


def _refuse_options(question: PlanQuestion, asked: str) -> None:
    unlike = {
        "systems": question.systems is not None,
        "assurance": question.assurance is not None,
        "budget": question.budget is not None,
        "until": question.until is not None,
    }
    named = next((name for name, given in unlike.items() if given), None)
    if named is not None:
        raise UsageError(f"{option(named)} works with a single look only; leave it or {asked} out")


def with_looks(cases: list[PlanCase], rows: tuple[PlanRow, ...], question: PlanQuestion) -> Answered:
    """Every study with every schedule of looks."""
    found = [
        (case, row_with_looks(case, row, schedule, question))
        for case, row in zip(cases, rows, strict=False)
        for schedule in schedules(question)
    ]
    return [case for case, _ in found], tuple(row for _, row in found)


def row_with_looks(case: PlanCase, row: PlanRow, schedule: LookSchedule, question: PlanQuestion) -> PlanRow:
    study = Study(case.population, planned_test(row), row.items, case.alpha)
    effort = question.effort(study).replicates, question.seed
    solved = case.solved_for == "items"
    if solved:
        found = planning.most_items(study, schedule, case.power or USUAL_POWER, effort)
    else:
        found = planning.power_with_looks(study, schedule, *effort)
    _refuse_close(found.items)
    grown = found.items[-1] / row.items
    return replace(
        row,
        items=found.items[-1],
        stable_from=None,
        power=found.found.power,
        power_low=found.found.low,
        power_high=found.found.high,
        engine=found.found.engine,
        replicates=found.found.replicates,
        type_s=found.found.type_s,
        type_m=found.found.type_m,
        solved_low=None if row.solved_low is None else grown * row.solved_low,
        solved_high=None if row.solved_high is None else grown * row.solved_high,
        looks=len(found.items),
        spending=schedule.spending,
        items_at_looks=found.items,
        nominal=found.nominal,
        stops_at=found.stops,
        expected_items=found.expected_items,
        expected_items_none=_without_effect(study.resized(items=found.items[-1]), schedule, effort),
        fixed_items=row.items if solved else None,
    )


def _refuse_close(items: tuple[int, ...]) -> None:
    fewest = int(np.diff(items, prepend=0).min())
    if fewest < FEWEST_BETWEEN:
        raise UsageError(
            f"{items[-1]} items in {len(items)} looks leave {fewest} between two looks, and a look needs "
            f"{FEWEST_BETWEEN} new ones; plan fewer with {option('looks')}"
        )


def _without_effect(study: Study, schedule: LookSchedule, effort: tuple[int, int]) -> float | None:
    """The items taken on average if there is no difference; None of a margin, which equal systems are to show."""
    if study.test.claim != "difference":
        return None
    return planning.power_with_looks(study.with_effect(0.0), schedule, *effort).expected_items


def looks_offered(case: PlanCase, row: PlanRow) -> Note | None:
    """That looks would save items on average, by normal theory; None where they would not, or cannot be planned."""
    population, test = case.population, planned_test(row)
    if (
        not _of_pairs(population)
        or case.solved_for != "items"
        or test.claim == "equivalence"
        or case.assurance is not None
    ):
        return None
    if row.items < OFFERED * FEWEST_BETWEEN * population.unit or row.alpha > 0.25:
        return None
    most, expected = planned_cost(OFFERED, "obf", row.alpha, sides_of(test), case.power or USUAL_POWER)
    if 1.0 - expected <= WORTH_OFFERING:
        return None
    return Note("looks_save", {"looks": OFFERED, "share": 1.0 - expected, "most": most - 1.0})
