"""Page of the `store` answer: one row per stored study."""

from tellapart.answers.page import Cell, Column, Grid, Page
from tellapart.answers.store import StoreContents, StoredRow
from tellapart.foundation.formatting import thousands

COLUMNS = (
    Column("of", "words"),
    Column("study", "name"),
    Column("test", "words"),
    Column("design", "words"),
    Column("alpha", "number"),
    Column("seed", "number"),
    Column("replicates", "number"),
    Column("wanted", "number"),
    Column("used here", "words"),
)


def make_page(answer: StoreContents) -> Page:
    return Page(
        headline=answer.headline,
        tone="even",
        grids=(Grid(COLUMNS, tuple(map(_store_row, answer.rows))),) if answer.rows else (),
        facts=(("file", answer.file), ("size", f"{thousands(answer.size)} bytes")),
        remarks=(),
        sentence=answer.sentence,
        signature="",
    )


def _store_row(row: StoredRow) -> tuple[Cell, ...]:
    return (
        Cell(row.kind),
        Cell(row.study),
        Cell(row.test or ""),
        Cell(row.design or ""),
        Cell("") if row.alpha is None else Cell(f"{row.alpha:g}", (row.alpha,)),
        Cell("") if row.seed is None else Cell(str(row.seed), (row.seed,)),
        Cell(thousands(row.replicates), (row.replicates,)),
        Cell(thousands(row.wanted), (row.wanted,)),
        Cell("yes" if row.usable else "no"),
    )
