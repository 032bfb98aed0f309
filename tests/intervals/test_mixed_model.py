"""Intervals of ratings: closed forms; lme4's bounds are held against `mixed_model` in tests/significance."""

import numpy as np
import pytest
from scipy import stats

from tellapart.data.summaries.rater_samples import Crossed
from tellapart.foundation.seeds import stream
from tellapart.methods.intervals import INTERVALS


def test_mixed_model_without_spread_between_raters_and_items() -> None:
    """Both spreads at their boundary: the error is that of all differences alike, and Cochran's t that of the fewer levels."""
    values = np.array([[1.0, -1.0, 1.0, -1.0], [-1.0, 1.0, -1.0, 1.0], [0.5, -0.5, 0.5, -0.5]]) + 0.25
    assert values.mean(axis=0).tolist() != values.mean(axis=1).tolist()
    low, high = INTERVALS.parse("mixed_model(df=cochran)").interval(Crossed(values), 0.95, stream(0))
    mean = values.mean()
    assert float(low + high) / 2.0 == pytest.approx(mean)
    error = np.sqrt(((values - mean) ** 2).sum() / 11.0 / 12.0)
    assert float(high) - mean == pytest.approx(stats.t.ppf(0.975, 2) * error, rel=1e-6, abs=0.0)


def test_rater_t_of_one_rater_per_item() -> None:
    """Mean of the raters' means ± t with as many degrees of freedom as raters less one."""
    values = np.full((3, 6), np.nan)
    for item, difference in enumerate([0.1, 0.9, 0.4, 0.2, 0.8, 0.7]):
        values[item % 3, item] = difference
    low, high = INTERVALS.parse("rater_t").interval(Crossed(values), 0.8, stream(0))
    known = stats.t.interval(0.8, 2, loc=np.mean([0.15, 0.85, 0.55]), scale=stats.sem([0.15, 0.85, 0.55]))
    assert (float(low), float(high)) == pytest.approx(known)
