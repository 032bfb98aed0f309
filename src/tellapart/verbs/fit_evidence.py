"""Evidence of one's own, fitted to a table of past results."""

import os
from collections.abc import Iterator
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
from tellapart.wording import number, significant

ROLES: dict[str, tuple[str, ...]] = {
    "baseline": ("accuracy_a", "a", "previous_best"),
    "new": ("accuracy_b", "b", "model_accuracy"),
    "gap": ("gain", "effect", "difference", "delta"),
    "agreement": ("overlap",),
    "discordance": ("disagreement",),
    "items": ("n", "size", "test_size"),
}
TOLERANCE = 0.005
"""Rounding that is forgiven when two numbers that say the same are checked against each other."""
FEW_POINTS = 0.1
"""Points of accuracy below which no gap of a table is believed to be in points."""


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


def fit_evidence(path: str | os.PathLike[str]) -> EvidenceFit:
    """Overlap from accuracy and gap, gain from baseline, by least squares with leave-one-out prediction errors.

    Columns: baseline (or accuracy_a) and new (or accuracy_b) or gap; agreement (overlap) or discordance if known.
    Rows count alike, whatever their number of items.
    """
    table = read_reported(os.fspath(path), ROLES)
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
    # Differences of printed numbers: what floats add to them is no variation.
    gain = _fit("gain", *fit_gain(baseline, np.round(new - baseline, 12)))
    if not known.any():
        return None, gain, ["no column agreement or discordance: only gains are fitted"]
    try:
        overlap = _fit("agreement", *fit_overlap(baseline[known], new[known], agreement))
    except DataError as error:
        return None, gain, [f"overlap is not fitted: {error}"]
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
        f"{fit.response} = {intercept[1]:.4g}{terms} ({fit.observations} results, R² {number(fit.r_squared, 3)}, "
        f"leave-one-out error {significant(fit.prediction_error)})."
    ).replace("= -", "= −")


def _results(table: ReportedTable) -> tuple[list[PastResult], tuple[BadRow, ...]]:
    scales = _Scales(_scale(table, ("baseline", "new")), _scale(table, ("agreement", "discordance")))
    _check_gaps(table, scales)
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
    return 100 if any(x.value > 1 for x in _numbers(table, names)) else 1


def _numbers(table: ReportedTable, names: tuple[str, ...]) -> Iterator[Reported]:
    """The cells of some columns that hold numbers."""
    for row in table.rows:
        for name in names:
            try:
                if name in row.cells:
                    yield Reported.read(name, row.cells[name])
            except UsageError:
                continue


def _check_gaps(table: ReportedTable, scales: _Scales) -> None:
    """Gaps of a few hundredths beside percentages are fractions more likely than points; nobody can tell."""
    gaps = [gap for gap in _numbers(table, ("gap",)) if gap.value != 0]
    if scales.accuracy == 1 or not gaps or any(gap.percent or abs(gap.value) >= FEW_POINTS for gap in gaps):
        return
    raise ReadError(
        f"{table.name}: all gaps are below {FEW_POINTS:g} beside accuracies in percent; print both the same way, or gaps with a percent sign"
    )


def _result(row: ReportedRow, scales: _Scales) -> PastResult:
    baseline = _share(row, "baseline", scales.accuracy)
    if baseline is None:
        raise ReadError("baseline (or accuracy_a) is missing")
    new, gap = _share(row, "new", scales.accuracy), _number(row, "gap", scales.accuracy)
    if new is None and gap is None:
        raise ReadError("give new (or accuracy_b), or gap")
    _check_same("new", new, "baseline + gap", None if gap is None else baseline + gap)
    new = baseline + gap if new is None and gap is not None else new
    if new is None or not 0.0 <= new <= 1.0:
        raise ReadError(f"baseline {baseline:g} and gap {gap:g} give an accuracy outside 0 to 1")
    agreement, discordance = (_share(row, name, scales.overlap) for name in ("agreement", "discordance"))
    same = None if discordance is None else 1.0 - discordance
    _check_same("agreement", agreement, "1 − discordance", same)
    return PastResult(baseline, new, _possible(baseline, new, same if agreement is None else agreement))


def _check_same(name: str, value: float | None, other: str, again: float | None) -> None:
    if value is not None and again is not None and abs(value - again) > TOLERANCE:
        raise ReadError(f"{name} is {value:.4g}, but {other} is {again:.4g}; give one of them")


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
    signed = row.cells[name].endswith("%")
    if not 0.0 <= value <= 1.0 or (scale == 100 and 0.0 < value <= 0.01 and not signed):
        unit = "a percentage" if scale == 100 else "a fraction"
        raise ReadError(f"{name} is {row.cells[name]!r}; it should be {unit} like the rest of the table")
    return value


def _number(row: ReportedRow, name: str, scale: int) -> float | None:
    if name not in row.cells:
        return None
    value = Reported.read(name, row.cells[name])
    return float(value.value) / (100 if value.percent else scale)
