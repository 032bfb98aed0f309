"""The sheet of a reproduction: one table a published table."""

from tellapart.render.grid import BLANK, Cell, Column, Grid, Row
from tellapart.render.sheet import Mood, Sheet, without_repeats
from tellapart.results.reproduction import CellResult, Reproduction, TableResult
from tellapart.wording import decimals_for, interval, significant

COLUMNS = (
    Column("", "name"),
    Column("published", "number"),
    Column("ours", "number"),
    Column("agrees within", "interval"),
    Column("verdict, reason", "words"),
)


def sheet(answer: Reproduction) -> Sheet:
    headline, mood = _told(answer)
    skipped = tuple(f"{table.name}: {table.skipped}" for table in answer.tables if table.skipped)
    return Sheet(
        headline=headline,
        mood=mood,
        grids=tuple(_grid(table) for table in answer.tables),
        facts=(),
        remarks=(("Unexplained", answer.failures), ("Shown as published", skipped)),
        sentence=answer.sentence,
        signature=answer.signature,
    )


def _told(answer: Reproduction) -> tuple[str, Mood]:
    """The headline and its mood."""
    if answer.failures:
        return "published numbers differ and nobody knows why", "bad"
    if all(cell.ours is None for table in answer.tables for cell in table.cells):
        return "nothing was recomputed: shown as published", "open"
    return "every published number agrees with ours or has a known reason not to", "good"


def _grid(table: TableResult) -> Grid:
    reasons = without_repeats(cell.why for cell in table.cells)
    caption = f"{table.name}: {table.title} ({table.source})"
    return Grid(COLUMNS, tuple(map(_row, table.cells, reasons)), caption)


def _row(cell: CellResult, why: str) -> Row:
    return (
        Cell(cell.label),
        Cell(cell.printed, (None if isinstance(cell.published, str) else cell.published,)),
        _ours(cell),
        _range(cell),
        Cell(f"{cell.verdict}: {why}" if why else cell.verdict),
    )


def _ours(cell: CellResult) -> Cell:
    if cell.ours is None:
        return BLANK
    if cell.ours.is_integer():
        return Cell(str(int(cell.ours)), (cell.ours,))
    return Cell(significant(cell.ours, 4), (cell.ours,))


def _range(cell: CellResult) -> Cell:
    if cell.low is None or cell.high is None or cell.low == cell.high:
        return BLANK
    places = decimals_for((cell.high - cell.low) / 2.0)
    return Cell(interval(cell.low, cell.high, places), (cell.low, cell.high))
