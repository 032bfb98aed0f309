"""Page of planned labels beside a judge."""

from tellapart.answers.judged_plan import JudgedPlan, JudgedPlanRow
from tellapart.answers.page import BLANK, Cell, Column, Grid, Page, Row
from tellapart.answers.parts import texts
from tellapart.foundation.formatting import amount, number, percent, significant, thousands


def make_page(answer: JudgedPlan) -> Page:
    columns = (
        Column("labels", "number"),
        Column("judged", "number"),
        Column("effect", "number"),
        Column("power", "number"),
        Column("± at 1 − alpha", "number"),
        Column("worth labels", "number"),
        Column("labels alone: power", "number"),
        Column("labels alone for it", "number"),
        *([Column("cost", "number")] if any(row.cost is not None for row in answer.rows) else []),
    )
    pilot = answer.pilot
    seen = "" if pilot is None else f" (from {amount(pilot.labels, 'label')})"
    return Page(
        headline=answer.headline,
        tone="even",
        grids=(Grid(columns, tuple(_judged_plan_row(row, len(columns)) for row in answer.rows)),),
        facts=(
            ("spread (sd)", f"{significant(answer.sd_difference, 3)} of people's differences{seen}"),
            ("correlation", f"{number(answer.judge_correlation, 2)} of the judge's differences with people's{seen}"),
        ),
        remarks=(("Notes", texts(answer.notes)),),
        sentence=answer.sentence,
        signature=answer.signature,
    )


def _judged_plan_row(row: JudgedPlanRow, cells: int) -> Row:
    all_cells = (
        Cell(thousands(row.labels), (row.labels,)),
        Cell(thousands(row.items), (row.items,)),
        BLANK if row.effect is None else Cell(significant(row.effect, 3), (row.effect,)),
        _planned_power(row.power),
        Cell(significant(row.half_width, 3), (row.half_width,)),
        Cell(thousands(round(row.worth)), (row.worth,)),
        _planned_power(row.labels_alone_power),
        Cell(thousands(row.labels_alone_for_same), (row.labels_alone_for_same,)),
        BLANK if row.cost is None else Cell(significant(row.cost, 4), (row.cost,)),
    )
    return all_cells[:cells]


def _planned_power(power: float | None) -> Cell:
    return BLANK if power is None else Cell(percent(power, 3), (power,))
