"""A table of claims as a whole: how many could have shown what they claim."""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from tellapart.arrays import FloatArray
from tellapart.decision import rejects
from tellapart.errors import DataError
from tellapart.evidence.least_squares import LeastSquares, least_squares
from tellapart.results.audit import AuditSummary, LeaveOneOut
from tellapart.verbs.audit.evaluations import OfAccuracies
from tellapart.verbs.audit.findings import Findings

FEWEST = 8
"""Claims below which predicting each from the others says nothing."""


def summary(found: Sequence[Findings], bad_rows: int) -> AuditSummary:
    verdicts = Counter(f.verdict for f in found)
    small = sum(f.detectable is None or abs(f.effect) < f.detectable for f in found)
    return AuditSummary(
        claims=len(found),
        bad_rows=bad_rows,
        certain=verdicts["certain"],
        likely=verdicts["likely"],
        undecidable=verdicts["undecidable"],
        implausible=verdicts["implausible"],
        powered=sum(map(_is_powered, found)),
        below_detectable=small,
        leave_one_out=leave_one_out([f for f in found if isinstance(f.evaluation, OfAccuracies)]),
    )


def _is_powered(found: Findings) -> bool:
    rates = found.expectation.rates
    return rates is not None and rates.power >= found.criterion.power


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
    powered = {
        i for i in predicted if _would_be_powered(found[i], float(baseline[i]), float(fit.predicted[i]))
    }
    significant = {i for i in predicted if _is_significant(found[i])}
    return LeaveOneOut(
        claims=len(predicted),
        powered=len(powered),
        significant=len(significant),
        powered_and_significant=len(powered & significant),
        powered_share=len(powered) / len(predicted),
        significant_share=len(significant) / len(predicted),
        r_squared=fit.r_squared,
        prediction_error=fit.prediction_error,
    )


def _gains(found: Sequence[Findings]) -> tuple[FloatArray, FloatArray]:
    """Baselines and gains; the system that is better in most claims is the new one in all of them."""
    a, b = (np.array([getattr(f, side) for f in found]) for side in ("a", "b"))
    return (a, b - a) if (b >= a).sum() * 2 >= len(found) else (b, a - b)


def _fit(found: Sequence[Findings], baseline: FloatArray, gain: FloatArray) -> LeastSquares | None:
    names = sorted({f.claim.dataset or "" for f in found})
    columns = [np.ones_like(baseline), baseline]
    several = [np.array([float((f.claim.dataset or "") == name) for f in found]) for name in names[1:]]
    # With nearly as many datasets as claims nothing is left to fit a line to; then baselines alone must do.
    for design in (columns + several, columns):
        try:
            return least_squares(np.column_stack(design), gain)
        except DataError:
            continue
    return None


def _would_be_powered(found: Findings, baseline: float, gain: float) -> bool:
    assert isinstance(found.evaluation, OfAccuracies), "gains are predicted for accuracies only"
    if gain <= 0.0:
        return False
    rates = found.evaluation.over(min(max(baseline, 0.0), 1.0)).rates(gain, found.criterion)
    return rates is not None and rates.power >= found.criterion.power


def _is_significant(found: Findings) -> bool:
    return found.pvalues is not None and bool(rejects(found.pvalues.expected, found.criterion.alpha))
