"""What a sheet of a plan has besides where several raters rate the items."""

from tellapart.render.grid import BLANK, Cell, Column, Grid, Row
from tellapart.results.plan import Plan, PlanRow
from tellapart.wording import significant, thousands

OWN_COLUMNS = frozenset({"raters", "per_item"})
"""Options that have columns of their own in every row."""


def _rated(answer: Plan) -> bool:
    return any(row.raters is not None for row in answer.rows)


def _priced(answer: Plan) -> bool:
    return any(row.cost is not None for row in answer.rows)


def rater_columns(answer: Plan) -> tuple[Column, ...]:
    names = ("raters", "per item") if _rated(answer) else ()
    return tuple(Column(name, "number") for name in names)


def rater_cells(answer: Plan, row: PlanRow) -> tuple[Cell, ...]:
    if not _rated(answer):
        return ()
    if row.raters is None:
        return BLANK, BLANK
    both = 2 if row.options.get("design", "crossed") == "crossed" else 1
    per_item = (row.ratings or 0) // (both * row.items)
    return Cell(thousands(row.raters), (row.raters,)), Cell(thousands(per_item), (per_item,))


def limits(answer: Plan) -> tuple[Grid, ...]:
    """How many ratings, what they cost, and the power that more items or more raters could not exceed."""
    if not _rated(answer):
        return ()
    numbered = [Column("row", "name")] if len(answer.rows) > 1 else []
    cost = ("cost",) if _priced(answer) else ()
    limited = ("df", "power, endless items", "power, endless raters") if _limited(answer) else ()
    names = ("ratings", *cost, *limited)
    columns = (*numbered, *(Column(name, "number") for name in names))
    return (Grid(columns, tuple(_limits(answer, number) for number in range(len(answer.rows)))),)


def _limits(answer: Plan, number: int) -> Row:
    row = answer.rows[number]
    return (
        *([Cell(str(number + 1), (number + 1,))] if len(answer.rows) > 1 else []),
        BLANK if row.ratings is None else Cell(thousands(row.ratings), (row.ratings,)),
        *([_cost(row.cost)] if _priced(answer) else []),
        *(_of_limits(row) if _limited(answer) else ()),
    )


def _limited(answer: Plan) -> bool:
    """Whether more raters or items are known to help only so far; a test of averages knows nothing of raters."""
    return any(row.df is not None for row in answer.rows)


def _of_limits(row: PlanRow) -> Row:
    df = BLANK if row.df is None else Cell(significant(row.df, 3), (row.df,))
    return df, _power(row.ceiling_items), _power(row.ceiling_raters)


def _cost(cost: float | None) -> Cell:
    return BLANK if cost is None else Cell(f"{cost:.10g}", (cost,))


def _power(ceiling: float | None) -> Cell:
    return BLANK if ceiling is None else Cell(f"{ceiling:.4f}", (ceiling,))
