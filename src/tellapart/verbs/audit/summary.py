"""A table of claims as a whole: how many could have shown what they claim."""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from tellapart.arrays import FloatArray
from tellapart.decision import rejects
from tellapart.errors import DataError
from tellapart.evidence.least_squares import LeastSquares, least_squares
from tellapart.results.audit import AuditSummary, LeaveOneOut
from tellapart.verbs.audit_accuracy import expected_of
from tellapart.verbs.audit_findings import Findings

FEWEST = 8
"""Claims below which predicting each from the others says nothing."""


def summary(found: Sequence[Findings], bad_rows: int) -> AuditSummary:
    verdicts = Counter(f.verdict for f in found)
    target = found[0].question.power
    powered = sum(f.expectation.power is not None and f.expectation.power >= target for f in found)
    small = sum(f.detectable is None or abs(f.effect) < f.detectable for f in found)
    return AuditSummary(
        len(found), bad_rows, verdicts["certain"], verdicts["likely"], verdicts["undecidable"],
        verdicts["implausible"], powered, small, leave_one_out([f for f in found if not f.of_means]),
    )  # fmt: skip


def leave_one_out(found: Sequence[Findings]) -> LeaveOneOut | None:
    """Each gain predicted by a line through all other claims: baseline and, where there are several, dataset.

    How often such gains would be found at the overlap of such systems, and how many claims are significant there. None
    where the claims do not determine a line. Card et al. (2020), table 10.
    """
    if len(found) < FEWEST:
        return None
    baseline, gain = _gains(found)
    fit = _fit(found, baseline, gain)
    if fit is None:
        return None
    predicted = [i for i in range(len(found)) if np.isfinite(fit.predicted[i])]
    powered = {i for i in predicted if _is_powered(found[i], float(baseline[i]), float(fit.predicted[i]))}
    significant = {i for i in predicted if _is_significant(found[i])}
    return LeaveOneOut(
        len(predicted), len(powered), len(significant), len(powered & significant), fit.r_squared,
        fit.prediction_error,
    )  # fmt: skip


def _gains(found: Sequence[Findings]) -> tuple[FloatArray, FloatArray]:
    """Baselines and gains; the system that is better in most claims is the new one in all of them."""
    a, b = (np.array([getattr(f, side) for f in found]) for side in ("a", "b"))
    return (a, b - a) if (b >= a).sum() * 2 >= len(found) else (b, a - b)


def _fit(found: Sequence[Findings], baseline: FloatArray, gain: FloatArray) -> LeastSquares | None:
    names = sorted({f.claim.dataset or "" for f in found})
    columns = [np.ones_like(baseline), baseline]
    several = [np.array([float((f.claim.dataset or "") == name) for f in found]) for name in names[1:]]
    for design in (columns + several, columns):
        try:
            return least_squares(np.column_stack(design), gain)
        except DataError:
            continue
    return None


def _is_powered(found: Findings, baseline: float, gain: float) -> bool:
    if gain <= 0.0 or found.design is None:
        return False
    question, design = found.question, found.design.replace(accuracy=min(max(baseline, 0.0), 1.0))
    expected = expected_of(design, gain, "", found.items, question)
    return expected.power is not None and expected.power >= question.power


def _is_significant(found: Findings) -> bool:
    return found.pvalues is not None and bool(rejects(found.pvalues.expected, found.question.alpha))
