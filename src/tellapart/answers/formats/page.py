"""The sheet of the formats there are."""

from tellapart.answers.formats.fields import FormatList
from tellapart.answers.sheet import Cell, Column, Grid, Sheet

COLUMNS = (
    Column("format", "name"),
    Column("written by", "words"),
    Column("item", "words"),
    Column("--where", "words"),
)


def sheet(answer: FormatList) -> Sheet:
    rows = tuple(
        (
            Cell(row.name),
            Cell(row.program or f"anybody ({row.label})"),
            Cell(row.items),
            Cell(", ".join(row.axes)),
        )
        for row in answer.rows
    )
    return Sheet(
        headline=answer.headline,
        mood="even",
        grids=(Grid(COLUMNS, rows),),
        facts=tuple((row.name, row.about) for row in answer.rows),
        remarks=(),
        sentence=answer.sentence,
        signature="",
    )
