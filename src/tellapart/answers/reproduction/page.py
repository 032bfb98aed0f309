"""Page of a reproduction: one table per published table."""

import math

from tellapart.answers.page import BLANK, Cell, Column, Grid, Page, Row, Tone, without_repeats
from tellapart.answers.parts import texts
from tellapart.answers.reproduction import CellResult, Reproduction, TableResult
from tellapart.foundation.formatting import decimals_within, interval, significant

COLUMNS = (
    Column("", "name"),
    Column("published", "number"),
    Column("ours", "number"),
    Column("agrees within", "interval"),
    Column("verdict, reason", "words"),
)

BELOW_ROUNDING = "none below rounding"
"""Printed where a number is too small for the precision that it is computed with."""
SURE = 1e-12
"""Of a number: what is off a whole one by less is off by rounding."""


def make_page(answer: Reproduction) -> Page:
    skipped = tuple(f"{table.name}: {table.skipped}" for table in answer.tables if table.skipped)
    return Page(
        headline=answer.headline,
        tone=_reproduction_tone(answer),
        grids=tuple(_table_grid(table) for table in answer.tables),
        facts=(),
        remarks=(("Unexplained", answer.failures), ("Shown as published", skipped), ("Notes", texts(answer.notes))),
        sentence=answer.sentence,
        signature=answer.signature,
        document=True,
    )


def _reproduction_tone(answer: Reproduction) -> Tone:
    if answer.failures:
        return "bad"
    return "good" if answer.recomputed and not answer.partial else "open"


def _table_grid(table: TableResult) -> Grid:
    reasons = without_repeats(cell.reason for cell in table.cells)
    caption = f"{table.name}: {table.title} ({table.source})"
    return Grid(COLUMNS, tuple(map(_cell_row, table.cells, reasons)), caption)


def _cell_row(cell: CellResult, reason: str) -> Row:
    return (
        Cell(cell.label),
        Cell(cell.printed, (None if isinstance(cell.published, str) else cell.published,)),
        _ours(cell),
        _range_cell(cell),
        Cell(f"{cell.verdict}: {reason}" if reason else cell.verdict),
    )


def _ours(cell: CellResult) -> Cell:
    if cell.ours is None:
        return BLANK
    if cell.below_rounding:
        return Cell(BELOW_ROUNDING, (cell.ours,))
    whole = round(cell.ours)
    if math.isclose(cell.ours, whole, rel_tol=SURE):
        return Cell(str(whole), (cell.ours,))
    return Cell(significant(cell.ours, 4), (cell.ours,))


def _range_cell(cell: CellResult) -> Cell:
    if cell.low is None or cell.high is None or cell.low == cell.high:
        return BLANK
    shown = interval(cell.low, cell.high, decimals_within(cell.low, cell.high))
    return Cell(shown, (cell.low, cell.high))
