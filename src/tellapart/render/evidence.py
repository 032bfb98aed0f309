"""The sheet of the evidence there is."""

from tellapart.render.sheet import Grid, Sheet
from tellapart.results.evidence import EvidenceList, KnownEvidence


def sheet(answer: EvidenceList) -> Sheet:
    return Sheet(
        headline="what past results say",
        mood="even",
        grids=(Grid(("evidence", "on", "accuracies", "numbers"), tuple(map(_row, answer.rows))),),
        facts=tuple((row.name, _said(row)) for row in answer.rows),
        remarks=(),
        sentence=answer.sentence,
        signature=answer.signature,
    )


def _row(row: KnownEvidence) -> tuple[str, ...]:
    numbers = ", ".join(f"{name} {value:g}" for name, value in row.coefficients.items())
    seen = f"{row.accuracy_low:g}–{row.accuracy_high:g}" if row.kind != "ratings" else ""
    return row.example, row.kind, seen, numbers


def _said(row: KnownEvidence) -> str:
    caution = f" Caution: {row.caution}." if row.caution else ""
    return f"{row.about}. Band: {row.uncertainty}. Source: {row.source}.{caution}"
