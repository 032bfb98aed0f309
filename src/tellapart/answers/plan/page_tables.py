"""Tables on the page of a plan: grids of two assumptions, columns for raters, and deviations from a plan file."""

from collections.abc import Callable, Iterator

from tellapart.answers.page import BLANK, Cell, Column, Grid, Row, throughout
from tellapart.answers.plan import Plan, PlanRow
from tellapart.answers.plan.file import PlanCheck
from tellapart.answers.plan.grid_texts import option_amount
from tellapart.foundation.formatting import significant, thousands

# A plan over two axes as a table with one along each side, as papers print power: items down, correlation
# across.

MOST_COLUMNS = 8
"""Of a matrix of power: more of them are a list of rows."""
WIDEST = 76
"""Characters of a table that fits everywhere."""

Titled = tuple[str, Callable[[PlanRow], Cell]]
"""A title and the cell that a row shows under it."""


def crossed(answer: Plan, axes: list[Titled], shown: list[Titled], constant: list[Titled]) -> tuple[Grid, ...]:
    """One table for each of the numbers shown, or none where the rows are no full grid of two axes, or where it would not fit."""
    if len(axes) != 2 or any("rows" in note.values for note in answer.notes):
        return ()
    down, across = _crossed_sides(answer, axes)
    places = {(down[1](row), across[1](row)): row for row in answer.rows}
    sides = [list(dict.fromkeys(axis(row) for row in answer.rows)) for _, axis in (down, across)]
    heads, names = sides[1], sides[0]
    if len(places) < len(answer.rows) or len(heads) * len(names) > len(places):
        return ()
    if min(len(heads), len(names)) < 2 or len(heads) > MOST_COLUMNS:
        return ()
    same = throughout([(title, cell(answer.rows[0])) for title, cell in constant])
    grids = tuple(
        Grid(
            (Column(down[0], "name"), *(Column(f"{across[0]} {head.text}", "number") for head in heads)),
            tuple(_crossed_line(name, heads, places, cell) for name in names),
            f"{title} by {down[0]} and {across[0]}" + (f". {same}" if same and not place else ""),
        )
        for place, (title, cell) in enumerate(shown)
    )
    return grids if all(_grid_width(grid) <= WIDEST for grid in grids) else ()


def _crossed_sides(answer: Plan, axes: list[Titled]) -> tuple[Titled, Titled]:
    """Which axis runs down: the one of more values where the other would be too wide, else the first."""
    first, second = axes
    counts = [len({axis(row) for row in answer.rows}) for _, axis in axes]
    return (second, first) if counts[1] > MOST_COLUMNS >= counts[0] else (first, second)


def _crossed_line(name: Cell, heads: list[Cell], places: dict[tuple[Cell, Cell], PlanRow], cell: Callable[[PlanRow], Cell]) -> Row:  # fmt: skip
    return (name, *(cell(places[name, head]) if (name, head) in places else BLANK for head in heads))


def _grid_width(grid: Grid) -> int:
    """Columns of a terminal that it takes; titles fold, numbers do not."""
    return sum(max(_column_widths(grid, place)) + 2 for place in range(len(grid.columns))) - 2


def _column_widths(grid: Grid, place: int) -> Iterator[int]:
    yield from (len(row[place].text) for row in grid.rows)
    yield from map(len, grid.columns[place].title.split())


def looks_grid(answer: Plan) -> tuple[Grid, ...]:
    """The looks of the one study that was asked about: when, at which level, and how often it stops there."""
    row = answer.rows[0]
    if len(answer.rows) > 1 or row.items_at_looks is None or row.nominal is None or row.stops_at is None:
        return ()
    names = ("look", "items", "p must be at most", f"stops here if {option_amount(row.effect)}")
    rows = tuple(
        (
            Cell(str(look), (look,)),
            Cell(thousands(items), (items,)),
            Cell(f"{level:.4f}" if level >= 0.0001 else significant(level), (level,)),
            Cell(f"{stops:.2f}", (stops,)),
        )
        for look, (items, level, stops) in enumerate(zip(row.items_at_looks, row.nominal, row.stops_at, strict=True), 1)
    )
    return (Grid(tuple(Column(name, "number") for name in names), rows, "looks"),)


# Page parts of a plan in which several raters rate the items.

OWN_COLUMNS = frozenset({"raters", "per_item"})
"""Options that have columns of their own in every row."""


def _has_raters(answer: Plan) -> bool:
    return any(row.raters is not None for row in answer.rows)


def _priced(answer: Plan) -> bool:
    return any(row.cost is not None for row in answer.rows)


def rater_columns(answer: Plan) -> tuple[Column, ...]:
    names = ("raters", "per item") if _has_raters(answer) else ()
    return tuple(Column(name, "number") for name in names)


def rater_cells(answer: Plan, row: PlanRow) -> tuple[Cell, ...]:
    if not _has_raters(answer):
        return ()
    if row.raters is None:
        return BLANK, BLANK
    both = 2 if row.options.get("design", "crossed") == "crossed" else 1
    per_item = (row.ratings or 0) // (both * row.items)
    return Cell(thousands(row.raters), (row.raters,)), Cell(thousands(per_item), (per_item,))


def limits(answer: Plan) -> tuple[Grid, ...]:
    """How many ratings, what they cost, and the power that more items or more raters could not exceed."""
    if any(row.ceiling_runs is not None for row in answer.rows):
        return (_run_limits(answer),)
    if not _has_raters(answer):
        return (_seed_limits(answer),) if any(row.ceiling_items is not None for row in answer.rows) else ()
    numbered = [Column("row", "name")] if len(answer.rows) > 1 else []
    cost = ("cost",) if _priced(answer) else ()
    limited = ("df", "power, unlimited items", "power, unlimited raters") if _has_limits(answer) else ()
    names = ("ratings", *cost, *limited)
    columns = (*numbered, *(Column(name, "number") for name in names))
    return (Grid(columns, tuple(_limit_row(answer, number) for number in range(len(answer.rows)))),)


def _run_limits(answer: Plan) -> Grid:
    """The cost of rows, and the limit for infinitely many runs of each item."""
    cost = [Column("cost", "number")] if _priced(answer) else []
    columns = (
        Column("row", "name"),
        *cost,
        Column("power, unlimited runs", "number"),
        Column("items, unlimited runs", "number"),
    )
    rows = tuple(
        (
            Cell(str(number), (number,)),
            *([_cost(row.cost)] if _priced(answer) else []),
            _ceiling_cell(row.ceiling_runs),
            BLANK
            if row.items_endless_runs is None
            else Cell(thousands(row.items_endless_runs), (row.items_endless_runs,)),
        )
        for number, row in enumerate(answer.rows, 1)
    )
    return Grid(columns, rows)


def _seed_limits(answer: Plan) -> Grid:
    """The power that endless items with these seeds would reach."""
    rows = (
        (Cell(str(number), (number,)), _ceiling_cell(row.ceiling_items)) for number, row in enumerate(answer.rows, 1)
    )
    return Grid((Column("row", "name"), Column("power, unlimited items", "number")), tuple(rows))


def _limit_row(answer: Plan, number: int) -> Row:
    row = answer.rows[number]
    return (
        *([Cell(str(number + 1), (number + 1,))] if len(answer.rows) > 1 else []),
        BLANK if row.ratings is None else Cell(thousands(row.ratings), (row.ratings,)),
        *([_cost(row.cost)] if _priced(answer) else []),
        *(_of_limits(row) if _has_limits(answer) else ()),
    )


def _has_limits(answer: Plan) -> bool:
    """Whether more raters or items are known to help only so far; a test of averages knows nothing of raters."""
    return any(row.df is not None for row in answer.rows)


def _of_limits(row: PlanRow) -> Row:
    df = BLANK if row.df is None else Cell(significant(row.df, 3), (row.df,))
    return df, _ceiling_cell(row.ceiling_items), _ceiling_cell(row.ceiling_raters)


def _cost(cost: float | None) -> Cell:
    return BLANK if cost is None else Cell(f"{cost:.10g}", (cost,))


def _ceiling_cell(ceiling: float | None) -> Cell:
    return BLANK if ceiling is None else Cell(f"{ceiling:.4f}", (ceiling,))


def kept(check: PlanCheck | None) -> str:
    if check is None:
        return ""
    return f"as planned in {check.file}" if check.as_planned else f"not as planned in {check.file}"


def not_as_planned(check: PlanCheck | None) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The remarks that name every difference."""
    return (
        () if check is None or check.as_planned else (("Not as planned", tuple(one.text for one in check.deviations)),)
    )
