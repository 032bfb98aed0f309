"""The pieces of the three bootstraps, each from a few resamples whose answer can be written down."""

from typing import Any

import numpy as np
import pytest
from scipy import stats

from tellapart.distributions.bootstrap.bca import _acceleration, _bias, _moved, _moved_back, _quantile
from tellapart.distributions.bootstrap.inversion import bootstrap_bounds, bootstrap_tails
from tellapart.distributions.bootstrap.limits import refuse_few_items, refuse_hardly_any
from tellapart.distributions.bootstrap.ranks import bounding_rank, counts_beyond, is_tied
from tellapart.distributions.bootstrap.studentised import (
    _alike,
    _doubted,
    _flat_share,
    _outer_quantile,
    _outer_tail,
    _ratios,
    studentised_tails,
)
from tellapart.distributions.resampling import Replicates
from tellapart.errors import Unsuitable


def entries(
    effects: Any, effect: Any, errors: Any = None, influence: Any = None, sizes: Any = None
) -> Replicates:
    """Several entries, with errors of 1 and sixty unlike units unless said."""
    effects = np.asarray(effects, dtype=float)
    influence = np.tile(np.linspace(-1.0, 1.0, 60), (len(effects), 1)) if influence is None else influence
    return Replicates(
        np.asarray(effect, dtype=float),
        np.ones(len(effects)),
        effects,
        np.ones_like(effects) if errors is None else np.asarray(errors, dtype=float),
        np.asarray(influence, dtype=float),
        np.full(len(effects), float(np.shape(influence)[-1])),
        np.ones(np.shape(influence)[-1]) if sizes is None else np.asarray(sizes, dtype=float),
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
    found = _bias(entries(effects, [1.0, 1.0, 1.0, 1.0]))
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
    assert _moved(bias, acceleration, 2.0)[:2].tolist() == [np.inf, np.inf]
    assert _moved(bias, acceleration, 2.0)[2] == pytest.approx(0.1 + 2.1 / (1.0 - 0.42))
    back = _moved_back(np.zeros(3), np.array([-0.5, -1.0, 0.5]), np.array([2.0, 2.0, -2.0]))
    assert back.tolist() == [np.inf, np.inf, -np.inf]
    moved = _moved(bias, 0.1 * acceleration, 1.3)
    np.testing.assert_allclose(_moved_back(bias, 0.1 * acceleration, moved), 1.3, rtol=1e-12)


def test_quantiles_are_ranks_of_each_row() -> None:
    """Never beyond the outermost resamples."""
    ordered = np.array([[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0], [0.0, 1.0, 2.0, 3.0]])
    assert _quantile(ordered, np.array([0.4, 0.79, 0.01])).tolist() == [2.0, 7.0, 0.0]
    assert _quantile(ordered, np.array([1.0, 0.0, 0.6])).tolist() == [4.0, 5.0, 2.0]


def test_ratios_of_resamples() -> None:
    """0 where a resample did not move, infinite where it did and has no spread."""
    found = _ratios(entries([[1.0, 3.0, 0.0, 1.0 + 1e-14, 2.0]], [1.0], [[0.0, 0.5, 0.0, 0.5, 0.0]]))
    assert found.tolist() == [[0.0, 4.0, -np.inf, 0.0, np.inf]]


def test_the_share_without_spread() -> None:
    """Of each entry, the observed one counted with them; small errors are spread."""
    found = entries(np.zeros((3, 4)), np.zeros(3), [[0.0, 0.0, 1.0, 1.0], [1e-9, 0.5, 0.5, 1.0], [0.0] * 4])
    assert _flat_share(found).tolist() == [0.6, 0.2, 1.0]


def units(alike: int, unlike: int) -> list[float]:
    return [0.0] * alike + [float(x) for x in np.linspace(1.0, 2.0, unlike)]


@pytest.mark.parametrize(
    ("alike", "unlike", "doubted", "df"),
    [
        (20, 49, True, 48.0),
        (20, 50, False, 69.0),
        (10, 30, True, 29.0),
        (9, 30, False, 38.0),
        (2, 4, True, 3.0),
        (1, 3, False, 3.0),
        (1, 2, False, 2.0),
        (2, 1, True, 1.0),
        (5, 0, True, 1.0),
    ],
)
def test_when_units_tell_too_little(alike: int, unlike: int, doubted: bool, df: float) -> None:
    """Fewer than fifty unlike ones, and at least two and a quarter of all alike; then only the unlike ones leave freedom."""
    influence = [units(alike, unlike)]
    found, freedom = _doubted(entries(np.zeros((1, 2)), np.zeros(1), influence=influence))
    assert (found.tolist(), freedom.tolist()) == ([doubted], [df])


def test_clusters_are_alike_when_their_items_are() -> None:
    """What a cluster adds over its number of items, however many it has."""
    sizes = np.array([1.0, 2.0, 5.0, 3.0, 4.0])
    influence = np.array([[0.5, 1.0, 2.5, 1.0, 9.0]])
    found, freedom = _doubted(entries(np.zeros((1, 2)), np.zeros(1), influence=influence, sizes=sizes))
    assert (found.tolist(), freedom.tolist()) == ([True], [1.0])


def test_alike_is_judged_by_each_rows_largest() -> None:
    """A billionth is nothing beside a million, and a thousandth of a millionth something; of whatever sign the largest is."""
    rows = np.array(
        [
            [1e6, 1e6 + 1e-8, 3.0, 7.0],
            [-1e6, 3.0, 3.0 + 1e-8, 7.0],
            [1e-6, 1e-6 + 1e-9, 3e-6, 7e-6],
            [0.0, 0.0, 0.0, 0.0],
            [-7.0, -7.0 + 1e-14, -7.0 + 2e-14, 0.0],
        ]
    )
    assert _alike(rows).tolist() == [2, 2, 1, 4, 3]


def test_the_outer_quantile() -> None:
    """The ranked ratio; Student's where larger and resamples do not reach the tail, or as many are without spread."""
    ratios = np.sort(np.array([[-1.0, 0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0]]), axis=-1)
    found = entries(ratios, [0.0])
    many = entries(np.zeros((1, 99)), [0.0])
    assert _outer_quantile(ratios, 0.2, found).tolist() == [3.0]
    assert _outer_quantile(ratios, 0.3, found).tolist() == [2.5]
    t = float(stats.t.ppf(0.9, 59))
    small = 0.1 * ratios
    # One resample in ten may be flat for all that nine can tell: no more than a tail of a tenth is trusted.
    assert _outer_quantile(small, 0.1, found)[0] == pytest.approx(t, rel=1e-12, abs=0.0)
    assert _outer_quantile(small, 0.2, found)[0] == pytest.approx(0.3)
    assert _outer_quantile(ratios, 0.01, found)[0] == pytest.approx(4.0)
    assert _outer_quantile(small, 0.01, found)[0] == pytest.approx(
        float(stats.t.ppf(0.99, 59)), rel=1e-12, abs=0.0
    )
    assert many.errors.shape == (1, 99)


def test_the_outer_quantile_is_finite() -> None:
    """A quantile among ratios without spread is the largest that has some, or Student's."""
    ratios = np.array([[-1.0, 0.0, 3.0, np.inf, np.inf]])
    found = entries(np.zeros((1, 5)), [0.0], [[1.0, 1.0, 1.0, 0.0, 0.0]])
    assert _outer_quantile(ratios, 0.4, found).tolist() == [3.0]


@pytest.mark.parametrize(
    ("student", "flat", "expected"),
    [(0.05, 0.4, 0.2), (0.3, 0.4, 0.3), (0.9, 0.4, 0.4), (0.05, 0.3, 0.4), (0.05, 1.0, 0.2), (0.9, 1.0, 0.9)],
)
def test_the_outer_tail_beyond_all_finite_ratios(student: float, flat: float, expected: float) -> None:
    """One of five where only ratios without spread are beyond; up to their share Student's if larger, and then the count."""
    ratios = np.array([[-1.0, 0.0, 1.0, np.inf]])
    found = _outer_tail(ratios, np.array([2.0]), np.array([student]), np.array([flat]))
    assert found[0] == pytest.approx(expected)


def test_the_outer_tail_among_the_ratios() -> None:
    """As many as are as large, ties among them whatever their last digits; at the largest itself it is not beyond."""
    ratios = np.array([[-1.0, 0.0, 1.0, 2.0]])
    for observed, share in ((2.0, 0.4), (2.0 + 1e-13, 0.4), (1.5, 0.4), (1.0, 0.6), (3.0, 0.2)):
        found = _outer_tail(ratios, np.array([observed]), np.array([0.0]), np.array([0.2]))
        assert found[0] == pytest.approx(share)
    flat = _outer_tail(
        np.array([[0.0, 2.0, np.inf, np.inf]]), np.array([2.0]), np.array([0.0]), np.array([0.9])
    )
    assert flat[0] == pytest.approx(0.8)


def test_doubted_resamples_are_students_throughout() -> None:
    """Where few units tell anything the tails are Student's if larger, above a half as well."""
    influence = [units(70, 20)]
    effects = 0.5 + 0.001 * np.linspace(-1.0, 1.0, 99)[np.newaxis]
    found = entries(effects, [0.5], influence=influence)
    lower, upper = (float(x[0]) for x in bootstrap_tails("studentised", found, 0.3))
    assert upper == pytest.approx(stats.t.sf(0.2, 19), rel=1e-9, abs=0.0)
    assert lower == pytest.approx(1.0)
    lower, upper = (float(x[0]) for x in bootstrap_tails("studentised", found, 0.7))
    assert lower == pytest.approx(stats.t.sf(0.2, 19), rel=1e-9, abs=0.0)
    assert upper == pytest.approx(1.0)


def test_both_bounds_of_rounding_are_zero() -> None:
    """An interval that ends at zero says so, above as below."""
    effects = np.r_[np.linspace(0.5, 1.0, 50), np.full(49, 1e-16)][np.newaxis]
    for sign in (1.0, -1.0):
        low, high = bootstrap_bounds("percentile", entries(sign * effects, [0.5 * sign]), 0.5)
        assert (low if sign > 0.0 else high).tolist() == [0.0]


def test_who_is_too_few() -> None:
    """Each kind is refused by its name, and a test of five items is none of them."""
    with pytest.raises(Unsuitable, match="a BCa bootstrap of 49 items"):
        refuse_few_items("bca", 49)
    with pytest.raises(Unsuitable, match="a percentile bootstrap of 20 items"):
        refuse_few_items("percentile", 20)
    refuse_hardly_any(5)
    with pytest.raises(Unsuitable, match="4 items are too few"):
        refuse_hardly_any(4)


@pytest.mark.parametrize("far", [1e12, -1e12])
def test_units_are_alike_beside_the_farthest(far: float) -> None:
    """What differs by less than its rounding is the same, whichever end it is at."""
    assert _alike(np.array([[0.0, 1e-3, 2e-3, far]])).tolist() == [3]


def test_tails_of_doubted_resamples_are_never_below_students() -> None:
    """Ten units of sixty tell: of nine degrees of freedom, however large the tail is."""
    influence = np.append(np.zeros(50), np.linspace(1.0, 2.0, 10))[np.newaxis]
    effects = np.array([[-2.0, -1.5, -1.0, -0.7, -0.2, 0.3, 0.4, 1.0, 2.5]])
    found = entries(effects, [0.0], influence=influence)
    for null in (-0.5, 0.5):
        above, below = (float(tail[0]) for tail in studentised_tails(found, null)[::-1])
        shares = [(1 + np.sum(side * effects >= -side * null)) / 10.0 for side in (1.0, -1.0)]
        student = stats.t.sf([-null, null], 9.0)
        assert (above, below) == pytest.approx(np.maximum(shares, student).tolist(), rel=1e-9, abs=0.0)
