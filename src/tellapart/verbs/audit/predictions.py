"""A table of claims about itself: each gain predicted from all other claims, which no claim does for itself."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tellapart.arrays import FloatArray
from tellapart.errors import DataError
from tellapart.evidence.least_squares import LeastSquares, least_squares
from tellapart.results.audit import LeaveOneOut
from tellapart.verbs.audit.evaluations import OfAccuracies
from tellapart.verbs.audit.findings import Expectation, Findings

FEWEST = 8
"""Claims below which predicting each from the others says nothing."""

All = tuple[Findings, ...]


def with_predictions(found: All) -> tuple[All, LeaveOneOut | None]:
    """Each gain predicted by a line through all other claims: baseline and, where there are several, dataset.

    Where that errs no more than the mean of the others does, it is the gain that is plausible; a claim that says its own
    keeps it. None where the claims do not determine a line. Card et al. (2020), table 10.
    """
    about = [i for i, one in enumerate(found) if isinstance(one.evaluation, OfAccuracies)]
    if len(about) < FEWEST:
        return found, None
    baseline, gain = _gains([found[i] for i in about])
    fit = _fit([found[i] for i in about], baseline, gain)
    if fit is None:
        return found, None
    taken = fit.prediction_error <= _error_of_the_mean(gain)
    told = LeaveOneOut(int(np.isfinite(fit.predicted).sum()), taken, fit.r_squared, fit.prediction_error)
    if not taken:
        return found, told
    changed = list(found)
    for i, before, predicted in zip(about, baseline, fit.predicted, strict=True):
        if np.isfinite(predicted) and found[i].expectation.basis != "given":
            changed[i] = replace(found[i], expectation=_expected(found[i], float(before), float(predicted)))
    return tuple(changed), told


def _gains(found: Sequence[Findings]) -> tuple[FloatArray, FloatArray]:
    """Baselines and gains; the system that is better in most claims is the new one in all of them."""
    a, b = (np.array([getattr(f, side) for f in found]) for side in ("a", "b"))
    # Differences of printed numbers: what floats add to them is no variation.
    gains = np.round(b - a, 12)
    return (a, gains) if (gains >= 0.0).sum() * 2 >= len(found) else (b, -gains)


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


def _error_of_the_mean(gain: FloatArray) -> float:
    """The root mean square error of each gain predicted by the mean of the others."""
    rows = len(gain)
    return float(np.sqrt(((gain - gain.mean()) ** 2).mean())) * rows / (rows - 1.0)


def _expected(found: Findings, baseline: float, gain: float) -> Expectation:
    assert isinstance(found.evaluation, OfAccuracies), "gains are predicted for accuracies only"
    gain = min(gain, 1.0 - baseline)
    return Expectation(
        gain, "other claims", None, found.evaluation.over(baseline).rates(gain, found.criterion)
    )
