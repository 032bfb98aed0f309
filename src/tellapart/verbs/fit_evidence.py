"""Evidence of one's own, fitted to a table of past results."""

from dataclasses import dataclass

import numpy as np

from tellapart.errors import DataError, ReadError, TellapartError, UsageError
from tellapart.evidence import Evidence, FittedGain, FittedOverlap, fit_gain, fit_overlap
from tellapart.evidence.least_squares import LeastSquares
from tellapart.evidence.overlap import possible_discordance
from tellapart.readers.reported import ReportedRow, ReportedTable, read_reported
from tellapart.results.audit import BadRow
from tellapart.results.evidence_fit import EvidenceFit, Fit
from tellapart.verbs.audit_numbers import Reported
from tellapart.verbs.signature import sign
from tellapart.wording import significant

ROLES: dict[str, tuple[str, ...]] = {
    "baseline": ("accuracy_a", "a", "previous_best"),
    "new": ("accuracy_b", "b", "model_accuracy"),
    "gap": ("gain", "effect", "difference", "delta"),
    "agreement": ("overlap",),
    "discordance": ("disagreement",),
    "items": ("n", "size", "test_size"),
}
TOLERANCE = 0.005
"""Rounding that is forgiven when an overlap is checked against its accuracies."""


@dataclass(frozen=True)
class PastResult:
    """Two accuracies, and the share of items on which both were right or both wrong where it is known."""

    baseline: float
    new: float
    agreement: float | None


@dataclass(frozen=True)
class _Scales:
    """What the numbers of a table are divided by: 100 where they are percentages."""

    accuracy: int
    overlap: int


def fit_evidence(path: str) -> EvidenceFit:
    """Overlap from accuracy and gap, gain from baseline, by least squares with leave-one-out prediction errors.

    Columns: baseline (or accuracy_a) and new (or accuracy_b) or gap; agreement (overlap) or discordance if known.
    Rows count alike, whatever their number of items.
    """
    table = read_reported(path, ROLES)
    results, bad = _results(table)
    if len(results) == 0:
        raise DataError(
            "\n".join([f"no row of {table.name} can be used", *(f"line {b.line}: {b.problem}" for b in bad)])
        )
    overlap, gain, notes = _fits(results)
    ignored = [f"columns not used: {', '.join(table.unused)}"] if table.unused else []
    return EvidenceFit(
        overlap, gain, bad, _sentence(overlap, gain), (*notes, *ignored),
        sign("evidence fit", f"{table.name} ({len(results)} results)"),
    )  # fmt: skip


def _fits(results: list[PastResult]) -> tuple[Fit | None, Fit | None, list[str]]:
    baseline, new = (np.array([getattr(r, side) for r in results]) for side in ("baseline", "new"))
    known = np.array([r.agreement is not None for r in results])
    agreement = np.array([np.nan if r.agreement is None else r.agreement for r in results])[known]
    gain = _fit("gain", *fit_gain(baseline, new - baseline))
    if not known.any():
        return None, gain, ["no column agreement or discordance: only gains are fitted"]
    overlap = _fit("agreement", *fit_overlap(baseline[known], new[known], agreement))
    return overlap, gain, []


def _fit(response: str, evidence: FittedOverlap | FittedGain, fit: LeastSquares) -> Fit:
    known: Evidence = evidence
    return Fit(
        str(known), response, known.coefficients, fit.r_squared, fit.residual_sd, fit.prediction_error,
        len(fit.predicted), *known.accuracies,
    )  # fmt: skip


def _sentence(overlap: Fit | None, gain: Fit | None) -> str:
    return " ".join(_line(fit) for fit in (overlap, gain) if fit is not None)


def _line(fit: Fit) -> str:
    intercept, *rest = fit.coefficients.items()
    terms = "".join(f" {'−' if value < 0 else '+'} {abs(value):.4g} · {name}" for name, value in rest)
    return (
        f"{fit.response} = {intercept[1]:.4g}{terms} ({fit.observations} results, R² {fit.r_squared:.3f}, "
        f"leave-one-out error {significant(fit.prediction_error)})."
    ).replace("= -", "= −")


def _results(table: ReportedTable) -> tuple[list[PastResult], tuple[BadRow, ...]]:
    scales = _Scales(_scale(table, ("baseline", "new")), _scale(table, ("agreement", "discordance")))
    bad = [BadRow(line, problem) for line, problem in table.ragged]
    results = []
    for row in table.rows:
        try:
            results.append(_result(row, scales))
        except TellapartError as error:
            bad.append(BadRow(row.line, str(error)))
    return results, tuple(sorted(bad, key=lambda b: b.line))


def _scale(table: ReportedTable, names: tuple[str, ...]) -> int:
    """100 where a column holds numbers above 1, which are then percentages all of them."""
    for row in table.rows:
        for name in names:
            try:
                if name in row.cells and Reported.read(name, row.cells[name]).value > 1:
                    return 100
            except UsageError:
                continue
    return 1


def _result(row: ReportedRow, scales: _Scales) -> PastResult:
    baseline = _share(row, "baseline", scales.accuracy)
    if baseline is None:
        raise ReadError("baseline (or accuracy_a) is missing")
    new, gap = _share(row, "new", scales.accuracy), _number(row, "gap", scales.accuracy)
    if new is None and gap is None:
        raise ReadError("give new (or accuracy_b), or gap")
    new = baseline + gap if new is None and gap is not None else new
    if new is None or not 0.0 <= new <= 1.0:
        raise ReadError(f"baseline {baseline:g} and gap {gap:g} give an accuracy outside 0 to 1")
    agreement, discordance = (_share(row, name, scales.overlap) for name in ("agreement", "discordance"))
    if agreement is None and discordance is not None:
        agreement = 1.0 - discordance
    return PastResult(baseline, new, _possible(baseline, new, agreement))


def _possible(a: float, b: float, agreement: float | None) -> float | None:
    least, most = possible_discordance(a, b)
    if agreement is not None and not least - TOLERANCE <= 1.0 - agreement <= most + TOLERANCE:
        raise ReadError(
            f"agreement {agreement:g} cannot be: accuracies {a:g} and {b:g} leave it between {1 - most:.4g} and {1 - least:.4g}"
        )
    return agreement


def _share(row: ReportedRow, name: str, scale: int) -> float | None:
    value = _number(row, name, scale)
    if value is None:
        return None
    if not 0.0 <= value <= 1.0 or (scale == 100 and 0.0 < value <= 0.01):
        unit = "a percentage" if scale == 100 else "a fraction"
        raise ReadError(f"{name} is {row.cells[name]!r}; it should be {unit} like the rest of the table")
    return value


def _number(row: ReportedRow, name: str, scale: int) -> float | None:
    if name not in row.cells:
        return None
    value = Reported.read(name, row.cells[name])
    return float(value.value) / (100 if value.percent else scale)
