"""Page of the `formats` answer: one row per input format."""

from tellapart.answers.formats import FormatList
from tellapart.answers.page import Cell, Column, Grid, Page

COLUMNS = (Column("format", "name"), Column("written by", "words"), Column("item", "words"), Column("--where", "words"))


def make_page(answer: FormatList) -> Page:
    rows = tuple(
        (Cell(row.name), Cell(row.program or f"anybody ({row.label})"), Cell(row.items), Cell(", ".join(row.axes)))
        for row in answer.rows
    )
    return Page(
        headline=answer.headline,
        tone="even",
        grids=(Grid(COLUMNS, rows),),
        facts=tuple((row.name, row.about) for row in answer.rows),
        remarks=(),
        sentence=answer.sentence,
        signature="",
    )
