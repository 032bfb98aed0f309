"""Page of a planned arena."""

from tellapart.answers.arena_plan import ArenaPlan, ArenaPlanRow
from tellapart.answers.page import Cell, Column, Grid, Page, Row
from tellapart.answers.parts import texts
from tellapart.foundation.formatting import amount, number, percent, significant, thousands


def make_page(answer: ArenaPlan) -> Page:
    columns = (
        Column("lead" if answer.top is not None else "gap", "number"),
        Column("ties", "number"),
        Column("votes", "number"),
        Column("per pair", "number"),
        Column("std. error", "number"),
        Column("power", "number"),
    )
    meet = () if answer.allocation is None else (("Who meets whom", (answer.allocation.text,)),)
    return Page(
        headline=answer.headline,
        tone="even",
        grids=(Grid(columns, tuple(_planned_row(row) for row in answer.rows)),),
        facts=(
            ("systems", f"{answer.systems}, {amount(answer.pairs, 'pair')}"),
            ("critical", f"{number(answer.critical, 3)} standard errors, for all pairs together"),
        ),
        remarks=(*meet, ("Notes", texts(answer.notes))),
        sentence=answer.sentence,
        signature=answer.signature,
    )


def _planned_row(row: ArenaPlanRow) -> Row:
    return (
        Cell(f"{row.gap:.3g}", (row.gap,)),
        Cell(percent(row.ties, 2), (row.ties,)),
        Cell(thousands(row.votes), (row.votes,)),
        Cell(number(row.per_pair, 1), (row.per_pair,)),
        Cell(significant(row.standard_error, 3), (row.standard_error,)),
        Cell(percent(row.power, 3), (row.power,)),
    )
