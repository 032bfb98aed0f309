"""Notes on a plan and its rows, as codes and values."""

from collections.abc import Iterator
from dataclasses import replace

from tellapart.answers.parts import Note
from tellapart.answers.plan import PlanRow, SearchedDesigns
from tellapart.foundation.arrays import NOISE
from tellapart.foundation.errors import TellapartError
from tellapart.methods.significance import Procedure
from tellapart.methods.significance.both import Both
from tellapart.numerics.null_laws.proportions import wilson_bounds
from tellapart.numerics.null_laws.tails import two_sided_quantile
from tellapart.planning.study import LEVEL
from tellapart.populations.population import as_pilot
from tellapart.populations.runs import RepeatedRuns
from tellapart.populations.seeds import Seeds
from tellapart.verbs import evidence
from tellapart.verbs import plan as package
from tellapart.verbs.plan import raters
from tellapart.verbs.plan.case import USUAL_POWER, PlanCase
from tellapart.verbs.plan.choices import CHOSEN, choices, planned_test
from tellapart.verbs.plan.curve import MANY_ITEMS
from tellapart.verbs.plan.question import PlanQuestion
from tellapart.verbs.plan.seeds import fewest_seeds
from tellapart.verbs.plan.solver import Solver, spared
from tellapart.verbs.source_notes import reading_notes
from tellapart.verbs.workers import workers_notes

# What it costs in power that a second test has to agree with Student's t.

SHOWN = 0.0005
"""The smallest cost that is worth a word."""


def agreement_note(case: PlanCase, row: PlanRow, solver: Solver) -> Note | None:
    """The power of the first of two tests alone, on the same simulated evaluations where the row is simulated; None where there is one test."""
    two = _two_tests(row)
    if two is None or solver.runner.interrupted:
        return None
    population = case.population.with_effect(row.effect)
    alone = replace(case, population=population, test=replace(two.first, alternative=two.alternative))
    found = solver.power_beside(alone.study(row.items), row.replicates)
    if found is None or found.power - row.power < SHOWN:
        return None
    told = {"alone": two.first.label, "agrees": two.second.label, "test": str(two.first)}
    return Note("agreement_costs", {**told, "items": row.items, "power": found.power, "cost": found.power - row.power})


def _two_tests(row: PlanRow) -> Both | None:
    """The two that must agree, always or on some of the evaluations."""
    tests = [planned_test(row)] if row.choices is None else [Procedure.parse(test) for test in row.choices]
    return next((test for test in tests if isinstance(test, Both)), None)


SMALL_PILOT = 30
"""Items below which a pilot says next to nothing about tails."""
FAR = 20
"""How many times its pilot a plan may be before what the pilot never met decides."""

Rows = tuple[PlanRow, ...]


def notes(cases: list[PlanCase], rows: Rows, solver: Solver, question: PlanQuestion) -> tuple[Note, ...]:
    """All that there is to note: of the whole plan, and of its rows."""
    answered = list(zip(cases, rows, strict=False))
    return (
        *_merge_row_notes([list(_evidence_notes(case, row, question)) for case, row in answered]),
        *_interrupted(cases, rows, solver),
        *workers_notes(solver.runner),
        *_family(cases[0], rows, solver),
        *_merge_row_notes([list(_of_row(case, row, solver)) for case, row in answered]),
        *(_until(rows, question) if question.until is not None else _simulation_notes(cases[0], rows, question)),
        *_nearly_exact(cases[0], rows),
    )


def search_design_notes(searched: SearchedDesigns | None, rows: Rows, question: PlanQuestion) -> Iterator[Note]:
    """That nobody said what anything costs, and what was taken in its place; and how designs were looked for."""
    if searched is None:
        return
    if rows and rows[0].options.get("per_item") not in {None, 1}:
        yield Note("searched_about", {"per_item": rows[0].options["per_item"]})
    if not question.names_prices:
        prices = {"rating": searched.cost_rating, "item": searched.cost_item, "rater": searched.cost_rater}
        yield Note("prices_assumed", {**prices, "budget": searched.budget})


def _of_row(case: PlanCase, row: PlanRow, solver: Solver) -> Iterator[Note]:
    yield from _chosen(row)
    if row.looks is None:
        yield from _agreement_notes(case, row, solver)
    if solver.question.test is not None:
        yield from _another_choice(case, row)
    if row.looks is None and (offer := package.looks_offered(case, row)):
        yield offer
    yield from _saw_tooth(row)
    yield from _pilot_notes(case, row)
    yield from _rating_notes(case, row)
    yield from _run_notes(case, row)


def _merge_row_notes(by_row: list[list[Note]]) -> Iterator[Note]:
    """A note that holds of every row alike as it is; else that of the first row that has it, with its rows and the others."""
    having: dict[tuple[str, int], dict[int, Note]] = {}
    for number, found in enumerate(by_row, 1):
        for place, note in enumerate(found):
            # A row may have several of a kind, such as sources of evidence.
            before = sum(other.code == note.code for other in found[:place])
            having.setdefault((note.code, before), {})[number] = note
    for found_in in having.values():
        first = next(iter(found_in.values()))
        alike = [number for number, note in found_in.items() if note == first]
        others = [number for number in found_in if number not in alike]
        if len(alike) == len(by_row):
            yield first
        else:
            where = {"rows": alike, "other_rows": others} if others else {"rows": alike}
            yield replace(first, values={**first.values, **where})


def _evidence_notes(case: PlanCase, row: PlanRow, question: PlanQuestion) -> Iterator[Note]:
    if case.prior is None and question.evidence is None:
        return
    yield from evidence.effect_note(question.evidence, case.population)
    yield from evidence.evidence_notes(case, row)


def _interrupted(cases: list[PlanCase], rows: Rows, solver: Solver) -> Iterator[Note]:
    if not solver.runner.interrupted:
        return
    asked = {
        row.replicates or 0: solver.question.effort(replace(case, test=planned_test(row)).guess)
        for case, row in zip(cases, rows, strict=False)
    }
    short = [done for done, budget in asked.items() if budget.exceeds(done or None)]
    values = {
        "answered": len(rows),
        "asked": len(cases),
        "replicates": min(short) if short else None,
        "asked_replicates": asked[min(short)].replicates if short else 0,
    }
    by_time = solver.runner.stopped == "time"
    yield Note("time_limit", values) if by_time else Note("interrupted", values)


def _until(rows: Rows, question: PlanQuestion) -> Iterator[Note]:
    """What was waited for, and how near it came."""
    simulated = [row for row in rows if row.replicates is not None]
    if question.until is None or not simulated:
        return
    widest = max(simulated, key=lambda row: row.power_high - row.power_low)
    half = (widest.power_high - widest.power_low) / 2.0
    reached = {"until": question.until, "half_width": half, "replicates": widest.replicates}
    yield Note("until", {**reached, **_noted_rows(rows, simulated)})


def _noted_rows(rows: Rows, some: Rows | list[PlanRow]) -> dict[str, list[int]]:
    """Which rows a note is about, where it is not about all of them."""
    numbers = [number for number, row in enumerate(rows, 1) if any(row is one for one in some)]
    return {} if len(numbers) == len(rows) else {"rows": numbers}


def _family(case: PlanCase, rows: Rows, solver: Solver) -> Iterator[Note]:
    """What alpha is shared between; of a single study also what it would come to alone."""
    question, row = solver.question, rows[0]
    alpha, comparisons, systems = question.alpha, question.comparisons, question.systems
    if systems is not None and systems > 2:
        pairs = systems * (systems - 1) // 2
        family = {"systems": systems, "pairs": pairs, "alpha": alpha, "each": row.alpha}
        alone = _alone(case, rows, solver)
        yield Note("all_pairs_share_alpha", {**family, "bonferroni": alpha / pairs, "alone": alone})
    elif comparisons > 1:
        sidak = 1.0 - (1.0 - alpha) ** (1.0 / comparisons)
        shared = {"comparisons": comparisons, "alpha": alpha, "each": row.alpha, "sidak": sidak}
        yield Note("comparisons_share_alpha", {**shared, "alone": _alone(case, rows, solver)})


def _alone(case: PlanCase, rows: Rows, solver: Solver) -> float | None:
    """What was solved for, if it were the only comparison; None where that would have to be simulated or summed for long."""
    row = rows[0]
    quick = row.looks is None and row.replicates is None and (row.engine == "formula" or row.items <= MANY_ITEMS)
    if not quick or len(rows) > 1 or solver.runner.interrupted:
        return None
    try:
        return float(getattr(solver.row(replace(case, alpha=solver.question.alpha)), case.solved_for))
    except TellapartError:
        return None


def _chosen(row: PlanRow) -> Iterator[Note]:
    """Between which tests the choice falls."""
    if row.choices is not None:
        yield Note("depends_on_scores", {"items": row.items, "choices": row.choices})


def _agreement_notes(case: PlanCase, row: PlanRow, solver: Solver) -> Iterator[Note]:
    if row.choices is None and "both(" not in row.test:
        return

    note = agreement_note(case, row, solver)
    if note is not None:
        yield note


def _another_choice(case: PlanCase, row: PlanRow) -> Iterator[Note]:
    """What `compare` would do with such scores if nobody named the test there."""
    if case.test == CHOSEN or _averages_raters(case) or case.test.claim != "difference" or not case.population.paired:
        return
    population = case.population
    if population.effect != row.effect:
        population = population.with_effect(row.effect)
    choice = choices(population, row.items).test
    if choice not in {CHOSEN, replace(case.test, alternative="two-sided")}:
        yield Note("compare_chooses", {"items": row.items, "chosen": str(choice), "planned": str(case.test)})


def _saw_tooth(row: PlanRow) -> Iterator[Note]:
    if row.stable_from is not None and row.stable_from > row.items:
        yield Note("saw_tooth", {"items": row.items, "stable_from": row.stable_from})


def _nearly_exact(case: PlanCase, rows: Rows) -> Iterator[Note]:
    """A formula that leaves an interval, of a population whose numbers are given: how far it can be off."""
    given = case.population.from_spelling and case.prior is None
    off = [row for row in rows if row.engine == "formula" and row.power_high > row.power_low]
    if off and given:
        widest = max(row.power_high - row.power_low for row in off)
        yield Note("formula_nearly_exact", {"widest": widest, **_noted_rows(rows, off)})


def _simulation_notes(case: PlanCase, rows: Rows, question: PlanQuestion) -> Iterator[Note]:
    simulated = [row for row in rows if row.engine == "monte_carlo" and row.replicates is not None]
    if simulated and case.population.from_spelling:
        widths = {_simulated_width(row): row.replicates or 0 for row in simulated}
        banded = case.prior is not None and question.replicates is None
        ends = {"ends": spared(widths[max(widths)])} if banded else {}
        widest = {"replicates": widths[max(widths)], "widest": max(widths)}
        yield Note("power_simulated", {**widest, **ends, **_noted_rows(rows, simulated)})


def _simulated_width(row: PlanRow) -> float:
    """How wide the interval is that simulating alone leaves: a row's own may hold what evidence leaves open too."""
    assert row.replicates is not None, "simulated"
    level = two_sided_quantile(LEVEL)
    _, low, high = wilson_bounds(round(row.power * row.replicates), row.replicates, level)
    return float(high - low)


def _averages_raters(case: PlanCase) -> bool:
    """Whether a test is named that `compare` would not run on ratings unless only these raters are meant."""
    if not case.population.by_raters:
        return False
    return raters.averages_raters(case.test)


def _rating_notes(case: PlanCase, row: PlanRow) -> Iterator[Note]:
    if case.population.by_raters:
        yield from raters.pilot_note(case.population)
        if case.test != CHOSEN:
            yield from raters.averaging_note(case.study(row.items))


def _run_notes(case: PlanCase, row: PlanRow) -> Iterator[Note]:
    """Items that differ no more than their runs, whose place more runs take without limit; and seeds that no items make up for."""
    population = case.population.with_effect(row.effect)
    if isinstance(population, RepeatedRuns) and population.item_variance < NOISE:
        yield Note("runs_explain_items", {"runs": population.runs})
    if isinstance(population, Seeds) and row.ceiling_items is not None and row.ceiling_items < USUAL_POWER:
        enough = fewest_seeds(population, planned_test(row), row.alpha, USUAL_POWER)
        limit = {"seeds": min(population.seeds_of_each), "ceiling": row.ceiling_items}
        yield Note("more_seeds", {**limit, "power": USUAL_POWER, "enough": enough})


def _pilot_notes(case: PlanCase, row: PlanRow) -> Iterator[Note]:
    pilot = as_pilot(case.population)
    if pilot is None:
        return
    yield from reading_notes(pilot.pair.remarks)
    if pilot.effect and pilot.effect == pilot.observed_effect:
        yield Note("pilots_own_effect", {"effect": pilot.effect})
    if case.assurance is not None and row.solved_low is not None and case.power is not None:
        assured = {"items": row.items, "unassured": int(row.solved_low), "power": case.power}
        yield Note("assured", {**assured, "assurance": case.assurance})
    if abs(pilot.correlation) < 1.0 and pilot.items >= 4:
        low, high = pilot.correlation_interval()
        yield Note("pilot_correlation", {"correlation": pilot.correlation, "low": low, "high": high})
    yield Note("spread_from_pilot", {"items": pilot.items})
    if pilot.items < SMALL_PILOT:
        yield Note("small_pilot", {"below": SMALL_PILOT})
    if row.items > FAR * pilot.items:
        yield Note("far_beyond_pilot", {"times": FAR})
