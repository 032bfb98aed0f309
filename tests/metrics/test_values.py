"""F1 and MCC against their definitions."""

import numpy as np
import pytest

from tellapart.metrics import METRICS


def test_f1_by_hand() -> None:
    """Two true positives, one false positive, three misses: 4 / (4 + 1 + 3)."""
    assert float(METRICS.parse("f1").value(np.array([2.0, 1.0, 3.0]), 1)) == 0.5


def test_mcc_is_the_correlation_of_labels() -> None:
    """Matthews' coefficient is Pearson's correlation of predicted and true labels."""
    rng = np.random.default_rng(0)
    truth = rng.random(200) < 0.3
    guess = truth ^ (rng.random(200) < 0.2)
    cells = [truth & guess, ~truth & guess, truth & ~guess, ~truth & ~guess]
    means = np.array([cell.mean() for cell in cells])
    assert float(METRICS.parse("mcc").value(means, 200)) == pytest.approx(
        np.corrcoef(truth, guess)[0, 1], rel=1e-12, abs=0.0
    )


def test_empty_tables_are_zero_not_nan() -> None:
    """Nothing to find and nothing found: 0, with a zero gradient."""
    for name, empty in (("f1", np.zeros(3)), ("mcc", np.array([0.0, 0.0, 0.5, 0.5]))):
        metric = METRICS.parse(name)
        assert float(metric.value(empty, 2)) == 0.0
        assert np.isfinite(metric.gradient(empty, 2)).all()
