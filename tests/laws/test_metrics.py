"""Laws that every metric obeys: its gradient is a derivative, its influence values average to the metric."""

from typing import Any

import numpy as np

from tellapart.metrics import METRICS
from tellapart.summaries import item_contributions


def parts_of(metric: Any, items: int = 40) -> np.ndarray[Any, Any]:
    return np.random.default_rng(2).integers(0, 4, size=(items, len(metric.parts()))).astype(float)


def test_spelling_round_trips(metric: Any) -> None:
    """What is printed can be typed."""
    assert METRICS.parse(str(metric)) == metric


def test_gradient_is_the_derivative(metric: Any) -> None:
    """Central differences agree with the gradient."""
    means = parts_of(metric).mean(axis=0)
    step = 1e-6
    numeric = [
        float(metric.value(means + step * unit, 40) - metric.value(means - step * unit, 40)) / (2 * step)
        for unit in np.eye(len(means))
    ]
    np.testing.assert_allclose(metric.gradient(means, 40), numeric, rtol=1e-6, atol=1e-8)


def test_contributions_average_to_the_metric(metric: Any) -> None:
    """The mean of what items contribute is the metric itself."""
    parts = parts_of(metric)
    np.testing.assert_allclose(
        item_contributions(parts, metric).mean(), metric.value(parts.mean(axis=0), len(parts)), rtol=1e-12
    )


def test_influence_predicts_the_jackknife(metric: Any) -> None:
    """Leaving one item out moves the metric as its influence says, so standard errors agree within 3 %."""
    parts = parts_of(metric, items=400)
    n = len(parts)
    left_out = (parts.sum(axis=0) - parts) / (n - 1)
    values = metric.value(left_out, n - 1)
    jackknife = np.sqrt((n - 1) / n * np.square(values - values.mean()).sum())
    influence = item_contributions(parts, metric).std(ddof=1) / np.sqrt(n)
    np.testing.assert_allclose(influence, jackknife, rtol=0.03)


def test_batches_are_the_same_numbers(metric: Any) -> None:
    """A batch axis changes nothing."""
    batch = np.stack([parts_of(metric), 2.0 * parts_of(metric)]).mean(axis=1)
    np.testing.assert_allclose(metric.value(batch, 40), [metric.value(row, 40) for row in batch], rtol=1e-14)
    np.testing.assert_allclose(
        metric.gradient(batch, 40), [metric.gradient(row, 40) for row in batch], rtol=1e-14
    )
