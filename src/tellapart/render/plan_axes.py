"""A plan over two axes as a table with one along each side, as papers print power: items down, correlation across."""

from collections.abc import Callable, Iterator

from tellapart.render.grid import BLANK, Cell, Column, Grid, Row, throughout
from tellapart.results.plan import Plan, PlanRow

MOST_COLUMNS = 8
"""Of a matrix of power: more of them are a list of rows."""
WIDEST = 76
"""Characters of a table that fits everywhere."""

Titled = tuple[str, Callable[[PlanRow], Cell]]
"""What a row shows, under its title."""


def crossed(
    answer: Plan, axes: list[Titled], shown: list[Titled], constant: list[Titled]
) -> tuple[Grid, ...]:
    """One table for each of the numbers shown, or none where the rows are no full grid of two axes, or where it would not fit."""
    if len(axes) != 2 or any("rows" in note.values for note in answer.notes):
        return ()
    down, across = _sides(answer, axes)
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
            tuple(_line(name, heads, places, cell) for name in names),
            f"{title} by {down[0]} and {across[0]}" + (f". {same}" if same and not place else ""),
        )
        for place, (title, cell) in enumerate(shown)
    )
    return grids if all(_width(grid) <= WIDEST for grid in grids) else ()


def _sides(answer: Plan, axes: list[Titled]) -> tuple[Titled, Titled]:
    """Which axis runs down: the one of more values where the other would be too wide, else the first."""
    first, second = axes
    counts = [len({axis(row) for row in answer.rows}) for _, axis in axes]
    return (second, first) if counts[1] > MOST_COLUMNS >= counts[0] else (first, second)


def _line(name: Cell, heads: list[Cell], places: dict[tuple[Cell, Cell], PlanRow], cell: Callable[[PlanRow], Cell]) -> Row:  # fmt: skip
    return (name, *(cell(places[name, head]) if (name, head) in places else BLANK for head in heads))


def _width(grid: Grid) -> int:
    """Columns of a terminal that it takes; titles fold, numbers do not."""
    return sum(max(_widths(grid, place)) + 2 for place in range(len(grid.columns))) - 2


def _widths(grid: Grid, place: int) -> Iterator[int]:
    yield from (len(row[place].text) for row in grid.rows)
    yield from map(len, grid.columns[place].title.split())
