"""t over raters, and flips of raters: scipy's t test, and all flips by hand."""

import itertools

import numpy as np
import pytest
from scipy import stats

from tellapart.data.ratings import Ratings
from tellapart.data.summaries.rater_samples import ByRaters, Crossed
from tellapart.foundation.errors import Unsuitable
from tellapart.foundation.seeds import stream
from tellapart.methods.intervals import INTERVALS
from tellapart.methods.significance import TESTS
from tellapart.methods.significance.rater_sign_flip import RaterSignFlip
from tellapart.metrics.mean import Mean
from tellapart.numerics.null_laws.tails import Alternative

NESTED = np.full((5, 17), np.nan)
for _item in range(17):
    NESTED[(_item * _item) % 5 if _item > 4 else _item, _item] = np.sin(7.0 * _item) + 0.4


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_rater_t_is_a_t_test_of_means(alternative: Alternative) -> None:
    """However many items each rater has."""
    means = np.nanmean(NESTED, axis=1)
    expected = stats.ttest_1samp(means, 0.0, alternative=alternative)
    found = TESTS.parse(f"rater_t(alternative={alternative})").apply(Crossed(NESTED), stream(0))
    assert float(found.pvalue) == pytest.approx(expected.pvalue, rel=1e-12, abs=0.0)
    low, high = INTERVALS.parse("rater_t").interval(Crossed(NESTED), 0.9, stream(0))
    known = stats.ttest_1samp(means, 0.0).confidence_interval(0.9)
    assert (float(low), float(high)) == pytest.approx((known.low, known.high), rel=1e-12, abs=0.0)


def test_uneven_loads_only_make_it_careful() -> None:
    """One rater with half of all items, many with a few: equal systems are called different 5 % of the time at most."""
    rng = np.random.default_rng(3)
    loads = [60, *([2] * 11)]
    rater = np.repeat(np.arange(12), loads)
    values = np.full((4000, 12, len(rater)), np.nan)
    drawn = 0.1 * rng.normal(size=(4000, 12))[:, rater] + rng.normal(size=(4000, len(rater)))
    values[:, rater, np.arange(len(rater))] = drawn
    pvalue = TESTS.parse("rater_t").apply(Crossed(values), stream(0)).pvalue
    assert 0.02 < np.mean(pvalue <= 0.05) < 0.06


def test_rater_sign_flip_counts_every_flip() -> None:
    """The share of all flips of raters' means at least as far from zero."""
    values = np.random.default_rng(2).normal(0.3, 1.0, size=(7, 6))
    means = values.mean(axis=1)
    sums = [abs(np.dot(signs, means)) for signs in itertools.product((-1, 1), repeat=7)]
    expected = np.mean(np.array(sums) >= abs(means.sum()) - 1e-12)
    found = TESTS.parse("rater_sign_flip").apply(Crossed(values), stream(0))
    assert float(found.pvalue) == pytest.approx(expected, abs=1e-12)
    assert TESTS.parse("rater_sign_flip").estimand.endswith("on these items")


def test_three_raters_cannot_show_anything_by_flips() -> None:
    """The smallest p-value is 1/4."""
    found = TESTS.parse("rater_sign_flip").apply(Crossed(np.full((3, 9), 2.0)), stream(0))
    assert float(found.pvalue) == 0.25
    assert found.method == "closed form; with 3 raters no p-value is below 0.25"


@pytest.mark.parametrize(("alternative", "least"), [("two-sided", 2.0**-8), ("less", 2.0**-9), ("greater", 2.0**-9)])
def test_the_smallest_p_value_of_flips(alternative: Alternative, least: float) -> None:
    """It is reached where all raters lean the way that is looked for, and the method tells it."""
    test = RaterSignFlip(alternative=alternative)
    values = np.random.default_rng(4).uniform(0.1, 1.0, size=(9, 5)) * (-1.0 if alternative == "less" else 1.0)
    found = test.apply(Crossed(values), stream(0))
    assert float(found.pvalue) == test.least_pvalue(9) == least
    assert found.method.endswith(f"with 9 raters no p-value is below {least:.3g}")


@pytest.mark.parametrize("test", ["rater_t", "rater_sign_flip"])
def test_batches_of_evaluations(test: str) -> None:
    """Each has its own means of raters, whose own mean is the effect and says who is ahead; the t ratio is scipy's."""
    values = np.random.default_rng(0).normal(0.1, 1.0, size=(3, 8, 4))
    means = values.mean(axis=2)
    found = TESTS.parse(test).apply(Crossed(values), stream(0))
    expected = means.mean(axis=1) if test == "rater_sign_flip" else stats.ttest_1samp(means, 0.0, axis=1).statistic
    np.testing.assert_allclose(found.statistic, expected, rtol=1e-12)
    assert found.direction.tolist() == np.sign(means.mean(axis=1)).tolist()
    assert set(found.direction.tolist()) == {-1.0, 1.0}
    assert found.error.tolist() == [0.0] * 3
    for i in range(3):
        alone = TESTS.parse(test).apply(Crossed(values[i]), stream(0))
        assert float(found.pvalue[i]) == pytest.approx(float(alone.pvalue), rel=1e-12, abs=0.0)


def test_raters_who_agree_up_to_rounding_are_tied() -> None:
    """0.1 + 0.2 and 0.3 are the same lean, so that one for and one against it leave nothing: whatever the unit, and near whom."""
    values = np.array([[0.1 + 0.2, 0.3], [-0.3, -0.3], [1e-9, -1e-9]])
    for unit in (1.0, 1e-15, 1e15):
        found = TESTS.parse("rater_sign_flip").apply(Crossed(unit * values), stream(0))
        assert (float(found.pvalue), float(found.direction)) == (1.0, 0.0)
        tenths = unit * np.array([[0.1 + 0.2, 0.3], [0.5, 0.1], [-0.2, 0.4], [0.1, 0.7], [-0.4, 0.2]])
        leaning = TESTS.parse("rater_sign_flip").apply(Crossed(tenths), stream(0))
        # Their means are 3, 3, 1, 4 and −1 tenths: only flips of none or of a single 1 sum to as much.
        assert (float(leaning.pvalue), float(leaning.direction)) == (6.0 / 32.0, 1.0)


def test_ties_of_raters_are_judged_by_the_largest_mean() -> None:
    """Two who lean alike to fourteen digits are tied, though a third leans by less than what is left: four flips of eight are as large."""
    means = np.array([300_000.0 * (1.0 + 4e-15), -300_000.0, 0.001])
    found = TESTS.parse("rater_sign_flip(alternative=greater)").apply(Crossed(means[:, np.newaxis]), stream(0))
    assert means[0] > 300_000.0
    assert float(found.pvalue) == 0.5


@pytest.mark.parametrize("test", ["rater_t", "rater_sign_flip"])
def test_single_ratings_are_refused(test: str) -> None:
    """Raters who rated one system only have no difference of their own."""
    ratings = Ratings.from_arrays({"a": [[1, 2], [np.nan, np.nan]], "b": [[np.nan, np.nan], [2, 4]]})
    sample = ByRaters.of(ratings.pair("a", "b"), Mean())
    with pytest.raises(Unsuitable, match="use mixed_model"):
        TESTS.parse(test).apply(sample, stream(0))
