"""The sheet of the evidence there is."""

from tellapart.render.grid import BLANK, Cell, Column, Grid, Row
from tellapart.render.sheet import Sheet
from tellapart.results.evidence import EvidenceList, KnownEvidence

COLUMNS = (
    Column("evidence", "name"),
    Column("on", "words"),
    Column("accuracies", "interval"),
    Column("numbers", "words"),
)


def sheet(answer: EvidenceList) -> Sheet:
    return Sheet(
        headline=answer.headline,
        mood="even",
        grids=(Grid(COLUMNS, tuple(map(_row, answer.rows))),),
        facts=tuple((row.name, _said(row)) for row in answer.rows),
        remarks=(),
        sentence=answer.sentence,
        signature=answer.signature,
    )


def _row(row: KnownEvidence) -> Row:
    numbers = ", ".join(f"{name} {value:g}" for name, value in row.coefficients.items())
    return (
        Cell(row.example),
        Cell(row.kind),
        _accuracies(row),
        Cell(numbers, tuple(row.coefficients.values())),
    )


def _accuracies(row: KnownEvidence) -> Cell:
    """Only right or wrong answers have them."""
    if row.kind in {"ratings", "spread", "contributions"}:
        return BLANK
    return Cell(f"{row.accuracy_low:g}–{row.accuracy_high:g}", (row.accuracy_low, row.accuracy_high))


def _said(row: KnownEvidence) -> str:
    caution = f" Caution: {row.caution}." if row.caution else ""
    return f"{row.about}. Band: {row.uncertainty}. Source: {row.source}.{caution}"
