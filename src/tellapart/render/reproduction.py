"""The sheet of a reproduction: one table a published table."""

from tellapart.render.sheet import Grid, Sheet
from tellapart.results.reproduction import CellResult, Reproduction, TableResult
from tellapart.wording import decimals_for, number, significant

COLUMNS = ("", "published", "ours", "agrees within", "verdict, reason")


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


def _told(answer: Reproduction) -> tuple[str, str]:
    """The headline and its mood."""
    if answer.failures:
        return "published numbers differ and nobody knows why", "bad"
    if all(cell.ours is None for table in answer.tables for cell in table.cells):
        return "nothing was recomputed: shown as published", "open"
    return "every published number agrees with ours or has a known reason not to", "good"


def _grid(table: TableResult) -> Grid:
    rows, told = [], ""
    for cell in table.cells:
        why = "as above" if cell.why and cell.why == told else cell.why
        rows.append(
            (
                cell.label,
                cell.printed,
                _ours(cell),
                _range(cell),
                f"{cell.verdict}: {why}" if why else cell.verdict,
            )
        )
        told = cell.why
    return Grid(COLUMNS, tuple(rows), f"{table.name}: {table.title} ({table.source})")


def _ours(cell: CellResult) -> str:
    if cell.ours is None:
        return ""
    return str(int(cell.ours)) if cell.ours.is_integer() else significant(cell.ours, 4)


def _range(cell: CellResult) -> str:
    if cell.low is None or cell.high is None or cell.low == cell.high:
        return ""
    places = decimals_for((cell.high - cell.low) / 2.0)
    return f"[{number(cell.low, places)}, {number(cell.high, places)}]"
