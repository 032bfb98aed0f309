"""Tables on the page of a leaderboard over several datasets, and on slices of its items."""

from tellapart.answers.leaderboard import Leaderboard
from tellapart.answers.leaderboard.parts import AcrossResult, DatasetStanding, NewDatasetResult
from tellapart.answers.page import Cell, Column, Grid, Row
from tellapart.foundation.formatting import decimals_within, first_of, one_line, percent, pvalue, thousands
from tellapart.foundation.formatting.units import Unit

MOST_PAIRS = 15
"""Pairs across datasets that are printed; the JSON has them all."""

MOST_NAMES = 3
"""Systems named for one dataset."""

WITHIN_COLUMNS = (
    Column("dataset", "name"),
    Column("items", "number"),
    Column("pairs told apart", "number"),
    Column("may be the best", "words"),
)


def dataset_grids(answer: Leaderboard) -> tuple[Grid, ...]:
    """Each dataset alone, and the first system, or the baseline, against the others across datasets."""
    if answer.datasets is None:
        return ()
    grids = []
    if answer.datasets.within:
        rows = tuple(_board_alone(answer, dataset) for dataset in answer.datasets.within)
        grids.append(Grid(WITHIN_COLUMNS, rows, f"every dataset alone, {answer.guarantee} within each"))
    if answer.datasets.across:
        grids.append(_board_across(answer, answer.datasets.across))
    return tuple(grids)


def slice_grids(answer: Leaderboard) -> tuple[Grid, ...]:
    """Each slice alone, a table for each column."""
    family = answer.slice_family
    if family is None:
        return ()
    over = f" over {thousands(family.slices)} slices" if family.correction != "none" else " within each"
    grids = []
    for one in family.columns:
        found = [alone for alone in answer.slices or () if alone.column == one.column]
        rows: list[Row] = [_board_alone(answer, alone) for alone in found]
        columns: tuple[Column, ...] = (Column(one_line(one.column), "name"), *WITHIN_COLUMNS[1:])
        if any(alone.elsewhere for alone in found):
            columns = (*columns, Column("other ranks than over all items", "words"))
            rows = [(*row, Cell(first_of(alone.elsewhere, MOST_NAMES))) for row, alone in zip(rows, found, strict=True)]
        grids.append(Grid(columns, tuple(rows), f"slices of {one_line(one.column)}, {answer.guarantee}{over}"))
    return tuple(grids)


def _board_alone(answer: Leaderboard, dataset: DatasetStanding) -> Row:
    found = dataset.separation
    best = [s.name for s in dataset.systems if s.may_be_best]
    named = first_of(best, MOST_NAMES)
    judged = not answer.baseline and answer.family_wise
    return (
        Cell(dataset.name),
        Cell(thousands(dataset.items), (dataset.items,)),
        Cell(f"{thousands(found.told_apart)} of {thousands(found.pairs)}", (found.told_apart, found.pairs)),
        Cell(named if judged else "not asked"),
    )


def _across_columns(answer: Leaderboard) -> tuple[Column, ...]:
    level = percent(answer.interval.joint_level)
    return (
        Column("system", "name"),
        Column("this suite", "number"),
        Column("adjusted", "number"),
        Column("by items", "number"),
        Column(f"mean of such, {level} CI", "interval"),
        Column(f"a new dataset, {level}", "interval"),
        Column("wins", "number"),
        Column("significant", "number"),
        Column("at least", "number"),
    )


def _board_across(answer: Leaderboard, across: tuple[AcrossResult, ...]) -> Grid:
    first = answer.systems[0].name
    shown = [pair for pair in across if answer.baseline or pair.b == first][:MOST_PAIRS]
    standardised = "" if answer.datasets is None or answer.datasets.unit == "raw" else ", standardised"
    more = "; all pairs are in the JSON" if len(across) > len(shown) else ""
    who = f"each less {answer.baseline}" if answer.baseline else f"{first} less each"
    means = [pair.new_dataset.mean for pair in shown]
    unit = answer.printed_unit
    bounds = [unit.printed(mean.low, mean.high) for mean in means]
    places = max((decimals_within(low, high) for low, high in bounds), default=0)
    rows = tuple(_board_row(answer, pair, pair.b if answer.baseline else pair.a, places) for pair in shown)
    return Grid(_across_columns(answer), rows, f"across datasets{standardised}{unit.heading}: {who}{more}")


def _board_row(answer: Leaderboard, pair: AcrossResult, name: str, places: int) -> Row:
    mean, unit, alpha = pair.new_dataset.mean, answer.printed_unit, answer.alpha
    return (
        Cell(name),
        Cell(unit.bare_difference(pair.equal_weight.effect, places), unit.printed(pair.equal_weight.effect)),
        Cell(pvalue(pair.equal_weight.adjusted_pvalue, alpha), (pair.equal_weight.adjusted_pvalue,)),
        Cell(unit.bare_difference(pair.item_weight.effect, places), unit.printed(pair.item_weight.effect)),
        Cell(unit.bare_interval(mean.low, mean.high, places), unit.printed(mean.low, mean.high)),
        _board_predicted(unit, pair.new_dataset, places),
        Cell(f"{thousands(pair.wins.wins)} of {thousands(pair.datasets)}", (pair.wins.wins, pair.datasets)),
        _won_lost(pair.significant_wins, pair.significant_losses),
        _won_lost(pair.wins_at_least, pair.losses_at_least),
    )


def _board_predicted(unit: Unit, new: NewDatasetResult, places: int) -> Cell:
    low, high = new.prediction_low, new.prediction_high
    if low is None or high is None:
        return Cell("none")
    return Cell(unit.bare_interval(low, high, places), unit.printed(low, high))


def _won_lost(won: int, lost: int) -> Cell:
    return Cell(f"{won} won, {lost} lost", (won, lost))
