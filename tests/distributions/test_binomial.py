"""The fair coin, against whole numbers and scipy."""

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from scipy import stats

from tellapart.foundation.arrays import SMALLEST
from tellapart.numerics.null_laws.tails import Alternative, fair_mid_pvalue, fair_pvalue, half_lower, half_mid_lower


def exact(successes: int, trials: int) -> Fraction:
    """P(X ≤ x), counted."""
    return Fraction(sum(comb(trials, i) for i in range(successes + 1)), 2**trials)


@pytest.mark.parametrize("trials", [0, 1, 2, 7, 30])
def test_tails_are_counted(trials: int) -> None:
    """Tails are exact fractions up to their last bit, and all-one-way is exactly 2⁻ᵐ, which levels such as 1/8 tie with."""
    x = np.arange(-2, trials + 3)
    expected = [float(exact(min(k, trials), trials)) if k >= 0 else 0.0 for k in x.tolist()]
    found = half_lower(x, np.full_like(x, trials)).tolist()
    assert found[2] == 0.5**trials
    assert found == pytest.approx(expected, rel=1e-15, abs=0.0)


@pytest.mark.parametrize(("successes", "trials"), [(0, 1000), (300, 1000), (480, 1000), (4_800, 10_000)])
def test_small_tails_keep_their_digits(successes: int, trials: int) -> None:
    """From 1e-301 to a third the tail agrees with exact fractions to twelve digits."""
    found = float(half_lower(np.array(successes), np.array(trials)))
    assert found == pytest.approx(float(exact(successes, trials)), rel=2e-13, abs=0.0)


def test_the_observed_count_counted_half() -> None:
    """The mid-p tail is the tail without the observed count plus half its probability."""
    x = np.arange(0, 12)
    expected = stats.binom.cdf(x, 11, 0.5) - 0.5 * stats.binom.pmf(x, 11, 0.5)
    np.testing.assert_allclose(half_mid_lower(x, np.full(12, 11)), expected, rtol=1e-13)


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_pvalues_are_those_of_a_sign_test(alternative: Alternative) -> None:
    """Every count out of 0 to 15 has scipy's exact binomial p-value."""
    for trials in range(1, 16):
        x = np.arange(trials + 1)
        found = fair_pvalue(x, np.full_like(x, trials), alternative)
        expected = [stats.binomtest(k, trials, 0.5, alternative).pvalue for k in x.tolist()]
        np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_other_tails_may_be_asked_for() -> None:
    """The p-value is made of whichever tail is given, and is never 0."""
    mid = fair_pvalue(np.array([3]), np.array([10]), "less", half_mid_lower)
    assert float(mid[0]) == pytest.approx((176 - 60) / 1024)
    assert float(fair_pvalue(np.array([0]), np.array([5_000]), "less")[0]) == SMALLEST


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_no_trial_is_no_evidence(alternative: Alternative) -> None:
    """Counted half or not; one trial is some."""
    none = np.zeros(1, dtype=np.int64)
    assert fair_pvalue(none, none, alternative).tolist() == fair_mid_pvalue(none, none, alternative).tolist() == [1.0]
    one = fair_mid_pvalue(np.array([0, 1]), np.array([1, 1]), alternative).tolist()
    assert one == {"two-sided": [0.5, 0.5], "less": [0.25, 0.75], "greater": [0.75, 0.25]}[alternative]
