"""Page of the `score` answer: single systems with their intervals."""

import shlex

from tellapart.answers.page import BLANK, FILES, Cell, Column, Grid, Page, Row, Spans
from tellapart.answers.parts import IntervalResult, texts
from tellapart.answers.score import DatasetScore, ScoreReport, SystemScore
from tellapart.answers.score.texts import measured
from tellapart.foundation.formatting import amount, percent, thousands
from tellapart.foundation.formatting.units import Unit


def make_page(answer: ScoreReport) -> Page:
    return Page(
        headline=answer.headline,
        tone="even",
        finding=_score_finding(answer),
        next_steps=_next_of_scores(answer),
        grids=tuple(
            grid for grid in (_systems_grid(answer), _datasets_grid(answer), _further_grid(answer)) if grid.rows
        ),
        facts=_facts(answer),
        remarks=(("Notes", texts(answer.notes)),),
        sentence=answer.sentence,
        signature=answer.signature,
    )


def _score_finding(answer: ScoreReport) -> str:
    """Of one system what its interval rests on; of several their range."""
    if len(answer.systems) == 1:
        one = answer.systems[0]
        right = "" if one.right is None else f"{thousands(one.right)} of "
        return f"{right}{amount(one.items, 'item')}{' right' if right else ''} ({one.interval.shown_method} interval)"
    means = [one.mean for one in answer.systems]
    places = answer.unit.places(min(means), max(means))
    low, high = (answer.unit.score(mean, places) for mean in (min(means), max(means)))
    return f"{measured(answer)} from {low} to {high} on {amount(answer.items, 'item')}"


def _next_of_scores(answer: ScoreReport) -> tuple[str, ...]:
    """The comparison that intervals of single systems do not make."""
    if len(answer.systems) > 1:
        return (f"which of them differ: tellapart rank {FILES}",)
    name = shlex.quote(answer.systems[0].name)
    return (f"hold it against another system: tellapart compare {FILES} --a {name} --b OTHER",)


def _facts(answer: ScoreReport) -> tuple[tuple[str, str], ...]:
    if len(answer.systems) > 1:
        return (("items", thousands(answer.items)),)
    one = answer.systems[0]
    facts = (
        ("items", thousands(one.items)),
        ("right", "" if one.right is None else thousands(one.right)),
        ("clusters", "" if one.clusters is None else thousands(one.clusters)),
        ("runs", "" if one.runs == 1 else thousands(one.runs)),
    )
    return tuple((name, text) for name, text in facts if text)


def _bounds_title(answer: ScoreReport) -> str:
    return f"{percent(answer.level)} CI"


def _systems_grid(answer: ScoreReport) -> Grid:
    columns = (
        Column("system", "name"),
        Column(measured(answer) + answer.unit.score_heading, "number"),
        Column(_bounds_title(answer), "interval"),
        Column("method", "words"),
        Column("items", "number"),
    )
    unit = answer.unit
    ends = [unit.printed(one.interval.low, one.mean, one.interval.high) for one in answer.systems]
    spans = Spans(2, tuple((low, mean, high) for low, mean, high in ends))
    rows = tuple(_system_cells(one, unit) for one in answer.systems)
    return Grid(columns, rows, spans=spans if len(rows) > 1 else None)


def _system_cells(one: SystemScore, unit: Unit) -> Row:
    return (
        Cell(one.name),
        *_mean_and_bounds(unit, one.mean, one.interval),
        Cell(one.interval.shown_method),
        Cell(thousands(one.items), (one.items,)),
    )


def _mean_and_bounds(unit: Unit, mean: float, found: IntervalResult | None) -> tuple[Cell, Cell]:
    if found is None:
        return Cell(unit.bare_size(mean, 3), unit.printed(mean)), BLANK
    places = unit.places(found.low, found.high)
    return (
        Cell(unit.bare_score(mean, places), unit.printed(mean)),
        Cell(unit.score_interval(found.low, found.high, places), unit.printed(found.low, found.high)),
    )


def _datasets_grid(answer: ScoreReport) -> Grid:
    several = len(answer.systems) > 1
    columns = (
        Column("dataset", "name"),
        *((Column("system", "name"),) if several else ()),
        Column(measured(answer) + answer.unit.score_heading, "number"),
        Column(_bounds_title(answer), "interval"),
        Column("items", "number"),
    )
    rows = tuple(
        _dataset_cells(one, found, answer.unit, several=several) for one in answer.systems for found in one.datasets
    )
    return Grid(columns, rows)


def _dataset_cells(one: SystemScore, found: DatasetScore, unit: Unit, *, several: bool) -> Row:
    return (
        Cell(found.dataset),
        *((Cell(one.name),) if several else ()),
        *_mean_and_bounds(unit, found.mean, found.interval),
        Cell(thousands(found.items), (found.items,)),
    )


def _further_grid(answer: ScoreReport) -> Grid:
    columns = (
        Column("correlation of scores", "name"),
        Column(f"to be reached{answer.unit.score_heading}", "number"),
        Column(f"gain{answer.unit.heading}", "number"),
    )
    found = answer.systems[0].interval
    unit = answer.unit
    places = unit.places(found.low, found.high)
    rows = tuple(
        (Cell(f"{one.correlation:g}"), Cell("none would do"), BLANK)
        if one.score is None or one.effect is None
        else (
            Cell(f"{one.correlation:g}"),
            Cell(unit.bare_score(one.score, places), unit.printed(one.score)),
            Cell(unit.bare_size(one.effect, 3), unit.printed(one.effect)),
        )
        for one in answer.further
    )
    power = percent(answer.further[0].power) if answer.further else ""
    return Grid(columns, rows, f"score that another system needs on these items to be told apart ({power} power)")
