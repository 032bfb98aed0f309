"""Power around a study: with fewer and more items or raters, and for smaller and larger effects."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Literal

from tellapart.errors import TellapartError
from tellapart.planning.study import PowerResult, Study
from tellapart.populations import Population
from tellapart.results.plan import PlanRow, PowerPoint
from tellapart.verbs.plan.ask import Ask
from tellapart.verbs.plan.chosen import Chosen, test_of
from tellapart.verbs.plan.solver import Solver

Over = Literal["items", "effect", "raters"]
AROUND = (0.1, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0)
"""Multiples of the items, of the effect or of the raters. Few, because every plan pays for them."""
FEWEST = 3
"""Points of a curve."""
MOST_ITEMS = 20_000
"""Up to which a table of all outcomes is summed in milliseconds."""


def curve(solver: Solver, asks: list[Ask], rows: tuple[PlanRow, ...]) -> tuple[PowerPoint, ...] | None:
    """The points of one study; None for a grid and for what evidence only bounds."""
    ask = asks[0]
    if len(asks) > 1 or len(rows) != 1 or ask.population.supposed is not None:
        return None
    row = rows[0]
    if row.replicates is not None:
        return _seen(solver, ask, row)
    test = test_of(row)
    if row.items > MOST_ITEMS or isinstance(test, Chosen):
        return None
    return tuple(_points(solver, replace(ask, test=test), row))


def _seen(solver: Solver, ask: Ask, row: PlanRow) -> tuple[PowerPoint, ...] | None:
    """What was simulated while the answer was looked for, which costs nothing."""
    places = solver.seen.get(row.test, ())
    if len(places) < FEWEST:
        return None
    over: Over = "items" if ask.solved_for == "items" else "effect"
    return tuple(_point(over, study, found) for study, found in places)


def _points(solver: Solver, ask: Ask, row: PlanRow) -> Iterator[PowerPoint]:
    population = ask.population.with_effect(row.effect)
    settled = replace(ask, population=population)
    unit = population.unit
    for items in sorted({max(2, round(row.items * by / unit)) * unit for by in AROUND}):
        yield from _tried("items", solver, settled, items)
    low, high = population.effect_range
    for effect in (row.effect * by for by in AROUND):
        if low < effect < high:
            other = replace(ask, population=population.with_effect(effect))
            yield from _tried("effect", solver, other, row.items)
    for moved in _with_other_raters(population, row.items):
        yield from _tried("raters", solver, replace(ask, population=moved), row.items)


def _tried(over: Over, solver: Solver, ask: Ask, items: int) -> Iterator[PowerPoint]:
    """A point, unless nobody can answer there: a plan that is answered is not refused for what lies around it."""
    with suppress(TellapartError):
        study = ask.study(items)
        yield _point(over, study, solver.found(study))


def _point(over: Over, study: Study, found: PowerResult) -> PowerPoint:
    return PowerPoint(
        over=over,
        items=study.items,
        effect=study.population.known_effect,
        power=found.power,
        power_low=found.low,
        power_high=found.high,
        type_s=found.type_s,
        type_m=found.type_m,
        raters=_raters(study),
    )


def _with_other_raters(population: Population, items: int) -> Iterator[Population]:
    if population.by_raters:
        from tellapart.verbs.plan.rater_rows import with_raters  # noqa: PLC0415  (plain scores have no raters)

        yield from with_raters(population, items, AROUND)


def _raters(study: Study) -> int | None:
    if not study.population.by_raters:
        return None
    from tellapart.verbs.plan.rater_rows import raters_of  # noqa: PLC0415  (as above)

    return raters_of(study.population)
