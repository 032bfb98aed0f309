"""Page of the `evidence` answer: one row per piece of evidence, or all details of one."""

from tellapart.answers.evidence import EvidenceList, KnownEvidence
from tellapart.answers.page import BLANK, Cell, Column, Grid, Page, Row

COLUMNS = (
    Column("evidence", "name"),
    Column("on", "words"),
    Column("seen on", "words"),
    Column("accuracies", "interval"),
)


def make_page(answer: EvidenceList) -> Page:
    """One line per piece of evidence; all details where there is only one."""
    return Page(
        headline=answer.headline,
        tone="even",
        grids=(Grid(COLUMNS, tuple(map(_evidence_row, answer.rows))),),
        facts=_evidence_facts(answer.rows[0]) if len(answer.rows) == 1 else (),
        remarks=(),
        sentence=answer.sentence,
        signature=answer.signature,
    )


def _evidence_row(row: KnownEvidence) -> Row:
    return Cell(row.example), Cell(row.kind), Cell(row.seen_on), _accuracy_cell(row)


def _accuracy_cell(row: KnownEvidence) -> Cell:
    """Only right or wrong answers have them."""
    if row.kind in {"ratings", "spread", "contributions"}:
        return BLANK
    return Cell(f"{row.accuracy_low:g}–{row.accuracy_high:g}", (row.accuracy_low, row.accuracy_high))


def _evidence_facts(row: KnownEvidence) -> tuple[tuple[str, str], ...]:
    numbers = ", ".join(f"{name} {value:g}" for name, value in row.coefficients.items())
    known = (
        ("about", row.about),
        ("numbers", numbers),
        ("band", row.uncertainty),
        ("source", row.source),
        ("caution", row.caution),
    )
    return tuple((name, said) for name, said in known if said)
