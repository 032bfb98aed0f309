"""The pieces of the three bootstraps, each from a few resamples whose answer can be written down."""

from typing import Any

import numpy as np
import pytest
from scipy import stats

from tellapart.foundation.errors import Unsuitable
from tellapart.numerics.resampling.bootstrap_bounds import (
    _acceleration,
    _bca_quantile,
    _median_bias,
    _moved_back,
    _order_statistic,
    _outermost,
    _ratios,
    bootstrap_bounds,
)
from tellapart.numerics.resampling.bootstrap_ranks import bounding_rank, counts_beyond, is_tied, refuse_few_items
from tellapart.numerics.resampling.draws import Replicates


def entries(effects: Any, effect: Any, errors: Any = None, influence: Any = None) -> Replicates:
    """Several entries, with errors of 1 and sixty unlike units unless said."""
    effects = np.asarray(effects, dtype=float)
    influence = np.tile(np.linspace(-1.0, 1.0, 60), (len(effects), 1)) if influence is None else influence
    return Replicates(
        np.asarray(effect, dtype=float),
        np.ones(len(effects)),
        effects,
        np.ones_like(effects) if errors is None else np.asarray(errors, dtype=float),
        np.asarray(influence, dtype=float),
    )


def test_ties_are_judged_by_each_entrys_effects() -> None:
    """A millionth of a millionth of the largest, of whatever sign: for gaps of resamples and for one gap per entry."""
    found = entries([[1.0, -4.0, 2.0], [1e-3, 2e-3, 0.0]], [0.0, 0.0])
    gaps = np.array([[3e-12, -3e-12, 5e-12], [1e-15, 3e-15, -3e-12]])
    assert is_tied(gaps, found).tolist() == [[True, True, False], [True, False, False]]
    assert is_tied(np.array([3e-12, 3e-12]), found).tolist() == [True, False]
    assert is_tied(np.zeros((2, 1)), entries([[0.0], [0.0]], [0.0, 0.0])).tolist() == [[True], [True]]


def test_counts_on_both_sides_share_ties() -> None:
    """What is equal but for rounding is at or above, and at or below."""
    above, below = counts_beyond(entries([[0.1 + 0.2, 0.3, 1.0, -1.0, 2.0]], [0.0]), 0.3)
    assert (above.tolist(), below.tolist()) == ([4.0], [3.0])


def test_which_resample_bounds_a_tail() -> None:
    """The observed one counts: a tail of a tenth takes nine resamples, and rounding takes no rank away."""
    assert [bounding_rank(0.1, n) for n in (8, 9, 18, 19, 29)] == [0, 1, 1, 2, 3]
    assert bounding_rank(0.025, 9_999) == 250


def test_the_share_below_counts_ties_half() -> None:
    """And is held half a resample inside, for a share of none or all would be a quantile at infinity."""
    effects = [
        [0.0, 1.0, 1.0, 2.0, 3.0],
        [2.0, 2.0, 2.0, 2.0, 2.0],
        [0.0, 0.0, 0.0, 0.0, 0.0],
        [1.0, 1.0, 1.0, 1.0, 0.0],
    ]
    found = _median_bias(entries(effects, [1.0, 1.0, 1.0, 1.0]))
    np.testing.assert_allclose(found, stats.norm.ppf([2.0 / 5.0, 0.1, 0.9, 3.0 / 5.0]), rtol=1e-12)


def test_acceleration_is_a_sixth_of_the_skewness() -> None:
    """Over the root of the number of units; none where nothing varies."""
    influence = np.array([[1.0, 1.0, -2.0], [0.0, 0.0, 0.0], [1e-9, 1e-9, -2e-9]])
    found = _acceleration(entries(np.zeros((3, 2)), np.zeros(3), influence=influence))
    each = -6.0 / (6.0 * 6.0**1.5)
    np.testing.assert_allclose(found, [each, 0.0, each], rtol=1e-12)


def test_quantiles_that_pass_infinity_stay_there() -> None:
    """Where the stretch is 0 or below the moved quantile is infinite, on the side that it went to."""
    bias, acceleration = np.array([0.0, 0.0, 0.1]), np.array([0.5, 1.0, 0.2])
    assert _bca_quantile(bias, acceleration, 2.0)[:2].tolist() == [np.inf, np.inf]
    assert _bca_quantile(bias, acceleration, 2.0)[2] == pytest.approx(0.1 + 2.1 / (1.0 - 0.42))
    back = _moved_back(np.zeros(3), np.array([-0.5, -1.0, 0.5]), np.array([2.0, 2.0, -2.0]))
    assert back.tolist() == [np.inf, np.inf, -np.inf]
    moved = _bca_quantile(bias, 0.1 * acceleration, 1.3)
    np.testing.assert_allclose(_moved_back(bias, 0.1 * acceleration, moved), 1.3, rtol=1e-12)


def test_quantiles_are_ranks_of_each_row() -> None:
    """Of at most all resamples; of less than one of them there is none."""
    ordered = np.array([[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0], [0.0, 1.0, 2.0, 3.0]])
    assert _order_statistic(ordered, np.array([0.4, 0.79, 0.01])).tolist() == [2.0, 7.0, -np.inf]
    assert _order_statistic(ordered, np.array([1.0, 0.0, 0.6])).tolist() == [4.0, -np.inf, 2.0]


def test_ratios_of_resamples() -> None:
    """0 where a resample with some spread did not move; one without lies beyond all others on either side."""
    found = entries([[1.0, 3.0, 0.0, 1.0 + 1e-14, 2.0]], [1.0], [[0.0, 0.5, 0.0, 0.5, 0.0]])
    ratios, opposite = _ratios(found)
    assert ratios.tolist() == [[np.inf, 4.0, np.inf, 0.0, np.inf]]
    assert opposite.tolist() == [[np.inf, -4.0, np.inf, 0.0, np.inf]]


def test_the_ratio_of_a_rank() -> None:
    """Counted from the top, of each entry."""
    ratios = np.array([[1.0, np.inf, 3.0, -2.0], [4.0, 2.0, 0.0, 6.0]])
    assert [_outermost(ratios, rank).tolist() for rank in (1, 2, 4)] == [
        [np.inf, 6.0],
        [3.0, 4.0],
        [-2.0, 0.0],
    ]


def test_both_bounds_of_rounding_are_zero() -> None:
    """An interval that ends at zero says so, above as below."""
    effects = np.r_[np.linspace(0.5, 1.0, 50), np.full(49, 1e-16)][np.newaxis]
    for sign in (1.0, -1.0):
        low, high = bootstrap_bounds("percentile", entries(sign * effects, [0.5 * sign]), 0.5)
        assert (low if sign > 0.0 else high).tolist() == [0.0]


def test_who_is_too_few() -> None:
    """Each kind is refused by its name."""
    with pytest.raises(Unsuitable, match="a BCa bootstrap of 49 items"):
        refuse_few_items("bca", 49)
    with pytest.raises(Unsuitable, match="a percentile bootstrap of 20 items"):
        refuse_few_items("percentile", 20)
