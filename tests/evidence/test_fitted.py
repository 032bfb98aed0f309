"""Evidence of one's own: least squares with leave-one-out, against refitting."""

import numpy as np
import pytest

from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.errors import DataError, TooFew
from tellapart.foundation.seeds import stream
from tellapart.numerics.linearity import least_squares
from tellapart.populations.evidence import fit_gain, fit_overlap


def _past(rows: int = 40) -> tuple[FloatArray, FloatArray, FloatArray]:
    rng = stream(3)
    a = rng.uniform(0.6, 0.95, rows)
    b = np.clip(a + rng.normal(0.01, 0.02, rows), 0.0, 1.0)
    agreement = 0.4 + 0.6 * np.minimum(a, b) - 0.5 * np.abs(a - b) + rng.normal(0.0, 0.01, rows)
    return a, b, agreement


def test_leave_one_out_equals_refitting() -> None:
    """Each row predicted from all others, as if the line were fitted again without it."""
    a, b, agreement = _past()
    design = np.column_stack([np.ones_like(a), np.minimum(a, b), np.abs(a - b)])
    fit = least_squares(design, agreement)
    for i in range(len(a)):
        others = np.arange(len(a)) != i
        again = np.linalg.lstsq(design[others], agreement[others], rcond=None)[0]
        assert fit.predicted[i] == pytest.approx(design[i] @ again, rel=1e-10, abs=0.0)
    errors = agreement - fit.predicted
    assert fit.prediction_error == pytest.approx(np.sqrt((errors**2).mean()), rel=1e-12, abs=0.0)
    assert fit.prediction_error > fit.residual_sd * np.sqrt((len(a) - 3) / len(a))


def test_r_squared_and_residuals() -> None:
    """R² is the squared correlation with the fitted values, the residual sd corrected for its coefficients."""
    a, b, agreement = _past()
    evidence, fit = fit_overlap(a, b, agreement)
    fitted = np.array([1.0 - evidence.past(x, y).expected for x, y in zip(a, b, strict=True)])
    assert fit.r_squared == pytest.approx(np.corrcoef(fitted, agreement)[0, 1] ** 2, rel=1e-4, abs=0.0)
    assert fit.residual_sd == pytest.approx(
        np.sqrt(((agreement - fitted) ** 2).sum() / (len(a) - 3)), rel=1e-3, abs=0.0
    )


def test_a_line_is_found_again() -> None:
    """Results that lie on a line give its coefficients and no error."""
    baseline = np.linspace(0.5, 0.9, 9)
    evidence, fit = fit_gain(baseline, 0.1 - 0.1 * baseline)
    assert (evidence.intercept, evidence.baseline) == pytest.approx((0.1, -0.1), abs=1e-6)
    assert fit.prediction_error == pytest.approx(0.0, abs=1e-12)
    assert evidence.seen == (0.5, 0.9)


def test_a_lonely_row_is_not_predicted() -> None:
    """What only one row can tell, such as the offset of its dataset, the others cannot predict."""
    baseline = np.linspace(0.5, 0.9, 9)
    alone = (np.arange(9) == 4).astype(np.float64)
    fit = least_squares(np.column_stack([np.ones(9), baseline, alone]), baseline**2)
    assert np.isnan(fit.predicted[4])
    assert np.isfinite(np.delete(fit.predicted, 4)).all()


def test_refusals() -> None:
    """Too few results, or results that do not vary, determine no line."""
    with pytest.raises(TooFew, match="found 5 gains"):
        fit_gain(np.linspace(0.5, 0.6, 5), np.zeros(5))
    with pytest.raises(DataError, match="do not determine"):
        fit_gain(np.full(8, 0.7), np.linspace(0.0, 0.1, 8))


def test_results_that_do_not_vary() -> None:
    """A gain that is always the same is a line without slope, error or R², whatever floats make of it."""
    evidence, fit = fit_gain(np.linspace(0.6, 0.9, 8), np.full(8, 0.1))
    assert (evidence.intercept, evidence.baseline, evidence.error) == (0.1, 0.0, 0.0)
    assert (fit.residual_sd, fit.prediction_error) == (0.0, 0.0)
    assert np.isnan(fit.r_squared)
