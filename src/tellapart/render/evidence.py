"""The sheet of the evidence there is."""

from tellapart.render.sheet import Sheet
from tellapart.results.evidence import EvidenceList, KnownEvidence


def sheet(answer: EvidenceList) -> Sheet:
    return Sheet(
        headline="what past results say",
        mood="even",
        grids=(),
        facts=tuple((row.name, _said(row)) for row in answer.rows),
        remarks=(),
        sentence=answer.sentence,
        signature=answer.signature,
    )


def _said(row: KnownEvidence) -> str:
    numbers = ", ".join(f"{name} {value:g}" for name, value in row.coefficients.items())
    seen = (
        f"Seen at accuracies {row.accuracy_low:g} to {row.accuracy_high:g}; " if row.kind != "ratings" else ""
    )
    spelled = "" if row.example == row.name else f" (here {row.example})"
    caution = f" Caution: {row.caution}." if row.caution else ""
    return f"{row.about}: {numbers}{spelled}. {seen}{row.uncertainty}. Source: {row.source}.{caution}"
